package dev.basalt.host.assembled.product;

import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * The end of a micro-kernel of a complex product. The kernel has multiplied the complex columns of A, as real ones of
 * twice the length, by the real parts (u) and by the imaginary parts (w) of B's elements. What alpha and conjugation make of
 * them is linear, so C := p·u + q·swap(u) + r·w + s·swap(w) + beta·C with constants that Java prepares. With a real alpha q and r are 0
 * and left out: that takes half of the time, and an infinite sum does not meet a zero.
 */
final class ComplexUpdate {
    /** Vectors of constants: p, q, r, s, and beta for C and for swap(C); then the mask, what to do with C, and whether alpha is real. */
    private static final int CONSTANTS = 6;

    /** C is not read. */
    private static final long STORE = 0;
    /** Beta is 1: an infinite part must not meet the zero of beta's imaginary part. */
    private static final long ADD = 1;

    private static final long SCALE = 2;

    private final Emitter code;
    private final Vectors v;
    private final Shape shape;
    private final int rows;
    private final int columns;
    private final boolean masked;

    ComplexUpdate(Vectors v, Shape shape, int rows, int columns, boolean masked) {
        this.code = v.code;
        this.v = v;
        this.shape = shape;
        this.rows = rows;
        this.columns = columns;
        this.masked = masked;
    }

    /** Bytes of the constants. */
    static long bytes(Shape shape) {
        return CONSTANTS * (long) shape.isa().bytes + 24;
    }

    /** Prepares the constants of a product. */
    static void alpha(Shape shape, long at, double re, double im, boolean conjA, boolean conjB) {
        int a = conjA ? -1 : 1;
        int b = conjB ? -1 : 1;
        pairs(shape, at, 0, re, re * a);
        pairs(shape, at, 1, -im * a, im);
        pairs(shape, at, 2, -im * b, -im * a * b);
        pairs(shape, at, 3, -re * a * b, re * b);
        i64(at + CONSTANTS * (long) shape.isa().bytes + 16, im == 0 ? 0 : 1);
    }

    static void beta(Shape shape, long at, double re, double im) {
        pairs(shape, at, 4, re, re);
        pairs(shape, at, 5, -im, im);
        boolean real = im == 0;
        i64(at + CONSTANTS * (long) shape.isa().bytes + 8, real && re == 0 ? STORE : real && re == 1 ? ADD : SCALE);
    }

    static void mask(Shape shape, long at, long mask) {
        i64(at + CONSTANTS * (long) shape.isa().bytes, mask);
    }

    private static void pairs(Shape shape, long at, int constant, double even, double odd) {
        int size = shape.precision().bytes;
        long from = at + constant * (long) shape.isa().bytes;
        for (int i = 0; i < shape.lanes(); i++) {
            double x = (i & 1) == 0 ? even : odd;
            if (shape.precision() == Real.F64) {
                f64(from + (long) i * size, x);
            } else {
                f32(from + (long) i * size, (float) x);
            }
        }
    }

    /** Where the mask is, from the constants on. */
    static int maskAt(Shape shape) {
        return CONSTANTS * shape.isa().bytes;
    }

    /** Uses RAX, R10 and R11. */
    void write(Gp c, Gp ldc, Gp constants) {
        int partial = shape.a(2);
        int flags = maskAt(shape);
        if (masked) {
            code.load(R10, Mem.at(constants, flags));
            v.mask(R10, partial);
        }
        Label real = new Label();
        Label combined = new Label();
        code.load(R11, Mem.at(constants, flags + 16));
        code.test(R11, R11);
        code.jump(ZERO, real);
        combine(constants, false);
        code.jump(combined);
        code.bind(real);
        combine(constants, true);
        code.bind(combined);
        Label store = new Label();
        Label add = new Label();
        Label end = new Label();
        code.load(R11, Mem.at(constants, flags + 8));
        code.mov(RAX, c);
        code.test(R11, R11);
        code.jump(ZERO, store);
        code.dec(R11);
        code.jump(ZERO, add);
        columns(c, ldc, constants, partial, SCALE);
        code.jump(end);
        code.bind(add);
        columns(c, ldc, constants, partial, ADD);
        code.jump(end);
        code.bind(store);
        columns(c, ldc, constants, partial, STORE);
        code.bind(end);
    }

    private Mem constant(Gp constants, int index) {
        return Mem.at(constants, index * shape.isa().bytes);
    }

    private void combine(Gp constants, boolean real) {
        for (int j = 0; j < columns; j += 2) {
            for (int i = 0; i < rows; i++) {
                combine(j * rows + i, (j + 1) * rows + i, constants, real);
            }
        }
    }

    private void combine(int u, int w, Gp constants, boolean real) {
        int swapped = shape.a(0);
        if (!real) {
            v.swapPairs(swapped, u);
        }
        v.mul(u, u, constant(constants, 0));
        if (!real) {
            v.fma(u, swapped, constant(constants, 1));
            v.fma(u, w, constant(constants, 2));
        }
        v.swapPairs(swapped, w);
        v.fma(u, swapped, constant(constants, 3));
    }

    /** As of {@link Update}: where columns may lie closer than a vector, all of C is read before any of it is written. */
    private void columns(Gp c, Gp ldc, Gp constants, int partial, long mode) {
        if (masked && mode != STORE) {
            columns(ldc, constants, partial, mode, false);
            code.mov(RAX, c);
            columns(ldc, constants, partial, STORE, true);
        } else {
            columns(ldc, constants, partial, mode, true);
        }
    }

    private void columns(Gp ldc, Gp constants, int partial, long mode, boolean store) {
        int old = shape.a(0);
        int swapped = shape.a(1);
        for (int j = 0; j < columns; j += 2) {
            for (int i = 0; i < rows; i++) {
                Mem m = Mem.at(RAX, i * shape.isa().bytes);
                int tile = j * rows + i;
                boolean last = masked && i == rows - 1;
                if (mode != STORE) {
                    if (last) {
                        v.loadMasked(old, m, partial);
                    } else {
                        v.load(old, m);
                    }
                }
                if (mode == ADD) {
                    v.add(tile, tile, old);
                } else if (mode == SCALE) {
                    v.swapPairs(swapped, old);
                    v.fma(tile, old, constant(constants, 4));
                    v.fma(tile, swapped, constant(constants, 5));
                }
                if (store && last) {
                    v.storeMasked(m, tile, partial);
                } else if (store) {
                    v.store(m, tile);
                }
            }
            if (j < columns - 2) {
                code.add(RAX, ldc);
            }
        }
    }
}
