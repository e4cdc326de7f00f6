package dev.basalt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** A sparse matrix of SciPy, in the formats csr, csc, coo and dia: arrays of NumPy in one archive, as scipy.sparse.save_npz writes them. */
final class SparseArchive {
    /** Names of arrays that come first. */
    private static final Set<String> FIRST = Set.of("indices", "row", "offsets");

    private static final Set<String> NUMBERS = Set.of("indices", "indptr", "row", "col", "offsets", "shape", "data");

    private final Input input;
    private final Map<String, DenseMatrix> arrays = new HashMap<>();
    private String format = "";

    private SparseArchive(Input input) {
        this.input = input;
    }

    /** Whether an archive whose first array has this name may be one. */
    static boolean begins(String name) {
        return FIRST.contains(name);
    }

    /** Reads an archive that stands in its first array. */
    static MatrixFile read(Input input, ZipInputStream zip, String first) throws IOException {
        SparseArchive archive = new SparseArchive(input);
        List<String> names = new ArrayList<>();
        String name = first;
        while (name != null) {
            names.add(name);
            archive.take(zip, name);
            ZipEntry next = zip.getNextEntry();
            name = next == null ? null : next.getName().replaceFirst("\\.npy$", "");
        }
        if (archive.format.isEmpty() || !archive.arrays.keySet().containsAll(Set.of("shape", "data"))) {
            throw Members.choose(input.file(), null, names);
        }
        input.close();
        return archive.matrix();
    }

    private void take(InputStream in, String name) throws IOException {
        if (name.equals("format")) {
            String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            // Behind the header, which ends a line, stand three letters, of one or of four bytes each.
            format = text.substring(text.indexOf('\n') + 1).replace("\0", "");
            if (!Set.of("csr", "csc", "coo", "dia").contains(format)) {
                throw damaged("is of the format " + format + "; accepted are csr, csc, coo and dia: tocsr() makes one");
            }
        } else if (NUMBERS.contains(name)) {
            NumpyFile array = NumpyFile.open(input, in, name);
            arrays.put(name, DenseMatrix.of(array.read(), array.header().isComplex()));
        }
    }

    private MatrixFile matrix() {
        double[] shape = column("shape");
        DenseMatrix data = arrays.get("data");
        if (shape.length != 2 || shape[0] < 0 || shape[1] < 0 || Math.max(shape[0], shape[1]) > MarketHeader.MOST) {
            throw damaged("has a shape that no matrix has");
        }
        int rows = (int) shape[0];
        int cols = (int) shape[1];
        boolean complex = data.isComplex();
        Triplets triplets = new Triplets(complex, Math.max(1, data.rows() * data.cols()));
        switch (format) {
            case "coo" -> places(triplets, rows, cols, column("row"), column("col"));
            case "dia" -> diagonals(triplets, rows, cols);
            default -> compressed(triplets, rows, cols, format.equals("csr"));
        }
        MatrixHeader header =
                new MatrixHeader.Sparse(rows, cols, complex, (long) data.rows() * data.cols(), "NPZ, sparse");
        return new ReadFile(input.file(), header, triplets.compress(rows, cols));
    }

    private double[] column(String name) {
        DenseMatrix array = arrays.get(name);
        if (array == null || array.isComplex() || array.cols() != 1 && array.rows() > 0) {
            throw damaged("has no array " + name + " of places");
        }
        return array.rows() == 0 ? new double[0] : array.column(0);
    }

    private void places(Triplets triplets, int rows, int cols, double[] row, double[] col) {
        int count = arrays.get("data").rows();
        if (row.length != count || col.length != count) {
            throw damaged(
                    "has " + count + " elements and " + row.length + " rows and " + col.length + " columns of such");
        }
        for (int e = 0; e < count; e++) {
            add(triplets, place(row[e], rows), place(col[e], cols), 0, e);
        }
    }

    private void compressed(Triplets triplets, int rows, int cols, boolean byRows) {
        double[] start = column("indptr");
        double[] index = column("indices");
        int lines = byRows ? rows : cols;
        int count = arrays.get("data").rows();
        if (start.length != lines + 1 || index.length != count || start[lines] > count) {
            throw damaged("has " + count + " elements, " + index.length + " places of such and " + start.length
                    + " places where " + lines + " lines begin and end");
        }
        for (int line = 0; line < lines; line++) {
            int end = place(start[line + 1], count + 1);
            for (int e = place(start[line], count + 1); e < end; e++) {
                int at = place(index[e], byRows ? cols : rows);
                add(triplets, byRows ? line : at, byRows ? at : line, 0, e);
            }
        }
    }

    /** Line k of the data lies on diagonal k: its element j is in column j. */
    private void diagonals(Triplets triplets, int rows, int cols) {
        double[] offset = column("offsets");
        DenseMatrix data = arrays.get("data");
        if (data.rows() != offset.length) {
            throw damaged("has " + data.rows() + " diagonals and " + offset.length + " offsets of such");
        }
        for (int k = 0; k < offset.length; k++) {
            for (int j = 0; j < Math.min(cols, data.cols()); j++) {
                double i = j - offset[k];
                if (i >= 0 && i < rows) {
                    add(triplets, (int) i, j, j, k);
                }
            }
        }
    }

    private void add(Triplets triplets, int i, int j, int column, int e) {
        DenseMatrix data = arrays.get("data");
        int parts = data.isComplex() ? 2 : 1;
        double[] from = data.column(column);
        triplets.add(i, j, from[e * parts], parts == 2 ? from[2 * e + 1] : 0);
    }

    private int place(double at, int end) {
        if (at < 0 || at >= end) {
            throw damaged("names place " + (long) at + " of " + end);
        }
        return (int) at;
    }

    private Failure damaged(String what) {
        return new Failure(input.file() + ": the sparse matrix " + what);
    }
}
