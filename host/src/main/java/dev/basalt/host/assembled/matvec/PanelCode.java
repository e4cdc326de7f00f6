package dev.basalt.host.assembled.matvec;

import static dev.basalt.host.assembled.x86.Emitter.Condition.LESS;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.R9;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RBP;
import static dev.basalt.host.assembled.x86.Gp.RBX;
import static dev.basalt.host.assembled.x86.Gp.RCX;
import static dev.basalt.host.assembled.x86.Gp.RDI;
import static dev.basalt.host.assembled.x86.Gp.RDX;
import static dev.basalt.host.assembled.x86.Gp.RSI;
import static dev.basalt.host.assembled.x86.Gp.RSP;

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * Code that passes through a matrix panel by panel: some columns at a time, row vector by row vector, so that the vector along
 * the rows passes through the registers once for all columns of a panel, and the matrix is read as so many streams.
 *
 * <p>Arguments: m (real numbers of a column), n, A, bytes between its columns, the vector along the rows and the one along the
 * columns, both contiguous; scalars in vector registers 0 and 1. The last rows are done under a mask: memory beyond them is not
 * touched.
 */
abstract class PanelCode {
    static final Gp M = RDI;
    static final Gp N = RSI;
    static final Gp A = RDX;
    static final Gp LDA = RCX;
    static final Gp ROWS = R8;
    static final Gp COLUMNS = R9;
    /** Three times {@link #LDA}. */
    static final Gp LDA3 = R10;

    static final Gp COUNT = R11;
    /** Where the row loop is: in the panel's columns 0 to 3 and 4 to 7, and in the vector along the rows. */
    static final Gp P = RAX;

    static final Gp Q = RBX;
    static final Gp T = RBP;

    /** Where the row loop is in the panel behind this one, in columns 0 to 3 and 4 to 7; of kernels that fetch. */
    static final Gp NEXT = R12;

    static final Gp NEXT4 = R13;

    /** Registers that every kernel saves. */
    private static final int PUSHED = 2;

    /** Columns of a panel behind which the next one is fetched. */
    private static final int FETCHED = 8;

    /** Vectors of a single column that the row loop takes at a time. */
    static final int UNROLL = 4;

    /** Vectors from which on a column is long. */
    private static final int LONG = 4;

    /** By how many bytes a line of a stream is fetched before it is read. */
    static final int AHEAD = 2 << 10;

    static final int ALPHA = 12;
    static final int ALPHA_IM = 13;
    /** -1, 1, -1, 1, … */
    static final int SIGNS = 14;

    // Places among the constants: masks' ones end, 1, -1, 1, -1, …, and what a kernel adds.
    private static final int WINDOW = 64;
    static final int PLUS_MINUS = 128;
    static final int OWN = 192;

    /** AVX2's mask of the last rows; AVX-512 has a mask register for it. */
    static final int MASK = 15;

    final Emitter code = new Emitter();
    final Vectors v;
    final Isa isa;
    final boolean complex;
    /**
     * Whether panels are single columns. Then the matrix is one stream, which comes from the L2 cache half again as fast as
     * several (Zen 5: 190 GB/s, not 130); several are better in the L1 cache, and from memory.
     */
    final boolean single;
    /** Bytes of a real number, of an element, of a vector. */
    final int size;

    final int element;
    final int bytes;
    final int lanes;
    final Label constants = new Label();
    private Gp[] saved;

    /**
     * Whether the panel behind a whole one of eight columns is fetched into the second cache meanwhile. From memory that is faster, since the processor's prefetchers begin anew
     * with every column; from the third cache they are in its way.
     */
    private boolean fetches;

    /** Bytes of a vector that the last rows take at a time, 0 for a mask. */
    private int part;

    PanelCode(Shape shape, boolean complex, boolean single) {
        this(shape, complex, single, shape.isa().bytes);
    }

    /** With vectors of so many bytes. */
    PanelCode(Shape shape, boolean complex, boolean single, int bytes) {
        this.v = new Vectors(code, shape.isa(), shape.precision(), bytes);
        this.isa = shape.isa();
        this.complex = complex;
        this.single = single;
        this.size = shape.precision().bytes;
        this.element = complex ? 2 * size : size;
        this.bytes = bytes;
        this.lanes = bytes / size;
    }

    /** Columns of a whole panel. */
    int columns() {
        return single ? 1 : complex ? 4 : 8;
    }

    /** Begins the code; saves the caller's registers that panels use, and others. */
    final void enter(Gp... others) {
        code.push(RBX);
        code.push(RBP);
        for (Gp other : others) {
            code.push(other);
        }
        saved = others;
    }

    /** The same of a kernel that fetches the panel behind, or does not. */
    final void enter(boolean fetching) {
        fetches = fetching;
        if (fetching) {
            enter(NEXT, NEXT4);
        } else {
            enter();
        }
    }

    /** Loads the integers from the seventh on, which are on the stack above the return address. */
    final void stacked(Gp... to) {
        for (int i = 0; i < to.length; i++) {
            code.load(to[i], Mem.at(RSP, (PUSHED + saved.length + 1 + i) * Long.BYTES));
        }
    }

    /** Returns, and writes the constants behind. */
    final void leave() {
        for (int i = saved.length; i > 0; i--) {
            code.pop(saved[i - 1]);
        }
        code.pop(RBP);
        code.pop(RBX);
        code.finish();
        code.align(64);
        code.bind(constants);
        boolean f64 = v.precision == Real.F64;
        // The floats -1, 1 and 1, -1 as one number.
        long minusPlus = 0x3f800000_bf800000L;
        for (int i = 0; i < 8; i++) {
            code.data(f64 ? Double.doubleToLongBits(i % 2 == 0 ? -1 : 1) : minusPlus);
        }
        // AVX2's masks are cut from here: the bytes of a vector all ones, then as many zeros.
        for (int i = 0; i < 8; i++) {
            code.data(i < 4 ? -1 : 0);
        }
        for (int i = 0; i < 8; i++) {
            code.data(f64 ? Double.doubleToLongBits(i % 2 == 0 ? 1 : -1) : Long.rotateLeft(minusPlus, 32));
        }
        more();
    }

    /** Writes constants of the kernel's own, at {@link #OWN}. */
    void more() {}

    /** Sets the mask of the last rows, and {@link #LDA3}. */
    final void prepare() {
        code.lea(LDA3, Mem.at(LDA, LDA, 2, 0));
        mask();
    }

    /** Sets the mask of the last rows. */
    final void mask() {
        code.mov(COUNT, M);
        code.and(COUNT, lanes - 1);
        if (isa == Isa.AVX512) {
            code.mov(RAX, -1);
            code.bzhi(RAX, RAX, COUNT);
            v.mask(RAX, 0);
        } else {
            code.lea(RAX, constants);
            code.shl(COUNT, Integer.numberOfTrailingZeros(size));
            code.sub(RAX, COUNT);
            v.load(MASK, Mem.at(RAX, WINDOW + 32));
        }
    }

    /** All panels: whole ones, then what is left in powers of two. */
    final void panels() {
        int width = columns();
        Label rest = new Label();
        Label top = new Label();
        code.mov(COUNT, N);
        if (width > 1) {
            code.shr(COUNT, Integer.numberOfTrailingZeros(width));
            code.jump(ZERO, rest);
        }
        code.bind(top);
        code.push(COUNT);
        panel(width);
        next(width);
        code.pop(COUNT);
        code.dec(COUNT);
        code.jump(NOT_ZERO, top);
        code.bind(rest);
        for (int some = width / 2; some > 0; some /= 2) {
            Label skip = new Label();
            code.mov(COUNT, N);
            code.and(COUNT, some);
            code.jump(ZERO, skip);
            panel(some);
            if (some > 1) {
                next(some);
            }
            code.bind(skip);
        }
    }

    private void next(int columns) {
        code.lea(A, Mem.at(A, LDA, columns, 0));
        code.add(COLUMNS, columns * element);
    }

    /** Whether the part of a vector that rows may have comes first; with single columns only. */
    boolean partFirst() {
        return false;
    }

    /** Whether the last rows are loaded and stored in parts of a vector, without a mask. */
    boolean partsLast() {
        return false;
    }

    /**
     * The register for the rows that are left where a long column first comes to a multiple of a vector's bytes; {@link #M} if it does not. With {@link #partsLast}
     * only.
     */
    Gp aligned() {
        return M;
    }

    /** One panel at {@link #A}. */
    abstract void panel(int columns);

    /**
     * One vector of rows of a panel, at {@link #P}, {@link #Q} and {@link #T}.
     *
     * @param at which of the vectors that the loop takes at a time
     */
    abstract void step(int columns, int at, boolean masked);

    /** All rows of a panel at {@link #A}, {@link #M} of them. */
    final void rows(int columns) {
        int unroll = columns > 1 ? 1 : UNROLL;
        int shift = Integer.numberOfTrailingZeros(lanes);
        code.mov(P, A);
        if (columns > 4) {
            code.lea(Q, Mem.at(A, LDA, 4, 0));
        }
        code.mov(T, ROWS);
        if (fetches && columns == FETCHED) {
            code.lea(NEXT, Mem.at(A, LDA, FETCHED, 0));
            code.lea(NEXT4, Mem.at(NEXT, LDA, 4, 0));
        }
        if (partFirst()) {
            Label whole = new Label();
            code.mov(COUNT, M);
            code.and(COUNT, lanes - 1);
            code.jump(ZERO, whole);
            step(columns, 0, true);
            code.lea(P, Mem.at(P, COUNT, size, 0));
            code.lea(T, Mem.at(T, COUNT, size, 0));
            code.bind(whole);
        }
        Gp left = aligned();
        if (left != M) {
            align(left);
        }
        code.mov(COUNT, left);
        code.shr(COUNT, shift + Integer.numberOfTrailingZeros(unroll));
        loop(columns, unroll);
        if (unroll > 1) {
            code.mov(COUNT, left);
            code.shr(COUNT, shift);
            code.and(COUNT, unroll - 1);
            loop(columns, 1);
        }
        if (partFirst()) {
            return;
        }
        Label end = new Label();
        code.mov(COUNT, left);
        code.and(COUNT, lanes - 1);
        code.jump(ZERO, end);
        if (partsLast()) {
            for (int reals = lanes / 2; reals >= element / size; reals /= 2) {
                part(columns, left, reals);
            }
        } else {
            step(columns, 0, true);
        }
        code.bind(end);
    }

    /** A part of a vector of so many numbers, if the register has their bit. */
    private void part(int columns, Gp numbers, int reals) {
        Label none = new Label();
        code.test(numbers, reals);
        code.jump(ZERO, none);
        part = reals * size;
        step(columns, 0, true);
        code.add(P, part);
        code.add(T, part);
        if (columns > 4) {
            code.add(Q, part);
        }
        code.bind(none);
        part = 0;
    }

    /** The first rows of a long column up to a multiple of a vector's bytes; leaves the number of the others in a register. */
    private void align(Gp left) {
        Label begin = new Label();
        code.mov(left, M);
        code.compare(M, LONG * lanes);
        code.jump(LESS, begin);
        code.mov(COUNT, 0);
        code.sub(COUNT, A);
        code.and(COUNT, bytes - element);
        code.shr(COUNT, Integer.numberOfTrailingZeros(size));
        code.sub(left, COUNT);
        for (int reals = element / size; reals < lanes; reals *= 2) {
            part(1, COUNT, reals);
        }
        code.bind(begin);
    }

    /** Runs {@link #COUNT} times; the flags must tell whether it is 0. */
    private void loop(int columns, int unroll) {
        Label top = new Label();
        Label end = new Label();
        code.jump(ZERO, end);
        code.align(32);
        code.bind(top);
        for (int i = 0; i < unroll; i++) {
            step(columns, i, false);
        }
        if (fetches && columns == FETCHED) {
            for (int j = 0; j < columns; j++) {
                code.prefetchFar(column(j < 4 ? NEXT : NEXT4, j, 0));
            }
            code.add(NEXT, bytes);
            code.add(NEXT4, bytes);
        }
        code.add(P, unroll * bytes);
        if (columns > 4) {
            code.add(Q, unroll * bytes);
        }
        code.add(T, unroll * bytes);
        code.dec(COUNT);
        code.jump(NOT_ZERO, top);
        code.bind(end);
    }

    /**
     * Fetches a line ahead, where columns that follow each other without a gap are a single stream. The processor's prefetchers keep up with it; one line of a round of vectors
     * helps them at the edges of pages, all of them are in their way.
     */
    final void aheadInStream() {
        code.prefetchFar(Mem.at(P, AHEAD));
    }

    /** The row loop's place in a column. */
    Mem column(int j, int at) {
        return column(j < 4 ? P : Q, j, at);
    }

    private Mem column(Gp base, int j, int at) {
        return switch (j & 3) {
            case 0 -> Mem.at(base, at * bytes);
            case 1 -> Mem.at(base, LDA, 1, at * bytes);
            case 2 -> Mem.at(base, LDA, 2, at * bytes);
            default -> Mem.at(base, LDA3, 1, at * bytes);
        };
    }

    /** The row loop's place in the vector along the rows. */
    final Mem row(int at) {
        return Mem.at(T, at * bytes);
    }

    /** Broadcasts the scalars: alpha, and its imaginary part; and loads -1, 1, -1, 1, … for complex numbers. */
    final void scalars() {
        if (complex) {
            v.narrow(1);
            v.broadcast(ALPHA_IM, 1);
            code.lea(RAX, constants);
            v.load(SIGNS, Mem.at(RAX, 0));
        }
        v.narrow(0);
        v.broadcast(ALPHA, 0);
    }

    /**
     * Broadcasts alpha times the elements of the vector along the columns to registers 0 up. Imaginary parts go to registers 4
     * up, negative in even elements: what a vector with exchanged parts is multiplied by. Overwrites registers 8 and 9.
     */
    final void factors(int columns, boolean conj) {
        for (int j = 0; j < columns; j++) {
            factor(j, 4 + j, j * element, conj);
        }
    }

    /** One factor, of the element {@code disp} bytes on. */
    final void factor(int re, int im, int disp, boolean conj) {
        v.broadcast(complex ? 8 : re, Mem.at(COLUMNS, disp));
        if (!complex) {
            v.mul(re, re, ALPHA);
            return;
        }
        v.broadcast(9, Mem.at(COLUMNS, disp + size));
        v.mul(re, ALPHA, 8);
        v.mul(im, ALPHA_IM, 8);
        if (conj) {
            v.fma(re, ALPHA_IM, 9);
            v.fnma(im, ALPHA, 9);
        } else {
            v.fnma(re, ALPHA_IM, 9);
            v.fma(im, ALPHA, 9);
        }
        v.mul(im, im, SIGNS);
    }

    final void load(int to, Mem m, boolean masked) {
        if (masked && part > 0) {
            v.loadPart(to, m, part);
        } else if (masked) {
            v.loadMasked(to, m, MASK);
        } else {
            v.load(to, m);
        }
    }

    final void store(Mem m, int from, boolean masked) {
        if (masked && part > 0) {
            v.storePart(m, from, part);
        } else if (masked) {
            v.storeMasked(m, from, MASK);
        } else {
            v.store(m, from);
        }
    }

    /**
     * The sums of the elements of 1, 2, 4 or 8 registers from 0 up, in order in the lower elements of register 0, and of
     * register 4 if one cannot hold them (AVX2, eight doubles). Overwrites all of them and register {@code free}.
     *
     * @return registers that hold sums: 1 or 2
     */
    final int sums(int count, int free) {
        // Each 128-bit lane adds up its elements, those of several registers side by side.
        int left = pairs(v.precision, count, 1, free);
        int step = count > 1 ? 2 : 1;
        if (v.precision == Real.F32) {
            step = left > 1 ? 2 * step : step;
            left = pairs(Real.F64, left, count > 1 ? 2 : 1, free);
        }
        // Then the lanes are added up, likewise.
        for (int fold = bytes / 16; fold > 1; fold /= 2) {
            if (left == 1) {
                fold(0, 0, free);
            } else {
                for (int i = 0; i < left; i += 2) {
                    fold(i * step, (i + 1) * step, free);
                }
                left /= 2;
                step *= 2;
            }
        }
        return left;
    }

    /** Adds up halves of pairs of registers that lie {@code step} apart; returns how many are left. */
    private int pairs(Real by, int count, int step, int free) {
        int pairs = Math.max(1, count / 2);
        for (int i = 0; i < pairs; i++) {
            int a = 2 * i * step;
            int b = count > 1 ? a + step : a;
            v.unpackLanes(by, true, free, a, b);
            v.unpackLanes(by, false, a, a, b);
            v.add(a, a, free);
        }
        return pairs;
    }

    private void fold(int a, int b, int free) {
        v.lanes(true, free, a, b);
        v.lanes(false, a, a, b);
        v.add(a, a, free);
    }
}
