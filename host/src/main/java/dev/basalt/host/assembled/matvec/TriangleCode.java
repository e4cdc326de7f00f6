package dev.basalt.host.assembled.matvec;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RSP;

import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/**
 * x := op(A)·x and the solution of op(A)·x = b, in place, for a triangular A: by blocks of eight columns (four if complex), each a square on the
 * diagonal, done by element, and a panel beside it, which is the product of a matrix and a vector. If eight does not divide the
 * order, the rest is a smaller square, placed where it has no panel.
 *
 * <p>A solution multiplies by the reciprocals of the diagonal, all of which are under way at once, where a division would wait for
 * the one before. A reciprocal that overflows shows as a result that is not finite; the kernel then stops before it has changed
 * any of the square's unknowns.
 *
 * <p>Columns of a packed triangle lie one element further apart, or less, from one to the next. Only a block of up to four columns may be such.
 *
 * <p>Arguments: real numbers of a column of the first block's panel, number of blocks, address of the first square, bytes
 * from its first column to the second, x at the first square. Returns 0, or 1 more than the blocks that were left when it stopped, or -1 if
 * it stopped at a square that comes first.
 */
class TriangleCode extends PanelCode {
    /** At most so many columns have a block. */
    static final int WIDEST = 8;

    static final int VALUE = 14;
    static final int X = 10;
    static final int Y = 11;
    /** Reciprocals of the diagonal. */
    private static final int INVERSES = 8;

    static final Gp SQUARE = COLUMNS;
    /** From the first column of a packed block to the third. */
    private static final Gp THIRD = Q;

    static final Gp OWN_X = R12;
    private static final Gp STOPPED = R13;

    /** Under the stack pointer: the sums of a panel. */
    private static final int SCRATCH = -64;

    final Triangle what;
    private final int rest;
    /** Bytes by which columns lie further apart from one to the next. */
    private final int growth;

    final int block;
    final Label stop = new Label();

    TriangleCode(Shape shape, boolean complex, Triangle what, boolean packed, int rest) {
        super(shape, complex, false);
        this.what = what;
        this.rest = rest;
        this.growth = packed ? what.lower() ? -element : element : 0;
        this.block = block(complex);
    }

    /** Columns of a block. */
    static int block(boolean complex) {
        return complex ? WIDEST / 2 : WIDEST;
    }

    /**
     * Writes a kernel.
     *
     * @param what what it does
     * @param packed whether the triangle is packed; of complex numbers only
     * @param rest columns of the smaller square, 0 if there is none
     */
    static byte[] write(Shape shape, boolean complex, Triangle what, boolean packed, int rest) {
        TriangleCode triangle = complex
                ? new ComplexTriangleCode(shape, what, packed, rest)
                : new TriangleCode(shape, false, what, packed, rest);
        triangle.write();
        return triangle.code.code();
    }

    private void write() {
        boolean shrinks = what.shrinks();
        boolean forward = what.forward();
        int step = forward ? block : -block;
        Label end = new Label();
        enter(R12, R13);
        // The fifth argument is where the fourth of a panel is.
        code.mov(OWN_X, ROWS);
        code.mov(SQUARE, A);
        distances();
        if (rest > 0 && !shrinks) {
            code.mov(STOPPED, -1);
            square(rest);
            if (forward) {
                advance(rest);
            }
        }
        code.test(N, N);
        Label none = new Label();
        Label top = new Label();
        code.jump(ZERO, none);
        code.bind(top);
        if (!shrinks && !forward) {
            advance(-block);
        }
        code.lea(STOPPED, Mem.at(N, 1));
        block();
        if (shrinks || forward) {
            advance(step);
        }
        code.add(M, (shrinks ? -block : block) * element / size);
        code.dec(N);
        code.jump(NOT_ZERO, top);
        code.bind(none);
        if (rest > 0 && shrinks) {
            if (!forward) {
                advance(block - rest);
            }
            code.mov(STOPPED, 1);
            square(rest);
        }
        code.mov(RAX, 0);
        code.jump(end);
        code.bind(stop);
        code.mov(RAX, STOPPED);
        code.bind(end);
        leave();
    }

    /** Sets registers by {@link #LDA}. */
    private void distances() {
        if (growth == 0) {
            code.lea(LDA3, Mem.at(LDA, LDA, 2, 0));
        } else {
            code.lea(THIRD, Mem.at(LDA, LDA, 1, growth));
            code.lea(LDA3, Mem.at(THIRD, LDA, 1, 2 * growth));
        }
    }

    @Override
    Mem column(int j, int at) {
        return j == 2 && growth != 0 ? Mem.at(P, THIRD, 1, at * bytes) : super.column(j, at);
    }

    /** Moves the square along the diagonal. */
    private void advance(int columns) {
        if (columns < 0 && growth != 0) {
            code.add(LDA, columns * growth);
        }
        int grown = growth * Math.abs(columns) * (Math.abs(columns) - 1) / 2;
        code.add(OWN_X, columns * element);
        code.add(SQUARE, columns * element + (columns < 0 ? -grown : grown));
        for (int left = Math.abs(columns); left > 0; left -= Integer.highestOneBit(left)) {
            int some = Integer.highestOneBit(left);
            if (columns > 0) {
                code.lea(SQUARE, Mem.at(SQUARE, LDA, some, 0));
            } else {
                code.mov(RAX, LDA);
                for (int i = 1; i < some; i *= 2) {
                    code.add(RAX, RAX);
                }
                code.sub(SQUARE, RAX);
            }
        }
        if (growth != 0) {
            if (columns > 0) {
                code.add(LDA, columns * growth);
            }
            distances();
        }
    }

    private void block() {
        if (what.lower()) {
            code.lea(A, Mem.at(SQUARE, block * element));
            code.lea(ROWS, Mem.at(OWN_X, block * element));
        } else {
            code.mov(RAX, M);
            code.shl(RAX, Integer.numberOfTrailingZeros(size));
            code.mov(A, SQUARE);
            code.sub(A, RAX);
            code.mov(ROWS, OWN_X);
            code.sub(ROWS, RAX);
        }
        if (what.transposed()) {
            mask();
            dots();
            square(block);
        } else if (what.solves()) {
            square(block);
            panel(block);
        } else {
            panel(block);
            square(block);
        }
    }

    /** A load of the next panel waits for a masked store. */
    @Override
    boolean partsLast() {
        return !what.transposed();
    }

    /** The sums of the panel's columns go to the scratch memory. */
    private void dots() {
        int reals = block * element / size;
        for (int i = 0; i < reals; i++) {
            v.zero(i);
        }
        rows(block);
        differences();
        int registers = sums(reals, Y);
        for (int i = 0; i < registers; i++) {
            v.storePart(Mem.at(RSP, SCRATCH + i * bytes), 4 * i, Math.min(bytes, reals * size));
        }
    }

    /** Changes signs in the sums of complex products. */
    void differences() {}

    /** Adds the product with the square's unknowns, or subtracts it. */
    @Override
    void panel(int columns) {
        for (int j = 0; j < columns; j++) {
            v.broadcast(j, Mem.at(OWN_X, j * size));
        }
        mask();
        rows(columns);
    }

    @Override
    void step(int columns, int at, boolean masked) {
        if (what.transposed()) {
            load(X, row(at), masked);
            for (int j = 0; j < columns; j++) {
                if (masked) {
                    load(VALUE, column(j, at), true);
                    v.fma(j, X, VALUE);
                } else {
                    v.fma(j, X, column(j, at));
                }
            }
            return;
        }
        load(Y, row(at), masked);
        for (int j = 0; j < columns; j++) {
            if (masked) {
                load(VALUE, column(j, at), true);
                if (what.solves()) {
                    v.fnma(Y, j, VALUE);
                } else {
                    v.fma(Y, j, VALUE);
                }
            } else if (what.solves()) {
                v.fnma(Y, j, column(j, at));
            } else {
                v.fma(Y, j, column(j, at));
            }
        }
        store(row(at), Y, masked);
    }

    /** Element (i, j) of op(A)'s square; P is at its column 0 and Q at column 4. */
    final Mem element(int i, int j) {
        int row = what.transposed() ? j : i;
        int column = what.transposed() ? i : j;
        Mem m = column(column, 0);
        return new Mem(m.base(), m.index(), m.scale(), row * element);
    }

    private void square(int order) {
        code.mov(P, SQUARE);
        if (order > 4) {
            code.lea(Q, Mem.at(SQUARE, LDA, 4, 0));
        }
        for (int i = 0; i < order; i++) {
            v.loadPart(i, Mem.at(OWN_X, i * element), element);
        }
        if (what.solves()) {
            solve(order);
        } else {
            multiply(order);
        }
        for (int i = 0; i < order; i++) {
            v.storePart(Mem.at(OWN_X, i * element), i, element);
        }
    }

    /** The sum of a column of the panel. */
    final Mem scratch(int i) {
        return Mem.at(RSP, SCRATCH + i * element);
    }

    /** Solves with the square; unknowns are in registers 0 up. */
    void solve(int order) {
        if (!what.unit()) {
            one(INVERSES + 7);
            for (int i = 0; i < order; i++) {
                v.divOne(INVERSES + i, INVERSES + 7, element(i, i));
            }
        }
        for (int i = 0; what.transposed() && order == block && i < order; i++) {
            v.subOne(i, i, scratch(i));
        }
        for (int r = 0; r < order; r++) {
            int i = what.opLower() ? r : order - 1 - r;
            if (!what.unit()) {
                v.mulOne(i, i, INVERSES + i);
            }
            for (int s = r + 1; s < order; s++) {
                int k = what.opLower() ? s : order - 1 - s;
                v.fnmaOne(k, i, element(k, i));
            }
        }
        if (!what.unit()) {
            // 0 times what is not finite is NaN, and then so is the sum; else it is 0.
            int zero = INVERSES;
            int sum = INVERSES + 1;
            v.zero(zero);
            v.zero(sum);
            for (int i = 0; i < order; i++) {
                v.fmaOne(sum, i, zero);
            }
            v.bits(RAX, sum);
            code.test(RAX, RAX);
            code.jump(NOT_ZERO, stop);
        }
    }

    private void one(int to) {
        code.mov(COUNT, size == 8 ? Double.doubleToLongBits(1) : Float.floatToIntBits(1));
        v.bits(to, COUNT);
    }

    /** Multiplies by the square. */
    void multiply(int order) {
        for (int r = 0; r < order; r++) {
            // Each unknown needs others that are not overwritten yet.
            int i = what.opLower() ? order - 1 - r : r;
            if (!what.unit()) {
                v.mulOne(i, i, element(i, i));
            }
            for (int s = r + 1; s < order; s++) {
                int k = what.opLower() ? order - 1 - s : s;
                v.fmaOne(i, k, element(i, k));
            }
            if (what.transposed() && order == block) {
                v.addOne(i, i, scratch(i));
            }
        }
    }
}
