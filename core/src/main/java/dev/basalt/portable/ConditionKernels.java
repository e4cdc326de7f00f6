package dev.basalt.portable;

import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Conversion;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;

/** The steps of an estimate of the 1-norm of a matrix that is known by its products alone, and reciprocal condition numbers. */
final class ConditionKernels {
    private final NormKernels norms;

    ConditionKernels(NormKernels norms) {
        this.norms = norms;
    }

    void run(Launch l, long from, long to) {
        NormLeaf leaf = norms.leaf(l.type);
        for (long i = from; i < to; i++) {
            if (BatchedKernels.skips(l, i)) {
                continue;
            }
            if (l.kernel == Kernel.RCOND) {
                reciprocal(l, i);
            } else if (l.p != Kernel.COLUMN && l.p != Kernel.SIGNS || i32(l.e.at(i)) == 0) {
                step(l, i, leaf);
            }
        }
    }

    /** A power of two about the root of a norm: vectors of this size and their solutions lie halfway between the range's ends. */
    static double one(double norm) {
        boolean usual = norm > 0 && norm < Double.POSITIVE_INFINITY;
        return usual ? Math.scalb(1.0, Math.getExponent(Math.max(norm, Double.MIN_NORMAL)) >> 1) : 1;
    }

    private static double load(Operand o, long i) {
        return Conversion.load(o.type, o.at(i));
    }

    private static void step(Launch l, long i, NormLeaf leaf) {
        long n = l.n;
        long x = l.c.at(i);
        double one = one(l.g.present() ? load(l.g, i) : 1);
        switch ((int) l.p) {
            case Kernel.START -> {
                i32(l.e.at(i), 0);
                leaf.leaf().fill(n, one / n, 0, x, 1);
            }
            case Kernel.FIRST, Kernel.SIGNS -> signs(l, i, leaf, one, x);
            case Kernel.COLUMN -> {
                long at = leaf.indexOfLargest(n, x);
                boolean again = l.q > 1 && size(leaf, l, x, i64(l.f.at(i))) == size(leaf, l, x, at);
                if (again) {
                    i32(l.e.at(i), 1);
                    return;
                }
                i64(l.f.at(i), at);
                leaf.leaf().fill(n, 0, 0, x, 1);
                leaf.leaf().fill(1, one, 0, x + (at - 1) * l.type.bytes(), 1);
            }
            case Kernel.ALTERNATING -> {
                for (long j = 0; j < n; j++) {
                    double size = one * (1 + (double) j / Math.max(1, n - 1));
                    leaf.leaf().fill(1, j % 2 == 0 ? size : -size, 0, x + j * l.type.bytes(), 1);
                }
            }
            default -> {
                double other = 2 * leaf.sum(n, x, 1) / (3.0 * n);
                if (!(other <= load(l.d, i))) {
                    Conversion.store(l.d.type, l.d.at(i), other);
                }
            }
        }
    }

    private static double size(NormLeaf leaf, Launch l, long x, long at) {
        return leaf.modulus(x + (at - 1) * l.type.bytes(), false);
    }

    /** Takes the norm of c; there is no more to do where it does not grow, is no number, or comes from the signs that were there before. */
    private static void signs(Launch l, long i, NormLeaf leaf, double one, long x) {
        boolean first = l.p == Kernel.FIRST;
        double sum = leaf.sum(l.n, x, 1);
        boolean grows = first || sum > load(l.d, i);
        if (first || !(sum <= load(l.d, i))) {
            Conversion.store(l.d.type, l.d.at(i), sum);
        }
        boolean again = !first && leaf.sameSigns(l.n, x, l.b.present() ? l.b.at(i) : 0);
        if (!grows || again || l.n == 1 || !(sum < Double.POSITIVE_INFINITY)) {
            i32(l.e.at(i), 1);
        } else {
            leaf.signs(l.n, one, x, l.b.present() ? l.b.at(i) : 0);
        }
    }

    private static void reciprocal(Launch l, long i) {
        double norm = load(l.a, i);
        double inverse = load(l.d, i);
        boolean wrong = !(norm >= 0 && norm < Double.POSITIVE_INFINITY);
        i32(l.e.at(i), wrong ? (int) l.p : Double.isNaN(inverse) && norm > 0 ? 1 : 0);
        double rcond = Double.isNaN(norm) ? norm : 0;
        if (norm > 0 && !wrong && inverse < Double.POSITIVE_INFINITY) {
            // In this order nothing overflows: the estimate is that of the inverse times one.
            rcond = one(norm) / norm / inverse;
        }
        Conversion.store(l.d.type, l.d.at(i), rcond);
    }
}
