package dev.basalt.cli;

import dev.basalt.MatrixView;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.DoubleConsumer;

/**
 * Moves a matrix to or from a device, some columns at a time: so the JVM's heap never holds all elements of a matrix that is
 * sparse there, and a dense one may be larger than a Java array.
 */
final class DeviceColumns {
    private static final long BYTES = 8L << 20;

    private final MatrixView device;
    private final int rows;
    private final int parts;
    private final int width;
    private final double[] doubles;
    private final float[] floats;

    /** Columns of a view. */
    DeviceColumns(MatrixView device) {
        this.device = device;
        this.rows = (int) device.rows();
        this.parts = device.type().isComplex() ? 2 : 1;
        long column = device.rows() * device.type().bytes();
        this.width = (int) Math.max(1, Math.min(device.cols(), BYTES / Math.max(1, column)));
        boolean single = device.type().bytes() / parts == Float.BYTES;
        int length = rows * parts * width;
        this.doubles = single ? null : new double[length];
        this.floats = single ? new float[length] : null;
    }

    /**
     * Copies a matrix to the device.
     *
     * @param matrix a matrix of the view's shape
     * @param progress is told how far
     */
    void upload(Matrix matrix, Progress progress) {
        long bytes = (long) matrix.rows() * matrix.cols() * device.type().bytes();
        upload(matrix, fraction -> progress.at(fraction, bytes));
    }

    /**
     * Copies a vector to the device.
     *
     * @param x its numbers, real and imaginary parts alternating if it is complex
     */
    void upload(double[] x) {
        upload(new DenseMatrix(rows, parts == 2, new double[][] {x}), fraction -> {});
    }

    private void upload(Matrix matrix, DoubleConsumer progress) {
        for (int j = 0; j < matrix.cols(); j += width) {
            int now = Math.min(width, matrix.cols() - j);
            clear(now);
            for (int c = 0; c < now; c++) {
                int base = c * rows * parts;
                matrix.column(j + c, (row, re, im) -> put(base + row * parts, re, im));
            }
            device.block(0, j, rows, now).upload(columns(now));
            progress.accept((j + now) / (double) matrix.cols());
        }
    }

    private void clear(int columns) {
        if (doubles != null) {
            Arrays.fill(doubles, 0, columns * rows * parts, 0);
        } else {
            Arrays.fill(floats, 0, columns * rows * parts, 0);
        }
    }

    private void put(int at, double re, double im) {
        if (doubles != null) {
            doubles[at] = re;
        } else {
            floats[at] = (float) re;
        }
        if (parts == 2 && doubles != null) {
            doubles[at + 1] = im;
        } else if (parts == 2) {
            floats[at + 1] = (float) im;
        }
    }

    private MemorySegment columns(int count) {
        MemorySegment all = doubles != null ? MemorySegment.ofArray(doubles) : MemorySegment.ofArray(floats);
        return all.asSlice(0, (long) count * rows * device.type().bytes());
    }

    /** Copies the matrix from the device. */
    DenseMatrix download() {
        double[][] columns = new double[(int) device.cols()][];
        for (int j = 0; j < columns.length; j += width) {
            int now = Math.min(width, columns.length - j);
            device.block(0, j, rows, now).download(columns(now));
            for (int c = 0; c < now; c++) {
                double[] column = new double[rows * parts];
                for (int i = 0; i < column.length; i++) {
                    column[i] = doubles != null ? doubles[c * column.length + i] : floats[c * column.length + i];
                }
                columns[j + c] = column;
            }
        }
        return new DenseMatrix(rows, parts == 2, columns);
    }
}
