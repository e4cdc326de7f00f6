package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.portable.BatchedKernels;
import dev.basalt.portable.SideBySide;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/**
 * QR iterations of small bidiagonal matrices, a problem in each lane: launches of BDSQR, and of BDSDC whose matrix is one leaf. Steps go down in all lanes. A matrix that is larger at its end lies turned about, which exchanges left and right vectors, and so does a
 * lower one.
 */
final class VectorDBdsqr {
    private static final int MOST_LINES = 2 * VectorDChase.MOST;

    private static final Warmth WARMTH = new Warmth();

    /** What an element and a column of a problem's lanes take, about. */
    private static final long WORK = 100;

    private final VectorDChase chase = new VectorDChase();
    /** The vectors that the right rotations go to, and the left ones: each line is a row of the matrix whose columns they rotate. */
    private final double[] rights = new double[MOST_LINES * VectorDChase.MOST * LANES];

    private final double[] lefts = new double[MOST_LINES * VectorDChase.MOST * LANES];
    private final long[] problems = new long[LANES];
    private final int[] scales = new int[LANES];
    private final boolean[] reversed = new boolean[LANES];
    /** Whether left vectors lie where right rotations go. */
    private final boolean[] crossed = new boolean[LANES];

    private final int[] order = new int[VectorDChase.MOST];

    private int n;
    private int rightLines;
    private int leftLines;
    /** Where a problem's vectors are: element i of line r is at the base, r lines and i steps on. */
    private long base;

    private long line;
    private long step;

    /** Kernels that share what they work in. */
    static SideBySide lanes() {
        VectorPool<VectorDBdsqr> pool = new VectorPool<>(VectorDBdsqr::new);
        return new SideBySide() {
            @Override
            public boolean takes(Launch l) {
                long order = divides(l) ? l.n - 1 : l.n;
                boolean known = divides(l)
                        || l.q == 0 && l.extent == 0 && l.m <= lines(l) && l.p <= lines(l) && l.k <= lines(l) - l.p;
                return known && order > 1 && order <= VectorDChase.MOST;
            }

            @Override
            public void run(Launch l, long from, long to, Alone alone) {
                VectorDBdsqr one = pool.take();
                one.batch(l, from, to, alone);
                pool.give(one);
            }
        };
    }

    private static boolean divides(Launch l) {
        return l.kernel == Kernel.BDSDC;
    }

    /** Real numbers of an element. */
    private static int parts(Launch l) {
        return l.type.isComplex() ? 2 : 1;
    }

    private static long lines(Launch l) {
        return MOST_LINES / parts(l);
    }

    private void batch(Launch l, long from, long to, SideBySide.Alone alone) {
        n = (int) (divides(l) ? l.n - 1 : l.n);
        chase.n = n;
        rightLines = divides(l) ? n : (int) l.m * parts(l);
        leftLines = divides(l) ? n : (int) (l.p + l.k) * parts(l);
        int count = 0;
        for (long i = from; i < to; i++) {
            if (!BatchedKernels.skips(l, i)) {
                if (enter(l, i, count)) {
                    count++;
                } else {
                    alone.run(l, i);
                }
            }
            if (count == LANES || i == to - 1 && count > 0) {
                solve(count);
                for (int lane = 0; lane < count; lane++) {
                    leave(l, lane);
                }
                count = 0;
            }
        }
    }

    /** Brings a problem to a lane; false if not all of it is finite. */
    private boolean enter(Launch l, long problem, int lane) {
        long diagonal = divides(l) ? l.a.at(problem) : l.f.at(problem);
        long beside = divides(l) ? l.b.at(problem) : diagonal + n * 8L;
        double largest = 0;
        double nothing = 0;
        for (int i = 0; i < n; i++) {
            double x = f64(diagonal + i * 8L);
            double y = i + 1 < n ? f64(beside + i * 8L) : 0;
            largest = Math.max(largest, Math.max(Math.abs(x), Math.abs(y)));
            nothing += 0 * x + 0 * y;
        }
        int scale = largest == 0 || nothing != 0 ? 0 : Math.getExponent(largest);
        boolean back = Math.abs(f64(diagonal)) < Math.abs(f64(diagonal + (n - 1) * 8L));
        problems[lane] = problem;
        scales[lane] = scale;
        reversed[lane] = back;
        crossed[lane] = back ^ (!divides(l) && l.uplo == Uplo.LOWER);
        for (int i = 0; i < n; i++) {
            chase.d[(back ? n - 1 - i : i) * LANES + lane] = Math.scalb(f64(diagonal + i * 8L), -scale);
            if (i + 1 < n) {
                chase.e[(back ? n - 2 - i : i) * LANES + lane] = Math.scalb(f64(beside + i * 8L), -scale);
            }
        }
        return nothing == 0 && (divides(l) ? identity(lane) : given(l, problem, lane));
    }

    private boolean identity(int lane) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                int at = (i * n + j) * LANES + lane;
                double x = j == place(lane, i) ? 1 : 0;
                rights[at] = x;
                lefts[at] = x;
            }
        }
        return true;
    }

    /** Where element i of a line lies in a lane. */
    private int place(int lane, int i) {
        return reversed[lane] ? n - 1 - i : i;
    }

    private boolean given(Launch l, long problem, int lane) {
        int parts = parts(l);
        double nothing = 0;
        for (int which = 0; which < 3; which++) {
            int lines = at(l, problem, which) * parts;
            int before = which == 2 ? (int) l.p * parts : 0;
            double[] z = which == 0 ^ crossed[lane] ? rights : lefts;
            for (int r = 0; r < lines; r++) {
                long p = base + r / parts * line + r % parts * 8L;
                for (int i = 0; i < n; i++) {
                    double x = f64(p + i * step);
                    nothing += 0 * x;
                    z[((before + r) * n + place(lane, i)) * LANES + lane] = x;
                }
            }
        }
        return nothing == 0;
    }

    /** Finds the right vectors of a problem, its left ones, or what else is rotated as these; how many lines they have. */
    private int at(Launch l, long problem, int which) {
        long size = l.type.bytes();
        long lines = which == 0 ? l.m : which == 1 ? l.p : l.k;
        if (lines == 0) {
            return 0;
        }
        boolean columns = which == 0 ? l.opA != Op.NONE : which == 1;
        long ld = (which == 0 ? l.a.ld : which == 1 ? l.b.ld : l.c.ld) * size;
        base = which == 0 ? l.a.at(problem) : which == 1 ? l.b.at(problem) : l.c.at(problem);
        line = columns ? size : ld;
        step = columns ? ld : size;
        return (int) lines;
    }

    private void solve(int count) {
        chase.begin(count);
        if (WARMTH.isWarm()) {
            iterate(true);
        } else if (WARMTH.hasTurn()) {
            long start = System.nanoTime();
            iterate(true);
            WARMTH.took(System.nanoTime() - start, WORK * n * n * n);
        } else {
            iterate(false);
        }
    }

    /** Steps by vectors, or lane by lane with the same bits. */
    private void iterate(boolean vectors) {
        for (int left = chase.rounds(); left > 0 && chase.splits(vectors); left--) {
            if (chase.last > 0) {
                chase.step(vectors);
                rotate(vectors);
            }
            for (int lane = 0; lane < LANES; lane++) {
                if (chase.turns[lane]) {
                    turn(lane);
                }
            }
        }
    }

    private void rotate(boolean vectors) {
        boolean straight = false;
        boolean across = false;
        for (int lane = 0; lane < LANES; lane++) {
            straight |= !crossed[lane];
            across |= crossed[lane];
        }
        int mine = Math.max(straight ? rightLines : 0, across ? leftLines : 0);
        int others = Math.max(straight ? leftLines : 0, across ? rightLines : 0);
        int first = chase.first;
        int last = chase.last;
        if (vectors) {
            VectorDTurning.rotate(mine, n, first, last, rights, chase.rightCosines, chase.rightSines);
            VectorDTurning.rotate(others, n, first, last, lefts, chase.leftCosines, chase.leftSines);
        } else {
            VectorDTurning.rotateLanes(mine, n, first, last, rights, chase.rightCosines, chase.rightSines);
            VectorDTurning.rotateLanes(others, n, first, last, lefts, chase.leftCosines, chase.leftSines);
        }
    }

    /** Puts rows and columns of a lane the other way round, and so the matrix becomes its transpose. */
    private void turn(int lane) {
        for (int i = 0, j = n - 1; i < j; i++, j--) {
            swap(chase.d, i * LANES + lane, chase.d, j * LANES + lane);
        }
        for (int i = 0, j = n - 2; i < j; i++, j--) {
            swap(chase.e, i * LANES + lane, chase.e, j * LANES + lane);
        }
        int lines = Math.max(rightLines, leftLines);
        for (int r = 0; r < lines; r++) {
            for (int i = 0; i < n; i++) {
                swap(rights, (r * n + i) * LANES + lane, lefts, (r * n + n - 1 - i) * LANES + lane);
            }
        }
        reversed[lane] ^= true;
        crossed[lane] ^= true;
        chase.turned(lane);
    }

    private static void swap(double[] x, int i, double[] y, int j) {
        double kept = x[i];
        x[i] = y[j];
        y[j] = kept;
    }

    /** Takes the results out of a lane, singular values in falling order; as they are where not all were found. */
    private void leave(Launch l, int lane) {
        long problem = problems[lane];
        int missed = 0;
        for (int i = 0; i + 1 < n; i++) {
            missed += chase.e[i * LANES + lane] == 0 ? 0 : 1;
        }
        for (int i = 0; i < n; i++) {
            int at = missed > 0 ? place(lane, i) : i;
            int to = i;
            double value = Math.abs(chase.d[at * LANES + lane]);
            for (; missed == 0 && to > 0 && Math.abs(chase.d[order[to - 1] * LANES + lane]) < value; to--) {
                order[to] = order[to - 1];
            }
            order[to] = at;
        }
        numbers(l, problem, lane, missed);
        if (divides(l)) {
            long ld = l.c.ld * 8L;
            base = l.c.at(problem);
            line = 8L;
            step = ld;
            put(n, 1, 0, crossed[lane] ? rights : lefts, lane, false);
            base += l.n * ld;
            put(n, 1, 0, crossed[lane] ? lefts : rights, lane, missed == 0);
            f64(l.c.at(problem) + n * ld + n * 8L, 1);
            f64(base + n * ld + n * 8L, 1);
            return;
        }
        int parts = parts(l);
        for (int which = 0; which < 3; which++) {
            int lines = at(l, problem, which) * parts;
            double[] z = which == 0 ^ crossed[lane] ? rights : lefts;
            put(lines, parts, which == 2 ? (int) l.p * parts : 0, z, lane, which == 0 && missed == 0);
        }
    }

    /** The values, what is left beside them, and what tells of these. */
    private void numbers(Launch l, long problem, int lane, int missed) {
        long values = divides(l) ? l.a.at(problem) : l.g.at(problem);
        long beside = divides(l) ? l.b.at(problem) : values + n * 8L;
        for (int i = 0; i < n; i++) {
            double value = Math.scalb(chase.d[order[i] * LANES + lane], scales[lane]);
            f64(values + i * 8L, missed == 0 ? Math.abs(value) : value);
            if (i + 1 < n) {
                int at = reversed[lane] ? n - 2 - i : i;
                f64(beside + i * 8L, missed == 0 ? 0 : Math.scalb(chase.e[at * LANES + lane], scales[lane]));
            }
        }
        if (!divides(l)) {
            Memory.i32(l.e.at(problem), missed);
            return;
        }
        long words = l.f.at(problem);
        Memory.i64(words, n);
        for (int i = 0; i < n; i++) {
            Memory.i64(words + (i + 1) * 8, n - 1 - i);
        }
        if (missed != 0) {
            Memory.i32(l.e.at(problem), Memory.i32(l.e.at(problem)) + missed);
        }
    }

    /** Lines of a lane in their order, those of negative values {@code turned}. Where other lanes had work this one turned by nothing, which may change the sign of a zero: all are positive here. */
    private void put(int lines, int parts, int before, double[] z, int lane, boolean turned) {
        for (int r = 0; r < lines; r++) {
            long p = base + r / parts * line + r % parts * 8L;
            int from = (before + r) * n;
            for (int i = 0; i < n; i++) {
                double x = z[(from + order[i]) * LANES + lane];
                boolean other = turned && chase.d[order[i] * LANES + lane] < 0;
                f64(p + i * step, (other ? -x : x) + 0);
            }
        }
    }
}
