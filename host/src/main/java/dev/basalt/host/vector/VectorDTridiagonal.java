package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDTranspose.EIGHT;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;

import dev.basalt.portable.BatchedKernels;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Tridiagonal systems with one right-hand side: eight at a time, a system a lane, and what is left one by one. Each step of one needs the quotient of the step before, so one
 * system leaves a core idle most of the time. Lanes choose their pivots without branches. Both ways give the same bits. Where a lane has a zero pivot, its eight
 * go on one by one from that row.
 */
public final class VectorDTridiagonal implements Tridiagonal {
    private static final int LANES = 8;

    /** Rows that are brought to lanes together. */
    private static final int ROWS = 2048;

    private static final double MOST = FusedDTridiagonal.MOST;

    private static final double LEAST = FusedDTridiagonal.LEAST;

    private static final int LAST_ROWS = FusedDTridiagonal.LAST_ROWS;

    /** The rows of eight systems: diagonals, right-hand sides, and what goes from one piece of rows to the next. */
    private static final class Scratch {
        final double[] l = new double[LANES * ROWS];
        final double[] d = new double[LANES * ROWS];
        final double[] u = new double[LANES * ROWS];
        final double[] b = new double[LANES * ROWS];
        final double[] carried = new double[3 * LANES];
        final long[] infos = new long[LANES];
    }

    private final VectorPool<Scratch> pool = new VectorPool<>(Scratch::new);

    /** Systems of one type. */
    public VectorDTridiagonal() {}

    @Override
    public boolean takes(Launch l) {
        return l.m == 1 && !l.guarded && l.extent == 0;
    }

    @Override
    public void run(Launch l, long from, long to) {
        long p = from;
        boolean distances = !(l.a.pointers || l.b.pointers || l.c.pointers || l.f.pointers);
        boolean lanes = VectorDTranspose.SUPPORTED && distances && l.n > LAST_ROWS;
        if (lanes && to - from >= LANES) {
            Scratch s = pool.take();
            if (l.n - LAST_ROWS <= ROWS && to - from >= 2 * LANES) {
                Scratch other = pool.take();
                for (; p + 2 * LANES <= to; p += 2 * LANES) {
                    sixteen(l, p, s, other);
                }
                pool.give(other);
            }
            for (; p + LANES <= to; p += LANES) {
                eight(l, p, s);
            }
            pool.give(s);
        }
        for (; p < to; p++) {
            BatchedKernels.report(l, p, alone(l, p, 0));
        }
    }

    private static long step(Operand o) {
        return o.vector ? o.ld * 8L : 8L;
    }

    private static long distance(Operand o) {
        return o.stride * 8L;
    }

    private static long first(Operand o, long p) {
        return o.vector ? o.first(p) : o.at(p);
    }

    /** Twice eight systems whose rows fit the scratch: down go both at a time, since each row of eight waits for the one before. */
    private static void sixteen(Launch l, long p, Scratch s, Scratch other) {
        int rows = (int) l.n - LAST_ROWS;
        begin(l, p, s);
        begin(l, p + LANES, other);
        load(l, p, 0, rows, s);
        load(l, p + LANES, 0, rows, other);
        int done = down(rows, s, other);
        finish(l, p, rows, done, s);
        finish(l, p + LANES, rows, done, other);
    }

    /** What is done with the rows of eight systems that have come down, all of which are in the scratch. */
    private static void finish(Launch l, long p, int rows, int done, Scratch s) {
        storeDiagonals(l, p, 0, done, s);
        if (done < rows) {
            store(l.c, p, 0, done, s.b);
            oneByOne(l, p, done, s);
        } else if (lastRows(l, p, s)) {
            up(rows, s);
            store(l.c, p, 0, rows, s.b);
        } else {
            store(l.c, p, 0, rows, s.b);
            singular(l, p, s);
        }
    }

    private static void begin(Launch l, long p, Scratch s) {
        for (int lane = 0; lane < LANES; lane++) {
            s.carried[lane] = f64(first(l.b, p + lane));
            s.carried[LANES + lane] = f64(first(l.f, p + lane));
            s.carried[2 * LANES + lane] = f64(first(l.c, p + lane));
        }
    }

    /** Rows from {@code i} on below the diagonal, and those behind them of the rest. */
    private static void load(Launch l, long p, long i, int rows, Scratch s) {
        load(l.a, p, i, rows, s.l);
        load(l.b, p, i + 1, rows, s.d);
        load(l.f, p, i + 1, rows, s.u);
        load(l.c, p, i + 1, rows, s.b);
    }

    private static void storeDiagonals(Launch l, long p, long i, int rows, Scratch s) {
        store(l.a, p, i, rows, s.l);
        store(l.b, p, i, rows, s.d);
        store(l.f, p, i, rows, s.u);
    }

    /** Systems some of which have no solution, with their rows come down. */
    private static void singular(Launch l, long p, Scratch s) {
        for (int lane = 0; lane < LANES; lane++) {
            if (s.infos[lane] == 0) {
                unknowns(l, p + lane, l.n - LAST_ROWS - 1);
            }
            BatchedKernels.report(l, p + lane, s.infos[lane]);
        }
    }

    /** Eight systems: rows down, the last two one by one, rows up. What fits the scratch is brought there once. */
    private static void eight(Launch l, long p, Scratch s) {
        long inner = l.n - LAST_ROWS;
        begin(l, p, s);
        if (inner <= ROWS) {
            load(l, p, 0, (int) inner, s);
            finish(l, p, (int) inner, down((int) inner, s), s);
            return;
        }
        for (long i = 0; i < inner; i += ROWS) {
            int rows = (int) Math.min(ROWS, inner - i);
            load(l, p, i, rows, s);
            int done = down(rows, s);
            storeDiagonals(l, p, i, done, s);
            store(l.c, p, i, done, s.b);
            if (done < rows) {
                oneByOne(l, p, i + done, s);
                return;
            }
        }
        if (!lastRows(l, p, s)) {
            singular(l, p, s);
            return;
        }
        for (long end = inner; end > 0; end -= ROWS) {
            int rows = (int) Math.min(ROWS, end);
            load(l.a, p, end - rows, rows, s.l);
            load(l.b, p, end - rows, rows, s.d);
            load(l.f, p, end - rows, rows, s.u);
            load(l.c, p, end - rows, rows, s.b);
            up(rows, s);
            store(l.c, p, end - rows, rows, s.b);
        }
    }

    /** What is carried goes to its row of the systems. */
    private static void carry(Launch l, long p, long row, Scratch s) {
        for (int lane = 0; lane < LANES; lane++) {
            f64(first(l.b, p + lane) + row * step(l.b), s.carried[lane]);
            f64(first(l.f, p + lane) + row * step(l.f), s.carried[LANES + lane]);
            f64(first(l.c, p + lane) + row * step(l.c), s.carried[2 * LANES + lane]);
        }
    }

    /** Each system from a row on by itself. */
    private static void oneByOne(Launch l, long p, long row, Scratch s) {
        carry(l, p, row, s);
        for (int lane = 0; lane < LANES; lane++) {
            BatchedKernels.report(l, p + lane, alone(l, p + lane, row));
        }
    }

    /** The last two rows of each system; what is carried are then their unknowns. False if a system has none. */
    private static boolean lastRows(Launch l, long p, Scratch s) {
        long row = l.n - LAST_ROWS;
        carry(l, p, row, s);
        boolean found = true;
        for (int lane = 0; lane < LANES; lane++) {
            s.infos[lane] = lastRows(l, p + lane);
            found &= s.infos[lane] == 0;
            long x = first(l.c, p + lane) + row * step(l.c);
            s.carried[lane] = f64(x);
            s.carried[LANES + lane] = f64(x + step(l.c));
        }
        return found;
    }

    /** Rows from row + 1 on in lanes; how many there were before a pivot was zero. */
    private static int down(int rows, Scratch s) {
        DoubleVector p = fromArray(EIGHT, s.carried, 0);
        DoubleVector u = fromArray(EIGHT, s.carried, LANES);
        DoubleVector y = fromArray(EIGHT, s.carried, 2 * LANES);
        double[] l = s.l;
        double[] d = s.d;
        double[] above = s.u;
        double[] b = s.b;
        int at = 0;
        for (; at < rows * LANES; at += LANES) {
            DoubleVector below = fromArray(EIGHT, l, at);
            VectorMask<Double> stays = p.abs().compare(VectorOperators.GE, below.abs());
            DoubleVector pivot = below.blend(p, stays);
            if (pivot.compare(VectorOperators.EQ, 0.0).anyTrue()) {
                break;
            }
            DoubleVector minus = p.blend(below, stays).div(pivot).neg();
            DoubleVector next = fromArray(EIGHT, d, at);
            DoubleVector right = fromArray(EIGHT, above, at);
            DoubleVector side = fromArray(EIGHT, b, at);
            DoubleVector top = next.blend(u, stays);
            DoubleVector first = side.blend(y, stays);
            pivot.intoArray(d, at);
            top.intoArray(above, at);
            right.blend(0.0, stays).intoArray(l, at);
            first.intoArray(b, at);
            p = top.fma(minus, u.blend(next, stays));
            y = first.fma(minus, y.blend(side, stays));
            u = right.mul(minus).blend(right, stays);
        }
        p.intoArray(s.carried, 0);
        u.intoArray(s.carried, LANES);
        y.intoArray(s.carried, 2 * LANES);
        return at / LANES;
    }

    /** The same for twice eight systems; both stop where one of them has a pivot that is zero. */
    private static int down(int rows, Scratch s, Scratch other) {
        DoubleVector p = fromArray(EIGHT, s.carried, 0);
        DoubleVector u = fromArray(EIGHT, s.carried, LANES);
        DoubleVector y = fromArray(EIGHT, s.carried, 2 * LANES);
        DoubleVector p2 = fromArray(EIGHT, other.carried, 0);
        DoubleVector u2 = fromArray(EIGHT, other.carried, LANES);
        DoubleVector y2 = fromArray(EIGHT, other.carried, 2 * LANES);
        double[] l = s.l;
        double[] d = s.d;
        double[] above = s.u;
        double[] b = s.b;
        double[] l2 = other.l;
        double[] d2 = other.d;
        double[] above2 = other.u;
        double[] b2 = other.b;
        int at = 0;
        for (; at < rows * LANES; at += LANES) {
            DoubleVector below = fromArray(EIGHT, l, at);
            DoubleVector below2 = fromArray(EIGHT, l2, at);
            VectorMask<Double> stays = p.abs().compare(VectorOperators.GE, below.abs());
            VectorMask<Double> stays2 = p2.abs().compare(VectorOperators.GE, below2.abs());
            DoubleVector pivot = below.blend(p, stays);
            DoubleVector pivot2 = below2.blend(p2, stays2);
            if (pivot.compare(VectorOperators.EQ, 0.0).or(pivot2.compare(VectorOperators.EQ, 0.0)).anyTrue()) {
                break;
            }
            DoubleVector minus = p.blend(below, stays).div(pivot).neg();
            DoubleVector minus2 = p2.blend(below2, stays2).div(pivot2).neg();
            DoubleVector next = fromArray(EIGHT, d, at);
            DoubleVector right = fromArray(EIGHT, above, at);
            DoubleVector side = fromArray(EIGHT, b, at);
            DoubleVector top = next.blend(u, stays);
            DoubleVector first = side.blend(y, stays);
            pivot.intoArray(d, at);
            top.intoArray(above, at);
            right.blend(0.0, stays).intoArray(l, at);
            first.intoArray(b, at);
            p = top.fma(minus, u.blend(next, stays));
            y = first.fma(minus, y.blend(side, stays));
            u = right.mul(minus).blend(right, stays);
            DoubleVector next2 = fromArray(EIGHT, d2, at);
            DoubleVector right2 = fromArray(EIGHT, above2, at);
            DoubleVector side2 = fromArray(EIGHT, b2, at);
            DoubleVector top2 = next2.blend(u2, stays2);
            DoubleVector first2 = side2.blend(y2, stays2);
            pivot2.intoArray(d2, at);
            top2.intoArray(above2, at);
            right2.blend(0.0, stays2).intoArray(l2, at);
            first2.intoArray(b2, at);
            p2 = top2.fma(minus2, u2.blend(next2, stays2));
            y2 = first2.fma(minus2, y2.blend(side2, stays2));
            u2 = right2.mul(minus2).blend(right2, stays2);
        }
        p.intoArray(s.carried, 0);
        u.intoArray(s.carried, LANES);
        y.intoArray(s.carried, 2 * LANES);
        p2.intoArray(other.carried, 0);
        u2.intoArray(other.carried, LANES);
        y2.intoArray(other.carried, 2 * LANES);
        return at / LANES;
    }

    /** The unknowns of rows before those that are carried. */
    private static void up(int rows, Scratch s) {
        DoubleVector one = fromArray(EIGHT, s.carried, 0);
        DoubleVector two = fromArray(EIGHT, s.carried, LANES);
        double[] l = s.l;
        double[] d = s.d;
        double[] above = s.u;
        double[] b = s.b;
        for (int at = (rows - 1) * LANES; at >= 0; at -= LANES) {
            DoubleVector pivot = fromArray(EIGHT, d, at);
            DoubleVector inverse = DoubleVector.broadcast(EIGHT, 1.0).div(pivot);
            DoubleVector size = inverse.abs();
            DoubleVector sum = fromArray(EIGHT, l, at).neg().fma(two, fromArray(EIGHT, b, at));
            sum = fromArray(EIGHT, above, at).neg().fma(one, sum);
            VectorMask<Double> fits =
                    size.compare(VectorOperators.LT, MOST).and(size.compare(VectorOperators.GT, LEAST));
            two = one;
            one = sum.mul(inverse);
            if (!fits.allTrue()) {
                one = sum.div(pivot).blend(one, fits);
            }
            one.intoArray(b, at);
        }
        one.intoArray(s.carried, 0);
        two.intoArray(s.carried, LANES);
    }

    private static void load(Operand o, long p, long row, int rows, double[] to) {
        long step = step(o);
        long distance = distance(o);
        long from = first(o, p) + row * step;
        if (distance == 8L) {
            loadRows(from, step, rows, to);
            return;
        }
        if (step == 8L && rows >= LANES) {
            VectorDTranspose.pack(rows / LANES, from, distance, to, 0, LANES);
            if (rows % LANES != 0) {
                // The last block begins among the rows that are there already.
                int last = rows - LANES;
                VectorDTranspose.pack(1, from + last * 8L, distance, to, last * LANES, LANES);
            }
            return;
        }
        for (int lane = 0; lane < LANES; lane++) {
            for (int r = 0; r < rows; r++) {
                to[r * LANES + lane] = f64(from + lane * distance + r * step);
            }
        }
    }

    private static void loadRows(long from, long step, int rows, double[] to) {
        for (int r = 0; r < rows; r++) {
            fromMemorySegment(EIGHT, ALL, (from + r * step) & ADDRESSES, ORDER).intoArray(to, r * LANES);
        }
    }

    private static void store(Operand o, long p, long row, int rows, double[] from) {
        long step = step(o);
        long distance = distance(o);
        long to = first(o, p) + row * step;
        if (distance == 8L) {
            storeRows(to, step, rows, from);
            return;
        }
        if (step == 8L && rows >= LANES) {
            VectorDTranspose.unpack(rows / LANES, from, 0, LANES, to, distance);
            if (rows % LANES != 0) {
                int last = rows - LANES;
                VectorDTranspose.unpack(1, from, last * LANES, LANES, to + last * 8L, distance);
            }
            return;
        }
        for (int lane = 0; lane < LANES; lane++) {
            for (int r = 0; r < rows; r++) {
                f64(to + lane * distance + r * step, from[r * LANES + lane]);
            }
        }
    }

    private static void storeRows(long to, long step, int rows, double[] from) {
        for (int r = 0; r < rows; r++) {
            fromArray(EIGHT, from, r * LANES).intoMemorySegment(ALL, (to + r * step) & ADDRESSES, ORDER);
        }
    }

    /** One system whose rows up to a row are eliminated: 1-based column of the first zero pivot, 0 if none. */
    private static long alone(Launch l, long p, long row) {
        return FusedDTridiagonal.solve(l.n, row, first(l.a, p), step(l.a), first(l.b, p), step(l.b), first(l.f, p),
                step(l.f), first(l.c, p), step(l.c));
    }

    private static long lastRows(Launch l, long p) {
        return FusedDTridiagonal.lastRows(l.n, first(l.a, p), step(l.a), first(l.b, p), step(l.b), first(l.f, p),
                step(l.f), first(l.c, p), step(l.c));
    }

    private static void unknowns(Launch l, long p, long row) {
        FusedDTridiagonal.unknowns(row, first(l.a, p), step(l.a), first(l.b, p), step(l.b), first(l.f, p), step(l.f),
                first(l.c, p), step(l.c));
    }
}
