package dev.basalt.host.assembled.matvec;

import static dev.basalt.host.assembled.x86.Emitter.Condition.LESS;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.RAX;

import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.X86Op;

/**
 * Code for a triangular band of complex numbers that is so narrow that vectors along its columns are not worth their overlap. Each unknown is the sum over its row of
 * op(A), whose elements lie at one distance whatever op is: the farthest come first, and the unknown found last stays in a register. So from one
 * unknown to the next it takes two products, and nothing waits for what was stored.
 *
 * <p>Arguments: elements of a row beside the diagonal, unknowns, the diagonal of the first, bytes to the next diagonal, bytes from the diagonal to the element
 * beside it, the vector at the first unknown; bytes from there to the reciprocals of the diagonal; how many unknowns come before the first (of a
 * product, after it).
 *
 * <p>Arguments of reciprocals: 0, how many, the first number, bytes to the next, where reciprocals go, where the least and the largest square of an absolute value
 * go, 1 among them; by how much the distance of numbers grows, in bytes.
 */
final class ChainCode extends PanelCode {
    private static final int SUM = 0;
    /** Products with imaginary parts, whose parts are exchanged in the end. */
    private static final int SUM_IM = 1;

    private static final int LAST = 2;
    private static final int RE = 3;
    private static final int IM = 4;
    private static final int X = 5;
    private static final int SWAPPED = 6;
    private static final int LEAST = 7;
    private static final int LARGEST = 8;
    /** {@link #SIGNS} of a product, though the matrix is conjugated. */
    private static final int PLAIN = 9;

    private static final Gp SECOND = R12;
    private static final Gp OTHERS = R13;

    private final ChainKind kind;
    private final boolean descends;
    private final boolean conj;
    private final boolean unit;

    private ChainCode(Real precision, ChainKind kind, int variant) {
        super(new Shape(Isa.AVX2, precision), true, true);
        this.kind = kind;
        this.descends = ChainKind.descends(variant);
        this.conj = ChainKind.conj(variant);
        this.unit = ChainKind.unit(variant);
    }

    /** Writes a kernel, for either instruction set. */
    static byte[] write(Real precision, ChainKind kind, int variant) {
        ChainCode chain = new ChainCode(precision, kind, variant);
        chain.write();
        return chain.code.code();
    }

    private void write() {
        enter(R12, R13);
        stacked(SECOND, OTHERS);
        code.lea(RAX, constants);
        if (kind == ChainKind.INVERT) {
            v.load(SIGNS, Mem.at(RAX, PLUS_MINUS));
            invert();
        } else {
            v.load(SIGNS, Mem.at(RAX, conj ? PLUS_MINUS : 0));
            v.load(PLAIN, Mem.at(RAX, 0));
            chain();
        }
        leave();
    }

    private void chain() {
        boolean solves = kind == ChainKind.SOLVE;
        int ahead = descends ? -element : element;
        if (solves) {
            Label first = new Label();
            code.test(OTHERS, OTHERS);
            code.jump(ZERO, first);
            v.loadPart(LAST, Mem.at(COLUMNS, -ahead), element);
            code.bind(first);
        }
        Label top = new Label();
        code.align(32);
        code.bind(top);
        panel(1);
        code.add(A, LDA);
        code.add(COLUMNS, ahead);
        code.add(OTHERS, solves ? 1 : -1);
        code.dec(N);
        code.jump(NOT_ZERO, top);
    }

    /** One unknown. */
    @Override
    void panel(int columns) {
        boolean solves = kind == ChainKind.SOLVE;
        Label all = new Label();
        Label none = new Label();
        code.mov(COUNT, M);
        code.compare(COUNT, OTHERS);
        code.jump(LESS, all);
        code.mov(COUNT, OTHERS);
        code.bind(all);
        v.loadPart(solves || unit ? SUM : X, own(), element);
        if (solves || unit) {
            v.zero(SUM_IM);
        } else {
            v.broadcast(RE, Mem.at(A, 0));
            v.mul(SUM, X, RE);
            v.broadcast(IM, Mem.at(A, size));
            v.mul(SUM_IM, X, IM);
        }
        code.test(COUNT, COUNT);
        code.jump(ZERO, none);
        row(solves);
        code.bind(none);
        v.swapPairs(SWAPPED, SUM_IM);
        v.fma(SUM, SWAPPED, SIGNS);
        if (solves && !unit) {
            v.broadcast(RE, Mem.at(COLUMNS, SECOND, 1, 0));
            v.broadcast(IM, Mem.at(COLUMNS, SECOND, 1, size));
            v.mul(IM, IM, PLAIN);
            v.swapPairs(SWAPPED, SUM);
            v.mul(SUM, SUM, RE);
            v.fma(SUM, SWAPPED, IM);
        }
        v.storePart(own(), SUM, element);
        if (solves) {
            v.or(LAST, SUM, SUM);
        }
    }

    private Mem own() {
        return Mem.at(COLUMNS, 0);
    }

    /** The products of a row's {@link #COUNT} elements beside the diagonal, the farthest first. */
    private void row(boolean solves) {
        boolean before = solves != descends;
        int shift = Integer.numberOfTrailingZeros(element);
        code.mov(P, ROWS);
        code.multiply(P, COUNT);
        code.add(P, A);
        code.mov(Q, COUNT);
        code.shl(Q, shift);
        code.mov(T, COLUMNS);
        if (before) {
            code.sub(T, Q);
        } else {
            code.add(T, Q);
        }
        Label nearest = new Label();
        Label top = new Label();
        if (solves) {
            code.dec(COUNT);
            code.jump(ZERO, nearest);
        }
        code.bind(top);
        v.loadPart(X, Mem.at(T, 0), element);
        step(1, X, false);
        code.sub(P, ROWS);
        code.add(T, before ? element : -element);
        code.dec(COUNT);
        code.jump(NOT_ZERO, top);
        if (solves) {
            code.bind(nearest);
            step(1, LAST, false);
        }
    }

    /** One element of a row, at {@link #P}, times a register. */
    @Override
    void step(int columns, int at, boolean masked) {
        v.broadcast(RE, Mem.at(P, 0));
        v.broadcast(IM, Mem.at(P, size));
        if (kind == ChainKind.SOLVE) {
            v.fnma(SUM, at, RE);
            v.fnma(SUM_IM, at, IM);
        } else {
            v.fma(SUM, at, RE);
            v.fma(SUM_IM, at, IM);
        }
    }

    /** Each is conj(d)/|d|², or d/|d|². Who calls sees by the squares whether all are good. */
    private void invert() {
        code.mov(COUNT, size == 8 ? Double.doubleToLongBits(1) : Float.floatToIntBits(1));
        v.bits(LEAST, COUNT);
        v.bits(LARGEST, COUNT);
        Label top = new Label();
        code.bind(top);
        v.loadPart(X, Mem.at(A, 0), element);
        v.low(X86Op.MULP, 16, SUM, X, X);
        v.swapPairs(SWAPPED, SUM);
        v.low(X86Op.ADDP, 16, SUM, SUM, SWAPPED);
        v.low(X86Op.DIVP, 16, X, X, SUM);
        if (!conj) {
            v.mul(X, X, SIGNS);
        }
        v.storePart(Mem.at(ROWS, 0), X, element);
        v.low(X86Op.MINP, 16, LEAST, LEAST, SUM);
        v.low(X86Op.MAXP, 16, LARGEST, LARGEST, SUM);
        code.add(A, LDA);
        code.add(LDA, SECOND);
        code.add(ROWS, element);
        code.dec(N);
        code.jump(NOT_ZERO, top);
        v.storeOne(Mem.at(COLUMNS, 0), LEAST);
        v.storeOne(Mem.at(COLUMNS, size), LARGEST);
    }
}
