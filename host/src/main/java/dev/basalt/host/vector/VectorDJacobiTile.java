package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.zero;

import dev.basalt.portable.DJacobiTile;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** Rounds by vectors: of rows of a column, and of angles. All have the bits of loops over elements. */
final class VectorDJacobiTile extends DJacobiTile {
    private static final Warmth WARMTH = new Warmth();

    VectorDJacobiTile(int parts) {
        super(parts);
    }

    @Override
    protected void round(boolean all) {
        if (WARMTH.isWarm()) {
            vectors(all ? 1 : 0);
        } else if (WARMTH.hasTurn()) {
            long start = System.nanoTime();
            vectors(all ? 1 : 0);
            WARMTH.took(System.nanoTime() - start, 12L * half * half * parts);
        } else {
            super.round(all);
        }
    }

    private void vectors(int step) {
        sizes();
        boolean any = tangents();
        turns();
        if (any) {
            for (int i = 0; i < half; i++) {
                if (turned[i] != 0) {
                    int p = upper(i);
                    int q = lower(i);
                    if (parts == 1) {
                        real(i, re, p * COLUMN, q * COLUMN, half);
                        real(i, re, p * COLUMN + LOWER, q * COLUMN + LOWER, half);
                        real(i, productRe, p * SIDE, q * SIDE, 2 * half);
                    } else {
                        complex(i, re, im, p * COLUMN, q * COLUMN, half);
                        complex(i, re, im, p * COLUMN + LOWER, q * COLUMN + LOWER, half);
                        complex(i, productRe, productIm, p * SIDE, q * SIDE, 2 * half);
                    }
                }
            }
        }
        for (int j = 0; j < 2 * half; j++) {
            if (parts == 1) {
                realRows(j * COLUMN, step);
            } else {
                complexRows(j * COLUMN, step);
            }
        }
    }

    private void sizes() {
        for (int i = 0; i < half; i += LANES) {
            DoubleVector x = fromArray(SPECIES, elementRe, i).abs();
            if (parts == 2) {
                DoubleVector y = fromArray(SPECIES, elementIm, i).abs();
                DoubleVector most = x.max(y);
                DoubleVector part = x.min(y).div(most);
                DoubleVector modulus = most.mul(part.mul(part).add(1).sqrt());
                x = modulus.blend(most, most.compare(VectorOperators.EQ, 0));
            }
            x.intoArray(size, i);
        }
    }

    private boolean tangents() {
        boolean any = false;
        for (int i = 0; i < half; i += LANES) {
            DoubleVector modulus = fromArray(SPECIES, size, i);
            DoubleVector first = fromArray(SPECIES, one, i);
            DoubleVector second = fromArray(SPECIES, other, i);
            DoubleVector bound = first.abs().sqrt().mul(second.abs().sqrt()).mul(UNIT);
            VectorMask<Double> turns = modulus.compare(VectorOperators.GT, bound);
            DoubleVector zeta = second.sub(first).div(modulus.mul(2));
            DoubleVector steep = zeta.abs();
            DoubleVector t = broadcast(SPECIES, 1).div(zeta.mul(zeta).add(1).sqrt().add(steep));
            t = t.blend(broadcast(SPECIES, 1).div(steep.mul(2)), steep.compare(VectorOperators.GT, STEEP));
            t = t.blend(t.neg(), zeta.compare(VectorOperators.LT, 0));
            zero(SPECIES).blend(t, turns).intoArray(tangent, i);
            zero(SPECIES).blend(1, turns).intoArray(turned, i);
            any |= turns.anyTrue();
        }
        return any;
    }

    private void turns() {
        for (int i = 0; i < half; i += LANES) {
            VectorMask<Double> turns = fromArray(SPECIES, turned, i).compare(VectorOperators.NE, 0);
            DoubleVector t = fromArray(SPECIES, tangent, i);
            DoubleVector c = broadcast(SPECIES, 1).div(t.mul(t).add(1).sqrt());
            DoubleVector s = c.mul(t);
            DoubleVector modulus = fromArray(SPECIES, size, i);
            DoubleVector x = fromArray(SPECIES, elementRe, i);
            c.intoArray(cosine, i);
            zero(SPECIES).blend(s.neg().mul(x.div(modulus)), turns).intoArray(sineRe, i);
            x.blend(0, turns).intoArray(elementRe, i);
            DoubleVector more = t.mul(modulus);
            fromArray(SPECIES, one, i).sub(more).intoArray(one, i);
            fromArray(SPECIES, other, i).add(more).intoArray(other, i);
            if (parts == 2) {
                DoubleVector y = fromArray(SPECIES, elementIm, i);
                zero(SPECIES).blend(s.mul(y.div(modulus)), turns).intoArray(sineIm, i);
                y.blend(0, turns).intoArray(elementIm, i);
            }
        }
    }

    private void real(int pair, double[] x, int p, int q, int count) {
        DoubleVector c = broadcast(SPECIES, cosine[pair]);
        DoubleVector s = broadcast(SPECIES, sineRe[pair]);
        for (int k = 0; k < count; k += LANES) {
            DoubleVector a = fromArray(SPECIES, x, p + k);
            DoubleVector b = fromArray(SPECIES, x, q + k);
            a.mul(c).add(b.mul(s)).intoArray(x, p + k);
            b.mul(c).sub(a.mul(s)).intoArray(x, q + k);
        }
    }

    private void complex(int pair, double[] x, double[] y, int p, int q, int count) {
        DoubleVector c = broadcast(SPECIES, cosine[pair]);
        DoubleVector s = broadcast(SPECIES, sineRe[pair]);
        DoubleVector t = broadcast(SPECIES, sineIm[pair]);
        for (int k = 0; k < count; k += LANES) {
            DoubleVector a = fromArray(SPECIES, x, p + k);
            DoubleVector b = fromArray(SPECIES, y, p + k);
            DoubleVector d = fromArray(SPECIES, x, q + k);
            DoubleVector e = fromArray(SPECIES, y, q + k);
            a.mul(c).add(d.mul(s)).sub(e.mul(t)).intoArray(x, p + k);
            b.mul(c).add(e.mul(s)).add(d.mul(t)).intoArray(y, p + k);
            d.mul(c).sub(a.mul(s)).sub(b.mul(t)).intoArray(x, q + k);
            e.mul(c).sub(b.mul(s)).add(a.mul(t)).intoArray(y, q + k);
        }
    }

    private void realRows(int column, int step) {
        double[] x = re;
        double[] z = nextRe;
        for (int i = 0; i < half; i += LANES) {
            int p = column + i;
            int q = p + LOWER;
            DoubleVector c = fromArray(SPECIES, cosine, i);
            DoubleVector s = fromArray(SPECIES, sineRe, i);
            DoubleVector a = fromArray(SPECIES, x, p);
            DoubleVector d = fromArray(SPECIES, x, q);
            a.mul(c).add(d.mul(s)).intoArray(z, p + step);
            d.mul(c).sub(a.mul(s)).intoArray(z, q - 1);
        }
    }

    private void complexRows(int column, int step) {
        double[] x = re;
        double[] y = im;
        double[] z = nextRe;
        double[] w = nextIm;
        for (int i = 0; i < half; i += LANES) {
            int p = column + i;
            int q = p + LOWER;
            DoubleVector c = fromArray(SPECIES, cosine, i);
            DoubleVector s = fromArray(SPECIES, sineRe, i);
            DoubleVector t = fromArray(SPECIES, sineIm, i);
            DoubleVector a = fromArray(SPECIES, x, p);
            DoubleVector b = fromArray(SPECIES, y, p);
            DoubleVector d = fromArray(SPECIES, x, q);
            DoubleVector e = fromArray(SPECIES, y, q);
            a.mul(c).add(d.mul(s)).add(e.mul(t)).intoArray(z, p + step);
            b.mul(c).add(e.mul(s)).sub(d.mul(t)).intoArray(w, p + step);
            d.mul(c).sub(a.mul(s)).add(b.mul(t)).intoArray(z, q - 1);
            e.mul(c).sub(b.mul(s)).sub(a.mul(t)).intoArray(w, q - 1);
        }
    }
}
