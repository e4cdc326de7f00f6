package dev.basalt.host.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * The transpose of a matrix times a vector, in arrays of Java. Of each column there are as many sums as a vector has lanes, in the order of rows; then they are
 * added in one order. So the bits do not depend on which columns are done together.
 *
 * <p>Lanes of several vectors change places here and in no method of its own: the compiler would make objects of such vectors.
 */
final class VectorDColumns {
    /** Of one width, so that all machines add in the same order. */
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_256;

    private static final int LANES = SPECIES.length();

    /** From so many columns on eight are done together. */
    private static final int EIGHTS = 24; // float: private static final int EIGHTS = 8;

    /** From so many elements on a matrix is not in the first cache: columns are as far apart as can be, since few long streams are fetched better than many short ones. */
    private static final int FAR = 64 * 64; // float: private static final int FAR = 90 * 90;

    /** From so many on it comes from the third cache, and four streams are enough. */
    private static final int FARTHER = 410 * 410; // float: private static final int FARTHER = 580 * 580;

    private static final DoubleVector PLACES = DoubleVector.zero(SPECIES).addIndex(1);

    private static final VectorMask<Double> ODD = VectorMask.fromLong(SPECIES, 0b1010_1010);
    private static final VectorMask<Double> UPPER = VectorMask.fromLong(SPECIES, 0b1100_1100);
    private static final VectorShuffle<Double> NEIGHBOURS = VectorShuffle.fromOp(SPECIES, i -> i ^ 1);
    private static final VectorShuffle<Double> PAIRS = VectorShuffle.fromOp(SPECIES, i -> i ^ 2);
    // Eight lanes have halves, too. // float: private static final VectorMask<Float> HALF = VectorMask.fromLong(SPECIES, 0b1111_0000);
    // They are exchanged. // float: private static final VectorShuffle<Float> HALVES = VectorShuffle.fromOp(SPECIES, i -> i ^ 4);

    private VectorDColumns() {}

    /**
     * y := alpha·Aᵀ·x + beta·y with at least as many rows as lanes.
     *
     * @param atOnce whether a method does all its columns in one call; in many calls the compiler comes to know it sooner
     */
    static void gemv(boolean atOnce, int m, int n, double alpha, double[] a, int aOffset, int lda, double[] x,
            int xOffset, double beta, double[] y, int yOffset) {
        int fours = n / 4 * 4;
        int eights = m > 2 * LANES && n >= EIGHTS ? n / 8 * 8 : 0;
        int done = 0;
        if (m <= 2 * LANES) {
            for (int next; done < fours; done = next) {
                next = atOnce ? fours : done + 4;
                few(m, done, next, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
            }
        } else if (m * n < FAR) {
            for (int next; done < eights; done = next) {
                next = atOnce ? eights : done + 8;
                eights(m, done, next, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
            }
        } else if (m * n < FARTHER) {
            int apart = eights / 8;
            for (int j = 0, next; j < apart; j = next) {
                next = atOnce ? apart : j + 1;
                farEights(m, apart, j, next, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
            }
            done = eights;
        } else {
            int apart = fours / 4;
            for (int j = 0, next; j < apart; j = next) {
                next = atOnce ? apart : j + 1;
                farFours(m, apart, j, next, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
            }
            done = fours;
        }
        for (int next; done < n; done = next) {
            next = atOnce || done >= fours ? n : done + 4;
            fours(m, done, next, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
        }
    }

    /** Eight columns side by side, again and again. */
    private static void eights(int m, int begin, int end, double alpha, double[] a, int aOffset, int lda, double[] x,
            int xOffset, double beta, double[] y, int yOffset) {
        int last = m - LANES;
        // Of the last vector, elements that have been added already are not kept.
        VectorMask<Double> kept = PLACES.compare(VectorOperators.GE, (double) (-m & LANES - 1)); // float: VectorMask<Float> kept = PLACES.compare(VectorOperators.GE, (float) (-m & LANES - 1));
        for (int j = begin; j < end; j += 8) {
            int first = aOffset + j * lda;
            int second = first + lda;
            int third = second + lda;
            int fourth = third + lda;
            int fifth = fourth + lda;
            int sixth = fifth + lda;
            int seventh = sixth + lda;
            int eighth = seventh + lda;
            DoubleVector s = DoubleVector.zero(SPECIES);
            DoubleVector t = s;
            DoubleVector u = s;
            DoubleVector v = s;
            DoubleVector w = s;
            DoubleVector p = s;
            DoubleVector q = s;
            DoubleVector r = s;
            int i = 0;
            for (; i < last; i += LANES) {
                DoubleVector factor = DoubleVector.fromArray(SPECIES, x, xOffset + i);
                s = DoubleVector.fromArray(SPECIES, a, first + i).fma(factor, s);
                t = DoubleVector.fromArray(SPECIES, a, second + i).fma(factor, t);
                u = DoubleVector.fromArray(SPECIES, a, third + i).fma(factor, u);
                v = DoubleVector.fromArray(SPECIES, a, fourth + i).fma(factor, v);
                w = DoubleVector.fromArray(SPECIES, a, fifth + i).fma(factor, w);
                p = DoubleVector.fromArray(SPECIES, a, sixth + i).fma(factor, p);
                q = DoubleVector.fromArray(SPECIES, a, seventh + i).fma(factor, q);
                r = DoubleVector.fromArray(SPECIES, a, eighth + i).fma(factor, r);
            }
            DoubleVector factor = DoubleVector.fromArray(SPECIES, x, xOffset + last);
            s = s.blend(DoubleVector.fromArray(SPECIES, a, first + last).fma(factor, s), kept);
            t = t.blend(DoubleVector.fromArray(SPECIES, a, second + last).fma(factor, t), kept);
            u = u.blend(DoubleVector.fromArray(SPECIES, a, third + last).fma(factor, u), kept);
            v = v.blend(DoubleVector.fromArray(SPECIES, a, fourth + last).fma(factor, v), kept);
            w = w.blend(DoubleVector.fromArray(SPECIES, a, fifth + last).fma(factor, w), kept);
            p = p.blend(DoubleVector.fromArray(SPECIES, a, sixth + last).fma(factor, p), kept);
            q = q.blend(DoubleVector.fromArray(SPECIES, a, seventh + last).fma(factor, q), kept);
            r = r.blend(DoubleVector.fromArray(SPECIES, a, eighth + last).fma(factor, r), kept);
            DoubleVector st = s.blend(t, ODD).add(t.blend(s, ODD).rearrange(NEIGHBOURS));
            DoubleVector uv = u.blend(v, ODD).add(v.blend(u, ODD).rearrange(NEIGHBOURS));
            DoubleVector wp = w.blend(p, ODD).add(p.blend(w, ODD).rearrange(NEIGHBOURS));
            DoubleVector qr = q.blend(r, ODD).add(r.blend(q, ODD).rearrange(NEIGHBOURS));
            DoubleVector low = st.blend(uv, UPPER).add(uv.blend(st, UPPER).rearrange(PAIRS));
            DoubleVector high = wp.blend(qr, UPPER).add(qr.blend(wp, UPPER).rearrange(PAIRS));
            // Of eight lanes the halves, too. // float: low = low.blend(high, HALF).add(high.blend(low, HALF).rearrange(HALVES));
            low = low.mul(alpha);
            high = high.mul(alpha); // float:
            int at = yOffset + j;
            if (beta != 0) {
                low = low.add(DoubleVector.fromArray(SPECIES, y, at).mul(beta));
                high = high.add(DoubleVector.fromArray(SPECIES, y, at + LANES).mul(beta)); // float:
            }
            low.intoArray(y, at);
            high.intoArray(y, at + LANES); // float:
        }
    }

    /** Eight columns as far apart as there are eights. */
    private static void farEights(int m, int apart, int begin, int end, double alpha, double[] a, int aOffset, int lda,
            double[] x, int xOffset, double beta, double[] y, int yOffset) {
        int distance = apart * lda;
        int last = m - LANES;
        // Of the last vector, elements that have been added already are not kept.
        VectorMask<Double> kept = PLACES.compare(VectorOperators.GE, (double) (-m & LANES - 1)); // float: VectorMask<Float> kept = PLACES.compare(VectorOperators.GE, (float) (-m & LANES - 1));
        for (int j = begin; j < end; j++) {
            int first = aOffset + j * lda;
            int second = first + distance;
            int third = second + distance;
            int fourth = third + distance;
            int fifth = fourth + distance;
            int sixth = fifth + distance;
            int seventh = sixth + distance;
            int eighth = seventh + distance;
            DoubleVector s = DoubleVector.zero(SPECIES);
            DoubleVector t = s;
            DoubleVector u = s;
            DoubleVector v = s;
            DoubleVector w = s;
            DoubleVector p = s;
            DoubleVector q = s;
            DoubleVector r = s;
            int i = 0;
            for (; i < last; i += LANES) {
                DoubleVector factor = DoubleVector.fromArray(SPECIES, x, xOffset + i);
                s = DoubleVector.fromArray(SPECIES, a, first + i).fma(factor, s);
                t = DoubleVector.fromArray(SPECIES, a, second + i).fma(factor, t);
                u = DoubleVector.fromArray(SPECIES, a, third + i).fma(factor, u);
                v = DoubleVector.fromArray(SPECIES, a, fourth + i).fma(factor, v);
                w = DoubleVector.fromArray(SPECIES, a, fifth + i).fma(factor, w);
                p = DoubleVector.fromArray(SPECIES, a, sixth + i).fma(factor, p);
                q = DoubleVector.fromArray(SPECIES, a, seventh + i).fma(factor, q);
                r = DoubleVector.fromArray(SPECIES, a, eighth + i).fma(factor, r);
            }
            DoubleVector factor = DoubleVector.fromArray(SPECIES, x, xOffset + last);
            s = s.blend(DoubleVector.fromArray(SPECIES, a, first + last).fma(factor, s), kept);
            t = t.blend(DoubleVector.fromArray(SPECIES, a, second + last).fma(factor, t), kept);
            u = u.blend(DoubleVector.fromArray(SPECIES, a, third + last).fma(factor, u), kept);
            v = v.blend(DoubleVector.fromArray(SPECIES, a, fourth + last).fma(factor, v), kept);
            w = w.blend(DoubleVector.fromArray(SPECIES, a, fifth + last).fma(factor, w), kept);
            p = p.blend(DoubleVector.fromArray(SPECIES, a, sixth + last).fma(factor, p), kept);
            q = q.blend(DoubleVector.fromArray(SPECIES, a, seventh + last).fma(factor, q), kept);
            r = r.blend(DoubleVector.fromArray(SPECIES, a, eighth + last).fma(factor, r), kept);
            DoubleVector st = s.blend(t, ODD).add(t.blend(s, ODD).rearrange(NEIGHBOURS));
            DoubleVector uv = u.blend(v, ODD).add(v.blend(u, ODD).rearrange(NEIGHBOURS));
            DoubleVector wp = w.blend(p, ODD).add(p.blend(w, ODD).rearrange(NEIGHBOURS));
            DoubleVector qr = q.blend(r, ODD).add(r.blend(q, ODD).rearrange(NEIGHBOURS));
            DoubleVector low = st.blend(uv, UPPER).add(uv.blend(st, UPPER).rearrange(PAIRS));
            DoubleVector high = wp.blend(qr, UPPER).add(qr.blend(wp, UPPER).rearrange(PAIRS));
            // Of eight lanes the halves, too. // float: low = low.blend(high, HALF).add(high.blend(low, HALF).rearrange(HALVES));
            low = low.mul(alpha);
            high = high.mul(alpha); // float:
            int at = yOffset + j;
            if (beta == 0) {
                y[at] = low.lane(0);
                y[at + apart] = low.lane(1);
                y[at + 2 * apart] = low.lane(2);
                y[at + 3 * apart] = low.lane(3);
                y[at + 4 * apart] = high.lane(0); // float: y[at + 4 * apart] = low.lane(4);
                y[at + 5 * apart] = high.lane(1); // float: y[at + 5 * apart] = low.lane(5);
                y[at + 6 * apart] = high.lane(2); // float: y[at + 6 * apart] = low.lane(6);
                y[at + 7 * apart] = high.lane(3); // float: y[at + 7 * apart] = low.lane(7);
            } else {
                y[at] = low.lane(0) + beta * y[at];
                y[at + apart] = low.lane(1) + beta * y[at + apart];
                y[at + 2 * apart] = low.lane(2) + beta * y[at + 2 * apart];
                y[at + 3 * apart] = low.lane(3) + beta * y[at + 3 * apart];
                y[at + 4 * apart] = high.lane(0) + beta * y[at + 4 * apart]; // float: y[at + 4 * apart] = low.lane(4) + beta * y[at + 4 * apart];
                y[at + 5 * apart] = high.lane(1) + beta * y[at + 5 * apart]; // float: y[at + 5 * apart] = low.lane(5) + beta * y[at + 5 * apart];
                y[at + 6 * apart] = high.lane(2) + beta * y[at + 6 * apart]; // float: y[at + 6 * apart] = low.lane(6) + beta * y[at + 6 * apart];
                y[at + 7 * apart] = high.lane(3) + beta * y[at + 7 * apart]; // float: y[at + 7 * apart] = low.lane(7) + beta * y[at + 7 * apart];
            }
        }
    }

    /** Four columns as far apart as there are fours. */
    private static void farFours(int m, int apart, int begin, int end, double alpha, double[] a, int aOffset, int lda,
            double[] x, int xOffset, double beta, double[] y, int yOffset) {
        int distance = apart * lda;
        int last = m - LANES;
        // Of the last vector, elements that have been added already are not kept.
        VectorMask<Double> kept = PLACES.compare(VectorOperators.GE, (double) (-m & LANES - 1)); // float: VectorMask<Float> kept = PLACES.compare(VectorOperators.GE, (float) (-m & LANES - 1));
        for (int j = begin; j < end; j++) {
            int first = aOffset + j * lda;
            int second = first + distance;
            int third = second + distance;
            int fourth = third + distance;
            DoubleVector s = DoubleVector.zero(SPECIES);
            DoubleVector t = s;
            DoubleVector u = s;
            DoubleVector v = s;
            int i = 0;
            for (; i < last; i += LANES) {
                DoubleVector factor = DoubleVector.fromArray(SPECIES, x, xOffset + i);
                s = DoubleVector.fromArray(SPECIES, a, first + i).fma(factor, s);
                t = DoubleVector.fromArray(SPECIES, a, second + i).fma(factor, t);
                u = DoubleVector.fromArray(SPECIES, a, third + i).fma(factor, u);
                v = DoubleVector.fromArray(SPECIES, a, fourth + i).fma(factor, v);
            }
            DoubleVector factor = DoubleVector.fromArray(SPECIES, x, xOffset + last);
            s = s.blend(DoubleVector.fromArray(SPECIES, a, first + last).fma(factor, s), kept);
            t = t.blend(DoubleVector.fromArray(SPECIES, a, second + last).fma(factor, t), kept);
            u = u.blend(DoubleVector.fromArray(SPECIES, a, third + last).fma(factor, u), kept);
            v = v.blend(DoubleVector.fromArray(SPECIES, a, fourth + last).fma(factor, v), kept);
            DoubleVector st = s.blend(t, ODD).add(t.blend(s, ODD).rearrange(NEIGHBOURS));
            DoubleVector uv = u.blend(v, ODD).add(v.blend(u, ODD).rearrange(NEIGHBOURS));
            DoubleVector low = st.blend(uv, UPPER).add(uv.blend(st, UPPER).rearrange(PAIRS));
            // Of eight lanes the halves, too. // float: low = low.add(low.rearrange(HALVES));
            low = low.mul(alpha);
            int at = yOffset + j;
            if (beta == 0) {
                y[at] = low.lane(0);
                y[at + apart] = low.lane(1);
                y[at + 2 * apart] = low.lane(2);
                y[at + 3 * apart] = low.lane(3);
            } else {
                y[at] = low.lane(0) + beta * y[at];
                y[at + apart] = low.lane(1) + beta * y[at + apart];
                y[at + 2 * apart] = low.lane(2) + beta * y[at + 2 * apart];
                y[at + 3 * apart] = low.lane(3) + beta * y[at + 3 * apart];
            }
        }
    }

    /** Four columns of up to two vectors, again and again: in a loop that is never entered the compiler would leave checks that others need not have. */
    private static void few(int m, int begin, int end, double alpha, double[] a, int aOffset, int lda, double[] x,
            int xOffset, double beta, double[] y, int yOffset) {
        int last = m - LANES;
        // Of the last vector, elements that have been added already are not kept.
        VectorMask<Double> kept = PLACES.compare(VectorOperators.GE, (double) (-m & LANES - 1)); // float: VectorMask<Float> kept = PLACES.compare(VectorOperators.GE, (float) (-m & LANES - 1));
        // Up to one vector the first is the last.
        VectorMask<Double> two = PLACES.compare(VectorOperators.LT, (double) (last > 0 ? LANES : 0)); // float: VectorMask<Float> two = PLACES.compare(VectorOperators.LT, (float) (last > 0 ? LANES : 0));
        DoubleVector zero = DoubleVector.zero(SPECIES);
        DoubleVector start = DoubleVector.fromArray(SPECIES, x, xOffset);
        DoubleVector factor = DoubleVector.fromArray(SPECIES, x, xOffset + last);
        for (int j = begin; j < end; j += 4) {
            int first = aOffset + j * lda;
            int second = first + lda;
            int third = second + lda;
            int fourth = third + lda;
            DoubleVector s = zero.blend(DoubleVector.fromArray(SPECIES, a, first).fma(start, zero), two);
            DoubleVector t = zero.blend(DoubleVector.fromArray(SPECIES, a, second).fma(start, zero), two);
            DoubleVector u = zero.blend(DoubleVector.fromArray(SPECIES, a, third).fma(start, zero), two);
            DoubleVector v = zero.blend(DoubleVector.fromArray(SPECIES, a, fourth).fma(start, zero), two);
            s = s.blend(DoubleVector.fromArray(SPECIES, a, first + last).fma(factor, s), kept);
            t = t.blend(DoubleVector.fromArray(SPECIES, a, second + last).fma(factor, t), kept);
            u = u.blend(DoubleVector.fromArray(SPECIES, a, third + last).fma(factor, u), kept);
            v = v.blend(DoubleVector.fromArray(SPECIES, a, fourth + last).fma(factor, v), kept);
            DoubleVector st = s.blend(t, ODD).add(t.blend(s, ODD).rearrange(NEIGHBOURS));
            DoubleVector uv = u.blend(v, ODD).add(v.blend(u, ODD).rearrange(NEIGHBOURS));
            DoubleVector low = st.blend(uv, UPPER).add(uv.blend(st, UPPER).rearrange(PAIRS));
            // Of eight lanes the halves, too. // float: low = low.add(low.rearrange(HALVES));
            low = low.mul(alpha);
            int at = yOffset + j;
            (beta == 0 ? low : low.add(DoubleVector.fromArray(SPECIES, y, at).mul(beta))).intoArray(y, at); // float: put(low.lane(0), beta, y, at);
            // Stored. // float: put(low.lane(1), beta, y, at + 1);
            // Stored. // float: put(low.lane(2), beta, y, at + 2);
            // Stored. // float: put(low.lane(3), beta, y, at + 3);
        }
    }

    /** Four columns side by side, again and again, and those that are left over. */
    private static void fours(int m, int begin, int end, double alpha, double[] a, int aOffset, int lda, double[] x,
            int xOffset, double beta, double[] y, int yOffset) {
        int last = m - LANES;
        // Of the last vector, elements that have been added already are not kept.
        VectorMask<Double> kept = PLACES.compare(VectorOperators.GE, (double) (-m & LANES - 1)); // float: VectorMask<Float> kept = PLACES.compare(VectorOperators.GE, (float) (-m & LANES - 1));
        int whole = end - (end - begin) % 4;
        for (int j = begin; j < whole; j += 4) {
            int first = aOffset + j * lda;
            int second = first + lda;
            int third = second + lda;
            int fourth = third + lda;
            DoubleVector s = DoubleVector.zero(SPECIES);
            DoubleVector t = s;
            DoubleVector u = s;
            DoubleVector v = s;
            int i = 0;
            for (; i < last; i += LANES) {
                DoubleVector factor = DoubleVector.fromArray(SPECIES, x, xOffset + i);
                s = DoubleVector.fromArray(SPECIES, a, first + i).fma(factor, s);
                t = DoubleVector.fromArray(SPECIES, a, second + i).fma(factor, t);
                u = DoubleVector.fromArray(SPECIES, a, third + i).fma(factor, u);
                v = DoubleVector.fromArray(SPECIES, a, fourth + i).fma(factor, v);
            }
            DoubleVector factor = DoubleVector.fromArray(SPECIES, x, xOffset + last);
            s = s.blend(DoubleVector.fromArray(SPECIES, a, first + last).fma(factor, s), kept);
            t = t.blend(DoubleVector.fromArray(SPECIES, a, second + last).fma(factor, t), kept);
            u = u.blend(DoubleVector.fromArray(SPECIES, a, third + last).fma(factor, u), kept);
            v = v.blend(DoubleVector.fromArray(SPECIES, a, fourth + last).fma(factor, v), kept);
            DoubleVector st = s.blend(t, ODD).add(t.blend(s, ODD).rearrange(NEIGHBOURS));
            DoubleVector uv = u.blend(v, ODD).add(v.blend(u, ODD).rearrange(NEIGHBOURS));
            DoubleVector low = st.blend(uv, UPPER).add(uv.blend(st, UPPER).rearrange(PAIRS));
            // Of eight lanes the halves, too. // float: low = low.add(low.rearrange(HALVES));
            low = low.mul(alpha);
            int at = yOffset + j;
            (beta == 0 ? low : low.add(DoubleVector.fromArray(SPECIES, y, at).mul(beta))).intoArray(y, at); // float: put(low.lane(0), beta, y, at);
            // Stored. // float: put(low.lane(1), beta, y, at + 1);
            // Stored. // float: put(low.lane(2), beta, y, at + 2);
            // Stored. // float: put(low.lane(3), beta, y, at + 3);
        }
        for (int j = whole; j < end; j++) {
            int first = aOffset + j * lda;
            DoubleVector s = DoubleVector.zero(SPECIES);
            for (int i = 0; i < last; i += LANES) {
                DoubleVector factor = DoubleVector.fromArray(SPECIES, x, xOffset + i);
                s = DoubleVector.fromArray(SPECIES, a, first + i).fma(factor, s);
            }
            DoubleVector factor = DoubleVector.fromArray(SPECIES, x, xOffset + last);
            s = s.blend(DoubleVector.fromArray(SPECIES, a, first + last).fma(factor, s), kept);
            double low = s.lane(0) + s.lane(1) + (s.lane(2) + s.lane(3));
            double sum = low; // float: float sum = low + (s.lane(4) + s.lane(5) + (s.lane(6) + s.lane(7)));
            put(alpha * sum, beta, y, yOffset + j);
        }
    }

    private static void put(double value, double beta, double[] y, int at) {
        y[at] = beta == 0 ? value : value + beta * y[at];
    }
}
