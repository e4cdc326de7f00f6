package dev.basalt.cli;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table of numbers as text: fields between commas, semicolons, tabs or blanks, a row a line. A first line without numbers is a
 * heading, lines that begin with # are comments. Between semicolons a comma is the decimal point.
 */
final class TextTable {
    private static final int LONGEST_LINE = 1 << 24;

    /** Rows that are turned to columns at a time: a line of the cache has eight numbers. */
    private static final int TURNED = 32;

    private final Input input;
    private final MarketLines lines;
    private final List<double[]> rows = new ArrayList<>();
    private byte separator;
    private double[] row = new double[16];
    private int fields;

    private TextTable(Input input) {
        this.input = input;
        this.lines = new MarketLines(input, LONGEST_LINE);
    }

    /** Reads a table. */
    static MatrixFile open(Input input) {
        TextTable table = new TextTable(input);
        table.read();
        input.close();
        return table.transposed();
    }

    private void read() {
        boolean first = true;
        while (lines.next()) {
            byte begun = lines.first();
            if (begun == 0 || begun == '#') {
                continue;
            }
            if (first) {
                separator = separator();
            }
            boolean mayBeHeading = first;
            first = false;
            if (!line(mayBeHeading)) {
                continue;
            }
            if (!rows.isEmpty() && rows.get(0).length != fields) {
                throw lines.error("the line has " + fields + (fields == 1 ? " field" : " fields")
                        + ", but the first row has " + rows.get(0).length);
            }
            rows.add(Arrays.copyOf(row, fields));
        }
        if (rows.isEmpty()) {
            throw lines.fileError("there is no row of numbers");
        }
    }

    private byte separator() {
        for (byte one : "\t;,".getBytes(StandardCharsets.US_ASCII)) {
            if (lines.count(one) > 0) {
                return one;
            }
        }
        return 0;
    }

    /** Reads a line; false if it is a heading. */
    private boolean line(boolean mayBeHeading) {
        fields = lines.plainFields(separator, row);
        if (fields > 0) {
            return true;
        }
        fields = 0;
        while (lines.field(separator)) {
            boolean number = lines.isNumber(separator == ';');
            if (!number && mayBeHeading) {
                return false;
            }
            if (fields == row.length) {
                row = Arrays.copyOf(row, 2 * fields);
            }
            row[fields++] = lines.number("field " + fields);
        }
        return true;
    }

    private ReadFile transposed() {
        int m = rows.size();
        int n = rows.get(0).length;
        double[][] columns = ReadFile.columns(input.file(), m, n, false);
        double[][] from = rows.toArray(double[][]::new);
        for (int i = 0; i < m; i += TURNED) {
            int stop = Math.min(m, i + TURNED);
            for (int j = 0; j < n; j++) {
                for (int k = i; k < stop; k++) {
                    columns[j][k] = from[k][j];
                }
            }
        }
        String kind = "table of text";
        return new ReadFile(input.file(), new MatrixHeader.Dense(m, n, false, kind),
                new DenseMatrix(m, false, columns));
    }
}
