package dev.basalt.host.vector;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.portable.TridiagonalLeaf;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;

/**
 * Tridiagonal systems one by one: one with a single right-hand side in fused steps, with the bits that it has among others in lanes ({@link VectorDTridiagonal}).
 * The portable kernels do the rest.
 */
public final class FusedDTridiagonal implements TridiagonalLeaf {
    /** The kernels. */
    public static final FusedDTridiagonal KERNELS = new FusedDTridiagonal();

    /** Up to here a quotient is a product with a reciprocal, which is known before what it multiplies: half the latency. */
    static final double MOST = 0x1p1000; // float: static final float MOST = 0x1p120f;

    static final double LEAST = 0x1p-1000; // float: static final float LEAST = 0x1p-120f;

    /** Rows at the end that are done together. */
    static final int LAST_ROWS = 2;

    private final TridiagonalLeaf portable = TridiagonalLeaf.of(ElementType.F64);

    private FusedDTridiagonal() {}

    @Override
    public long gttrf(long n, long dl, long d, long du, long du2, long ipiv) {
        return portable.gttrf(n, dl, d, du, du2, ipiv);
    }

    @Override
    public void gttrs(Op op, long n, long sides, long dl, long d, long du, long du2, long ipiv, long b, long ldb) {
        portable.gttrs(op, n, sides, dl, d, du, du2, ipiv, b, ldb);
    }

    @Override
    public long pttrf(long n, long d, long e) {
        return portable.pttrf(n, d, e);
    }

    @Override
    public void pttrs(boolean upper, long n, long sides, long d, long e, long b, long ldb) {
        portable.pttrs(upper, n, sides, d, e, b, ldb);
    }

    @Override
    public long gtsv(long n, long sides, long dl, long incdl, long d, long incd, long du, long incdu, long b, long incb,
            long ldb) {
        if (sides != 1) {
            return portable.gtsv(n, sides, dl, incdl, d, incd, du, incdu, b, incb, ldb);
        }
        return solve(n, 0, dl, incdl * 8L, d, incd * 8L, du, incdu * 8L, b, incb * 8L);
    }

    /**
     * One system whose rows up to a row are eliminated.
     *
     * @param n rows
     * @param row the first that is not
     * @param dl address of the diagonal below the main one; d, du and b are the others and the right-hand side
     * @param nextl bytes from one of its elements to the next, and so on
     * @return 1-based column of the first zero pivot, 0 if none
     */
    static long solve(long n, long row, long dl, long nextl, long d, long nextd, long du, long nextu, long b,
            long nextb) {
        long info = rows(row, n - LAST_ROWS, dl, nextl, d, nextd, du, nextu, b, nextb);
        info = info != 0 ? info : lastRows(n, dl, nextl, d, nextd, du, nextu, b, nextb);
        if (info == 0) {
            unknowns(n - LAST_ROWS - 1, dl, nextl, d, nextd, du, nextu, b, nextb);
        }
        return info;
    }

    /** Eliminates below rows from…to-1. */
    private static long rows(long from, long to, long lowest, long nextl, long diagonal, long nextd, long highest,
            long nextu, long sides, long nextb) {
        if (from >= to) {
            return 0;
        }
        long dl = lowest + from * nextl;
        long d = diagonal + from * nextd;
        long du = highest + from * nextu;
        long b = sides + from * nextb;
        double pivot = f64(d);
        double u = f64(du);
        double y = f64(b);
        long info = 0;
        for (long i = from; i < to; i++) {
            double below = f64(dl);
            double next = f64(d + nextd);
            double right = f64(du + nextu);
            double side = f64(b + nextb);
            if (Math.abs(pivot) >= Math.abs(below)) {
                if (pivot == 0) {
                    info = i + 1;
                    break;
                }
                double minus = -(below / pivot);
                f64(dl, 0);
                f64(d, pivot);
                f64(du, u);
                f64(b, y);
                pivot = Math.fma(u, minus, next);
                y = Math.fma(y, minus, side);
                u = right;
            } else {
                double minus = -(pivot / below);
                f64(dl, right);
                f64(d, below);
                f64(du, next);
                f64(b, side);
                pivot = Math.fma(next, minus, u);
                y = Math.fma(side, minus, y);
                u = right * minus;
            }
            dl += nextl;
            d += nextd;
            du += nextu;
            b += nextb;
        }
        f64(d, pivot);
        f64(du, u);
        f64(b, y);
        return info;
    }

    /** The last elimination, below which nothing is, and the last two unknowns. */
    static long lastRows(long n, long dl, long nextl, long diagonal, long nextd, long above, long nextu, long sides,
            long nextb) {
        long d = diagonal + (n - 1) * nextd;
        long b = sides + (n - 1) * nextb;
        if (n == 1) {
            f64(b, f64(d) == 0 ? f64(b) : quotient(f64(b), f64(d)));
            return f64(d) == 0 ? 1 : 0;
        }
        long before = d - nextd;
        long du = above + (n - 2) * nextu;
        long x = b - nextb;
        double pivot = f64(before);
        double below = f64(dl + (n - 2) * nextl);
        double next = f64(d);
        double u = f64(du);
        double y = f64(x);
        double side = f64(b);
        if (Math.abs(pivot) >= Math.abs(below)) {
            if (pivot == 0) {
                return n - 1;
            }
            double minus = -(below / pivot);
            next = Math.fma(u, minus, next);
            side = Math.fma(y, minus, side);
        } else {
            double minus = -(pivot / below);
            f64(before, below);
            f64(du, next);
            pivot = below;
            double top = next;
            next = Math.fma(top, minus, u);
            u = top;
            double first = side;
            side = Math.fma(first, minus, y);
            y = first;
        }
        f64(d, next);
        if (next == 0) {
            f64(x, y);
            f64(b, side);
            return n;
        }
        double one = quotient(side, next);
        f64(b, one);
        f64(x, quotient(Math.fma(-u, one, y), pivot));
        return 0;
    }

    /** The unknowns of rows row, row - 1, … 0. */
    static void unknowns(long row, long lowest, long nextl, long diagonal, long nextd, long highest, long nextu,
            long sides, long nextb) {
        if (row < 0) {
            return;
        }
        long dl = lowest + row * nextl;
        long d = diagonal + row * nextd;
        long du = highest + row * nextu;
        long b = sides + row * nextb;
        double one = f64(b + nextb);
        double two = f64(b + 2 * nextb);
        for (long i = row; i >= 0; i--) {
            double pivot = f64(d);
            double inverse = 1 / pivot;
            double size = Math.abs(inverse);
            double sum = Math.fma(-f64(du), one, Math.fma(-f64(dl), two, f64(b)));
            two = one;
            one = size < MOST && size > LEAST ? sum * inverse : sum / pivot;
            f64(b, one);
            dl -= nextl;
            d -= nextd;
            du -= nextu;
            b -= nextb;
        }
    }

    private static double quotient(double x, double y) {
        double inverse = 1 / y;
        double size = Math.abs(inverse);
        return size < MOST && size > LEAST ? x * inverse : x / y;
    }
}
