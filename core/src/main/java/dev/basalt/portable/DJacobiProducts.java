package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.spi.JacobiWork;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/**
 * Sweeps of one-sided Jacobi by products, where all angles are small: I + K + K²/2 is unitary but for K⁴/4, with antihermitian K of the tangents. Angles are those of XᴴX, by the cosines of columns, which may be of very different
 * length (Demmel and Veselić, "Jacobi's method is more accurate than QR", 1992).
 */
final class DJacobiProducts {
    /** Of angles with this norm the fourth power is a rounding error. */
    private static final double SMALL = 0x1p-14; // float: private static final float SMALL = 0x1p-7f;

    /** Of angles with this norm the square is one. */
    private static final double TINY = 0x1p-27; // float: private static final float TINY = 0x1p-12f;

    /** Such a part of a cosine that counts is one that may count after the others have been dealt with. */
    private static final double NEARLY = 0x1p-4;

    private final Leaf leaf;
    private final int parts;

    /** One matrix X (m×n), the product of rotations V, or 0, and the workspace. */
    record Place(long m, long n, long x, long ldx, long v, long ldv, long work) {}

    /**
     * Sweeps of a type.
     *
     * @param leaf its kernels
     * @param parts 1, or 2 where it is complex
     */
    DJacobiProducts(Leaf leaf, int parts) {
        this.leaf = leaf;
        this.parts = parts;
    }

    private long bytes() {
        return parts * 8L;
    }

    /** The largest cosine of two columns. The upper triangle of XᴴX is then at the beginning of the workspace, and at {@code roots} (real, n) what brings columns to length 1. */
    double cosine(Place at, long roots) {
        long n = at.n;
        long g = at.work;
        leaf.syrk(Uplo.UPPER, parts == 2 ? Op.CONJ_TRANS : Op.TRANS, parts == 2, n, at.m, 1, 0, at.x, at.ldx, 0, 0, g,
                n);
        double worst = 0;
        for (long j = 0; j < n; j++) {
            double root = 1 / Math.sqrt(f64(g + j * (n + 1) * bytes()));
            f64(roots + j * 8L, root);
            double most = 0;
            for (long i = 0; i < j; i++) {
                most = Math.max(most, DEigenJacobi.modulus(g + (i + j * n) * bytes(), parts) * f64(roots + i * 8L));
            }
            worst = Math.max(worst, most * root);
        }
        return worst;
    }

    /** After {@link #cosine}: turns all columns at once, if all angles are small. */
    boolean turn(Place at, long roots, double tolerance) {
        long n = at.n;
        long g = at.work;
        long k = g + n * n * bytes();
        double norm = 0;
        for (long j = 0; j < n; j++) {
            double own = f64(g + (j + j * n) * bytes());
            double least = tolerance / f64(roots + j * 8L);
            double sum = 0;
            for (long i = 0; i < j; i++) {
                long element = g + (i + j * n) * bytes();
                long to = k + (i + j * n) * bytes();
                double size = DEigenJacobi.modulus(element, parts);
                double cosine = size * f64(roots + i * 8L);
                double gap = own - f64(g + i * (n + 1) * bytes());
                boolean turns = cosine > least || cosine > NEARLY * least && size <= TINY * Math.abs(gap);
                double re = turns ? f64(element) / gap : 0;
                double im = turns && parts == 2 ? f64(element + 8L) / gap : 0;
                put(to, re, im);
                put(k + (j + i * n) * bytes(), -re, im);
                sum += re * re + im * im;
            }
            put(k + j * (n + 1) * bytes(), 0, 0);
            norm += sum;
            if (!(norm <= SMALL * SMALL)) {
                return false;
            }
        }
        if (norm > TINY * TINY) {
            leaf.gemm(Op.NONE, Op.NONE, n, n, n, 0.5, 0, k, n, k, n, 0, 0, g, n, 0, 0);
            for (long j = 0; j < n; j++) {
                leaf.axpy(n, 1, 0, g + j * n * bytes(), 1, k + j * n * bytes(), 1);
            }
        }
        add(at, at.x, at.m, at.ldx, k);
        add(at, at.v, at.n, at.ldv, k);
        return true;
    }

    private void put(long element, double re, double im) {
        f64(element, re);
        if (parts == 2) {
            f64(element + 8L, im);
        }
    }

    /** y := y + y·k, some rows at a time; nothing without y. */
    private void add(Place at, long y, long rows, long ldy, long k) {
        long n = at.n;
        long copy = k + n * n * bytes();
        for (long from = 0; from < rows && y != 0; from += JacobiWork.STRIP) {
            long count = Math.min(JacobiWork.STRIP, rows - from);
            long strip = y + from * bytes();
            leaf.copyMatrix(count, n, strip, ldy, copy, count);
            leaf.gemm(Op.NONE, Op.NONE, count, n, n, 1, 0, copy, count, k, n, 1, 0, strip, ldy, 0, 0);
        }
    }
}
