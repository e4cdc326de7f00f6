package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.zero;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * The steps of {@code DBidiagonalQr} on as many small upper bidiagonal matrices as a vector has lanes. Each lane has its own block that it works on, from the first row to the last; where others have theirs, it rotates by
 * nothing. A lane whose block is larger at its end asks to be turned about, and rests for a round. Each step has loops of vectors, and loops over lanes with the same bits.
 */
final class VectorDChase {
    /** The largest order. */
    static final int MOST = 32;

    private static final double UNIT = 0x1p-53; // float: private static final float UNIT = 0x1p-24f;
    private static final double TOLERANCE = 1.1e-14; // float: private static final float TOLERANCE = 6e-7f;
    private static final double LEAST_NORMAL = 0x1p-1022; // float: private static final float LEAST_NORMAL = 0x1p-126f;

    /** Sums of squares from here on have a root and a reciprocal with all digits; what is smaller is brought nearer to 1 before. */
    private static final double SMALL = 0x1p-960; // float: private static final float SMALL = 0x1p-100f;

    private static final double UP = 0x1p900; // float: private static final float UP = 0x1p100f;

    /** Rotations that are always enough, by n². */
    private static final int ENOUGH = 6;

    final double[] d = new double[MOST * LANES];
    final double[] e = new double[MOST * LANES];
    /** Rotations of columns, and of rows. */
    final double[] rightCosines = new double[MOST * LANES];

    final double[] rightSines = new double[MOST * LANES];
    final double[] leftCosines = new double[MOST * LANES];
    final double[] leftSines = new double[MOST * LANES];
    /** Lanes that are to be turned about before the next step. */
    final boolean[] turns = new boolean[LANES];

    int n;
    /** The rows that the blocks of all lanes lie in. */
    int first;

    int last;

    private final double[] thresholds = new double[LANES];
    private final double[] begins = new double[LANES];
    private final double[] ends = new double[LANES];
    private final int[] oldBegins = new int[LANES];
    private final int[] oldEnds = new int[LANES];
    /** What {@link #drops} finds for each row: where its block begins, and the smallest and the largest number from there to it. */
    private final double[] starts = new double[MOST * LANES];

    private final double[] leasts = new double[MOST * LANES];
    private final double[] mosts = new double[MOST * LANES];
    /** The first element of a block, the last two and what is beside them, and the smallest by the largest number. */
    private final double[] head = new double[LANES];

    private final double[] before = new double[LANES];
    private final double[] beside = new double[LANES];
    private final double[] tail = new double[LANES];
    private final double[] ratios = new double[LANES];
    /** 1 in lanes whose step has no shift. */
    private final double[] plain = new double[LANES];

    private final double[] f = new double[LANES];
    private final double[] g = new double[LANES];
    private final double[] lengths = new double[LANES];
    private final double[] rests = new double[LANES];
    private final double[] nexts = new double[LANES];
    private final double[] factors = new double[LANES];

    /** Lanes from {@code count} on have nothing to do. */
    void begin(int count) {
        for (int i = 0; i < n; i++) {
            Arrays.fill(d, i * LANES + count, (i + 1) * LANES, 0);
            Arrays.fill(e, i * LANES + count, (i + 1) * LANES, 0);
        }
        for (int lane = 0; lane < LANES; lane++) {
            oldBegins[lane] = 0;
            oldEnds[lane] = n - 1;
            turns[lane] = false;
            thresholds[lane] = threshold(lane);
        }
    }

    /** Rounds that are enough. */
    int rounds() {
        return ENOUGH * n * n;
    }

    /** What counts as zero beside the smallest singular value there can be. */
    private double threshold(int lane) {
        double least = Math.abs(d[lane]);
        double mu = least;
        for (int i = 1; i < n && least != 0; i++) {
            mu = Math.abs(d[i * LANES + lane]) * (mu / (mu + Math.abs(e[(i - 1) * LANES + lane])));
            least = Math.min(least, mu);
        }
        double root = Math.sqrt((double) n);
        return Math.max(TOLERANCE * (least / root), ENOUGH * LEAST_NORMAL * n * n);
    }

    /** A lane whose rows and columns were put the other way round: its block lies there, too. */
    void turned(int lane) {
        int begin = oldBegins[lane];
        oldBegins[lane] = n - 1 - oldEnds[lane];
        oldEnds[lane] = n - 1 - begin;
        turns[lane] = false;
    }

    /** Drops what is small beside the diagonal and finds the last block of each lane; whether there is one. */
    boolean splits(boolean vectors) {
        if (vectors) {
            drops();
        } else {
            dropsOfLanes();
        }
        first = n;
        last = 0;
        boolean more = false;
        for (int lane = 0; lane < LANES; lane++) {
            more |= block(lane);
            if (ends[lane] > 0) {
                first = Math.min(first, (int) begins[lane]);
                last = Math.max(last, (int) ends[lane]);
            }
        }
        return more;
    }

    private void drops() {
        DoubleVector limit = fromArray(SPECIES, thresholds, 0);
        DoubleVector mu = fromArray(SPECIES, d, 0).abs();
        DoubleVector start = zero(SPECIES);
        DoubleVector least = mu;
        DoubleVector most = mu;
        for (int j = 0; j + 1 < n; j++) {
            DoubleVector x = fromArray(SPECIES, e, j * LANES);
            DoubleVector size = x.abs();
            DoubleVector next = fromArray(SPECIES, d, (j + 1) * LANES).abs();
            VectorMask<Double> none =
                    size.compare(VectorOperators.LE, mu.mul(TOLERANCE)).or(size.compare(VectorOperators.LE, limit));
            x.blend(0, none).intoArray(e, j * LANES);
            double row = j + 1;
            start = start.blend(row, none);
            mu = next.mul(mu.div(mu.add(size))).blend(next, none);
            least = least.blend(mu, none.or(mu.compare(VectorOperators.LT, least)));
            most = most.blend(size, size.compare(VectorOperators.GT, most));
            most = most.blend(next, none.or(next.compare(VectorOperators.GT, most)));
            start.intoArray(starts, (j + 1) * LANES);
            least.intoArray(leasts, (j + 1) * LANES);
            most.intoArray(mosts, (j + 1) * LANES);
        }
    }

    private void dropsOfLanes() {
        for (int lane = 0; lane < LANES; lane++) {
            double mu = Math.abs(d[lane]);
            double start = 0;
            double least = mu;
            double most = mu;
            for (int at = lane; at < (n - 1) * LANES; at += LANES) {
                double size = Math.abs(e[at]);
                double next = Math.abs(d[at + LANES]);
                boolean none = size <= mu * TOLERANCE || size <= thresholds[lane];
                e[at] = none ? 0 : e[at];
                start = none ? at / LANES + 1 : start;
                mu = none ? next : next * (mu / (mu + size));
                least = none || mu < least ? mu : least;
                most = size > most ? size : most;
                most = none || next > most ? next : most;
                starts[at + LANES] = start;
                leasts[at + LANES] = least;
                mosts[at + LANES] = most;
            }
        }
    }

    /** Where the last block within rows ends, or the first of these. */
    private int end(int lane, int from, int to) {
        for (int end = to; end > from; end--) {
            int at = (end - 1) * LANES + lane;
            if (Math.abs(e[at]) > TOLERANCE * Math.abs(d[at + LANES])) {
                return end;
            }
            e[at] = 0;
        }
        return from;
    }

    /** The last block of what a lane had before, or of all; none while it waits to be turned about. Whether there is one. */
    private boolean block(int lane) {
        int end = end(lane, oldBegins[lane], oldEnds[lane]);
        if (end == oldBegins[lane]) {
            end = end(lane, 0, n - 1);
        }
        begins[lane] = 0;
        ends[lane] = 0;
        before[lane] = 1;
        beside[lane] = 1;
        tail[lane] = 1;
        head[lane] = 1;
        ratios[lane] = 1;
        if (end == 0) {
            return false;
        }
        int at = end * LANES + lane;
        int begin = (int) starts[at];
        boolean other = begin > oldEnds[lane] || end < oldBegins[lane];
        oldBegins[lane] = begin;
        oldEnds[lane] = end;
        if (other && Math.abs(d[begin * LANES + lane]) < Math.abs(d[at])) {
            turns[lane] = true;
            return true;
        }
        begins[lane] = begin;
        ends[lane] = end;
        head[lane] = d[begin * LANES + lane];
        before[lane] = d[at - LANES];
        beside[lane] = e[at - LANES];
        tail[lane] = d[at];
        ratios[lane] = leasts[at] / mosts[at];
        g[lane] = e[begin * LANES + lane];
        return true;
    }

    /** One step of all lanes. */
    void step(boolean vectors) {
        if (vectors) {
            shift();
        } else {
            shiftOfLanes();
        }
        for (int j = first; j < last; j++) {
            if (vectors) {
                turn(j, rightCosines, rightSines);
                right(j);
                turn(j, leftCosines, leftSines);
                left(j);
                ahead(j);
            } else {
                turnLanes(j, rightCosines, rightSines);
                rightOfLanes(j);
                turnLanes(j, leftCosines, leftSines);
                leftOfLanes(j);
            }
        }
    }

    /** The smaller singular value of the last two rows, or nothing where that would cost small values their digits; what the first rotation takes away. */
    private void shift() {
        DoubleVector x = fromArray(SPECIES, before, 0).abs();
        DoubleVector y = fromArray(SPECIES, beside, 0).abs();
        DoubleVector z = fromArray(SPECIES, tail, 0).abs();
        DoubleVector large = x.blend(y, y.compare(VectorOperators.GT, x));
        large = large.blend(z, z.compare(VectorOperators.GT, large));
        DoubleVector inverse = broadcast(SPECIES, 1).div(large);
        x = x.mul(inverse);
        y = y.mul(inverse);
        z = z.mul(inverse);
        DoubleVector sum = x.add(z);
        DoubleVector difference = x.sub(z);
        y = y.mul(y);
        DoubleVector least = x.mul(z)
                .mul(2)
                .div(sum.mul(sum).add(y).sqrt().add(difference.mul(difference).add(y).sqrt()))
                .mul(large);
        least.intoArray(factors, 0);
        begins();
    }

    private void begins() {
        DoubleVector least = fromArray(SPECIES, factors, 0);
        DoubleVector own = fromArray(SPECIES, head, 0);
        DoubleVector size = own.abs();
        DoubleVector part = least.div(size);
        double few = Math.max(UNIT, 0.01 * TOLERANCE);
        double many = n * TOLERANCE;
        VectorMask<Double> none = fromArray(SPECIES, ratios, 0).mul(many)
                .compare(VectorOperators.LE, few)
                .or(part.mul(part).compare(VectorOperators.LT, UNIT));
        DoubleVector sign = broadcast(SPECIES, 1).blend(-1, own.compare(VectorOperators.LT, 0));
        size.sub(least).mul(sign.add(least.div(own))).blend(own, none).intoArray(f, 0);
        zero(SPECIES).blend(1, none).intoArray(plain, 0);
        broadcast(SPECIES, 1).intoArray(factors, 0);
    }

    private void shiftOfLanes() {
        double few = Math.max(UNIT, 0.01 * TOLERANCE);
        double many = n * TOLERANCE;
        for (int lane = 0; lane < LANES; lane++) {
            double x = Math.abs(before[lane]);
            double y = Math.abs(beside[lane]);
            double z = Math.abs(tail[lane]);
            double large = y > x ? y : x;
            large = z > large ? z : large;
            double inverse = 1 / large;
            x *= inverse;
            y *= inverse;
            z *= inverse;
            double sum = x + z;
            double difference = x - z;
            y *= y;
            double more = Math.sqrt(sum * sum + y);
            double less = Math.sqrt(difference * difference + y);
            double least = x * z * 2 / (more + less) * large;
            double own = head[lane];
            double part = least / Math.abs(own);
            boolean none = ratios[lane] * many <= few || part * part < UNIT;
            double sign = own < 0 ? -1 : 1;
            f[lane] = none ? own : (Math.abs(own) - least) * (sign + least / own);
            plain[lane] = none ? 1 : 0;
            factors[lane] = 1;
        }
    }

    /** Finds the rotation that takes (f, g) to (r, 0), which is none in lanes whose block is elsewhere. */
    private void turn(int j, double[] cosines, double[] sines) {
        double place = j;
        VectorMask<Double> own = fromArray(SPECIES, begins, 0).compare(VectorOperators.LE, place)
                .and(fromArray(SPECIES, ends, 0).compare(VectorOperators.GT, place));
        DoubleVector x = fromArray(SPECIES, f, 0);
        DoubleVector y = fromArray(SPECIES, g, 0);
        DoubleVector square = broadcast(SPECIES, 1).blend(x.mul(x).add(y.mul(y)), own);
        if (square.compare(VectorOperators.LT, SMALL).anyTrue()) {
            turnLanes(j, cosines, sines);
            return;
        }
        DoubleVector r = square.sqrt();
        DoubleVector inverse = r.mul(broadcast(SPECIES, 1).div(square));
        r.intoArray(lengths, 0);
        broadcast(SPECIES, 1).blend(x.mul(inverse), own).intoArray(cosines, j * LANES);
        zero(SPECIES).blend(y.mul(inverse), own).intoArray(sines, j * LANES);
    }

    /** The same lane by lane, also where squares vanish. */
    private void turnLanes(int j, double[] cosines, double[] sines) {
        for (int lane = 0; lane < LANES; lane++) {
            boolean own = begins[lane] <= j && ends[lane] > j;
            double x = f[lane];
            double y = g[lane];
            double up = own && x * x + y * y < SMALL ? UP : 1;
            x *= up;
            y *= up;
            double square = own ? x * x + y * y : 1;
            double r = Math.sqrt(square);
            double inverse = r * (1 / square);
            boolean none = !own || r == 0;
            lengths[lane] = r / up;
            cosines[j * LANES + lane] = none ? 1 : x * inverse;
            sines[j * LANES + lane] = none ? 0 : y * inverse;
        }
    }

    /** Rotates columns j and j + 1, which leaves an element below the diagonal. Without a shift the element above it is zero. */
    private void right(int j) {
        double place = j;
        VectorMask<Double> more = fromArray(SPECIES, ends, 0).compare(VectorOperators.GT, place);
        VectorMask<Double> own = more.and(fromArray(SPECIES, begins, 0).compare(VectorOperators.LE, place));
        if (j > 0) {
            VectorMask<Double> inside = more.and(fromArray(SPECIES, begins, 0).compare(VectorOperators.LT, place));
            fromArray(SPECIES, e, (j - 1) * LANES)
                    .blend(fromArray(SPECIES, factors, 0).mul(fromArray(SPECIES, lengths, 0)), inside)
                    .intoArray(e, (j - 1) * LANES);
        }
        DoubleVector cosine = fromArray(SPECIES, rightCosines, j * LANES);
        DoubleVector sine = fromArray(SPECIES, rightSines, j * LANES);
        DoubleVector a = fromArray(SPECIES, d, j * LANES);
        DoubleVector b = fromArray(SPECIES, e, j * LANES);
        DoubleVector next = fromArray(SPECIES, d, (j + 1) * LANES);
        VectorMask<Double> none = fromArray(SPECIES, plain, 0).compare(VectorOperators.GT, 0);
        cosine.mul(b).sub(sine.mul(a)).blend(0, none).intoArray(rests, 0);
        cosine.mul(next).intoArray(nexts, 0);
        fromArray(SPECIES, f, 0).blend(cosine.mul(a).add(sine.mul(b)), own).intoArray(f, 0);
        fromArray(SPECIES, g, 0).blend(sine.mul(next), own).intoArray(g, 0);
    }

    private void rightOfLanes(int j) {
        for (int lane = 0; lane < LANES; lane++) {
            int at = j * LANES + lane;
            if (begins[lane] > j || ends[lane] <= j) {
                continue;
            }
            if (begins[lane] < j) {
                e[at - LANES] = factors[lane] * lengths[lane];
            }
            double cosine = rightCosines[at];
            double sine = rightSines[at];
            rests[lane] = plain[lane] > 0 ? 0 : cosine * e[at] - sine * d[at];
            nexts[lane] = cosine * d[at + LANES];
            f[lane] = cosine * d[at] + sine * e[at];
            g[lane] = sine * d[at + LANES];
        }
    }

    /** Rotates rows j and j + 1: the element below the diagonal goes. */
    private void left(int j) {
        double place = j;
        VectorMask<Double> own = fromArray(SPECIES, begins, 0).compare(VectorOperators.LE, place)
                .and(fromArray(SPECIES, ends, 0).compare(VectorOperators.GT, place));
        DoubleVector cosine = fromArray(SPECIES, leftCosines, j * LANES);
        DoubleVector sine = fromArray(SPECIES, leftSines, j * LANES);
        DoubleVector rest = fromArray(SPECIES, rests, 0);
        DoubleVector next = fromArray(SPECIES, nexts, 0);
        fromArray(SPECIES, d, j * LANES).blend(fromArray(SPECIES, lengths, 0), own).intoArray(d, j * LANES);
        fromArray(SPECIES, d, (j + 1) * LANES).blend(cosine.mul(next).sub(sine.mul(rest)), own)
                .intoArray(d, (j + 1) * LANES);
        DoubleVector beyond = cosine.mul(rest).add(sine.mul(next));
        VectorMask<Double> done = fromArray(SPECIES, ends, 0).compare(VectorOperators.EQ, j + 1);
        fromArray(SPECIES, e, j * LANES).blend(beyond, done).intoArray(e, j * LANES);
        VectorMask<Double> none = fromArray(SPECIES, plain, 0).compare(VectorOperators.GT, 0);
        fromArray(SPECIES, f, 0).blend(beyond.blend(next, none), own).intoArray(f, 0);
        fromArray(SPECIES, factors, 0).blend(sine, own.and(none)).intoArray(factors, 0);
    }

    /** What rotating rows j and j + 1 does to the element that is beyond them. */
    private void ahead(int j) {
        double place = j;
        double behind = j + 1;
        VectorMask<Double> more = fromArray(SPECIES, begins, 0).compare(VectorOperators.LE, place)
                .and(fromArray(SPECIES, ends, 0).compare(VectorOperators.GT, behind));
        DoubleVector cosine = fromArray(SPECIES, leftCosines, j * LANES);
        DoubleVector sine = fromArray(SPECIES, leftSines, j * LANES);
        VectorMask<Double> none = fromArray(SPECIES, plain, 0).compare(VectorOperators.GT, 0);
        DoubleVector x = fromArray(SPECIES, e, (j + 1) * LANES);
        fromArray(SPECIES, g, 0).blend(sine.mul(x).blend(x, none), more).intoArray(g, 0);
        x.blend(cosine.mul(x), more).intoArray(e, (j + 1) * LANES);
    }

    private void leftOfLanes(int j) {
        for (int lane = 0; lane < LANES; lane++) {
            int at = j * LANES + lane;
            if (begins[lane] > j || ends[lane] <= j) {
                continue;
            }
            double cosine = leftCosines[at];
            double sine = leftSines[at];
            boolean none = plain[lane] > 0;
            d[at] = lengths[lane];
            d[at + LANES] = cosine * nexts[lane] - sine * rests[lane];
            double beyond = cosine * rests[lane] + sine * nexts[lane];
            f[lane] = none ? nexts[lane] : beyond;
            factors[lane] = none ? sine : factors[lane];
            if (ends[lane] == j + 1) {
                e[at] = beyond;
            } else {
                double x = e[at + LANES];
                g[lane] = none ? x : sine * x;
                e[at + LANES] = cosine * x;
            }
        }
    }
}
