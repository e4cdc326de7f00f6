package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static jdk.incubator.vector.DoubleVector.fromArray;

import jdk.incubator.vector.DoubleVector;

/** Rotations of neighbouring columns of as many small matrices as a vector has lanes, each with its own angles: element (i, j) of all of them is at (i·n + j)·lanes. */
final class VectorDTurning {
    private VectorDTurning() {}

    /** Columns first to last, by cosine and sine j of columns j and j + 1 in turn: four rows together, since each waits for its own last result. */
    static void rotate(int rows, int n, int first, int last, double[] z, double[] cosines, double[] sines) {
        int i = 0;
        for (; i + 4 <= rows; i += 4) {
            four(i * n + first, n, first, last, z, cosines, sines);
        }
        for (; i < rows; i++) {
            one(i * n + first, first, last, z, cosines, sines);
        }
    }

    /** The same lane by lane. */
    static void rotateLanes(int rows, int n, int first, int last, double[] z, double[] cosines, double[] sines) {
        for (int i = 0; i < rows; i++) {
            for (int lane = 0; lane < LANES; lane++) {
                int at = (i * n + first) * LANES + lane;
                double x = z[at];
                for (int j = first; j < last; j++, at += LANES) {
                    double cosine = cosines[j * LANES + lane];
                    double sine = sines[j * LANES + lane];
                    double y = z[at + LANES];
                    z[at] = Math.fma(y, sine, x * cosine);
                    x = Math.fma(x, -sine, y * cosine);
                }
                z[at] = x;
            }
        }
    }

    private static void four(int at, int n, int first, int last, double[] z, double[] cosines, double[] sines) {
        int p0 = at * LANES;
        int step = n * LANES;
        DoubleVector x0 = fromArray(SPECIES, z, p0);
        DoubleVector x1 = fromArray(SPECIES, z, p0 + step);
        DoubleVector x2 = fromArray(SPECIES, z, p0 + 2 * step);
        DoubleVector x3 = fromArray(SPECIES, z, p0 + 3 * step);
        for (int j = first; j < last; j++, p0 += LANES) {
            DoubleVector cosine = fromArray(SPECIES, cosines, j * LANES);
            DoubleVector sine = fromArray(SPECIES, sines, j * LANES);
            DoubleVector minus = sine.neg();
            DoubleVector y0 = fromArray(SPECIES, z, p0 + LANES);
            DoubleVector y1 = fromArray(SPECIES, z, p0 + LANES + step);
            DoubleVector y2 = fromArray(SPECIES, z, p0 + LANES + 2 * step);
            DoubleVector y3 = fromArray(SPECIES, z, p0 + LANES + 3 * step);
            y0.fma(sine, x0.mul(cosine)).intoArray(z, p0);
            y1.fma(sine, x1.mul(cosine)).intoArray(z, p0 + step);
            y2.fma(sine, x2.mul(cosine)).intoArray(z, p0 + 2 * step);
            y3.fma(sine, x3.mul(cosine)).intoArray(z, p0 + 3 * step);
            x0 = x0.fma(minus, y0.mul(cosine));
            x1 = x1.fma(minus, y1.mul(cosine));
            x2 = x2.fma(minus, y2.mul(cosine));
            x3 = x3.fma(minus, y3.mul(cosine));
        }
        x0.intoArray(z, p0);
        x1.intoArray(z, p0 + step);
        x2.intoArray(z, p0 + 2 * step);
        x3.intoArray(z, p0 + 3 * step);
    }

    private static void one(int at, int first, int last, double[] z, double[] cosines, double[] sines) {
        int p0 = at * LANES;
        DoubleVector x = fromArray(SPECIES, z, p0);
        for (int j = first; j < last; j++, p0 += LANES) {
            DoubleVector cosine = fromArray(SPECIES, cosines, j * LANES);
            DoubleVector sine = fromArray(SPECIES, sines, j * LANES);
            DoubleVector y = fromArray(SPECIES, z, p0 + LANES);
            y.fma(sine, x.mul(cosine)).intoArray(z, p0);
            x = x.fma(sine.neg(), y.mul(cosine));
        }
        x.intoArray(z, p0);
    }
}
