package dev.basalt.host.assembled.product;

import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.RAX;

import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Dots;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/** The end of a micro-kernel: C := alpha·tile + beta·C, for the tile in registers 0 up, column by column. */
final class Update {
    private final Emitter code;
    private final Vectors v;
    private final Shape shape;
    private final int rows;
    private final int columns;
    private final boolean masked;
    private final boolean integers;
    private final Dots dots;

    /** Of a tile of real numbers, or of 32-bit integers. */
    Update(Vectors v, Shape shape, int rows, int columns, boolean masked, boolean integers) {
        this.code = v.code;
        this.v = v;
        this.shape = shape;
        this.rows = rows;
        this.columns = columns;
        this.masked = masked;
        this.integers = integers;
        this.dots = new Dots(v);
    }

    /** Keeps alpha and beta, doubles in vector registers 0 and 1, for the end: the tile needs all registers. */
    static void spill(Vectors v, boolean integers) {
        for (int i = 0; i < 2; i++) {
            if (integers) {
                new Dots(v).whole(i);
            } else {
                v.narrow(i);
            }
        }
        v.storeOne(CallingConvention.spill(0), 0);
        v.storeOne(CallingConvention.spill(1), 1);
    }

    /** Leaves C's address and all argument registers as they are but for one that it uses, with RAX. */
    void write(Gp c, Gp ldc, Gp mask, Gp free) {
        int alpha = shape.a(0);
        int beta = shape.a(1);
        int partial = shape.a(2);
        v.broadcast(alpha, CallingConvention.spill(0));
        v.broadcast(beta, CallingConvention.spill(1));
        if (masked) {
            v.mask(mask, partial);
        }
        // To multiply by 1 changes nothing, and would take as long as one more step of the product.
        Label one = new Label();
        code.load(RAX, CallingConvention.spill(0));
        if (shape.precision() == Real.F32) {
            code.shl(RAX, 32);
            code.mov(free, (integers ? 1L : Float.floatToRawIntBits(1)) << 32);
        } else {
            code.mov(free, Double.doubleToRawLongBits(1));
        }
        code.sub(RAX, free);
        code.jump(ZERO, one);
        for (int i = 0; i < rows * columns; i++) {
            if (integers) {
                dots.multiply(i, i, alpha);
            } else {
                v.mul(i, i, alpha);
            }
        }
        code.bind(one);
        Label keep = new Label();
        Label end = new Label();
        // Twice the bits of beta: 0 for both zeros. A float lies in the lower half; above it is what was there.
        code.load(RAX, CallingConvention.spill(1));
        if (shape.precision() == Real.F32) {
            code.shl(RAX, integers ? 32 : 33);
        } else {
            code.add(RAX, RAX);
        }
        code.test(RAX, RAX);
        code.mov(RAX, c);
        code.jump(ZERO, keep);
        columns(c, ldc, beta, partial, true);
        code.jump(end);
        code.bind(keep);
        columns(c, ldc, beta, partial, false);
        code.bind(end);
    }

    /**
     * A load waits for a masked store that was given shortly before, if only their whole vectors overlap: so where columns may lie as close as that, all of C
     * is read before any of it is written (five times the speed of 4 rows, Zen 4).
     */
    private void columns(Gp c, Gp ldc, int beta, int partial, boolean add) {
        if (add && masked) {
            columns(ldc, beta, partial, true, false);
            code.mov(RAX, c);
            columns(ldc, beta, partial, false, true);
        } else {
            columns(ldc, beta, partial, add, true);
        }
    }

    private void columns(Gp ldc, int beta, int partial, boolean add, boolean store) {
        int old = shape.b(0);
        for (int j = 0; j < columns; j++) {
            for (int i = 0; i < rows; i++) {
                Mem m = Mem.at(RAX, i * shape.isa().bytes);
                int tile = j * rows + i;
                boolean last = masked && i == rows - 1;
                if (add && last) {
                    v.loadMasked(old, m, partial);
                    add(tile, beta, old);
                } else if (add && integers) {
                    v.load(old, m);
                    add(tile, beta, old);
                } else if (add) {
                    v.fma(tile, beta, m);
                }
                if (store && last) {
                    v.storeMasked(m, tile, partial);
                } else if (store) {
                    v.store(m, tile);
                }
            }
            if (j < columns - 1) {
                code.add(RAX, ldc);
            }
        }
    }

    /** Adds beta times a vector, which is overwritten. */
    private void add(int tile, int beta, int old) {
        if (integers) {
            dots.multiply(old, old, beta);
            dots.add(tile, tile, old);
        } else {
            v.fma(tile, beta, old);
        }
    }
}
