package dev.basalt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A matrix of a file of MATLAB, version 5 to 7.2. Its numbers go from the stream into their columns. */
final class MatlabFile implements MatrixFile {
    private final Input input;
    private final MatlabArrays arrays;
    private final String name;
    /** Whether it may be read only if no other matrix follows, which is not known yet. */
    private final boolean alone;
    /** Of a sparse matrix the row of each element, and where columns begin. */
    private final int[] places;
    private final int[] starts;
    private final MatrixHeader header;

    private MatlabFile(Input input, MatlabArrays arrays, boolean alone) throws IOException {
        this.input = input;
        this.arrays = arrays;
        this.name = arrays.name();
        this.alone = alone;
        int m = arrays.rows();
        int n = arrays.cols();
        if (arrays.isSparse()) {
            places = integers(-1);
            starts = integers(n + 1);
            requirePlaces(m);
            header = new MatrixHeader.Sparse(m, n, arrays.isComplex(), starts[n], "MAT, sparse, matrix " + name);
        } else {
            places = new int[0];
            starts = places;
            header = new MatrixHeader.Dense(m, n, arrays.isComplex(), "MAT, matrix " + name);
        }
    }

    /** Opens the matrix that is named, or the only one. */
    static MatrixFile open(Input input) {
        String wanted = input.member();
        try {
            if (wanted == null && input.isPlainFile()) {
                try (InputStream in = Files.newInputStream(input.file())) {
                    List<String> names = names(new MatlabArrays(in));
                    if (names.size() != 1) {
                        throw Members.choose(input.file(), null, names);
                    }
                }
            }
            List<String> names = new ArrayList<>();
            MatlabArrays arrays = new MatlabArrays(input.stream());
            while (arrays.next()) {
                if (arrays.isMatrix()) {
                    if (wanted == null || wanted.equals(arrays.name())) {
                        return new MatlabFile(input, arrays, wanted == null);
                    }
                    names.add(arrays.name());
                }
            }
            throw Members.choose(input.file(), wanted, names);
        } catch (IOException e) {
            throw input.failure(e);
        }
    }

    /** The names of the matrices that are still to come. */
    private static List<String> names(MatlabArrays arrays) throws IOException {
        List<String> names = new ArrayList<>();
        while (arrays.next()) {
            if (arrays.isMatrix()) {
                names.add(arrays.name());
            }
        }
        return names;
    }

    @Override
    public Path file() {
        return input.file();
    }

    @Override
    public MatrixHeader header() {
        return header;
    }

    @Override
    public Matrix read() {
        try {
            Matrix matrix = header instanceof MatrixHeader.Sparse ? sparse() : dense();
            arrays.finish();
            List<String> others = names(arrays);
            if (alone && !others.isEmpty()) {
                others.add(0, name);
                throw Members.choose(input.file(), null, others);
            }
            return matrix;
        } catch (IOException e) {
            throw input.failure(e);
        }
    }

    private DenseMatrix dense() throws IOException {
        int m = (int) header.rows();
        int n = (int) header.cols();
        int parts = header.isComplex() ? 2 : 1;
        double[][] columns = ReadFile.columns(input.file(), m, n, parts == 2);
        double[] block = new double[parts == 2 ? m : 0];
        for (int part = 0; part < parts; part++) {
            numbers((long) m * n);
            for (int j = 0; j < n; j++) {
                double[] to = parts == 2 ? block : columns[j];
                int wrong = arrays.read(to, m);
                if (wrong >= 0) {
                    ReadFile.finite(input.file(), to[wrong], wrong, j);
                }
                for (int i = 0; i < block.length; i++) {
                    columns[j][2 * i + part] = block[i];
                }
            }
        }
        return new DenseMatrix(m, parts == 2, columns);
    }

    private SparseMatrix sparse() throws IOException {
        int m = (int) header.rows();
        int n = (int) header.cols();
        int listed = starts[n];
        double[] re = values(listed);
        double[] im = header.isComplex() ? values(listed) : null;
        Triplets triplets = new Triplets(header.isComplex(), Math.max(1, listed));
        for (int j = 0; j < n; j++) {
            for (int e = starts[j]; e < starts[j + 1]; e++) {
                int i = places[e];
                triplets.add(i, j, ReadFile.finite(input.file(), re[e], i, j),
                        im == null ? 0 : ReadFile.finite(input.file(), im[e], i, j));
            }
        }
        return triplets.compress(m, n);
    }

    /** Goes to numbers that are at least so many; says how many they are. */
    private long numbers(long least) throws IOException {
        long count = arrays.numbers();
        if (count < least) {
            throw new IOException("matrix " + name + " has " + count + " elements where there should be " + least);
        }
        return count;
    }

    /** The elements that are used; there may be room for more. */
    private double[] values(int used) throws IOException {
        long count = numbers(used);
        if (count > MarketHeader.MOST) {
            throw new IOException(
                    "matrix " + name + " has " + count + " elements; at most " + MarketHeader.MOST + " can be read");
        }
        double[] values = new double[(int) count];
        arrays.read(values, values.length);
        return values;
    }

    private int[] integers(int count) throws IOException {
        double[] values = values(Math.max(0, count));
        int[] integers = new int[count < 0 ? values.length : count];
        for (int i = 0; i < integers.length; i++) {
            integers[i] = (int) values[i];
        }
        return integers;
    }

    private void requirePlaces(int rows) throws IOException {
        boolean good = starts[0] == 0 && starts[starts.length - 1] <= places.length;
        for (int j = 1; j < starts.length; j++) {
            good &= starts[j] >= starts[j - 1];
        }
        for (int e = 0; good && e < starts[starts.length - 1]; e++) {
            good = places[e] >= 0 && places[e] < rows;
        }
        if (!good) {
            throw new IOException("matrix " + name + " has elements beside it");
        }
    }

    @Override
    public void close() {
        input.close();
    }
}
