package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.zero;

import dev.basalt.portable.BatchedKernels;
import dev.basalt.portable.SideBySide;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * The steps of {@code DSteqr} for as many small matrices as a vector has lanes. Each lane has its own block that it works on; where others have theirs, it rotates by nothing. A matrix whose last diagonal element is the
 * larger one lies backward, so that steps go from the first element of a block to its last in all lanes.
 */
final class VectorDSteqr {
    private static final int MOST = 32;
    private static final int MOST_ROWS = 2 * MOST;
    private static final long STEPS = 30;
    private static final double EPS = 0x1p-53; // float: private static final float EPS = 0x1p-24f;
    private static final double TINY = 0x1p-1022; // float: private static final float TINY = 0x1p-126f;

    /** Sums of squares from here on have a root and a reciprocal with all digits; what is smaller is brought near 1 before. */
    private static final double SMALL = 0x1p-960; // float: private static final float SMALL = 0x1p-100f;

    private static final double UP = 0x1p500; // float: private static final float UP = 0x1p60f;

    private static final Warmth WARMTH = new Warmth();

    /** What an element and a column of a problem's lanes take, about. */
    private static final long WORK = 80;

    private final double[] d = new double[MOST * LANES];
    private final double[] e = new double[MOST * LANES];
    private final double[] cosines = new double[MOST * LANES];
    private final double[] sines = new double[MOST * LANES];
    private final double[] z = new double[MOST_ROWS * MOST * LANES];
    private final double[] begins = new double[LANES];
    private final double[] ends = new double[LANES];
    private final double[] lengths = new double[LANES];
    private final double[] c = new double[LANES];
    private final double[] s = new double[LANES];
    private final double[] g = new double[LANES];
    private final double[] p = new double[LANES];
    private final long[] problems = new long[LANES];
    private final boolean[] backward = new boolean[LANES];
    private final int[] scales = new int[LANES];
    private final int[] order = new int[MOST];

    private int n;
    private int m;
    private int first;
    private int last;

    /** Kernels that share what they work in. */
    static SideBySide lanes() {
        VectorPool<VectorDSteqr> pool = new VectorPool<>(VectorDSteqr::new);
        return new SideBySide() {
            @Override
            public boolean takes(Launch l) {
                return l.c.present() && l.n > 1 && l.n <= MOST && l.m <= MOST_ROWS;
            }

            @Override
            public void run(Launch l, long from, long to, Alone alone) {
                VectorDSteqr one = pool.take();
                one.batch(l, from, to, alone);
                pool.give(one);
            }
        };
    }

    private void batch(Launch l, long from, long to, SideBySide.Alone alone) {
        n = (int) l.n;
        m = (int) l.m;
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
        long dd = l.a.at(problem);
        long ee = l.b.at(problem);
        double largest = 0;
        double nothing = 0;
        for (int i = 0; i < n; i++) {
            double x = f64(dd + i * 8L);
            double y = i + 1 < n ? f64(ee + i * 8L) : 0;
            largest = Math.max(largest, Math.max(Math.abs(x), Math.abs(y)));
            nothing += 0 * x + 0 * y;
        }
        int scale = largest == 0 || nothing != 0 ? 0 : Math.getExponent(largest);
        boolean turned = Math.abs(f64(dd)) < Math.abs(f64(dd + (n - 1) * 8L));
        problems[lane] = problem;
        scales[lane] = scale;
        backward[lane] = turned;
        for (int i = 0; i < n; i++) {
            int at = (turned ? n - 1 - i : i) * LANES + lane;
            d[at] = Math.scalb(f64(dd + i * 8L), -scale);
            if (i + 1 < n) {
                e[(turned ? n - 2 - i : i) * LANES + lane] = Math.scalb(f64(ee + i * 8L), -scale);
            }
        }
        long next = l.c.ld * 8L;
        for (int j = 0; j < n; j++) {
            long column = l.c.at(problem) + (turned ? n - 1 - j : j) * next;
            for (int i = 0; i < m; i++) {
                double x = f64(column + i * 8L);
                nothing += 0 * x;
                z[(i * n + j) * LANES + lane] = x;
            }
        }
        return nothing == 0;
    }

    private static void missed(Launch l, long problem, int count) {
        if (count != 0) {
            Memory.i32(l.e.at(problem), Memory.i32(l.e.at(problem)) + count);
        }
    }

    /** Takes the results out of a lane, eigenvalues in rising order. */
    private void leave(Launch l, int lane) {
        long problem = problems[lane];
        int count = 0;
        for (int i = 0; i < n; i++) {
            double value = d[i * LANES + lane];
            int at = i;
            for (; at > 0 && d[order[at - 1] * LANES + lane] > value; at--) {
                order[at] = order[at - 1];
            }
            order[at] = i;
        }
        long next = l.c.ld * 8L;
        for (int j = 0; j < n; j++) {
            // Where other lanes had work this one turned by nothing, which may change the sign of a zero: all are positive here.
            f64(l.a.at(problem) + j * 8L, Math.scalb(d[order[j] * LANES + lane], scales[lane]) + 0);
            if (j + 1 < n) {
                double left = e[(backward[lane] ? n - 2 - j : j) * LANES + lane];
                f64(l.b.at(problem) + j * 8L, Math.scalb(left, scales[lane]) + 0);
                count += left == 0 ? 0 : 1;
            }
            long column = l.c.at(problem) + j * next;
            for (int i = 0; i < m; i++) {
                f64(column + i * 8L, z[(i * n + order[j]) * LANES + lane] + 0);
            }
        }
        missed(l, problem, count);
    }

    /** Lanes behind the last have nothing to do. */
    private void solve(int count) {
        for (int i = 0; i < n; i++) {
            Arrays.fill(d, i * LANES + count, (i + 1) * LANES, 0);
            Arrays.fill(e, i * LANES + count, (i + 1) * LANES, 0);
        }
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
        for (long step = STEPS * n; step > 0 && splits(vectors); step--) {
            shift();
            for (int j = first; j < last; j++) {
                if (vectors) {
                    turn(j);
                    move(j);
                } else {
                    turnLanes(j);
                    moveLanes(j);
                }
            }
            if (vectors) {
                VectorDTurning.rotate(m, n, first, last, z, cosines, sines);
            } else {
                VectorDTurning.rotateLanes(m, n, first, last, z, cosines, sines);
            }
        }
    }

    /** Drops what may be zero beside the diagonal; the last block of each lane, and whether there is one. */
    private boolean splits(boolean vectors) {
        if (vectors) {
            blocks();
        } else {
            blocksOfLanes();
        }
        first = n;
        last = 0;
        for (int lane = 0; lane < LANES; lane++) {
            if (ends[lane] > 0) {
                first = Math.min(first, (int) begins[lane]);
                last = Math.max(last, (int) ends[lane]);
            }
        }
        return last > 0;
    }

    private void blocks() {
        DoubleVector start = zero(SPECIES);
        DoubleVector begin = zero(SPECIES);
        DoubleVector end = zero(SPECIES);
        DoubleVector d0 = fromArray(SPECIES, d, 0).abs();
        for (int j = 0; j + 1 < n; j++) {
            DoubleVector d1 = fromArray(SPECIES, d, (j + 1) * LANES).abs();
            DoubleVector x = fromArray(SPECIES, e, j * LANES);
            VectorMask<Double> none = x.mul(x).compare(VectorOperators.LE, d0.mul(d1).mul(EPS * EPS).add(TINY));
            x.blend(0, none).intoArray(e, j * LANES);
            double next = j + 1;
            start = start.blend(next, none);
            begin = start.blend(begin, none);
            end = broadcast(SPECIES, next).blend(end, none);
            d0 = d1;
        }
        begin.intoArray(begins, 0);
        end.intoArray(ends, 0);
    }

    private void blocksOfLanes() {
        for (int lane = 0; lane < LANES; lane++) {
            int start = 0;
            begins[lane] = 0;
            ends[lane] = 0;
            for (int j = 0; j + 1 < n; j++) {
                double x = e[j * LANES + lane];
                double both = Math.abs(d[j * LANES + lane]) * Math.abs(d[(j + 1) * LANES + lane]);
                if (x * x <= both * (EPS * EPS) + TINY) {
                    e[j * LANES + lane] = 0;
                    start = j + 1;
                } else {
                    begins[lane] = start;
                    ends[lane] = j + 1;
                }
            }
        }
    }

    /** What a lane's step begins with: the first element less the eigenvalue of the last two rows that is nearer to the last. */
    private void shift() {
        for (int lane = 0; lane < LANES; lane++) {
            int end = (int) ends[lane];
            g[lane] = 0;
            if (end > 0) {
                double own = d[end * LANES + lane];
                double beside = e[(end - 1) * LANES + lane];
                double half = (d[(end - 1) * LANES + lane] - own) / (2 * beside);
                double r = Math.sqrt(half * half + 1);
                int begin = (int) begins[lane];
                g[lane] = d[begin * LANES + lane] - own + beside / (half + Math.copySign(r, half));
            }
            c[lane] = 1;
            s[lane] = 1;
            p[lane] = 0;
        }
    }

    /** Finds the rotation of rows j and j + 1, which is none in lanes whose block is elsewhere. */
    private void turn(int j) {
        double place = j;
        VectorMask<Double> own = fromArray(SPECIES, begins, 0).compare(VectorOperators.LE, place)
                .and(fromArray(SPECIES, ends, 0).compare(VectorOperators.GT, place));
        DoubleVector y = fromArray(SPECIES, g, 0);
        DoubleVector x = fromArray(SPECIES, e, j * LANES).mul(fromArray(SPECIES, s, 0));
        DoubleVector square = broadcast(SPECIES, 1).blend(x.mul(x).add(y.mul(y)), own);
        if (square.compare(VectorOperators.LT, SMALL).anyTrue()) {
            turnLanes(j);
            return;
        }
        DoubleVector r = square.sqrt();
        DoubleVector inverse = r.mul(broadcast(SPECIES, 1).div(square));
        r.intoArray(lengths, 0);
        zero(SPECIES).blend(x.mul(inverse), own).intoArray(sines, j * LANES);
        broadcast(SPECIES, 1).blend(y.mul(inverse), own).intoArray(cosines, j * LANES);
    }

    /** The same lane by lane, also where squares vanish. */
    private void turnLanes(int j) {
        for (int lane = 0; lane < LANES; lane++) {
            boolean own = begins[lane] <= j && ends[lane] > j;
            double x = e[j * LANES + lane] * s[lane];
            double y = g[lane];
            double up = own && x * x + y * y < SMALL ? UP : 1;
            x *= up;
            y *= up;
            double square = own ? x * x + y * y : 1;
            double r = Math.sqrt(square);
            double inverse = r * (1 / square);
            boolean none = !own || r == 0;
            lengths[lane] = r / up;
            sines[j * LANES + lane] = none ? 0 : x * inverse;
            cosines[j * LANES + lane] = none ? 1 : y * inverse;
        }
    }

    /** Rotates rows and columns j and j + 1. */
    private void move(int j) {
        double place = j;
        VectorMask<Double> more = fromArray(SPECIES, ends, 0).compare(VectorOperators.GT, place);
        VectorMask<Double> own = more.and(fromArray(SPECIES, begins, 0).compare(VectorOperators.LE, place));
        if (j > 0) {
            VectorMask<Double> inside = more.and(fromArray(SPECIES, begins, 0).compare(VectorOperators.LT, place));
            fromArray(SPECIES, e, (j - 1) * LANES).blend(fromArray(SPECIES, lengths, 0), inside)
                    .intoArray(e, (j - 1) * LANES);
        }
        DoubleVector sine = fromArray(SPECIES, sines, j * LANES);
        DoubleVector cosine = fromArray(SPECIES, cosines, j * LANES);
        DoubleVector oldC = fromArray(SPECIES, c, 0);
        DoubleVector oldP = fromArray(SPECIES, p, 0);
        DoubleVector b = oldC.mul(fromArray(SPECIES, e, j * LANES));
        DoubleVector d0 = fromArray(SPECIES, d, j * LANES);
        DoubleVector d1 = fromArray(SPECIES, d, (j + 1) * LANES);
        DoubleVector apart = d0.sub(oldP);
        DoubleVector r = d1.sub(apart).mul(sine).add(cosine.mul(b).mul(2));
        DoubleVector shifted = sine.mul(r);
        DoubleVector next = cosine.mul(r).sub(b);
        d0.blend(apart.add(shifted), own).intoArray(d, j * LANES);
        oldC.blend(cosine, own).intoArray(c, 0);
        fromArray(SPECIES, s, 0).blend(sine, own).intoArray(s, 0);
        oldP.blend(shifted, own).intoArray(p, 0);
        fromArray(SPECIES, g, 0).blend(next, own).intoArray(g, 0);
        ends(j, d1.sub(shifted), next);
    }

    /** The last rotation of a block leaves what it has. */
    private void ends(int j, DoubleVector value, DoubleVector beside) {
        VectorMask<Double> done = fromArray(SPECIES, ends, 0).compare(VectorOperators.EQ, j + 1);
        fromArray(SPECIES, d, (j + 1) * LANES).blend(value, done).intoArray(d, (j + 1) * LANES);
        fromArray(SPECIES, e, j * LANES).blend(beside, done).intoArray(e, j * LANES);
    }

    private void moveLanes(int j) {
        for (int lane = 0; lane < LANES; lane++) {
            int at = j * LANES + lane;
            if (begins[lane] > j || ends[lane] <= j) {
                continue;
            }
            if (begins[lane] < j) {
                e[at - LANES] = lengths[lane];
            }
            double b = c[lane] * e[at];
            double apart = d[at] - p[lane];
            double r = (d[at + LANES] - apart) * sines[at] + cosines[at] * b * 2;
            double shifted = sines[at] * r;
            double next = cosines[at] * r - b;
            d[at] = apart + shifted;
            c[lane] = cosines[at];
            s[lane] = sines[at];
            p[lane] = shifted;
            g[lane] = next;
            if (ends[lane] == j + 1) {
                d[at + LANES] = d[at + LANES] - shifted;
                e[at] = next;
            }
        }
    }
}
