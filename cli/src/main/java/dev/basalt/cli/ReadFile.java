package dev.basalt.cli;

import dev.basalt.ByteSize;
import java.nio.file.Path;

/**
 * A file whose matrix is read already, because its format tells the shape at the end only, or because the library gives no part.
 *
 * @param file file
 * @param header its header
 * @param matrix its matrix
 */
record ReadFile(Path file, MatrixHeader header, Matrix matrix) implements MatrixFile {
    @Override
    public Matrix read() {
        return matrix;
    }

    @Override
    public void close() {
        // There is nothing open any more.
    }

    /** Columns for a matrix, if the heap has room for them and a column for an array. */
    static double[][] columns(Path file, long rows, long cols, boolean complex) {
        int parts = complex ? 2 : 1;
        double bytes = (double) rows * cols * parts * Double.BYTES;
        long heap = Runtime.getRuntime().maxMemory();
        if (bytes > heap || rows * parts > MarketHeader.MOST || cols > MarketHeader.MOST) {
            throw new Failure(file + ": not enough memory: " + rows + " x " + cols + (complex ? " complex" : "")
                    + " numbers need " + ByteSize.format((long) bytes) + " of Java heap, which may grow to "
                    + ByteSize.format(heap) + "; set BASALT_JAVA_OPTS=-Xmx... to allow more");
        }
        return new double[(int) cols][(int) rows * parts];
    }

    /** A number that a matrix may have. */
    static double finite(Path file, double value, long row, long col) {
        if (!Double.isFinite(value)) {
            throw new Failure(file + ": the element in row " + (row + 1) + ", column " + (col + 1) + " is " + value
                    + ", not a finite number");
        }
        return value;
    }
}
