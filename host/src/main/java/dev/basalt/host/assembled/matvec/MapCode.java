package dev.basalt.host.assembled.matvec;

import static dev.basalt.host.assembled.x86.Emitter.Condition.LESS;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_BELOW;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R14;
import static dev.basalt.host.assembled.x86.Gp.R15;
import static dev.basalt.host.assembled.x86.Gp.RAX;

import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.X86Op;

/**
 * Maps of matrices, column by column. Arguments: real numbers of a column, columns, C, bytes between its columns, A, and a place of factors; bytes from
 * A to B, between A's columns, between B's columns less those between A's, and from factor to factor.
 */
final class MapCode extends PanelCode {
    /** What a kernel does. */
    enum Kind {
        /** C := p·A + q·A with exchanged parts; the factors are vectors. */
        SCALE,
        /** The same, and r·B + s·B with exchanged parts. */
        ADD,
        /** C's elements are those of A times those of B. */
        TIMES,
        /** C's columns are those of A times a factor each. */
        COLUMNS
    }

    /** Bytes of a vector among the factors. */
    static final int FACTOR_BYTES = 64;

    private static final int RE = 4;
    private static final int IM = 5;
    private static final int RE2 = 6;
    private static final int IM2 = 7;
    private static final int X = 8;
    private static final int OTHER = 9;
    private static final int VALUE = 10;
    private static final int SUM = 11;

    /** Bytes by which memory is fetched ahead. */
    private static final int AHEAD = 1 << 10;

    /** Columns side by side that meet the same vector. */
    static final int BESIDE = 4;

    private static final Gp SECOND = R12;
    private static final Gp LD = R13;
    private static final Gp LD3 = Q;
    private static final Gp DIFFERENCE = R14;
    private static final Gp NEXT = R15;

    private final Kind kind;
    private final boolean past;

    private MapCode(Shape shape, boolean complex, Kind kind, boolean past) {
        super(shape, complex, true);
        this.kind = kind;
        this.past = past;
    }

    /**
     * Writes a kernel.
     *
     * @param past whether C is stored past the caches; columns that go side by side lie alike to vectors then
     */
    static byte[] write(Shape shape, boolean complex, Kind kind, boolean past) {
        MapCode map = new MapCode(shape, complex, kind, past);
        map.write();
        return map.code.code();
    }

    private void write() {
        enter(R12, R13, R14, R15);
        stacked(SECOND, LD, DIFFERENCE, NEXT);
        prepare();
        code.lea(LD3, Mem.at(LD, LD, 2, 0));
        code.lea(RAX, constants);
        v.load(SIGNS, Mem.at(RAX, 0));
        for (int i = 0; i < 4 && (kind == Kind.ADD || kind == Kind.SCALE); i++) {
            v.load(RE + i, Mem.at(COLUMNS, i * FACTOR_BYTES));
        }
        Label top = new Label();
        Label end = new Label();
        code.bind(top);
        if (kind == Kind.TIMES) {
            Label single = new Label();
            code.test(NEXT, NEXT);
            code.jump(ZERO, single);
            code.compare(N, BESIDE);
            code.jump(LESS, single);
            columns(BESIDE);
            code.sub(N, BESIDE);
            code.jump(NOT_ZERO, top);
            code.jump(end);
            code.bind(single);
        }
        columns(1);
        code.dec(N);
        code.jump(NOT_ZERO, top);
        code.bind(end);
        if (past) {
            code.fence();
        }
        leave();
    }

    /** Some columns, and on to the next. */
    private void columns(int columns) {
        panel(columns);
        for (int j = 0; j < columns; j++) {
            code.add(A, LDA);
            code.add(ROWS, LD);
            code.add(SECOND, DIFFERENCE);
            code.add(COLUMNS, NEXT);
        }
    }

    @Override
    void panel(int columns) {
        if (kind == Kind.COLUMNS) {
            v.broadcast(RE, Mem.at(COLUMNS, 0));
            if (complex) {
                v.broadcast(IM, Mem.at(COLUMNS, size));
                v.mul(IM, IM, SIGNS);
            }
        }
        if (past) {
            fromLine(columns);
        } else {
            rows(columns);
        }
    }

    /** All rows, of which the first are done under a mask, so that whole vectors of C begin at multiples of their bytes. Fewer rows make no whole vector. */
    private void fromLine(int columns) {
        Gp[] kept = {M, A, ROWS};
        for (Gp one : kept) {
            code.push(one);
        }
        code.mov(COUNT, 0);
        code.sub(COUNT, A);
        code.and(COUNT, bytes - element);
        code.shr(COUNT, Integer.numberOfTrailingZeros(size));
        Label enough = new Label();
        code.compare(M, COUNT);
        code.jump(NOT_BELOW, enough);
        code.mov(COUNT, 0);
        code.bind(enough);
        code.sub(M, COUNT);
        code.push(M);
        code.mov(M, COUNT);
        mask();
        code.mov(P, A);
        code.mov(T, ROWS);
        step(columns, 0, true);
        code.lea(A, Mem.at(A, M, size, 0));
        code.lea(ROWS, Mem.at(ROWS, M, size, 0));
        code.pop(M);
        mask();
        rows(columns);
        for (int i = kept.length; i > 0; i--) {
            code.pop(kept[i - 1]);
        }
    }

    @Override
    void step(int columns, int at, boolean masked) {
        if (kind == Kind.TIMES) {
            load(VALUE, Mem.at(T, SECOND, 1, at * bytes), masked);
            for (int j = 0; j < columns; j++) {
                Mem a = j == 0 ? row(at) : j == 3 ? Mem.at(T, LD3, 1, at * bytes) : Mem.at(T, LD, j, at * bytes);
                if (columns == 1) {
                    fetch(Mem.at(T, at * bytes + AHEAD), masked);
                }
                load(X, a, masked);
                times();
                put(column(j, at), masked);
            }
            return;
        }
        fetch(Mem.at(T, at * bytes + AHEAD), masked);
        load(X, row(at), masked);
        v.mul(SUM, X, RE);
        if (complex) {
            add(IM);
        }
        if (kind == Kind.ADD) {
            load(X, Mem.at(T, SECOND, 1, at * bytes), masked);
            v.fma(SUM, X, RE2);
            if (complex) {
                add(IM2);
            }
        }
        put(column(0, at), masked);
    }

    /** Fetches from memory: the processor's prefetchers do not keep up with stores past the caches. */
    private void fetch(Mem ahead, boolean masked) {
        if (past && !masked) {
            code.prefetch(ahead);
        }
    }

    private void put(Mem c, boolean masked) {
        if (past && !masked) {
            v.storePast(c, SUM);
        } else {
            store(c, SUM, masked);
        }
    }

    private void add(int factor) {
        v.swapPairs(OTHER, X);
        v.fma(SUM, OTHER, factor);
    }

    private void times() {
        if (complex) {
            // Real parts: re·re - im·im. Imaginary ones: im·re + re·im.
            v.swapPairs(OTHER, X);
            v.ownParts(SUM, VALUE, true);
            v.mul(OTHER, OTHER, SUM);
            v.ownParts(SUM, VALUE, false);
            v.op(X86Op.FMADDSUB213P, SUM, X, OTHER);
        } else {
            v.mul(SUM, X, VALUE);
        }
    }
}
