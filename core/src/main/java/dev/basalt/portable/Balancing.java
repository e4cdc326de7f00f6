package dev.basalt.portable;

import dev.basalt.spi.Memory;
import dev.basalt.type.Balance;
import dev.basalt.type.ElementType;
import dev.basalt.type.Side;

/**
 * Balances one matrix, and undoes it for vectors (Parlett and Reinsch, "Balancing a matrix for calculation of eigenvalues and eigenvectors", 1969), with norms as James, Langou and Lowery say ("On matrix balancing and eigenvector
 * computation", 2014). The same for all types.
 */
final class Balancing {
    /** Squares of numbers from here on, and of their reciprocals, are in the range. */
    private static final double PLAIN = 0x1p-480;

    private static final double RADIX = 2;
    /** A step must make the norms so much smaller. */
    private static final double GAIN = 0.95;

    final Leaf leaf;
    final ElementType type;
    final long bytes;
    private final boolean single;
    final double least;
    final double most;

    Balancing(Leaf leaf, ElementType type) {
        this.leaf = leaf;
        this.type = type;
        this.bytes = type.bytes();
        this.single = type.real() == ElementType.F32;
        // The smallest normal number by the distance from 1 to the next.
        this.least = single ? 0x1p-103 : 0x1p-970;
        this.most = 1 / least;
    }

    double real(long address) {
        return single ? Memory.f32(address) : Memory.f64(address);
    }

    void real(long address, double value) {
        if (single) {
            Memory.f32(address, (float) value);
        } else {
            Memory.f64(address, value);
        }
    }

    long realBytes() {
        return single ? 4 : 8;
    }

    boolean zero(long element) {
        return real(element) == 0 && (!type.isComplex() || real(element + realBytes()) == 0);
    }

    private double size(long element) {
        double re = Math.abs(real(element));
        return type.isComplex() ? Math.hypot(re, real(element + realBytes())) : re;
    }

    /** See {@link dev.basalt.spi.Kernel#GEBAL}. */
    void gebal(Balance how, long n, long a, long lda, long ilo, long ihi, long scale) {
        long first = 0;
        long last = n - 1;
        if (how == Balance.PERMUTE || how == Balance.BOTH) {
            long row = isolatedRow(last, a, lda);
            while (row >= 0) {
                exchange(row, last, 0, last, n, a, lda);
                real(scale + last * realBytes(), row + 1.0);
                last--;
                if (last < 0) {
                    break;
                }
                row = isolatedRow(last, a, lda);
            }
            if (last <= 0) {
                // The matrix is triangular now.
                real(scale, last < 0 ? real(scale) : 1);
                Memory.i64(ilo, 1);
                Memory.i64(ihi, 1);
                return;
            }
            long column = isolatedColumn(first, last, a, lda);
            while (column >= 0) {
                exchange(column, first, first, last, n, a, lda);
                real(scale + first * realBytes(), column + 1.0);
                first++;
                column = isolatedColumn(first, last, a, lda);
            }
        }
        for (long i = first; i <= last; i++) {
            real(scale + i * realBytes(), 1);
        }
        if (how == Balance.SCALE || how == Balance.BOTH) {
            boolean changed = true;
            while (changed) {
                changed = false;
                for (long i = first; i <= last; i++) {
                    changed |= scaled(i, first, last, n, a, lda, scale + i * realBytes());
                }
            }
        }
        Memory.i64(ilo, first + 1);
        Memory.i64(ihi, last + 1);
    }

    /** The last row that is zero beside the diagonal in the rows and columns up to one; or -1. */
    private long isolatedRow(long last, long a, long lda) {
        for (long i = last; i >= 0; i--) {
            boolean alone = true;
            for (long j = 0; j <= last && alone; j++) {
                alone = i == j || zero(a + (i + j * lda) * bytes);
            }
            if (alone) {
                return i;
            }
        }
        return -1;
    }

    private long isolatedColumn(long first, long last, long a, long lda) {
        for (long j = first; j <= last; j++) {
            boolean alone = true;
            for (long i = first; i <= last && alone; i++) {
                alone = i == j || zero(a + (i + j * lda) * bytes);
            }
            if (alone) {
                return j;
            }
        }
        return -1;
    }

    /** Rows and columns i and k change places. */
    private void exchange(long i, long k, long first, long last, long n, long a, long lda) {
        if (i != k) {
            leaf.swap(last + 1, a + i * lda * bytes, 1, a + k * lda * bytes, 1);
            leaf.swap(n - first, a + (i + first * lda) * bytes, lda, a + (k + first * lda) * bytes, lda);
        }
    }

    /** Scales one row and column, if that gains something. */
    private boolean scaled(long i, long first, long last, long n, long a, long lda, long scale) {
        long column = a + i * lda * bytes;
        long row = a + (i + first * lda) * bytes;
        double c = norm(last - first + 1, column + first * bytes, 1);
        double r = norm(last - first + 1, row, lda);
        double columnMost = largest(last + 1, column, 1);
        double rowMost = largest(n - first, row, lda);
        if (!(c > 0 && r > 0 && c + r + columnMost + rowMost < Double.POSITIVE_INFINITY)) {
            return false;
        }
        double sum = c + r;
        double f = 1;
        double top = most / RADIX;
        double bottom = least * RADIX;
        while (c < r / RADIX && Math.max(f, Math.max(c, columnMost)) < top && Math.min(r / RADIX, rowMost) > bottom) {
            f *= RADIX;
            c *= RADIX;
            columnMost *= RADIX;
            r /= RADIX;
            rowMost /= RADIX;
        }
        while (c / RADIX >= r && Math.max(r, rowMost) < top && Math.min(Math.min(f, c / RADIX), columnMost) > bottom) {
            f /= RADIX;
            c /= RADIX;
            columnMost /= RADIX;
            r *= RADIX;
            rowMost *= RADIX;
        }
        double own = real(scale);
        boolean small = f < 1 && own < 1 && f * own <= least;
        boolean large = f > 1 && own > 1 && own >= most / f;
        if (c + r >= GAIN * sum || small || large) {
            return false;
        }
        real(scale, own * f);
        leaf.scal(n - first, 1 / f, 0, type.isComplex(), row, lda);
        leaf.scal(last + 1, f, 0, type.isComplex(), column, 1);
        return true;
    }

    double largest(long n, long x, long incx) {
        double part = largestPart(n, x, incx);
        if (!type.isComplex() || part == 0 || !(part < Double.POSITIVE_INFINITY)) {
            return part;
        }
        if (!plain(part)) {
            return largestElement(n, x, incx);
        }
        double large = 0;
        for (long i = 0; i < n; i++, x += incx * bytes) {
            large = Math.max(large, square(real(x), real(x + realBytes())));
        }
        return Math.sqrt(large);
    }

    /** Whether squares of a vector with that largest part lose nothing that counts and do not overflow. */
    private static boolean plain(double part) {
        return part > PLAIN && part < 1 / PLAIN;
    }

    /** The largest absolute value of a real or imaginary part; NaN where there is one. */
    private double largestPart(long n, long x, long incx) {
        double large = 0;
        double other = 0;
        boolean complex = type.isComplex();
        for (long i = 0; i < n; i++, x += incx * bytes) {
            large = Math.max(large, Math.abs(real(x)));
            if (complex) {
                other = Math.max(other, Math.abs(real(x + realBytes())));
            }
        }
        return Math.max(large, other);
    }

    private double largestElement(long n, long x, long incx) {
        double large = 0;
        for (long i = 0; i < n; i++, x += incx * bytes) {
            large = Math.max(large, size(x));
        }
        return large;
    }

    double norm(long n, long x, long incx) {
        double part = largestPart(n, x, incx);
        if (part == 0 || !(part < Double.POSITIVE_INFINITY)) {
            return part;
        }
        boolean plain = plain(part);
        double scale = plain ? 1 : part;
        double re = 0;
        double im = 0;
        boolean complex = type.isComplex();
        for (long i = 0; i < n; i++, x += incx * bytes) {
            double own = plain ? real(x) : real(x) / scale;
            re += own * own;
            if (complex) {
                double other = plain ? real(x + realBytes()) : real(x + realBytes()) / scale;
                im += other * other;
            }
        }
        return scale * Math.sqrt(re + im);
    }

    /** See {@link dev.basalt.spi.Kernel#GEBAK}; ilo and ihi from 1. */
    void gebak(Balance how, Side side, long n, long ilo, long ihi, long scale, long m, long v, long ldv) {
        long first = Math.max(1, ilo);
        long last = Math.min(n, ihi);
        if ((how == Balance.SCALE || how == Balance.BOTH) && first != last) {
            for (long i = first; i <= last; i++) {
                double s = real(scale + (i - 1) * realBytes());
                leaf.scal(m, side == Side.RIGHT ? s : 1 / s, 0, type.isComplex(), v + (i - 1) * bytes, ldv);
            }
        }
        if (how == Balance.PERMUTE || how == Balance.BOTH) {
            for (long i = first - 1; i >= 1; i--) {
                back(i, n, scale, m, v, ldv);
            }
            for (long i = last + 1; i <= n; i++) {
                back(i, n, scale, m, v, ldv);
            }
        }
    }

    private void back(long i, long n, long scale, long m, long v, long ldv) {
        double row = real(scale + (i - 1) * realBytes());
        if (row >= 1 && row <= n && (long) row != i) {
            leaf.swap(m, v + (i - 1) * bytes, ldv, v + ((long) row - 1) * bytes, ldv);
        }
    }

    /** See {@link dev.basalt.spi.Kernel#UNIT_COLUMNS}; imaginary is 0 where all columns are real or complex by themselves. */
    void unit(long m, long n, long v, long ldv, long imaginary) {
        for (long j = 0; j < n; j++) {
            long x = v + j * ldv * bytes;
            boolean pair = imaginary != 0 && j + 1 < n && real(imaginary + j * realBytes()) > 0;
            double norm = norm(m, x, 1);
            if (pair) {
                norm = Math.hypot(norm, norm(m, x + ldv * bytes, 1));
            }
            if (norm > 0) {
                leaf.scal(m, 1 / norm, 0, type.isComplex(), x, 1);
                if (pair) {
                    leaf.scal(m, 1 / norm, 0, false, x + ldv * bytes, 1);
                }
            }
            if (pair) {
                turnPair(m, x, x + ldv * bytes);
                j++;
            } else if (type.isComplex()) {
                turn(m, x);
            }
        }
    }

    /** Of elements of a unit vector, of which the largest is sought: squares that vanish are not. */
    private static double square(double re, double im) {
        return re * re + im * im;
    }

    /** The largest element of a vector in two columns becomes real. */
    private void turnPair(long m, long x, long y) {
        long best = 0;
        double most = -1;
        for (long i = 0; i < m; i++) {
            double size = square(real(x + i * bytes), real(y + i * bytes));
            if (size > most) {
                most = size;
                best = i;
            }
        }
        most = most > 0 ? Math.hypot(real(x + best * bytes), real(y + best * bytes)) : most;
        if (most > 0) {
            double cosine = real(x + best * bytes) / most;
            double sine = real(y + best * bytes) / most;
            leaf.rot(m, cosine, sine, 0, true, x, 1, y, 1);
            real(y + best * bytes, 0);
        }
    }

    private void turn(long m, long x) {
        long best = 0;
        double most = -1;
        for (long i = 0; i < m; i++) {
            double size = square(real(x + i * bytes), real(x + i * bytes + realBytes()));
            if (size > most) {
                most = size;
                best = i;
            }
        }
        if (most > 0) {
            long element = x + best * bytes;
            most = size(element);
            leaf.scal(m, real(element) / most, -real(element + realBytes()) / most, false, x, 1);
            real(element + realBytes(), 0);
        }
    }
}
