package dev.basalt.gpu;

import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;

/** QR of small problems, whose matrices fit into the registers of a warp's part, of a warp, or of a block. */
final class QrSmallRules<C> extends Rules<C> {
    /** Columns of 8, 16 and 32 rows, a thread each; for z there is no third. */
    private static final KernelFunction[] QR_8 = KernelFunction.floating("qr_8");

    private static final KernelFunction[] QR_16 = KernelFunction.floating("qr_16");
    private static final KernelFunction[] QR_32 = KernelFunction.floating("qr_32");

    /** Columns that several threads have, 32 rows each, or 16 of z: problems of a warp, or part of one, and of a block. */
    private static final KernelFunction[] QR_WARP = KernelFunction.floating("qr_warp");

    private static final KernelFunction[] QR_BLOCK = KernelFunction.floating("qr_block");

    private static final KernelFunction[] GELS_BLOCK = KernelFunction.floating("gels_block");

    /** Order of the largest square matrix, half of it for z. */
    static final int SQUARE = 128;

    private static final int ROWS = 32;

    /** Threads of a block; those of a column are in one warp. */
    private static final int MOST = 512;

    QrSmallRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    private static int rows(ElementType type) {
        return type == ElementType.C64 ? ROWS / 2 : ROWS;
    }

    /** Whether one launch takes all of a matrix. */
    static boolean takes(ElementType type, long m, long n) {
        return n <= m && m <= (long) WARP * rows(type) && parts(type, m) * n <= MOST;
    }

    /** Threads of a column. */
    private static int parts(ElementType type, long m) {
        return powerOfTwo(up(m, rows(type)), WARP);
    }

    /** Runs a launch of GELS, all problems, a block each; false, with nothing done, if the matrix is too large. */
    boolean solve(int t, Launch l, long at, C channel) {
        int parts = parts(l.type, l.m);
        if (!takes(l.type, l.m, l.n)) {
            return false;
        }
        long shared = Layouts.qr(l.type, (long) parts * rows(l.type), l.n) + l.n * l.type.bytes();
        if (shared > Math.min(GELS_BLOCK[t].shared(), sharedMost)) {
            return false;
        }
        Arguments.parameters(at, Integer.numberOfTrailingZeros(parts), 0, 0);
        // A warp for each right-hand side, as long as multiprocessors are left.
        long warps = Math.max(up(parts * l.n, WARP), l.count <= multiprocessors ? Math.min(l.k, MOST / WARP) : 1);
        launch(GELS_BLOCK[t], 1, 1, l.count, (int) warps * WARP, (int) shared, at, channel);
        return true;
    }

    /** Runs a launch of GEQR2 that it takes; false, with nothing done, if the device is too small. */
    boolean run(int t, Launch l, long at, C channel) {
        int parts = parts(l.type, l.m);
        int bits = Integer.numberOfTrailingZeros(parts);
        int threads = parts * powerOfTwo(l.n, MOST);
        if (threads > WARP) {
            int shared = Layouts.qr(l.type, (long) parts * rows(l.type), l.n);
            if (shared > sharedMost) {
                return false;
            }
            Arguments.parameters(at, bits, 0, 0);
            launch(QR_BLOCK[t], 1, 1, l.count, (int) up(parts * l.n, WARP) * WARP, shared, at, channel);
            return true;
        }
        int rows = l.m <= 8 ? 8 : l.m <= 16 ? 16 : rows(l.type);
        KernelFunction f = (parts > 1 ? QR_WARP : rows == 8 ? QR_8 : rows == 16 ? QR_16 : QR_32)[t];
        int each = f.threads() / threads;
        int shared = each * Layouts.qr(l.type, (long) parts * rows, l.n);
        if (shared > sharedMost) {
            return false;
        }
        Arguments.parameters(at, bits, threads, 0);
        functions.launch(f, (int) up(l.count, each), 1, 1, f.threads(), shared, at, channel);
        return true;
    }
}
