package dev.basalt.host.assembled.matvec;

import static dev.basalt.host.assembled.x86.Emitter.Condition.LESS;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R14;
import static dev.basalt.host.assembled.x86.Gp.R15;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RBP;
import static dev.basalt.host.assembled.x86.Gp.RBX;

import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Quads;
import dev.basalt.host.assembled.x86.Shape;

/**
 * Code that passes through a band or a triangle of real numbers, stored in any way, by panels of four columns. So each element of a vector along the rows
 * is loaded and stored once for four columns: of short columns, a load would wait for the store of the column before.
 *
 * <p>A panel is a rectangle between a head and a tail of four rows each, where there is one. In the head, columns begin one row after the other; in the tail,
 * they end so. One of them is the block on the diagonal where the matrix is a triangle. Loads of heads and tails reach into neighbours of a panel's
 * columns, never beyond the panel, and what they find there is left out of the result.
 *
 * <p>Arguments: rows of the first rectangle, panels, the panel's first row in its first column, bytes from there to the same row of the next column, the vector
 * along the rows at the panel's first row, the vector along the columns at the first column; bytes from there to a second vector; by how much the distance of
 * columns grows, in bytes; bytes to the first row of the next panel. The scalar is in vector register 0.
 *
 * <p>A solution multiplies by the reciprocals of the diagonal. One that overflows shows as a result that is not finite: the kernel then stops before that panel, and
 * returns how many are left; else 0.
 */
final class StoredPanelCode extends PanelCode {
    /** Columns of a panel, and rows of a head or tail. */
    static final int WIDTH = Quads.LANES;

    // Registers 0 to 3: sums of columns. 4 to 7: factors of columns, or sums of every other vector. From 8 in pairs: of two vectors in a row.
    private static final int FACTORS = 4;
    private static final int Y = 8;
    private static final int X = 10;
    private static final int VALUE = 13;

    private static final int MASK_BYTES = 32;

    /**
     * Rows of a rectangle of floats, below which a product goes by four of them: a whole vector would wait for the two of four that the panel before has stored. tpmv of a lower triangle of order 50
     * takes 192 ns so and 221 without; other kinds gain nothing.
     */
    private static final int QUADS = 32;

    /** Bytes of a cache line. */
    private static final int LINE = 64;

    private static final Gp C1 = RBX;
    private static final Gp C2 = RBP;
    private static final Gp C3 = LDA3;
    /** The place in a column, in bytes from its pointer. */
    private static final Gp I = RAX;
    private static final Gp SECOND = R12;
    private static final Gp GROWTH = R13;
    private static final Gp NEXT = R14;
    /** The second vector at the panel's first row; or how many rows are left out of the rectangle. */
    private static final Gp NEAR = R15;

    private final Quads q;
    private final StoredPanelKind kind;
    private final StoredPanelKind.Form form;
    private final boolean descends;
    private final Label stop = new Label();
    /** Whether each line of a column is fetched ahead. */
    private final boolean fetches;
    /** Bytes of the head. */
    private final int head;

    private StoredPanelCode(Shape shape, StoredPanelKind kind, StoredPanelKind.Form form, boolean fetches) {
        super(shape, false, false);
        this.q = new Quads(code, shape.precision());
        this.kind = kind;
        this.form = form;
        this.descends = form.descends(kind);
        this.fetches = fetches;
        this.head = form.head() ? WIDTH * size : 0;
    }

    /** Writes a kernel. */
    static byte[] write(Shape shape, StoredPanelKind kind, StoredPanelKind.Form form, boolean fetches) {
        StoredPanelCode panels = new StoredPanelCode(shape, kind, form, fetches);
        panels.write();
        return panels.code.code();
    }

    private void write() {
        enter(R12, R13, R14, R15);
        stacked(SECOND, GROWTH, NEXT);
        scalars();
        Label top = new Label();
        code.bind(top);
        code.lea(C1, Mem.at(A, LDA, 1, 0));
        code.lea(C2, Mem.at(C1, LDA, 1, 0));
        code.add(C2, GROWTH);
        code.lea(C3, Mem.at(C2, LDA, 1, 0));
        code.lea(C3, Mem.at(C3, GROWTH, 2, 0));
        panel(WIDTH);
        code.add(A, NEXT);
        code.mov(COUNT, GROWTH);
        code.shl(COUNT, 2);
        if (descends) {
            code.sub(LDA, COUNT);
        } else {
            code.add(LDA, COUNT);
        }
        code.shl(COUNT, 2);
        code.add(NEXT, COUNT);
        int ahead = descends ? -WIDTH : WIDTH;
        if (form.head()) {
            code.add(ROWS, ahead * size);
        }
        if (form.head() != form.tail()) {
            code.add(M, form.tail() ? ahead : -ahead);
        }
        code.add(COLUMNS, ahead * size);
        code.dec(N);
        code.jump(NOT_ZERO, top);
        if (kind.solves()) {
            code.bind(stop);
            code.mov(RAX, N);
        }
        leave();
    }

    @Override
    void panel(int columns) {
        switch (kind) {
            case AXPY -> {
                scaledFactors();
                update();
            }
            case DOT -> {
                clear();
                ends();
                rectangle();
                reduce();
                q.load(Y, Mem.at(COLUMNS, 0));
                q.fma(Y, 0, ALPHA);
                q.store(Mem.at(COLUMNS, 0), Y);
            }
            case SYMV -> symmetric();
            case TRMV -> {
                for (int c = 0; c < WIDTH; c++) {
                    v.broadcast(FACTORS + c, Mem.at(COLUMNS, c * size));
                }
                update();
            }
            case TRMV_T -> {
                clear();
                ends();
                rectangle();
                reduce();
                if (form.unit()) {
                    q.load(Y, Mem.at(COLUMNS, 0));
                    q.add(0, 0, Y);
                }
                q.store(Mem.at(COLUMNS, 0), 0);
            }
            case TRSV -> {
                solve();
                update();
            }
            case TRSV_T -> solveTransposed();
        }
    }

    private void scaledFactors() {
        for (int c = 0; c < WIDTH; c++) {
            factor(FACTORS + c, 0, c * size, false);
        }
    }

    private void clear() {
        for (int c = 0; c < (kind == StoredPanelKind.SYMV ? WIDTH : 2 * WIDTH); c++) {
            v.zero(c);
        }
    }

    /** The sums of the four columns, in register 0. */
    private void reduce() {
        for (int c = 0; c < WIDTH && kind != StoredPanelKind.SYMV; c++) {
            v.add(c, c, FACTORS + c);
        }
        sums(WIDTH, VALUE);
    }

    private Mem element(int c, int disp) {
        Gp column = switch (c) {
            case 0 -> A;
            case 1 -> C1;
            case 2 -> C2;
            default -> C3;
        };
        return Mem.at(column, I, 1, disp);
    }

    private Mem own(int c) {
        return Mem.at(COLUMNS, c * size);
    }

    /** Columns in the order in which an element meets them, as where they are taken one after the other. */
    private int inOrder(int i) {
        return descends ? WIDTH - 1 - i : i;
    }

    /** Lets {@link #I} point to the head or to the tail. */
    private void point(boolean tail) {
        if (tail) {
            code.mov(I, M);
            code.shl(I, Integer.numberOfTrailingZeros(size));
            if (head > 0) {
                code.add(I, head);
            }
        } else {
            code.mov(I, 0);
        }
    }

    private boolean diagonal(boolean tail) {
        return kind.triangular() && form.upper() == tail;
    }

    private boolean has(boolean tail) {
        return tail ? form.tail() : form.head();
    }

    /** The rows that a column has in the head or the tail, as bits; perhaps without the diagonal. */
    private int lanes(boolean tail, int c, boolean without) {
        int from = c;
        int to = c + WIDTH;
        if (form.narrow() > 0) {
            from = form.upper() ? WIDTH + c - form.narrow() : c;
            to = from + form.narrow();
        }
        // Of the eight rows of head and tail.
        int all = (2 << to) - (1 << from) >> (tail ? WIDTH : 0) & Quads.ALL;
        return without ? all & ~(1 << c) : all;
    }

    private void symmetric() {
        code.add(COLUMNS, SECOND);
        scaledFactors();
        code.sub(COLUMNS, SECOND);
        clear();
        code.lea(NEAR, Mem.at(ROWS, SECOND, 1, 0));
        boolean tail = form.upper();
        if (has(!tail)) {
            point(!tail);
            updateEnd(!tail);
            sumEnd(!tail);
        }
        point(tail);
        sumEnd(tail);
        rectangle();
        reduce();
        point(tail);
        updateEnd(tail);
    }

    /** Adds the columns times their factors to the rows, or subtracts them. */
    private void update() {
        boolean solves = kind == StoredPanelKind.TRSV;
        boolean near = solves && form.upper() && form.narrow() == 0;
        if (near) {
            // The next panel needs the last rows: they come first, so that it begins meanwhile.
            leaveOut();
            Label none = new Label();
            code.test(NEAR, NEAR);
            code.jump(ZERO, none);
            point(true);
            q.load(Y, row());
            for (int i = 0; i < WIDTH; i++) {
                updateQuad(inOrder(i), Quads.ALL);
            }
            q.store(row(), Y);
            code.bind(none);
        }
        if (!solves) {
            ends();
        }
        rectangle();
        if (near) {
            code.add(M, NEAR);
        }
        if (solves) {
            ends();
        }
    }

    /** The head and the tail, but for the diagonal block of an equation. */
    private void ends() {
        for (int end = 0; end < 2; end++) {
            boolean tail = end == 1;
            if (has(tail) && !(kind.solves() && diagonal(tail))) {
                point(tail);
                if (kind.sums()) {
                    sumEnd(tail);
                } else {
                    updateEnd(tail);
                }
            }
        }
    }

    /** The row loop's place in the vector along the rows. */
    private Mem row() {
        return Mem.at(ROWS, I, 1, 0);
    }

    private void updateEnd(boolean tail) {
        boolean product = kind == StoredPanelKind.TRMV && diagonal(tail);
        if (product && !form.unit()) {
            v.zero(Y);
        } else {
            q.load(Y, row());
        }
        for (int i = 0; i < WIDTH; i++) {
            int c = inOrder(i);
            updateQuad(c, lanes(tail, c, product && form.unit()));
        }
        if (kind == StoredPanelKind.SYMV && diagonal(tail)) {
            q.fma(Y, 0, ALPHA);
        }
        q.store(row(), Y);
    }

    private void updateQuad(int c, int lanes) {
        if (lanes == 0) {
            return;
        }
        int to = lanes == Quads.ALL ? Y : VALUE;
        if (to != Y) {
            q.move(to, Y);
        }
        if (kind == StoredPanelKind.TRSV) {
            q.fnma(to, FACTORS + c, element(c, 0));
        } else {
            q.fma(to, FACTORS + c, element(c, 0));
        }
        if (to != Y) {
            q.blend(Y, Y, to, lanes);
        }
    }

    private void sumEnd(boolean tail) {
        if (masks()) {
            sumMasked(tail);
            return;
        }
        boolean without = diagonal(tail) && (form.unit() || kind == StoredPanelKind.SYMV);
        q.load(X, kind == StoredPanelKind.SYMV ? Mem.at(NEAR, I, 1, 0) : row());
        for (int c = 0; c < WIDTH; c++) {
            int lanes = lanes(tail, c, without);
            if (lanes == Quads.ALL) {
                q.fma(c, X, element(c, 0));
            } else if (lanes != 0) {
                q.move(VALUE, c);
                q.fma(VALUE, X, element(c, 0));
                q.blend(c, c, VALUE, lanes);
            }
        }
    }

    /** Whether loads touch nothing but the panel's columns: then the last panel of a band is like any other, and no cut shows in the bits. */
    private boolean masks() {
        return form.narrow() > 0 && kind == StoredPanelKind.DOT;
    }

    private void sumMasked(boolean tail) {
        int rows = tail ? (1 << form.narrow()) - 1 : Quads.ALL;
        code.lea(NEAR, constants);
        q.load(VALUE, Mem.at(NEAR, OWN + rows * MASK_BYTES));
        q.loadMasked(X, row(), VALUE);
        for (int c = 0; c < WIDTH; c++) {
            int lanes = lanes(tail, c, false);
            if (lanes != 0) {
                q.load(VALUE, Mem.at(NEAR, OWN + lanes * MASK_BYTES));
                q.loadMasked(Y, element(c, 0), VALUE);
                q.and(VALUE, VALUE, X);
                q.fma(c, Y, VALUE);
            }
        }
    }

    /** Masks of four numbers, by their bits. */
    @Override
    void more() {
        for (int lanes = 0; lanes <= Quads.ALL && masks(); lanes++) {
            for (int i = 0; i < MASK_BYTES / 8; i++) {
                boolean f64 = size == 8;
                long low = (lanes >> (f64 ? i : 2 * i) & 1) != 0 ? f64 ? -1L : 0xffff_ffffL : 0;
                long high = !f64 && (lanes >> 2 * i + 1 & 1) != 0 ? -1L << 32 : 0;
                code.data(low | high);
            }
        }
    }

    /** All rows between head and tail, but for {@link #NEAR} of an equation. */
    private void rectangle() {
        if (form.narrow() > 0) {
            return;
        }
        int shift = Integer.numberOfTrailingZeros(lanes);
        Label top = new Label();
        Label one = new Label();
        Label part = new Label();
        Label end = new Label();
        mask();
        if (kind == StoredPanelKind.TRSV_T && !form.upper()) {
            code.mov(I, NEAR);
            code.shl(I, Integer.numberOfTrailingZeros(size));
            code.add(I, head);
        } else {
            code.mov(I, head);
        }
        boolean partFirst = kind == StoredPanelKind.TRSV_T && form.upper();
        if (partFirst) {
            // A masked vector behind the last row would overlap the unknowns found last, and wait for them.
            Label whole = new Label();
            code.mov(COUNT, M);
            code.and(COUNT, lanes - 1);
            code.jump(ZERO, whole);
            rows(0, true);
            code.shl(COUNT, Integer.numberOfTrailingZeros(size));
            code.add(I, COUNT);
            code.bind(whole);
        }
        // Sums from the last panel to the first: a masked vector would reach over what the panel before has stored, and wait for it.
        boolean back = kind == StoredPanelKind.TRMV_T && form.upper() && lanes > WIDTH;
        boolean parts = (!kind.sums() || kind == StoredPanelKind.SYMV || back) && isa == Isa.AVX2;
        if (parts && singlesFirst()) {
            Label none = new Label();
            singles(none);
            code.bind(none);
        }
        Label quads = new Label();
        if (kind == StoredPanelKind.TRMV && parts && lanes > WIDTH) {
            code.compare(M, QUADS);
            code.jump(LESS, quads);
        }
        if (quadFirst()) {
            Label vectors = new Label();
            code.test(M, WIDTH);
            code.jump(ZERO, vectors);
            quad();
            code.bind(vectors);
        }
        code.mov(COUNT, M);
        code.shr(COUNT, shift + 1);
        code.jump(ZERO, one);
        code.align(32);
        code.bind(top);
        rows(0, false);
        rows(1, false);
        code.add(I, 2 * bytes);
        code.dec(COUNT);
        code.jump(NOT_ZERO, top);
        code.bind(one);
        code.test(M, lanes);
        code.jump(ZERO, part);
        rows(0, false);
        code.add(I, bytes);
        code.bind(part);
        if (partFirst) {
            return;
        }
        if (parts) {
            rest(quads, end);
        } else {
            code.test(M, lanes - 1);
            code.jump(ZERO, end);
            rows(0, true);
        }
        code.bind(end);
    }

    /** The last rows without a mask, some processors take very long to store under AVX2's; or all of a few, from a label on. */
    private void rest(Label quads, Label end) {
        if (lanes > WIDTH && !quadFirst()) {
            Label few = new Label();
            Label top = new Label();
            boolean all = kind == StoredPanelKind.TRMV;
            if (all) {
                code.mov(COUNT, 1);
            }
            code.test(M, WIDTH);
            code.jump(ZERO, few);
            if (all) {
                code.jump(top);
                code.bind(quads);
                code.mov(COUNT, M);
                code.shr(COUNT, Integer.numberOfTrailingZeros(WIDTH));
                code.jump(ZERO, few);
                code.bind(top);
            }
            quad();
            if (all) {
                code.dec(COUNT);
                code.jump(NOT_ZERO, top);
            }
            code.bind(few);
        }
        if (!singlesFirst()) {
            singles(end);
        }
    }

    /** Up to three rows one by one. */
    private void singles(Label end) {
        boolean updates = updates();
        Label top = new Label();
        code.mov(COUNT, M);
        code.and(COUNT, WIDTH - 1);
        code.jump(ZERO, end);
        code.bind(top);
        if (kind.sums()) {
            v.loadOne(X, other());
        }
        if (updates) {
            v.loadOne(Y, row());
        }
        for (int i = 0; i < WIDTH; i++) {
            int c = inOrder(i);
            if (kind.sums()) {
                v.loadOne(VALUE, element(c, 0));
                // What is above in the registers is 0.
                v.fma(c, VALUE, X);
            }
            switch (kind) {
                case SYMV -> v.fmaOne(Y, FACTORS + c, VALUE);
                case TRSV -> v.fnmaOne(Y, FACTORS + c, element(c, 0));
                case TRMV, AXPY -> v.fmaOne(Y, FACTORS + c, element(c, 0));
                default -> {}
            }
        }
        if (updates) {
            v.storeOne(row(), Y);
        }
        code.add(I, size);
        code.dec(COUNT);
        code.jump(NOT_ZERO, top);
    }

    /** Whether four rows come before whole vectors. The rows of a lower triangle end where they are: so vectors are those that the panel before has stored, not halves of two. */
    private boolean quadFirst() {
        return kind == StoredPanelKind.SYMV && isa == Isa.AVX2 && lanes > WIDTH && !form.upper() && !form.tail();
    }

    /**
     * Whether the few rows come before fours and whole vectors. A panel of an upper triangle ends where its columns begin: so the fours are those that the panel before has stored, and do not wait
     * for two stores each. tpmv of order 50 in s takes 154 ns with these rows at the end.
     */
    private boolean singlesFirst() {
        return updates() && form.upper() && !form.head();
    }

    /** Whether the vector along the rows is written. */
    private boolean updates() {
        return !kind.sums() || kind == StoredPanelKind.SYMV;
    }

    /** Four rows. */
    private void quad() {
        if (kind.sums()) {
            q.load(X, other());
        }
        if (updates()) {
            q.load(Y, row());
        }
        for (int i = 0; i < WIDTH; i++) {
            if (kind.sums()) {
                q.load(VALUE, element(inOrder(i), 0));
                v.fma(inOrder(i), VALUE, X);
            }
            if (updates()) {
                updateQuad(inOrder(i), Quads.ALL);
            }
        }
        if (updates()) {
            q.store(row(), Y);
        }
        code.add(I, WIDTH * size);
    }

    /** The row loop's place in the vector whose products are summed. */
    private Mem other() {
        return kind == StoredPanelKind.SYMV ? Mem.at(NEAR, I, 1, 0) : row();
    }

    private void rows(int at, boolean masked) {
        Mem row = Mem.at(ROWS, I, 1, at * bytes);
        if (kind == StoredPanelKind.SYMV) {
            load(X + at, Mem.at(NEAR, I, 1, at * bytes), masked);
        } else if (kind.sums()) {
            load(X + at, row, masked);
        }
        if (!kind.sums() || kind == StoredPanelKind.SYMV) {
            load(Y + at, row, masked);
        }
        for (int i = 0; i < WIDTH; i++) {
            int c = inOrder(i);
            boolean loads = masked || kind == StoredPanelKind.SYMV;
            if (loads) {
                load(VALUE, element(c, at * bytes), masked);
            }
            switch (kind) {
                case SYMV -> {
                    if (fetches && !masked && at * bytes % LINE == 0) {
                        code.prefetchFar(element(c, at * bytes + AHEAD));
                    }
                    v.fma(c, VALUE, X + at);
                    v.fma(Y + at, VALUE, FACTORS + c);
                }
                case AXPY, TRMV -> multiply(loads, Y + at, FACTORS + c, element(c, at * bytes));
                case TRSV -> {
                    if (loads) {
                        v.fnma(Y + at, FACTORS + c, VALUE);
                    } else {
                        v.fnma(Y + at, FACTORS + c, element(c, at * bytes));
                    }
                }
                default -> multiply(loads, at == 0 ? c : FACTORS + c, X + at, element(c, at * bytes));
            }
        }
        if (!kind.sums() || kind == StoredPanelKind.SYMV) {
            store(row, Y + at, masked);
        }
    }

    private void multiply(boolean loaded, int sum, int factor, Mem m) {
        if (loaded) {
            v.fma(sum, factor, VALUE);
        } else {
            v.fma(sum, factor, m);
        }
    }

    /** Takes four rows off the rectangle, where there are as many. */
    private void leaveOut() {
        Label few = new Label();
        code.mov(NEAR, 0);
        code.compare(M, WIDTH);
        code.jump(LESS, few);
        code.mov(NEAR, WIDTH);
        code.bind(few);
        code.sub(M, NEAR);
    }

    /** The unknowns of the diagonal block, which become the factors. */
    private void solve() {
        point(form.upper());
        invert();
        for (int i = 0; i < WIDTH; i++) {
            int c = inOrder(i);
            v.loadOne(FACTORS + c, own(c));
            for (int before = 0; before < i; before++) {
                int known = inOrder(before);
                if (near(c, known)) {
                    v.fnmaOne(FACTORS + c, FACTORS + known, element(known, c * size));
                }
            }
            divide(c);
        }
        storeFinite(-1);
        for (int c = 0; c < WIDTH; c++) {
            v.broadcast(FACTORS + c, FACTORS + c);
        }
    }

    /** Whether the band has an element in a column of the panel and the row of another. */
    private boolean near(int c, int other) {
        return form.narrow() == 0 || Math.abs(c - other) <= form.narrow();
    }

    /** The reciprocals of the diagonal, in the registers of sums: all of them are under way at once, and beside what comes before. */
    private void invert() {
        if (form.unit()) {
            return;
        }
        code.mov(COUNT, size == 8 ? Double.doubleToLongBits(1) : Float.floatToIntBits(1));
        v.bits(X, COUNT);
        for (int c = 0; c < WIDTH; c++) {
            v.divOne(c, X, element(c, c * size));
        }
    }

    private void divide(int c) {
        if (!form.unit()) {
            v.mulOne(FACTORS + c, FACTORS + c, c);
        }
    }

    /**
     * Stores the unknowns if all are finite. Else a reciprocal may have overflowed: it stops, and puts back what it has stored to them.
     *
     * @param before register of what they were, or -1
     */
    private void storeFinite(int before) {
        if (!form.unit()) {
            // 0 times what is not finite is NaN, and then so is the sum; else it is 0.
            v.zero(X);
            v.zero(VALUE);
            for (int c = 0; c < WIDTH; c++) {
                v.fmaOne(VALUE, FACTORS + c, X);
            }
            v.bits(COUNT, VALUE);
            code.test(COUNT, COUNT);
            if (before < 0) {
                code.jump(NOT_ZERO, stop);
            } else {
                Label finite = new Label();
                code.jump(ZERO, finite);
                q.store(own(0), before);
                code.jump(stop);
                code.bind(finite);
            }
        }
        for (int c = 0; c < WIDTH; c++) {
            v.storeOne(own(c), FACTORS + c);
        }
    }

    /**
     * The unknowns of the diagonal block after the sums over all others. The four that the panel before has found come last and one by one: vectors would wait
     * for them longer than all the rest takes.
     */
    private void solveTransposed() {
        Label none = new Label();
        boolean narrow = form.narrow() > 0;
        if (!narrow) {
            clear();
            ends();
            leaveOut();
            rectangle();
            reduce();
            q.load(Y, own(0));
            q.sub(Y + 1, Y, 0);
            q.store(own(0), Y + 1);
        }
        for (int c = 0; c < WIDTH; c++) {
            v.loadOne(FACTORS + c, own(c));
        }
        if (narrow) {
            // The other end of the panel is all there is.
            point(!form.upper());
        } else {
            code.test(NEAR, NEAR);
            code.jump(ZERO, none);
            if (form.upper()) {
                point(true);
            } else {
                code.mov(I, head);
            }
        }
        for (int i = 0; i < WIDTH; i++) {
            int near = inOrder(i);
            v.loadOne(X, Mem.at(ROWS, I, 1, near * size));
            for (int c = 0; c < WIDTH; c++) {
                if (!narrow || (lanes(!form.upper(), c, false) >> near & 1) != 0) {
                    v.fnmaOne(FACTORS + c, X, element(c, near * size));
                }
            }
        }
        code.bind(none);
        if (!narrow) {
            code.add(M, NEAR);
        }
        point(form.upper());
        invert();
        for (int i = 0; i < WIDTH; i++) {
            int c = inOrder(i);
            for (int before = 0; before < i; before++) {
                int known = inOrder(before);
                if (near(c, known)) {
                    v.fnmaOne(FACTORS + c, FACTORS + known, element(c, known * size));
                }
            }
            divide(c);
        }
        storeFinite(narrow ? -1 : Y);
    }

    @Override
    void step(int columns, int at, boolean masked) {
        throw new IllegalStateException("panels of stored columns have a row loop of their own");
    }
}
