package dev.basalt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Numbers of a binary file, one after the other: a loop for each type, in pieces that stay in the nearest caches. */
final class BinaryNumbers {
    /** The file ends too early. */
    static final int END = -2;

    private static final int CHUNK = 1 << 16;

    private final InputStream in;
    private final char kind;
    private final int size;
    private final byte[] bytes = new byte[CHUNK];
    private final ByteBuffer buffer;

    /**
     * Numbers of a stream.
     *
     * @param in stream, at the first of them
     * @param kind letter of the type as NumPy has it; that of a complex number is its part's
     * @param size bytes of each
     * @param order order of these
     */
    BinaryNumbers(InputStream in, char kind, int size, ByteOrder order) {
        this.in = in;
        this.kind = kind == 'c' ? 'f' : kind;
        this.size = size;
        this.buffer = ByteBuffer.wrap(bytes).order(order);
    }

    /**
     * Reads some.
     *
     * @param to where they go
     * @param count how many
     * @return the first one that is not finite, -1 if there is none, {@link #END}
     */
    int read(double[] to, int count) throws IOException {
        int wrong = -1;
        for (int done = 0; done < count;) {
            int piece = Math.min(count - done, CHUNK / size);
            if (in.readNBytes(bytes, 0, piece * size) < piece * size) {
                return END;
            }
            if (kind == 'f') {
                floating(to, done, piece);
                wrong = wrong < 0 ? notFinite(to, done, piece) : wrong;
            } else {
                whole(to, done, piece);
            }
            done += piece;
        }
        return wrong;
    }

    private void floating(double[] to, int at, int count) {
        if (size == Double.BYTES) {
            buffer.asDoubleBuffer().get(to, at, count);
        } else if (size == Float.BYTES) {
            for (int i = 0; i < count; i++) {
                to[at + i] = buffer.getFloat(4 * i);
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[at + i] = Float.float16ToFloat(buffer.getShort(2 * i));
            }
        }
    }

    /** The first of some numbers that is not finite; -1 for none. The sum of products with zero tells of all at once: it is zero where all are finite. */
    static int notFinite(double[] numbers, int at, int count) {
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        int i = 0;
        for (; i < count - 3; i += 4) {
            sum0 += 0 * numbers[at + i];
            sum1 += 0 * numbers[at + i + 1];
            sum2 += 0 * numbers[at + i + 2];
            sum3 += 0 * numbers[at + i + 3];
        }
        for (; i < count; i++) {
            sum0 += 0 * numbers[at + i];
        }
        if (sum0 + sum1 + (sum2 + sum3) == 0) {
            return -1;
        }
        int first = at;
        while (Double.isFinite(numbers[first])) {
            first++;
        }
        return first;
    }

    private void whole(double[] to, int at, int count) {
        boolean unsigned = kind == 'u';
        switch (size) {
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = unsigned ? bytes[i] & 0xff : bytes[i];
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = unsigned ? buffer.getShort(2 * i) & 0xffff : buffer.getShort(2 * i);
                }
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    to[at + i] = unsigned ? buffer.getInt(4 * i) & 0xffffffffL : buffer.getInt(4 * i);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    long value = buffer.getLong(8 * i);
                    // The bit that is shifted out counts where the rest lies halfway between two doubles.
                    to[at + i] = unsigned && value < 0 ? 2.0 * (value >>> 1 | value & 1) : value;
                }
            }
        }
    }
}
