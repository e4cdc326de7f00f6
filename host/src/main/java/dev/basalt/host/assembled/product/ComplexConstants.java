package dev.basalt.host.assembled.product;

import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.Arena;

/**
 * The constants of {@link ComplexUpdate} in memory. What is there already is not written again: to write them takes longer than a product of order 4. For one
 * thread at a time.
 */
final class ComplexConstants {
    private final Shape shape;
    private final long address;

    private double alphaRe = Double.NaN;
    private double alphaIm;
    private boolean conjA;
    private boolean conjB;
    private double betaRe = Double.NaN;
    private double betaIm;

    ComplexConstants(Shape shape, Arena memory) {
        this.shape = shape;
        this.address = memory.allocate(ComplexUpdate.bytes(shape), 64).address();
    }

    /** Where they are. */
    long address() {
        return address;
    }

    /** Whether these are the ones for alpha. */
    boolean has(double re, double im, boolean ofConjA, boolean ofConjB) {
        return same(re, im, alphaRe, alphaIm) && ofConjA == conjA && ofConjB == conjB;
    }

    void alpha(double re, double im, boolean newConjA, boolean newConjB) {
        if (!has(re, im, newConjA, newConjB)) {
            ComplexUpdate.alpha(shape, address, re, im, newConjA, newConjB);
            alphaRe = re;
            alphaIm = im;
            conjA = newConjA;
            conjB = newConjB;
        }
    }

    void beta(double re, double im) {
        if (!same(re, im, betaRe, betaIm)) {
            ComplexUpdate.beta(shape, address, re, im);
            betaRe = re;
            betaIm = im;
        }
    }

    /** Bit by bit, as the sign of a zero counts; NaN is nothing's equal. */
    private static boolean same(double re, double im, double oldRe, double oldIm) {
        return re == oldRe && Double.doubleToRawLongBits(re) == Double.doubleToRawLongBits(oldRe)
                && Double.doubleToRawLongBits(im) == Double.doubleToRawLongBits(oldIm);
    }

    void mask(long mask) {
        ComplexUpdate.mask(shape, address, mask);
    }
}
