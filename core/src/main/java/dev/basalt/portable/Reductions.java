package dev.basalt.portable;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;

/**
 * DOT, ASUM and NRM2 over blocks of a fixed length, whose partial results are combined from first to last. The result has
 * the same bits whether one thread computes block after block or several write the partial results of their blocks to
 * workspace first.
 *
 * <p>A partial result is one double in workspace, two for a complex dot, whatever the precision of the vectors.
 */
public final class Reductions {
    private final Leaf s;
    private final Leaf d;
    private final Leaf c;
    private final Leaf z;
    private final long block;

    /**
     * Reductions over the given kernels.
     *
     * @param s float
     * @param d double
     * @param c complex float
     * @param z complex double
     * @param block elements of a block, at least 1
     */
    public Reductions(Leaf s, Leaf d, Leaf c, Leaf z, int block) {
        this.s = s;
        this.d = d;
        this.c = c;
        this.z = z;
        this.block = block;
    }

    /**
     * How many blocks a problem has.
     *
     * @param n elements
     * @return blocks, at least 1
     */
    public long blocks(long n) {
        return Math.max(1, (n + block - 1) / block);
    }

    /**
     * How many bytes of workspace one problem's partial results take.
     *
     * @param l DOT, ASUM or NRM2
     * @return bytes
     */
    public long bytes(Launch l) {
        return blocks(l.n) * slot(l);
    }

    /**
     * Computes the whole result of one problem on the calling thread.
     *
     * @param l DOT, ASUM or NRM2
     * @param problem index in the batch
     */
    public void reduce(Launch l, long problem) {
        if (l.n(problem) > block) {
            combine(l, problem, 0);
        } else if (l.kernel == Kernel.DOT) {
            dot(l, problem, 0, l.d.at(problem));
        } else {
            store(l, l.d.at(problem), real(l, problem, 0));
        }
    }

    /**
     * Dots of vectors that are one block each, as {@link #reduce} takes them one by one: of short ones to ask a launch takes longer.
     *
     * @param l a launch
     * @param from first problem
     * @param to problem after the last
     * @return false, with nothing done, if problems are not equal or have several blocks
     */
    public boolean dots(Launch l, long from, long to) {
        if (l.kernel != Kernel.DOT || l.guarded || l.extent != 0 || l.n > block) {
            return false;
        }
        Leaf leaf = leaf(l.type);
        boolean conjugated = l.conjugated;
        long n = l.n;
        long incx = l.a.ld;
        long incy = l.b.ld;
        for (long i = from; i < to; i++) {
            leaf.dot(n, l.a.first(i), incx, l.b.first(i), incy, conjugated, l.d.at(i), n);
        }
        return true;
    }

    /**
     * Computes the partial results of some blocks.
     *
     * @param l DOT, ASUM or NRM2
     * @param problem index in the batch
     * @param from first block
     * @param to block after the last
     * @param work where the partial results of this problem are, that of block 0 first
     */
    public void partials(Launch l, long problem, long from, long to, long work) {
        for (long i = from; i < to; i++) {
            long slot = work + i * slot(l);
            if (l.kernel == Kernel.DOT) {
                dot(l, problem, i, slot);
                widen(l.type, slot);
            } else {
                f64(slot, real(l, problem, i));
            }
        }
    }

    /**
     * Combines all partial results into the result.
     *
     * @param l DOT, ASUM or NRM2
     * @param problem index in the batch
     * @param work where {@link #partials} left them, or 0 to compute each when it is needed
     */
    public void combine(Launch l, long problem, long work) {
        switch (l.kernel) {
            case DOT -> combineDot(l, problem, work);
            case ASUM -> combineSum(l, problem, work);
            default -> combineNorm(l, problem, work);
        }
    }

    private void combineDot(Launch l, long problem, long work) {
        long result = l.d.at(problem);
        double re = 0;
        double im = 0;
        for (long i = 0; i < blocks(l.n(problem)); i++) {
            if (work == 0) {
                dot(l, problem, i, result);
                re += re(l.type, result);
                im += im(l.type, result);
            } else {
                re += f64(work + i * slot(l));
                im += l.type.isComplex() ? f64(work + i * slot(l) + 8) : 0;
            }
        }
        switch (l.type) {
            case F32 -> f32(result, (float) re);
            case F64 -> f64(result, re);
            case C32 -> {
                f32(result, (float) re);
                f32(result + 4, (float) im);
            }
            default -> {
                f64(result, re);
                f64(result + 8, im);
            }
        }
    }

    private void combineSum(Launch l, long problem, long work) {
        double sum = 0;
        for (long i = 0; i < blocks(l.n(problem)); i++) {
            sum += partial(l, problem, i, work);
        }
        store(l, l.d.at(problem), sum);
    }

    /** Squares of large, medium and small norms are summed apart, the outer ones scaled (Blue, 1978; LAPACK's nrm2 since 3.10). */
    private void combineNorm(Launch l, long problem, long work) {
        double large = 0;
        double medium = 0;
        double small = 0;
        for (long i = 0; i < blocks(l.n(problem)); i++) {
            double v = partial(l, problem, i, work);
            if (v > 0x1p500) {
                large += (v * 0x1p-600) * (v * 0x1p-600);
            } else if (v < 0x1p-400) {
                small += (v * 0x1p600) * (v * 0x1p600);
            } else {
                // NaN too, which outlives all that follows.
                medium += v * v;
            }
        }
        double norm;
        if (Double.isNaN(medium)) {
            norm = medium;
        } else if (large > 0) {
            norm = Math.sqrt(large + medium * 0x1p-600 * 0x1p-600) * 0x1p600;
        } else if (medium > 0) {
            norm = Math.sqrt(medium + small * 0x1p-600 * 0x1p-600);
        } else {
            norm = Math.sqrt(small) * 0x1p-600;
        }
        store(l, l.d.at(problem), norm);
    }

    private double partial(Launch l, long problem, long i, long work) {
        return work == 0 ? real(l, problem, i) : f64(work + i * slot(l));
    }

    /** The norm or sum of block i. */
    private double real(Launch l, long problem, long i) {
        long x = l.a.first(problem) + i * block * l.a.ld * l.type.bytes();
        Leaf leaf = leaf(l.type);
        return l.kernel == Kernel.ASUM
                ? leaf.asum(length(l, problem, i), x, l.a.ld)
                : leaf.nrm2(length(l, problem, i), x, l.a.ld);
    }

    /** The element at {@code result} := the dot product of block i. */
    private void dot(Launch l, long problem, long i, long result) {
        long x = l.a.first(problem) + i * block * l.a.ld * l.type.bytes();
        long y = l.b.first(problem) + i * block * l.b.ld * l.type.bytes();
        leaf(l.type).dot(length(l, problem, i), x, l.a.ld, y, l.b.ld, l.conjugated, result, l.n(problem));
    }

    private long length(Launch l, long problem, long i) {
        return Math.max(0, Math.min(block, l.n(problem) - i * block));
    }

    private static long slot(Launch l) {
        return l.kernel == Kernel.DOT && l.type.isComplex() ? 16 : 8;
    }

    /** Turns the element that a dot kernel left in a slot into doubles. */
    private static void widen(ElementType type, long slot) {
        if (type.real() == ElementType.F32) {
            double re = re(type, slot);
            double im = im(type, slot);
            f64(slot, re);
            if (type.isComplex()) {
                f64(slot + 8, im);
            }
        }
    }

    private static double re(ElementType type, long element) {
        return type.real() == ElementType.F32 ? f32(element) : f64(element);
    }

    private static double im(ElementType type, long element) {
        if (!type.isComplex()) {
            return 0;
        }
        return type == ElementType.C32 ? f32(element + 4) : f64(element + 8);
    }

    private static void store(Launch l, long result, double value) {
        if (l.type.real() == ElementType.F32) {
            f32(result, (float) value);
        } else {
            f64(result, value);
        }
    }

    private Leaf leaf(ElementType type) {
        return switch (type) {
            case F32 -> s;
            case F64 -> d;
            case C32 -> c;
            default -> z;
        };
    }
}
