package dev.basalt.host.assembled.product;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;
import dev.basalt.spi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Adds the part of a tile that lies in a triangle: C := tile + beta·C where both masks are set. Arguments: columns, the tile,
 * C, bytes between C's columns, the first column's mask, which moves back by an element from column to column, and a mask for all
 * columns; beta in vector register 0. Rounds as {@link Update} does.
 */
final class MergeCode {
    /** Vectors of a column of the tallest tile: twice as many variants, the first half for a beta of 0, which does not read C. */
    static final int VECTORS = 8;

    private static final int BETA = 3;

    private MergeCode() {}

    /**
     * Writes a kernel.
     *
     * @param complex whether elements are pairs
     * @param variant which of them
     */
    static byte[] write(Shape shape, boolean complex, int variant) {
        int rows = 1 + variant % VECTORS;
        boolean add = variant >= VECTORS;
        CallingConvention abi = CallingConvention.SYSTEM_V;
        Emitter code = new Emitter();
        Vectors v = new Vectors(code, shape.isa(), shape.precision());
        Gp[] kept = {abi.integer(0), abi.integer(1), abi.integer(2), abi.integer(4)};
        v.narrow(0);
        v.storeOne(CallingConvention.spill(0), 0);
        v.broadcast(BETA, CallingConvention.spill(0));
        if (add) {
            // Into the square first: a load would wait for the masked store of the column before, where columns lie closer than a vector.
            for (int i = 0; i < kept.length; i++) {
                code.store(CallingConvention.spill(1 + i), kept[i]);
            }
            columns(v, shape, complex, rows, true, false);
            for (int i = 0; i < kept.length; i++) {
                code.load(kept[i], CallingConvention.spill(1 + i));
            }
        }
        columns(v, shape, complex, rows, false, true);
        code.finish();
        return code.code();
    }

    /** The loop over the columns: adds beta times C to the square, or stores the square's triangle into C. */
    private static void columns(Vectors v, Shape shape, boolean complex, int rows, boolean add, boolean store) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        Emitter code = v.code;
        Gp tile = abi.integer(1);
        Gp c = abi.integer(2);
        int bytes = shape.isa().bytes;
        int mask = 2;
        Label top = new Label();
        code.align(32);
        code.bind(top);
        for (int i = 0; i < rows; i++) {
            v.load(mask, Mem.at(abi.integer(4), i * bytes));
            v.and(mask, mask, Mem.at(abi.integer(5), i * bytes));
            v.mask(mask);
            v.load(0, Mem.at(tile, i * bytes));
            if (add) {
                v.loadMasked(1, Mem.at(c, i * bytes), mask);
                v.fma(0, BETA, 1);
                v.store(Mem.at(tile, i * bytes), 0);
            }
            if (store) {
                v.storeMasked(Mem.at(c, i * bytes), 0, mask);
            }
        }
        code.add(tile, rows * bytes);
        code.add(c, abi.integer(3));
        code.add(abi.integer(4), -(complex ? 2 : 1) * shape.precision().bytes);
        code.dec(abi.integer(0));
        code.jump(NOT_ZERO, top);
    }

    /** Runs a new kernel once and compares with Java. */
    static boolean good(Shape shape, MemorySegment code, boolean complex, int variant) {
        int rows = 1 + variant % VECTORS;
        boolean add = variant >= VECTORS;
        int size = shape.precision().bytes;
        int unit = complex ? 2 : 1;
        int width = rows * shape.lanes();
        int columns = 3;
        int ld = width + 2;
        try (Arena arena = Arena.ofConfined()) {
            long tile = arena.allocate((long) width * columns * size, 64).address();
            long c = arena.allocate((long) ld * columns * size, 64).address();
            long steps = arena.allocate((long) (width + 8) * size, 64).address();
            long all = arena.allocate((long) width * size, 64).address();
            // The first column's mask begins at element 2 of its vector, the limit leaves out the last.
            Memory.fill(steps + 8L * size, (long) width * size, (byte) -1);
            Memory.fill(all, (long) (width - unit) * size, (byte) -1);
            for (int i = 0; i < ld * columns; i++) {
                set(size, c + (long) i * size, i % 7);
            }
            for (int i = 0; i < width * columns; i++) {
                set(size, tile + (long) i * size, i % 5 - 9);
            }
            NativeCall.tile(code, columns, tile, c, (long) ld * size, steps + 6L * size, all, 2, 0);
            boolean good = true;
            for (int j = 0; j < columns; j++) {
                for (int i = 0; i < ld; i++) {
                    int old = (i + j * ld) % 7;
                    boolean in = i >= 2 + unit * j && i < width - unit;
                    int sum = (i + j * width) % 5 - 9 + (add ? 2 * old : 0);
                    long at = c + (long) (i + j * ld) * size;
                    good &= (size == 8 ? f64(at) : f32(at)) == (in ? sum : old);
                }
            }
            return good;
        }
    }

    private static void set(int size, long at, double value) {
        if (size == 8) {
            f64(at, value);
        } else {
            f32(at, (float) value);
        }
    }
}
