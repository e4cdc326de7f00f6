package dev.basalt.cli;

import io.jhdf.HdfFile;
import io.jhdf.api.Attribute;
import io.jhdf.api.Dataset;
import io.jhdf.api.Group;
import io.jhdf.api.Node;
import io.jhdf.exceptions.HdfException;
import java.lang.reflect.Array;
import java.nio.BufferUnderflowException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A matrix of an HDF5 file, or of a file of MATLAB from version 7.3 on, which is one, by the jHDF library. */
final class HdfMatrix {
    private final Input input;
    private final Path file;
    private final HdfFile hdf;
    private final List<Node> nodes = new ArrayList<>();

    private HdfMatrix(Input input, HdfFile hdf) {
        this.input = input;
        this.file = input.file();
        this.hdf = hdf;
    }

    /** Opens the dataset that is named, or the only one that is a matrix. */
    static MatrixFile open(Input input) {
        HdfFile hdf = null;
        MatrixFile opened = null;
        try {
            hdf = input.isPlainFile() ? new HdfFile(input.file()) : HdfFile.fromInputStream(input.stream());
            HdfMatrix found = new HdfMatrix(input, hdf);
            found.collect(hdf);
            opened = found.choose(input.member());
            return opened;
        } catch (RuntimeException e) {
            throw failure(input, e);
        } finally {
            if (!(opened instanceof HdfDataset)) {
                if (hdf != null) {
                    hdf.close();
                }
                input.close();
            }
        }
    }

    /** What to say: of a damaged file the library throws what comes. */
    static RuntimeException failure(Input input, RuntimeException e) {
        return e instanceof HdfException || e instanceof IndexOutOfBoundsException
                || e instanceof BufferUnderflowException || e instanceof IllegalArgumentException
                        ? new Failure(input.file() + ": the HDF5 file cannot be read: " + e.getMessage(), e)
                        : e;
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
        if (node instanceof Group group) {
            return sparse(group);
        }
        boolean matlab = node.getAttributes().containsKey("MATLAB_class");
        return new HdfDataset(input, hdf, (Dataset) node, kind(matlab), matlab);
    }

    private static String kind(boolean matlab) {
        return matlab ? "MAT 7.3" : "HDF5";
    }

    /** The path of a node, as it is written behind the name of a file. */
    static String name(Node node) {
        return node.getPath().replaceFirst("^/", "").replaceFirst("/$", "");
    }

    private MatrixFile sparse(Group group) {
        Attribute height = group.getAttribute("MATLAB_sparse");
        Object said = height.getData();
        int rows = (int) (said instanceof Number one ? one.doubleValue() : HdfNumbers.number(said, 0));
        Object starts = group.getDatasetByPath("jc").getDataFlat();
        int cols = Array.getLength(starts) - 1;
        boolean filled = group.getChildren().containsKey("ir");
        Object[] both = filled ? values(group.getDatasetByPath("data")) : new Object[1];
        Object places = filled ? group.getDatasetByPath("ir").getDataFlat() : null;
        Triplets triplets = new Triplets(both.length == 2, filled ? Math.max(1, Array.getLength(places)) : 1);
        for (int j = 0; filled && j < cols; j++) {
            for (int e = (int) HdfNumbers.number(starts, j); e < (int) HdfNumbers.number(starts, j + 1); e++) {
                int i = (int) HdfNumbers.number(places, e);
                double im = both.length == 2 ? HdfNumbers.number(both[1], e) : 0;
                triplets.add(i, j, ReadFile.finite(file, HdfNumbers.number(both[0], e), i, j),
                        ReadFile.finite(file, im, i, j));
            }
        }
        MatrixHeader header = new MatrixHeader.Sparse(rows, cols, both.length == 2,
                filled ? Array.getLength(places) : 0, kind(true) + ", sparse, matrix " + name(group));
        return new ReadFile(file, header, triplets.compress(rows, cols));
    }

    private Object[] values(Dataset dataset) {
        Object data = dataset.isCompound() ? dataset.getData() : dataset.getDataFlat();
        return HdfNumbers.parts(data, HdfNumbers.fields(input, dataset));
    }
}
