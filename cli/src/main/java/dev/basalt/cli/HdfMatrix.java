package dev.basalt.cli;

import io.jhdf.HdfFile;
import io.jhdf.api.Attribute;
import io.jhdf.api.Dataset;
import io.jhdf.api.Group;
import io.jhdf.api.Node;
import io.jhdf.api.dataset.ContiguousDataset;
import io.jhdf.exceptions.HdfException;
import java.lang.reflect.Array;
import java.nio.BufferUnderflowException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A matrix of an HDF5 file, or of a file of MATLAB from version 7.3 on, which is one, by the jHDF library. */
final class HdfMatrix {
    /** Elements that are read at once: they stay in the second cache until they are in their columns. */
    private static final int SLICE = 1 << 16;
    /** Columns that rows go to at once: eight numbers are a line of the cache. */
    private static final int TILE = 8;

    private final Input input;
    private final Path file;
    private final List<Node> nodes = new ArrayList<>();

    private HdfMatrix(Input input) {
        this.input = input;
        this.file = input.file();
    }

    /** Reads the dataset that is named, or the only one that is a matrix. */
    static MatrixFile open(Input input) {
        try (HdfFile hdf = input.isPlainFile() ? new HdfFile(input.file()) : HdfFile.fromInputStream(input.stream())) {
            HdfMatrix found = new HdfMatrix(input);
            found.collect(hdf);
            return found.choose(input.member());
        } catch (HdfException | IndexOutOfBoundsException | BufferUnderflowException | IllegalArgumentException e) {
            // Of a damaged file the library throws what comes.
            throw new Failure(input.file() + ": the HDF5 file cannot be read: " + e.getMessage(), e);
        } finally {
            input.close();
        }
    }

    /** Datasets of one or two dimensions, and MATLAB's sparse matrices, which are groups. MATLAB's own folders are left out. */
    private void collect(Group group) {
        for (Node child : group.getChildren().values()) {
            if (child instanceof Group inner) {
                if (isSparse(inner)) {
                    nodes.add(inner);
                } else if (!inner.getName().startsWith("#")) {
                    collect(inner);
                }
            } else if (child instanceof Dataset dataset && isMatrix(dataset)) {
                nodes.add(dataset);
            }
        }
    }

    private static boolean isSparse(Node node) {
        return node.getAttributes().containsKey("MATLAB_sparse");
    }

    private static boolean isMatrix(Dataset dataset) {
        int dimensions = dataset.getDimensions().length;
        Class<?> type = dataset.getJavaType();
        return (dimensions == 1 || dimensions == 2)
                && (dataset.isCompound() || (type.isPrimitive() && type != char.class));
    }

    private MatrixFile choose(String wanted) {
        List<String> names = nodes.stream().map(HdfMatrix::name).toList();
        int at = wanted == null ? (names.size() == 1 ? 0 : -1) : names.indexOf(wanted.replaceFirst("^/", ""));
        if (at < 0) {
            throw Members.choose(file, wanted, names);
        }
        Node node = nodes.get(at);
        return node instanceof Group group ? sparse(group) : dense((Dataset) node);
    }

    private static String name(Node node) {
        return node.getPath().replaceFirst("^/", "").replaceFirst("/$", "");
    }

    private MatrixFile dense(Dataset dataset) {
        // MATLAB stores columns, and so tells the dimensions the other way round.
        boolean byColumns = dataset.getAttributes().containsKey("MATLAB_class");
        int[] extents = dataset.getDimensions();
        int rows = byColumns ? extents[extents.length - 1] : extents[0];
        int cols = extents.length == 1 ? 1 : byColumns ? extents[0] : extents[1];
        if ((double) rows * cols > MarketHeader.MOST) {
            throw new Failure(file + ": the dataset has " + rows + " x " + cols + " elements; at most "
                    + MarketHeader.MOST + " can be read");
        }
        if (dataset instanceof ContiguousDataset && !dataset.isCompound() && extents.length == 2) {
            double[][] columns = ReadFile.columns(file, rows, cols, false);
            slices(dataset, byColumns, columns);
            MatrixHeader header =
                    new MatrixHeader.Dense(rows, cols, false, kind(byColumns) + ", dataset " + name(dataset));
            return new ReadFile(file, header, new DenseMatrix(rows, false, columns));
        }
        Object data = dataset.isCompound() ? dataset.getData() : dataset.getDataFlat();
        Object[] both = parts(dataset, data);
        boolean complex = both.length == 2;
        double[][] columns = ReadFile.columns(file, rows, cols, complex);
        for (int part = 0; part < both.length; part++) {
            for (int j = 0; j < cols; j++) {
                for (int i = 0; i < rows; i++) {
                    double value = element(both[part], byColumns ? j : i, byColumns ? i : j, byColumns ? rows : cols);
                    columns[j][i * both.length + part] = ReadFile.finite(file, value, i, j);
                }
            }
        }
        MatrixHeader header =
                new MatrixHeader.Dense(rows, cols, complex, kind(byColumns) + ", dataset " + name(dataset));
        return new ReadFile(file, header, new DenseMatrix(rows, complex, columns));
    }

    /** Slice by slice, so that there are few numbers beside the matrix. Of chunks jHDF 0.9.4 leaves out some, where a slice is asked for. */
    private void slices(Dataset dataset, boolean byColumns, double[][] columns) {
        int outer = dataset.getDimensions()[0];
        int inner = dataset.getDimensions()[1];
        int step = Math.max(1, SLICE / Math.max(1, inner));
        for (int from = 0; from < outer && inner > 0; from += step) {
            int count = Math.min(step, outer - from);
            Object[] read = (Object[]) dataset.getData(new long[] {from, 0}, new int[] {count, inner});
            double[][] lines = new double[count][];
            for (int o = 0; o < count; o++) {
                double[] line = doubles(read[o]);
                lines[o] = line;
                for (int k = 0; k < inner; k++) {
                    if (!Double.isFinite(line[k])) {
                        ReadFile.finite(file, line[k], byColumns ? k : from + o, byColumns ? from + o : k);
                    }
                }
                if (byColumns) {
                    columns[from + o] = line;
                }
            }
            for (int j = 0; j < inner && !byColumns; j += TILE) {
                scatter(lines, columns, j, Math.min(inner, j + TILE), from);
            }
            input.at((from + count) / (double) outer);
        }
    }

    /** Some columns of some rows: a line of the cache is read once for all of them. */
    private static void scatter(double[][] lines, double[][] columns, int from, int to, int row) {
        for (int o = 0; o < lines.length; o++) {
            double[] line = lines[o];
            for (int j = from; j < to; j++) {
                columns[j][row + o] = line[j];
            }
        }
    }

    private static double[] doubles(Object array) {
        if (array instanceof double[] all) {
            return all;
        }
        double[] doubles = new double[Array.getLength(array)];
        if (array instanceof float[] all) {
            for (int i = 0; i < doubles.length; i++) {
                doubles[i] = all[i];
            }
        } else {
            for (int i = 0; i < doubles.length; i++) {
                doubles[i] = number(array, i);
            }
        }
        return doubles;
    }

    private static String kind(boolean matlab) {
        return matlab ? "MAT 7.3" : "HDF5";
    }

    /** Real parts, and imaginary ones, which are a compound of two fields: r and i, or real and imag. */
    private Object[] parts(Dataset dataset, Object data) {
        if (!(data instanceof Map<?, ?> fields)) {
            return new Object[] {data};
        }
        Object re = fields.containsKey("r") ? fields.get("r") : fields.get("real");
        Object im = fields.containsKey("i") ? fields.get("i") : fields.get("imag");
        if (fields.size() != 2 || re == null || im == null) {
            throw new Failure(file + ": dataset " + name(dataset) + " has the fields " + fields.keySet()
                    + "; a complex matrix has r and i, or real and imag");
        }
        return new Object[] {re, im};
    }

    /** An element of a flat array, or of one of rows. */
    private static double element(Object array, int i, int j, int width) {
        if (array instanceof Object[] rows && !(array instanceof Number[])) {
            return number(rows[i], j);
        }
        return number(array, i * width + j);
    }

    private static double number(Object array, int i) {
        return switch (array) {
            case double[] all -> all[i];
            case float[] all -> all[i];
            case boolean[] all -> all[i] ? 1 : 0;
            // Unsigned numbers of 64 bits come so.
            case Number[] all -> all[i].doubleValue();
            default -> Array.getDouble(array, i);
        };
    }

    private MatrixFile sparse(Group group) {
        Attribute height = group.getAttribute("MATLAB_sparse");
        Object said = height.getData();
        int rows = (int) (said instanceof Number one ? one.doubleValue() : number(said, 0));
        Object starts = group.getDatasetByPath("jc").getDataFlat();
        int cols = Array.getLength(starts) - 1;
        boolean filled = group.getChildren().containsKey("ir");
        Object[] both =
                filled ? parts(group.getDatasetByPath("data"), values(group.getDatasetByPath("data"))) : new Object[1];
        Object places = filled ? group.getDatasetByPath("ir").getDataFlat() : null;
        Triplets triplets = new Triplets(both.length == 2, filled ? Math.max(1, Array.getLength(places)) : 1);
        for (int j = 0; filled && j < cols; j++) {
            for (int e = (int) number(starts, j); e < (int) number(starts, j + 1); e++) {
                int i = (int) number(places, e);
                double im = both.length == 2 ? number(both[1], e) : 0;
                triplets.add(i, j, ReadFile.finite(file, number(both[0], e), i, j), ReadFile.finite(file, im, i, j));
            }
        }
        MatrixHeader header = new MatrixHeader.Sparse(rows, cols, both.length == 2,
                filled ? Array.getLength(places) : 0, kind(true) + ", sparse, matrix " + name(group));
        return new ReadFile(file, header, triplets.compress(rows, cols));
    }

    private static Object values(Dataset dataset) {
        return dataset.isCompound() ? dataset.getData() : dataset.getDataFlat();
    }
}
