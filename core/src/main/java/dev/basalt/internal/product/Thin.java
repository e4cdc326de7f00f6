package dev.basalt.internal.product;

import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/**
 * Products that are made of vectors, which are bound by memory and want other kernels than those of matrices. Where the result is one row or one column it is a matrix
 * times a vector; a row of C is the other factor, transposed, times a row. Few rows or columns of a product with a symmetric matrix, or with a large one, are as many such products.
 */
final class Thin {
    /** As many vectors as are taken one by one. */
    private static final long FEW = 4;

    /** Bytes of a factor beyond the second cache: a product of few lines would take a few of its rows at a time, which lie far apart, where vectors go over it as it lies. */
    private static final long LARGE = 1 << 20;

    /** Bytes of its columns: shorter ones are read where they are. */
    private static final long LONG = 3 << 10;

    /** Bytes from which on it comes from memory, so that one vector less is taken one by one. */
    private static final long FAR = 8 << 20;

    /** Products of vectors up to so many elements are small matrices to a GPU. */
    private static final long SHORT = 16;

    /** Elements of a column whose sum one block of a GPU has soon. */
    private static final long LONG_COLUMN = 4096;

    private Thin() {}

    /** Whether a product is one. Small products are not, as they go straight to their kernel; nor are vectors that would have to be conjugated. */
    static boolean is(DeviceTraits traits, Launch g) {
        long longest = Math.max(Math.max(g.m, g.n), g.k);
        boolean column = column(g);
        if (!column && g.m != 1 || g.k <= 0
                || (traits.reach().waves() ? !inWaves(g, column, longest) : longest <= traits.gemm(g.type).thin())) {
            return false;
        }
        return !g.type.isComplex() || g.opB != Op.CONJ_TRANS && (column || g.opA != Op.CONJ_TRANS);
    }

    /** Whether it is worth while where launches take the time of whole waves: sums down long columns are shared out among more blocks by the kernels of products. */
    private static boolean inWaves(Launch g, boolean column, long longest) {
        boolean down = column ? g.opA != Op.NONE : g.opB == Op.NONE;
        return longest > SHORT && (!down || g.k <= LONG_COLUMN);
    }

    /** Whether A is the matrix. Of two vectors the one that lies in a column is. */
    private static boolean column(Launch g) {
        return g.n == 1 && (g.m != 1 || g.opA != Op.NONE);
    }

    /** Launches it. */
    static void launch(Scope s, Launch g) {
        boolean column = column(g);
        Operand matrix = column ? g.a : g.b;
        Launch l = s.kernel(Kernel.GEMV);
        l.opA = column ? g.opA : g.opB == Op.NONE ? Op.TRANS : Op.NONE;
        boolean plain = l.opA == Op.NONE;
        l.m = plain ? column ? g.m : g.n : g.k;
        l.n = plain ? g.k : column ? g.m : g.n;
        l.alpha.set(g.alpha);
        l.beta.set(g.beta);
        l.a.set(matrix);
        if (column) {
            vector(l.b, g.b, g.k, g.opB == Op.NONE ? 1 : g.b.ld);
            vector(l.c, g.c, g.m, 1);
        } else {
            vector(l.b, g.a, g.k, g.opA == Op.NONE ? g.a.ld : 1);
            vector(l.c, g.c, g.n, g.c.ld);
        }
        s.launch();
    }

    /** Whether a product of few columns, or of few rows, is as many products of a large factor that is not transposed with vectors. Small products are not, nor what would have to be conjugated. */
    static boolean several(DeviceTraits traits, Launch g) {
        boolean columns = severalColumns(g);
        boolean rows = g.m > 1 && g.m <= FEW && g.opB != Op.NONE && !(g.type.isComplex() && g.opB == Op.CONJ_TRANS);
        if (traits.reach().waves() || !columns && !rows || traits.gemm(g.type).unpacked(g.m, g.n, g.k)) {
            return false;
        }
        Op other = columns ? g.opB : g.opA;
        if (g.type.isComplex() && other == Op.CONJ_TRANS) {
            return false;
        }
        long longest = columns ? g.m : g.n;
        long lines = columns ? g.n : g.m;
        double bytes = (double) longest * g.k * g.type.bytes();
        if (columns && !g.type.isComplex() && lines <= traits.gemm(g.type).few()) {
            // What packs nothing beside few lines goes over the factor once for all columns. From memory that is no faster than twice for one.
            return lines == 2 && bytes > FAR;
        }
        return bytes > LARGE && longest > LONG / g.type.bytes() && (lines < FEW || bytes <= FAR);
    }

    private static boolean severalColumns(Launch g) {
        return g.n > 1 && g.n <= FEW && g.opA == Op.NONE;
    }

    /** Launches them. */
    static void launchSeveral(Scope s, Launch g) {
        boolean columns = severalColumns(g);
        long longest = columns ? g.m : g.n;
        for (long i = 0; i < (columns ? g.n : g.m); i++) {
            Launch l = s.kernel(Kernel.GEMV);
            l.m = longest;
            l.n = g.k;
            l.alpha.set(g.alpha);
            l.beta.set(g.beta);
            l.a.set(columns ? g.a : g.b);
            line(l.b, columns ? g.b : g.a, i, g.k, columns == ((columns ? g.opB : g.opA) == Op.NONE));
            line(l.c, g.c, i, longest, columns);
            s.launch();
        }
    }

    /**
     * Whether a product with a symmetric matrix of the call's is some products with vectors. What would have to be conjugated is none, nor more than one of what may
     * go to its kernel without a launch.
     */
    static boolean symmetric(Call c, boolean hermitian) {
        Launch g = c.args;
        boolean left = g.side == Side.LEFT;
        boolean turned = hermitian && !left && g.type.isComplex();
        long vectors = left ? g.n : g.m;
        return !turned && !c.traits.reach().waves()
                && (vectors == 1 || vectors <= FEW && (left ? g.m : g.n) > c.traits.gemm(g.type).small());
    }

    /** Launches them. */
    static void launchSymmetric(Scope s, Launch g, boolean hermitian) {
        boolean left = g.side == Side.LEFT;
        long n = left ? g.m : g.n;
        for (long i = 0; i < (left ? g.n : g.m); i++) {
            Launch l = s.kernel(Kernel.SYMV);
            l.uplo = g.uplo;
            l.hermitian = hermitian;
            l.n = n;
            l.alpha.set(g.alpha);
            l.beta.set(g.beta);
            l.a.set(g.a);
            line(l.b, g.b, i, n, left);
            line(l.c, g.c, i, n, left);
            s.launch();
        }
    }

    /** Column or row i of a matrix. */
    private static void line(Operand x, Operand matrix, long i, long n, boolean column) {
        vector(x, matrix, n, column ? 1 : matrix.ld);
        x.offset = matrix.offset + i * (column ? matrix.ld : 1) * matrix.type.bytes();
    }

    private static void vector(Operand x, Operand matrix, long n, long inc) {
        x.vector(matrix.type, matrix.base, n, inc, matrix.stride);
        x.pointers = matrix.pointers;
    }
}
