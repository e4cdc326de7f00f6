package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.zero;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** Reflectors of as many small matrices as a vector has lanes, by LAPACK's rules: places are numbers of whole vectors. */
final class VectorDMirrors {
    /** Sums of squares between these have a root with all digits; what is outside is scaled before. */
    private static final double SMALL = 0x1p-960; // float: private static final float SMALL = 0x1p-100f;

    private static final double LARGE = 0x1p960; // float: private static final float LARGE = 0x1p100f;
    private static final double UP = 0x1p900; // float: private static final float UP = 0x1p100f;
    private static final double DOWN = 0x1p-600; // float: private static final float DOWN = 0x1p-70f;

    private VectorDMirrors() {}

    /** The reflector of {@code count} elements of a, {@code step} apart: its vector goes to their place, behind what it leaves, and with a leading 1 to w. */
    static void reflect(boolean vectors, double[] a, int at, int step, int count, double[] w, int to, double[] tau,
            int place) {
        if (!vectors) {
            reflectLanes(a, at, step, count, w, to, tau, place);
            return;
        }
        DoubleVector sum = zero(SPECIES);
        for (int k = 1; k < count; k++) {
            DoubleVector z = fromArray(SPECIES, a, (at + k * step) * LANES);
            sum = z.fma(z, sum);
        }
        DoubleVector alpha = fromArray(SPECIES, a, at * LANES);
        DoubleVector square = alpha.fma(alpha, sum);
        if (square.compare(VectorOperators.LT, SMALL).or(square.compare(VectorOperators.GT, LARGE)).anyTrue()) {
            reflectLanes(a, at, step, count, w, to, tau, place);
            return;
        }
        VectorMask<Double> none = sum.compare(VectorOperators.EQ, 0);
        DoubleVector root = square.sqrt();
        DoubleVector beta = root.neg().blend(root, alpha.compare(VectorOperators.LT, 0)).blend(alpha, none);
        beta.sub(alpha).div(beta).blend(0, none).intoArray(tau, place * LANES);
        beta.intoArray(a, at * LANES);
        broadcast(SPECIES, 1).div(alpha.sub(beta)).blend(0, none).intoArray(w, to * LANES);
        scale(a, at, step, count, w, to);
    }

    /** Multiplies the elements behind the first by what is in the place of the leading 1, and puts that there. */
    private static void scale(double[] a, int at, int step, int count, double[] w, int to) {
        DoubleVector by = fromArray(SPECIES, w, to * LANES);
        broadcast(SPECIES, 1).intoArray(w, to * LANES);
        for (int k = 1; k < count; k++) {
            DoubleVector z = fromArray(SPECIES, a, (at + k * step) * LANES).mul(by);
            z.intoArray(a, (at + k * step) * LANES);
            z.intoArray(w, (to + k) * LANES);
        }
    }

    /** The same lane by lane, also where squares leave the range. */
    private static void reflectLanes(double[] a, int at, int step, int count, double[] w, int to, double[] tau,
            int place) {
        for (int lane = 0; lane < LANES; lane++) {
            double sum = 0;
            for (int k = 1; k < count; k++) {
                double z = a[(at + k * step) * LANES + lane];
                sum = Math.fma(z, z, sum);
            }
            double alpha = a[at * LANES + lane];
            double square = Math.fma(alpha, alpha, sum);
            double up = square < SMALL ? UP : square > LARGE ? DOWN : 1;
            if (up != 1) {
                sum = 0;
                for (int k = 1; k < count; k++) {
                    double z = a[(at + k * step) * LANES + lane] * up;
                    sum = Math.fma(z, z, sum);
                }
                alpha *= up;
                square = Math.fma(alpha, alpha, sum);
            }
            boolean none = sum == 0;
            double root = Math.sqrt(square);
            double beta = none ? alpha : alpha < 0 ? root : -root;
            double by = none ? 0 : 1 / (alpha - beta);
            tau[place * LANES + lane] = none ? 0 : (beta - alpha) / beta;
            a[at * LANES + lane] = beta / up;
            w[to * LANES + lane] = 1;
            for (int k = 1; k < count; k++) {
                double z = a[(at + k * step) * LANES + lane] * up * by;
                a[(at + k * step) * LANES + lane] = z;
                w[(to + k) * LANES + lane] = z;
            }
        }
    }
}
