package dev.basalt.host.assembled.matvec;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;

import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/**
 * alpha·A·x for few rows and many columns: columns are added up in several sums, each of every fourth or second one, since a single sum would wait for each addition. Of complex numbers there
 * are two sums, products with real parts and with imaginary ones, whose parts are exchanged once, at the end. Only then comes alpha. Rows that fill half a vector of AVX-512 at most take vectors
 * of 32 bytes, of which processors load twice as many at a time; the bits are the same.
 */
final class FewRowsCode extends PanelCode {
    private static final int VALUE = 8;
    private static final int RE = 9;
    private static final int IM = 10;
    private static final int Y = 11;

    /** Columns that the loop takes at a time. */
    private static final int UNROLLED = 4;

    private final int vectors;
    private final boolean masked;
    private final int chains;
    private final int parts;

    /** Vectors of rows that a kernel can have. */
    private static final int MOST = 4;

    private FewRowsCode(Shape shape, boolean complex, int vectors, boolean masked) {
        super(shape, complex, true, vectors == 0 ? shape.isa().bytes / 2 : shape.isa().bytes);
        this.vectors = Math.max(1, vectors);
        this.masked = masked;
        this.parts = complex ? 2 : 1;
        int registers = isa == Isa.AVX512 ? 24 : 8;
        this.chains = Math.min(UNROLLED, Integer.highestOneBit(registers / (this.vectors * parts)));
    }

    /** Rows in vectors that a kernel can have: vectors up to four, and half a vector of AVX-512, for which there is number 0. */
    static int most(Isa isa) {
        return isa == Isa.AVX512 ? MOST + 1 : MOST;
    }

    /**
     * Writes a kernel; y lies along the rows, x along the columns.
     *
     * @param vectors of rows; 0 for half a one
     * @param masked whether the last one is partial
     * @param set whether y is overwritten, or else added to
     */
    static byte[] write(Shape shape, boolean complex, int vectors, boolean masked, boolean set) {
        FewRowsCode few = new FewRowsCode(shape, complex, vectors, masked);
        few.write(set);
        return few.code.code();
    }

    private void write(boolean set) {
        enter();
        scalars();
        if (complex) {
            v.mul(ALPHA_IM, ALPHA_IM, SIGNS);
        }
        prepare();
        for (int i = 0; i < vectors * chains * parts; i++) {
            v.zero(register(i));
        }
        columns(UNROLLED);
        columns(1);
        for (int i = 0; i < vectors; i++) {
            result(i, set);
        }
        leave();
    }

    /** The register of a sum: those from 8 to 15 have other uses. */
    private static int register(int i) {
        return i < 8 ? i : i + 8;
    }

    private int sum(int vector, int chain, int part) {
        return register((vector * chains + chain) * parts + part);
    }

    private boolean masked(int i) {
        return masked && i == vectors - 1;
    }

    /** A loop over so many columns at a time, or over those that such a loop leaves. */
    private void columns(int some) {
        Label top = new Label();
        Label end = new Label();
        code.mov(COUNT, N);
        if (some > 1) {
            code.shr(COUNT, Integer.numberOfTrailingZeros(some));
        } else {
            code.and(COUNT, UNROLLED - 1);
        }
        code.jump(ZERO, end);
        code.align(32);
        code.bind(top);
        code.mov(P, A);
        for (int j = 0; j < some; j++) {
            v.broadcast(RE, Mem.at(COLUMNS, j * element));
            if (complex) {
                v.broadcast(IM, Mem.at(COLUMNS, j * element + size));
            }
            for (int i = 0; i < vectors; i++) {
                add(i, j, some > 1 ? j % chains : 0);
            }
        }
        code.lea(A, Mem.at(A, LDA, some, 0));
        code.add(COLUMNS, some * element);
        code.dec(COUNT);
        code.jump(NOT_ZERO, top);
        code.bind(end);
    }

    private void add(int i, int j, int chain) {
        Mem a = column(j, i);
        if (complex || masked(i)) {
            load(VALUE, a, masked(i));
            v.fma(sum(i, chain, 0), VALUE, RE);
        } else {
            v.fma(sum(i, chain, 0), RE, a);
        }
        if (complex) {
            v.fma(sum(i, chain, 1), VALUE, IM);
        }
    }

    /** The sums of a vector of rows become its elements of y. */
    private void result(int i, boolean set) {
        for (int part = 0; part < parts; part++) {
            for (int half = chains / 2; half > 0; half /= 2) {
                for (int chain = 0; chain < half; chain++) {
                    v.add(sum(i, chain, part), sum(i, chain, part), sum(i, chain + half, part));
                }
            }
        }
        int all = sum(i, 0, 0);
        if (complex) {
            v.swapPairs(VALUE, sum(i, 0, 1));
            v.fma(all, VALUE, SIGNS);
        }
        Mem y = Mem.at(ROWS, i * bytes);
        if (set) {
            v.mul(Y, all, ALPHA);
        } else {
            load(Y, y, masked(i));
            v.fma(Y, all, ALPHA);
        }
        if (complex) {
            v.swapPairs(VALUE, all);
            v.fma(Y, VALUE, ALPHA_IM);
        }
        store(y, Y, masked(i));
    }

    @Override
    void panel(int columns) {
        throw new AssertionError("columns are all one panel");
    }

    @Override
    void step(int columns, int at, boolean masked) {
        throw new AssertionError("columns are all one panel");
    }
}
