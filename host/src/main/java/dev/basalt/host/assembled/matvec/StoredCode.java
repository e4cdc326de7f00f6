package dev.basalt.host.assembled.matvec;

import static dev.basalt.host.assembled.x86.Emitter.Condition.LESS;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R14;
import static dev.basalt.host.assembled.x86.Gp.R15;
import static dev.basalt.host.assembled.x86.Gp.RAX;

import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/**
 * Code that passes through a band or a triangle, stored in any way, column by column, and reads each once. From column to column the piece that is stored may
 * become longer or shorter by one element, begin a row further, and lie further than the last one did.
 * Packed complex products take four columns at a time with AVX-512.
 *
 * <p>Arguments: real numbers of the first piece, columns, the piece, bytes to the next piece, the vector along the rows at the piece's
 * first row, the vector along the columns at the first column; bytes from there to a second vector (of both); by how much the distance between
 * pieces grows, in bytes; real numbers by which pieces grow; bytes by which rows begin further. Scalars in vector registers 0 and 1.
 */
final class StoredCode extends PanelCode {
    private static final int RE = 4;
    private static final int IM = 5;
    private static final int RE2 = 6;
    private static final int IM2 = 7;
    private static final int X = 8;
    private static final int SWAPPED = 9;
    private static final int VALUE = 10;
    private static final int Y = 11;

    /** Bytes of a cache line. */
    private static final int LINE = 64;

    /** From the vectors to the second ones. */
    private static final Gp SECOND = R12;

    private static final Gp LONGER = R13;
    private static final Gp FURTHER = R14;
    /** By how much {@link #LDA} grows. */
    private static final Gp GROWTH = LDA3;

    /** Elements that {@link #withoutNewest} leaves; or what {@link #aligned} leaves; or where the fourth column is, then the rows that four columns shared. */
    private static final Gp NEAR = R15;

    private static final int NEWEST = 4;

    /** By how many bytes each line of a stream is fetched, where a column meets two vectors. */
    private static final int FURTHER_AHEAD = 4 << 10;

    /** Columns side by side; the registers of AVX2 have room for two, which are no faster than single ones. */
    private static final int WIDTH = 4;

    /** Factors of columns that lie side by side: the real parts, then the imaginary ones. */
    private static final int FACTORS = 16;

    /** Sums over them whose parts are still to change places. */
    private static final int TURNED = FACTORS + 2 * WIDTH;

    /** From the first of four columns to the third; the fourth is at {@link #NEAR}. */
    private static final Gp THIRD = Q;

    /** Columns to take one by one before the next panel. */
    private static final Gp SINGLES = Q;

    private final StoredKind kind;
    /** Whether columns are taken {@link #WIDTH} at a time where they share rows. */
    private final boolean panels;

    private StoredCode(Shape shape, boolean complex, StoredKind kind) {
        super(shape, complex, true);
        this.kind = kind;
        this.panels = complex && kind.packed() && kind.what() == StoredKind.What.SYMV && isa == Isa.AVX512;
    }

    /** Writes a kernel. */
    static byte[] write(Shape shape, boolean complex, StoredKind kind) {
        StoredCode stored = new StoredCode(shape, complex, kind);
        stored.write();
        return stored.code.code();
    }

    private void write() {
        enter(R12, R13, R14, R15);
        stacked(SECOND, GROWTH, LONGER, FURTHER);
        scalars();
        Label top = new Label();
        code.bind(top);
        if (panels) {
            besideEachOther();
        }
        Label column = new Label();
        code.bind(column);
        mask();
        panel(1);
        code.add(A, LDA);
        code.add(LDA, GROWTH);
        code.add(M, LONGER);
        code.add(ROWS, FURTHER);
        code.add(COLUMNS, kind.descends() ? -element : element);
        code.dec(N);
        if (panels) {
            code.dec(SINGLES);
            code.jump(NOT_ZERO, column);
            behindRectangle();
            code.test(N, N);
        }
        code.jump(NOT_ZERO, top);
        leave();
    }

    /**
     * The rectangle that four columns share, where they are not short: the vectors along the rows, which come from the second cache where columns are long, pass once for
     * all of them. Above or below it is a small triangle, whose columns are left to be taken one by one.
     */
    private void besideEachOther() {
        Label one = new Label();
        Label begin = new Label();
        code.compare(N, WIDTH);
        code.jump(LESS, one);
        // Two vectors less an element: so a check of few rows meets all parts of a vector.
        code.compare(M, (2 * bytes - element) / size);
        code.jump(LESS, one);
        int shorter = kind.upper() ? 0 : (WIDTH - 1) * element;
        if (shorter > 0) {
            code.add(M, -shorter / size);
            code.add(A, shorter);
            code.add(ROWS, shorter);
            code.add(LDA, -element);
        }
        code.lea(THIRD, Mem.at(LDA, LDA, 1, 0));
        code.add(THIRD, GROWTH);
        code.lea(NEAR, Mem.at(THIRD, LDA, 1, 0));
        code.lea(NEAR, Mem.at(NEAR, GROWTH, 2, 0));
        panel(WIDTH);
        code.mov(NEAR, M);
        if (shorter > 0) {
            code.mov(M, shorter / size);
            code.sub(A, shorter);
            code.sub(ROWS, shorter);
            code.add(LDA, element);
        } else {
            code.lea(A, Mem.at(A, M, size, 0));
            code.lea(ROWS, Mem.at(ROWS, M, size, 0));
            code.mov(M, 0);
        }
        code.mov(SINGLES, WIDTH);
        code.jump(begin);
        code.bind(one);
        code.mov(NEAR, 0);
        code.mov(SINGLES, 1);
        code.bind(begin);
    }

    /** Sets the registers of the next column back by the rectangle's rows. */
    private void behindRectangle() {
        code.add(M, NEAR);
        if (kind.upper()) {
            code.shl(NEAR, Integer.numberOfTrailingZeros(size));
            code.sub(A, NEAR);
            code.sub(ROWS, NEAR);
        }
    }

    private void rectangle() {
        code.add(COLUMNS, SECOND);
        for (int j = 0; j < WIDTH; j++) {
            factor(FACTORS + j, FACTORS + WIDTH + j, j * element, false);
        }
        code.sub(COLUMNS, SECOND);
        for (int i = 0; i < 2 * WIDTH; i++) {
            v.zero(i);
        }
        rows(WIDTH);
        code.lea(RAX, constants);
        for (int j = 0; j < WIDTH; j++) {
            int difference = kind.conj() ? 2 * j + 1 : 2 * j;
            v.mul(difference, difference, Mem.at(RAX, PLUS_MINUS));
        }
        sums(2 * WIDTH, VALUE);
        v.loadPart(Y, own(), WIDTH * element);
        addSum();
        v.storePart(own(), Y, WIDTH * element);
    }

    /** A vector of rows of the rectangle. */
    private void across(boolean masked) {
        load(Y, row(0), masked);
        load(X, second(0), masked);
        v.swapPairs(SWAPPED, X);
        for (int j = 0; j < WIDTH; j++) {
            load(VALUE, beside(j, 0), masked);
            if (!masked) {
                code.prefetchFar(beside(j, AHEAD));
            }
            v.fma(2 * j, VALUE, X);
            v.fma(2 * j + 1, VALUE, SWAPPED);
            v.fma(Y, VALUE, FACTORS + j);
            if (j == 0) {
                v.mul(TURNED, VALUE, FACTORS + WIDTH);
            } else {
                v.fma(TURNED, VALUE, FACTORS + WIDTH + j);
            }
        }
        // The signs in the factors are those of parts that have changed places.
        v.swapPairs(TURNED, TURNED);
        v.sub(Y, Y, TURNED);
        store(row(0), Y, masked);
    }

    private Mem beside(int j, int disp) {
        return switch (j) {
            case 0 -> Mem.at(P, disp);
            case 1 -> Mem.at(P, LDA, 1, disp);
            case 2 -> Mem.at(P, THIRD, 1, disp);
            default -> Mem.at(P, NEAR, 1, disp);
        };
    }

    @Override
    void panel(int columns) {
        if (columns > 1) {
            rectangle();
            return;
        }
        switch (kind.what()) {
            case AXPY -> {
                factor(RE, IM, 0, false);
                rows(1);
            }
            case DOT -> {
                clear();
                rows(1);
                reduce(kind.conj());
                v.loadPart(Y, own(), element);
                addSum();
                v.storePart(own(), Y, element);
            }
            case SYMV -> symmetric();
            case SYR, SYR2, SYR2_LONG -> update();
            case TRMV -> {
                ownFactor();
                if (!kind.unit()) {
                    timesDiagonal();
                    v.storePart(own(), Y, element);
                }
                rows(1);
            }
            case TRMV_T -> {
                clear();
                rows(1);
                reduce(kind.conj());
                if (kind.unit()) {
                    v.loadPart(Y, own(), element);
                } else {
                    timesDiagonal();
                }
                v.add(Y, Y, 0);
                v.storePart(own(), Y, element);
            }
            case TRSV -> {
                if (complex) {
                    v.loadPart(Y, own(), element);
                    timesReciprocal();
                    ownFactor();
                    v.zero(X);
                    v.sub(RE, X, RE);
                    v.sub(IM, X, IM);
                } else {
                    v.loadOne(Y, own());
                    divide();
                    v.broadcast(RE, Y);
                    v.zero(X);
                    v.sub(RE, X, RE);
                }
                rows(1);
            }
            case TRSV_T -> {
                withoutNewest();
                v.loadPart(Y, own(), element);
                v.sub(Y, Y, 0);
                newest();
                if (complex) {
                    timesReciprocal();
                } else {
                    divide();
                }
            }
        }
    }

    /**
     * A masked vector behind the last row would overlap what was stored to the vector a moment ago, and processors let a load wait for that even where the
     * mask has zeros.
     */
    @Override
    boolean partFirst() {
        return kind.upper() && switch (kind.what()) {
            case DOT, TRMV_T, TRSV_T -> true;
            default -> false;
        };
    }

    /**
     * Some processors take very long to store under AVX2's mask, and some let a load wait until any masked store is done: in a packed triangle the next column's, in the
     * vector along the rows that of the next column. Without one a narrow band takes half the time.
     */
    @Override
    boolean partsLast() {
        return switch (kind.what()) {
            case AXPY, SYMV, TRMV, TRSV, SYR, SYR2, SYR2_LONG -> true;
            case DOT, TRMV_T, TRSV_T -> false;
        };
    }

    /** Stores of whole vectors across lines take twice as long. */
    @Override
    Gp aligned() {
        return kind.updates() ? NEAR : M;
    }

    /**
     * The sum of a column but for the few elements whose unknowns were found last: vectors would wait until those are in the cache, which takes longer than all the
     * rest of a short column.
     */
    private void withoutNewest() {
        Label few = new Label();
        Label both = new Label();
        int newest = NEWEST * element / size;
        code.compare(M, newest);
        code.jump(LESS, few);
        code.mov(NEAR, newest);
        code.jump(both);
        code.bind(few);
        code.mov(NEAR, M);
        code.bind(both);
        code.sub(M, NEAR);
        if (!kind.upper()) {
            code.lea(A, Mem.at(A, NEAR, size, 0));
            code.lea(ROWS, Mem.at(ROWS, NEAR, size, 0));
        }
        mask();
        clear();
        rows(1);
        reduce(kind.conj());
    }

    /** Subtracts from Y the products that {@link #withoutNewest} left, the newest last, and sets the column's registers back. */
    private void newest() {
        Label end = new Label();
        Label top = new Label();
        Gp a = kind.upper() ? P : A;
        Gp x = kind.upper() ? T : ROWS;
        if (kind.upper()) {
            code.lea(P, Mem.at(A, M, size, 0));
            code.lea(T, Mem.at(ROWS, M, size, 0));
        }
        code.add(M, NEAR);
        code.test(NEAR, NEAR);
        code.jump(ZERO, end);
        if (complex) {
            v.zero(0);
        }
        code.bind(top);
        if (!kind.upper()) {
            code.add(A, -element);
            code.add(ROWS, -element);
        }
        v.loadPart(X, Mem.at(x, 0), element);
        if (complex) {
            v.broadcast(RE, Mem.at(a, 0));
            v.broadcast(IM, Mem.at(a, size));
            v.fnma(Y, X, RE);
            v.fma(0, X, IM);
        } else {
            v.fnmaOne(Y, X, Mem.at(a, 0));
        }
        if (kind.upper()) {
            code.add(P, element);
            code.add(T, element);
        }
        code.sub(NEAR, element / size);
        code.jump(NOT_ZERO, top);
        if (complex) {
            v.swapPairs(SWAPPED, 0);
            if (kind.conj()) {
                v.fma(Y, SWAPPED, SIGNS);
            } else {
                v.fnma(Y, SWAPPED, SIGNS);
            }
        }
        code.bind(end);
    }

    private Mem own() {
        return Mem.at(COLUMNS, 0);
    }

    /** The diagonal's real part, or what lies some bytes behind; updates have it in the piece, the others beside it. */
    private Mem diagonal(int disp) {
        int inside = kind.updates() ? element : 0;
        return kind.upper() ? Mem.at(A, M, size, disp - inside) : Mem.at(A, disp - element + inside);
    }

    /** Registers of sums; a symmetric product has factors in the upper four. */
    private int sums() {
        return complex && kind.what() != StoredKind.What.SYMV ? 8 : 4;
    }

    private void clear() {
        for (int i = 0; i < sums(); i++) {
            v.zero(i);
        }
    }

    /** The sum of a column, in the lower elements of register 0. */
    private void reduce(boolean conj) {
        for (int i = sums() / 2; i > 1; i /= 2) {
            for (int j = 0; j < i; j++) {
                v.add(j, j, i + j);
            }
        }
        if (complex) {
            int difference = conj ? 1 : 0;
            code.lea(RAX, constants);
            v.mul(difference, difference, Mem.at(RAX, PLUS_MINUS));
            sums(2, VALUE);
        } else {
            v.add(0, 0, 1);
            sums(1, VALUE);
        }
    }

    /** Y := alpha·sum + Y. */
    private void addSum() {
        v.fma(Y, 0, ALPHA);
        if (complex) {
            v.swapPairs(SWAPPED, 0);
            v.mul(SWAPPED, SWAPPED, SIGNS);
            v.fma(Y, SWAPPED, ALPHA_IM);
        }
    }

    private void symmetric() {
        code.add(COLUMNS, SECOND);
        factor(RE, IM, 0, false);
        code.sub(COLUMNS, SECOND);
        clear();
        rows(1);
        reduce(kind.conj());
        v.loadPart(Y, own(), element);
        addSum();
        v.loadPart(VALUE, diagonal(0), element);
        if (complex && kind.conj()) {
            // Of a real diagonal, the product with re(x) is in the real part and that with im(x) in the imaginary one.
            v.mul(X, VALUE, RE);
            code.lea(RAX, constants);
            v.and(X, X, Mem.at(RAX, OWN));
            v.add(Y, Y, X);
            v.swapPairs(VALUE, VALUE);
            v.mul(X, VALUE, IM);
            v.and(X, X, Mem.at(RAX, OWN + 64));
            v.add(Y, Y, X);
        } else {
            v.fma(Y, VALUE, RE);
            if (complex) {
                v.swapPairs(VALUE, VALUE);
                v.fma(Y, VALUE, IM);
            }
        }
        v.storePart(own(), Y, element);
    }

    private void update() {
        boolean two = kind.twice();
        if (two) {
            factor(RE2, IM2, 0, false);
            if (complex && kind.conj()) {
                v.zero(X);
                v.sub(IM2, X, IM2);
            }
            code.add(COLUMNS, SECOND);
        }
        factor(RE, IM, 0, kind.conj());
        if (two) {
            code.sub(COLUMNS, SECOND);
        }
        rows(1);
        if (complex && kind.conj()) {
            v.zero(X);
            v.storeOne(diagonal(size), X);
        }
    }

    /** The column's own element of the vector is what the column is multiplied by. */
    private void ownFactor() {
        v.broadcast(RE, own());
        if (complex) {
            v.broadcast(IM, Mem.at(COLUMNS, size));
            v.mul(IM, IM, SIGNS);
        }
    }

    /** Y := the diagonal times the vector's own element. */
    private void timesDiagonal() {
        v.loadPart(X, own(), element);
        v.broadcast(Y, diagonal(0));
        v.mul(Y, X, Y);
        if (complex) {
            v.broadcast(VALUE, diagonal(size));
            v.mul(VALUE, VALUE, SIGNS);
            if (kind.conj()) {
                v.zero(SWAPPED);
                v.sub(VALUE, SWAPPED, VALUE);
            }
            v.swapPairs(SWAPPED, X);
            v.fma(Y, SWAPPED, VALUE);
        }
    }

    /** Y is divided by the diagonal and becomes the vector's own element. */
    private void divide() {
        if (!kind.unit()) {
            v.divOne(Y, Y, diagonal(0));
        }
        v.storeOne(own(), Y);
    }

    /** Y times the reciprocal of the diagonal, which is in the second vector, becomes the vector's own element. */
    private void timesReciprocal() {
        if (!kind.unit()) {
            code.add(COLUMNS, SECOND);
            v.broadcast(VALUE, own());
            v.broadcast(IM, Mem.at(COLUMNS, size));
            code.sub(COLUMNS, SECOND);
            v.mul(IM, IM, SIGNS);
            v.swapPairs(SWAPPED, Y);
            v.mul(Y, Y, VALUE);
            v.fma(Y, SWAPPED, IM);
        }
        v.storePart(own(), Y, element);
    }

    @Override
    void step(int columns, int at, boolean masked) {
        if (columns > 1) {
            across(masked);
            return;
        }
        if (!masked) {
            ahead(at);
        }
        switch (kind.what()) {
            case AXPY, TRMV, TRSV -> {
                load(Y, row(at), masked);
                load(VALUE, column(0, at), masked);
                add(Y, VALUE, RE, IM);
                store(row(at), Y, masked);
            }
            case DOT, TRMV_T, TRSV_T -> {
                load(X, row(at), masked);
                load(VALUE, column(0, at), masked);
                multiply(at);
            }
            case SYMV -> {
                load(Y, row(at), masked);
                load(X, second(at), masked);
                load(VALUE, column(0, at), masked);
                multiply(at);
                add(Y, VALUE, RE, IM);
                store(row(at), Y, masked);
            }
            case SYR, SYR2, SYR2_LONG -> {
                load(X, row(at), masked);
                load(VALUE, column(0, at), masked);
                add(VALUE, X, RE, IM);
                if (kind.twice()) {
                    load(X, second(at), masked);
                    add(VALUE, X, RE2, IM2);
                }
                store(column(0, at), VALUE, masked);
            }
        }
    }

    /**
     * Fetches a line ahead. Columns of a packed triangle that follow each other are a single stream. The processor's prefetchers begin anew with every column where there are gaps, or where
     * columns are taken from the last to the first: then the same rows of the next column are worth a fetch, line by line, and from memory that is half again as fast. Where a column meets two
     * vectors, which long columns do not find in the first cache, the prefetchers fall behind: there every line of the stream is fetched.
     */
    private void ahead(int at) {
        if (kind.packed() && !kind.descends()) {
            boolean two = kind.what() == StoredKind.What.SYMV || kind.what() == StoredKind.What.SYR2_LONG;
            if (two && at * bytes % LINE == 0) {
                code.prefetchFar(Mem.at(P, at * bytes + FURTHER_AHEAD));
            } else if (!two && at == 0) {
                aheadInStream();
            }
        } else if (at * bytes % LINE == 0) {
            Mem next = Mem.at(P, LDA, 1, at * bytes);
            // What is written fills the first cache; its next lines wait in the second.
            if (kind.updates() || kind.descends()) {
                code.prefetchFar(next);
            } else {
                code.prefetch(next);
            }
        }
    }

    private Mem second(int at) {
        return Mem.at(T, SECOND, 1, at * bytes);
    }

    /** sum := value·factor + sum; exchanges the value's parts. */
    private void add(int sum, int value, int re, int im) {
        v.fma(sum, value, re);
        if (complex) {
            v.swapPairs(value, value);
            v.fma(sum, value, im);
        }
    }

    private void multiply(int at) {
        if (complex) {
            v.swapPairs(SWAPPED, X);
            int sum = 2 * at % sums();
            v.fma(sum, VALUE, X);
            v.fma(sum + 1, VALUE, SWAPPED);
        } else {
            v.fma(at, VALUE, X);
        }
    }

    /** Masks of the real and of the imaginary parts. */
    @Override
    void more() {
        for (int part = 0; part < 2; part++) {
            for (int i = 0; i < 8; i++) {
                boolean ones = i % 2 == part;
                code.data(size == 8 ? (ones ? -1 : 0) : part == 0 ? 0xffff_ffffL : -1L << 32);
            }
        }
    }
}
