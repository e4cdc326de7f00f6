package dev.basalt.host.assembled.matvec;

import static dev.basalt.host.assembled.x86.Emitter.Condition.LESS;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R14;
import static dev.basalt.host.assembled.x86.Gp.R15;

import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;

/**
 * Code for y := alpha·op(A)·x + y of a narrow band of complex numbers, row by row of op(A): a sum stays in registers, and no column waits for what the one before it
 * stored.
 *
 * <p>Arguments of a band: elements of the first row, rows, its first element, bytes to the next row's, x beside it, y; bytes from an element of a row to the next,
 * and of x; by how many elements rows grow; bytes from an element of y to the next. Where rows grow, the next one begins at the same element of x, else at the next.
 *
 * <p>Arguments of a symmetric band: elements on one side of the diagonal, rows, the first diagonal element, bytes to the next, x and y at that row; bytes from a row's
 * element before the diagonal to the next, and behind it; how many rows come before the first, and after it.
 */
final class BandRowCode extends PanelCode {
    private static final int SUM = 0;
    /** Products with imaginary parts, whose parts are exchanged in the end. */
    private static final int SUM_IM = 1;

    private static final int RE = 3;
    private static final int IM = 4;
    private static final int X = 5;
    private static final int SWAPPED = 6;

    /** From element to element of a row; of a symmetric one, before the diagonal. */
    private static final Gp STEP = R12;

    private static final Gp INC_X = R13;
    private static final Gp LONGER = R14;
    private static final Gp INC_Y = R15;
    private static final Gp FURTHER = LDA3;

    private static final Gp STEP_BEHIND = R13;
    private static final Gp BEFORE = R14;
    private static final Gp AFTER = R15;

    private final ChainKind kind;
    private final boolean upper;
    private final boolean conj;

    private BandRowCode(Real precision, ChainKind kind, int variant) {
        super(new Shape(Isa.AVX2, precision), true, true);
        this.kind = kind;
        this.upper = ChainKind.descends(variant);
        this.conj = ChainKind.conj(variant);
    }

    /** Writes a kernel, for either instruction set. */
    static byte[] write(Real precision, ChainKind kind, int variant) {
        BandRowCode band = new BandRowCode(precision, kind, variant);
        band.write();
        return band.code.code();
    }

    private void write() {
        enter(R12, R13, R14, R15);
        stacked(R12, R13, R14, R15);
        scalars();
        v.mul(ALPHA_IM, ALPHA_IM, SIGNS);
        if (kind == ChainKind.ROWS) {
            Label moves = new Label();
            code.mov(FURTHER, INC_X);
            code.compare(LONGER, 1);
            code.jump(LESS, moves);
            code.mov(FURTHER, 0);
            code.bind(moves);
        }
        Label top = new Label();
        code.align(32);
        code.bind(top);
        panel(1);
        code.add(A, LDA);
        if (kind == ChainKind.ROWS) {
            code.add(M, LONGER);
            code.add(ROWS, FURTHER);
            code.add(COLUMNS, INC_Y);
        } else {
            code.add(BEFORE, 1);
            code.dec(AFTER);
            code.add(ROWS, element);
            code.add(COLUMNS, element);
        }
        code.dec(N);
        code.jump(NOT_ZERO, top);
        leave();
    }

    /** One row. */
    @Override
    void panel(int columns) {
        if (kind == ChainKind.ROWS) {
            v.zero(SUM);
            v.zero(SUM_IM);
            code.mov(COUNT, M);
            side(0, conj, STEP, INC_X, 0);
        } else {
            diagonal();
            side(BEFORE, -1);
            side(AFTER, 1);
        }
        v.swapPairs(SWAPPED, SUM_IM);
        v.fma(SUM, SWAPPED, SIGNS);
        v.loadPart(X, Mem.at(COLUMNS, 0), element);
        v.fma(X, SUM, ALPHA);
        v.swapPairs(SWAPPED, SUM);
        v.fma(X, SWAPPED, ALPHA_IM);
        v.storePart(Mem.at(COLUMNS, 0), X, element);
    }

    private void diagonal() {
        v.loadPart(X, Mem.at(ROWS, 0), element);
        v.broadcast(RE, Mem.at(A, 0));
        v.mul(SUM, X, RE);
        if (conj) {
            v.zero(SUM_IM);
        } else {
            v.broadcast(IM, Mem.at(A, size));
            v.mul(SUM_IM, X, IM);
        }
    }

    /** The elements of a row before the diagonal, or those behind it; of a column of what is stored, they are conjugated where the matrix is Hermitian. */
    private void side(Gp there, int sign) {
        Label few = new Label();
        Label none = new Label();
        code.mov(COUNT, M);
        code.compare(COUNT, there);
        code.jump(LESS, few);
        code.mov(COUNT, there);
        code.bind(few);
        code.test(COUNT, COUNT);
        code.jump(ZERO, none);
        boolean before = sign < 0;
        side(sign, conj && before == upper, before ? STEP : STEP_BEHIND, null, sign * element);
        code.bind(none);
    }

    /** The products of {@link #COUNT} elements, at least one, from the diagonal on, or from the row's first element where the sign is 0. */
    private void side(int sign, boolean conjugated, Gp step, Gp incX, int bytesX) {
        Label top = new Label();
        code.mov(P, A);
        code.mov(T, ROWS);
        code.bind(top);
        if (sign < 0) {
            code.sub(P, step);
        } else if (sign > 0) {
            code.add(P, step);
        }
        if (sign != 0) {
            code.add(T, bytesX);
        }
        v.loadPart(X, Mem.at(T, 0), element);
        step(1, conjugated ? 1 : 0, false);
        if (sign == 0) {
            code.add(P, step);
            code.add(T, incX);
        }
        code.dec(COUNT);
        code.jump(NOT_ZERO, top);
    }

    /** One element of a row, at {@link #P}. */
    @Override
    void step(int columns, int conjugated, boolean masked) {
        v.broadcast(RE, Mem.at(P, 0));
        v.broadcast(IM, Mem.at(P, size));
        v.fma(SUM, X, RE);
        if (conjugated > 0) {
            v.fnma(SUM_IM, X, IM);
        } else {
            v.fma(SUM_IM, X, IM);
        }
    }
}
