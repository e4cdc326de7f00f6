package dev.basalt.host.assembled.mixed;

import static dev.basalt.spi.Memory.i16;
import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i8;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.product.Lane;
import dev.basalt.host.assembled.product.Product;
import dev.basalt.host.assembled.product.Transposition;
import dev.basalt.host.assembled.x86.Format;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.spi.Conversion;
import java.lang.foreign.Arena;

/** Packs micro-panels of lanes by {@link MixedPackCode}; what its vectors leave over is moved by element. For one thread at a time. */
final class LanePack {
    /** Columns that are converted before they are transposed. */
    private static final int COLUMNS = 8;
    /** Bytes of a converted column; a line more than a power of two. */
    private static final int COLUMN = 4 * Product.KC + 64;

    private final MixedTable table;
    private final Transposition transposition;
    private final boolean masks;
    private final int lanes;
    private final Arena memory = Arena.ofAuto();
    private final long buffer = memory.allocate((long) COLUMNS * COLUMN, 64).address();

    private Lane lane = Lane.NUMBER;
    private Format format = Format.F32;
    /** Bytes of an element. */
    private int size;

    LanePack(MixedTable table, Transposition transposition) {
        this.table = table;
        this.transposition = transposition;
        this.masks = table.shape().isa() == Isa.AVX512;
        this.lanes = table.shape().lanes();
    }

    /** What is packed next: a format where a lane is a number. */
    void of(Lane packed, Format from) {
        lane = packed;
        format = from;
        size = packed == Lane.NUMBER ? from.bytes : packed == Lane.HALVES ? 2 : 1;
    }

    /**
     * Rows that follow each other in the source.
     *
     * @param count rows
     * @param readable rows that may be read, at least as many
     * @param width rows of a group, at most three vectors; those beyond {@code count} become zeros up to a whole vector, or anything
     * @param depth columns
     * @param stride bytes from column to column
     */
    void rows(int count, long readable, int width, int depth, long from, long stride, long to) {
        int vectors = (count + lanes - 1) / lanes;
        int part = count % lanes;
        if (masks || part == 0) {
            copy(vectors, part, width, depth, from, stride, to);
            return;
        }
        if (vectors == 1 && readable >= lanes) {
            copy(1, 0, width, depth, from, stride, to);
            return;
        }
        if (vectors > 1) {
            copy(vectors - 1, 0, width, depth, from, stride, to);
        }
        for (int i = count - part; i < vectors * lanes && i < width; i++) {
            single(i < count ? depth : 0, lane.lanes(depth), from + (long) i * size, stride, to + 4L * i, 4L * width);
        }
    }

    private void copy(int vectors, int part, int width, int depth, long from, long stride, long to) {
        int groups = depth / lane.numbers;
        int rest = depth % lane.numbers;
        long mask = table.shape().mask(part);
        if (groups > 0) {
            NativeCall.code(table.copy(lane, format, lane.numbers, vectors, part != 0), groups, from, stride, to,
                    4L * width, mask);
        }
        if (rest > 0) {
            long last = from + (long) groups * lane.numbers * stride;
            NativeCall.code(table.copy(lane, format, rest, vectors, part != 0), 1, last, stride,
                    to + 4L * width * groups, 4L * width, mask);
        }
    }

    /**
     * Rows each of which is a column of the source.
     *
     * @param count rows
     * @param width rows of a group; those beyond {@code count} become zeros if {@code pad} says so
     * @param depth elements of a column
     * @param stride bytes from column to column
     */
    void columns(int count, int width, boolean pad, int depth, long from, long stride, long to) {
        long group = 4L * width;
        switch (lane) {
            case NUMBER -> {
                if (format == Format.F32) {
                    transposition.run(4, count, depth, from, stride, to, group);
                } else {
                    converted(count, depth, from, stride, to, group);
                }
            }
            case WORDS -> converted(count, depth, from, stride, to, group);
            default -> {
                int groups = depth / lane.numbers;
                transposition.run(4, count, groups, from, stride, to, group);
                int done = groups * lane.numbers;
                for (int i = 0; done < depth && i < count; i++) {
                    single(depth - done, 1, from + i * stride + (long) done * size, size, to + groups * group + 4L * i,
                            group);
                }
            }
        }
        for (int i = count; pad && i < width; i++) {
            single(0, lane.lanes(depth), from, size, to + 4L * i, group);
        }
    }

    private void converted(int count, int depth, long from, long stride, long to, long group) {
        for (int i = 0; i < count; i += COLUMNS) {
            int some = Math.min(COLUMNS, count - i);
            int vectors = (depth + lanes - 1) / lanes;
            if (lane == Lane.NUMBER && vectors <= Shape.VECTORS && (masks || depth % lanes == 0)) {
                // Short columns are converted in one call, side by side.
                int part = depth % lanes;
                long beside = 4L * vectors * lanes;
                NativeCall.code(table.copy(lane, format, 1, vectors, part != 0), some, from + i * stride, stride,
                        buffer, beside, table.shape().mask(part));
                transposition.run(4, some, depth, buffer, beside, to + 4L * i, group);
                continue;
            }
            for (int j = 0; j < some; j++) {
                long column = from + (i + j) * stride;
                if (lane == Lane.NUMBER) {
                    NativeCall.stream(table.widen(format), depth, column, buffer + (long) j * COLUMN, 1);
                } else {
                    extend(depth, column, buffer + (long) j * COLUMN);
                }
            }
            transposition.run(4, some, lane.lanes(depth), buffer, COLUMN, to + 4L * i, group);
        }
    }

    /** Bytes to 16-bit integers, and a zero where one is needed to fill a lane. */
    private void extend(int depth, long from, long to) {
        int step = 2 * lanes;
        int vectors = depth / step;
        if (vectors > 0) {
            NativeCall.code(table.extend(), vectors, from, to, 0, 0, 0);
        }
        for (int p = vectors * step; p < depth; p++) {
            i16(to + 2L * p, i8(from + p));
        }
        if (depth % 2 != 0) {
            i16(to + 2L * depth, (short) 0);
        }
    }

    /** The lanes of one row by element, zeros from {@code depth} on. */
    private void single(int depth, int groups, long from, long step, long to, long group) {
        int p = 0;
        for (int g = 0; g < groups; g++, to += group) {
            int bits = 0;
            for (int q = 0; q < lane.numbers && p < depth; q++, p++, from += step) {
                switch (lane) {
                    case NUMBER -> bits = Float.floatToRawIntBits((float) Conversion.load(format.type, from));
                    case HALVES -> bits |= (i16(from) & 0xffff) << 16 * q;
                    case WORDS -> bits |= (i8(from) & 0xffff) << 16 * q;
                    case BYTES -> bits |= (i8(from) & 0xff) << 8 * q;
                }
            }
            i32(to, bits);
        }
    }
}
