package dev.basalt.host.assembled.batch;

import dev.basalt.host.assembled.x86.CpuFeatures;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Shape;

/**
 * Which real products take vectors of half of AVX-512's width: each element is the same sum.
 *
 * @param half rows of such a vector, or more than there are
 * @param always whether a wide vector is taken as two halves, so that a few are always better
 */
public record Halves(int half, boolean always) {
    /** Inner dimension from which on more than one is worth it on any processor: elements of B come sooner. Where a wide sum takes a cycle and two narrow ones take one, too, any inner dimension is. */
    private static final int DEEP = 16;

    /**
     * Those of a type.
     *
     * @param shape its vectors
     * @return the rule; none are taken without AVX-512
     */
    public static Halves of(Shape shape) {
        boolean wide = shape.isa() == Isa.AVX512;
        return new Halves(wide ? shape.lanes() / 2 : 2 * BatchFrame.ORDER, wide && CpuFeatures.splitsVectors());
    }

    /**
     * Whether a product takes them.
     *
     * @param m rows of the result
     * @param k inner dimension
     * @return true for a few vectors, all whole unless wide ones are two of them anyway
     */
    public boolean take(long m, long k) {
        return always
                ? m <= BatchTable.HALVES * half
                : (m & half - 1) == 0 && (m == half || k >= DEEP && m <= BatchTable.HALVES * half);
    }
}
