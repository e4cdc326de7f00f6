package dev.basalt.host.assembled.matvec;

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
import dev.basalt.host.assembled.x86.X86Op;

/**
 * Code for A·x of a narrow band, a vector of rows at a time, with AVX-512: their sums stay in a register while the columns pass, and no column waits for what the one
 * before it stored. Which rows a column has is a mask, which moves by a row from column to column. Columns come in their order, so sums of real numbers have the bits
 * that they have column by column.
 *
 * <p>Arguments: columns in which the first row is, blocks of rows, the first row in the first column, bytes to the next column, x at that column, the result at
 * the first row; columns in which the first row is no more, the mask of the column before the first, real numbers of the rows, bytes to the next block; alpha, which
 * is 1 for complex numbers.
 */
final class RowBlockCode extends PanelCode {
    private static final int SUM = 0;
    /** Products with imaginary parts, whose parts are exchanged in the end. */
    private static final int SUM_IM = 1;

    private static final int RE = 3;
    private static final int IM = 4;

    private static final Gp LATER = R12;
    private static final Gp BEFORE = R13;
    private static final Gp NUMBERS = R14;
    private static final Gp NEXT = R15;
    private static final Gp ALL = LDA3;

    private final boolean descends;
    private final boolean adds;

    private RowBlockCode(Real precision, boolean complex, int variant) {
        super(new Shape(Isa.AVX512, precision), complex, true);
        this.descends = ChainKind.descends(variant);
        this.adds = ChainKind.adds(variant);
    }

    /** Writes a kernel. */
    static byte[] write(Real precision, boolean complex, int variant) {
        RowBlockCode blocks = new RowBlockCode(precision, complex, variant);
        blocks.write();
        return blocks.code.code();
    }

    private void write() {
        enter(R12, R13, R14, R15);
        stacked(LATER, BEFORE, NUMBERS, NEXT);
        scalars();
        int ahead = descends ? -bytes : bytes;
        Label top = new Label();
        code.align(32);
        code.bind(top);
        panel(1);
        code.add(A, NEXT);
        code.add(ROWS, ahead);
        code.add(COLUMNS, ahead);
        code.dec(N);
        code.jump(NOT_ZERO, top);
        leave();
    }

    /** One block of rows. */
    @Override
    void panel(int columns) {
        if (adds) {
            allRows();
            load(SUM, Mem.at(COLUMNS, 0), true);
        } else {
            v.zero(SUM);
        }
        if (complex) {
            v.zero(SUM_IM);
        }
        code.mov(Q, BEFORE);
        code.mov(P, A);
        code.mov(T, ROWS);
        some(M, true);
        some(LATER, false);
        if (complex) {
            v.swapPairs(SUM_IM, SUM_IM);
            v.fma(SUM, SUM_IM, SIGNS);
        }
        allRows();
        store(Mem.at(COLUMNS, 0), SUM, true);
    }

    private void allRows() {
        code.mov(ALL, -1);
        code.bzhi(ALL, ALL, NUMBERS);
        v.mask(ALL, 0);
    }

    /** So many columns, with the first row or without it. */
    private void some(Gp count, boolean first) {
        Label none = new Label();
        Label top = new Label();
        code.mov(COUNT, count);
        code.test(COUNT, COUNT);
        code.jump(ZERO, none);
        code.align(32);
        code.bind(top);
        code.shl(Q, element / size);
        if (first) {
            code.add(Q, complex ? 3 : 1);
        }
        code.bzhi(ALL, Q, NUMBERS);
        v.mask(ALL, 0);
        step(1, 0, true);
        code.add(P, LDA);
        code.add(T, element);
        code.dec(COUNT);
        code.jump(NOT_ZERO, top);
        code.bind(none);
    }

    /** One column; rows that it has not stay as they are, whatever x is, and their memory is not touched. */
    @Override
    void step(int columns, int at, boolean masked) {
        v.broadcast(RE, Mem.at(T, 0));
        if (complex) {
            v.broadcast(IM, Mem.at(T, size));
            product(SUM_IM, IM);
        } else {
            v.mul(RE, RE, ALPHA);
        }
        product(SUM, RE);
    }

    private void product(int sum, int factor) {
        code.evex(X86Op.FMADD231P, v.precision, bytes, sum, factor, Mem.at(P, 0), 1, false);
    }
}
