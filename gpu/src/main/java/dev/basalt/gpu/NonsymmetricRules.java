package dev.basalt.gpu;

import dev.basalt.spi.BulgeWindows;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Evect;
import dev.basalt.type.Schur;
import dev.basalt.type.Sign;
import java.util.Set;

/** Eigenvalues of general matrices: what decides while it runs is a block a problem. */
final class NonsymmetricRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] GEBAL = KernelFunction.floating("gebal");
    private static final KernelFunction[] GEBAK = KernelFunction.floating("gebak");
    private static final KernelFunction[] GGBAL = KernelFunction.floating("ggbal");
    private static final KernelFunction[] UNIT_COLUMNS = KernelFunction.floating("unit_columns");
    private static final KernelFunction[] GEHD2 = KernelFunction.floating("gehd2");
    private static final KernelFunction[] COLUMN = KernelFunction.floating("lahr2_column");
    private static final KernelFunction[] ROW = KernelFunction.floating("lahr2_row");
    private static final KernelFunction[] HSEQR = KernelFunction.floating("hseqr");

    private static final KernelFunction[] WINDOWS = KernelFunction.floating("hseqr_windows");
    private static final KernelFunction[] NORM = KernelFunction.floating("trevc_norm");
    private static final KernelFunction[] SOLVE = KernelFunction.floating("trevc_solve");
    private static final KernelFunction[] PRODUCT = KernelFunction.floating("trevc_product");
    private static final KernelFunction[] STORE = KernelFunction.floating("trevc_store");
    private static final KernelFunction[] TREXC = KernelFunction.floating("trexc");
    private static final KernelFunction[] TRSEN = KernelFunction.floating("trsen");
    private static final KernelFunction[] TRSYL = KernelFunction.floating("trsyl");
    private static final KernelFunction[] TRSNA = KernelFunction.floating("trsna");
    private static final KernelFunction[] TRSEN_SENSE = KernelFunction.floating("trsen_sense");
    private static final KernelFunction[] QZ = KernelFunction.floating("qz");
    private static final KernelFunction[] TGEVC = KernelFunction.floating("tgevc");
    private static final KernelFunction[] TGSEN = KernelFunction.floating("tgsen");
    private static final KernelFunction[] PAIR_VALUES = KernelFunction.floating("pair_values");

    /** Unknowns of a tile of Sylvester's equation that a thread has. */
    private static final long EACH = 4;

    /** Parameters of vectors. */
    private static final int LEFT = 1;

    private static final int TIMES = 2;

    /** A parameter of vectors of a pair. */
    private static final int RIGHT = 2;

    /** Lines that a block takes at once of what a window is multiplied with. */
    private static final int STRIP = 16;

    /** So many large problems are worked on at the same time, a block each, rather than one after the other. */
    private static final int MANY = 8;

    /** Rows and columns of the tiles of their products. */
    private static final int TILE = 32;

    NonsymmetricRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.GEBAL, Kernel.GEBAK, Kernel.GGBAL, Kernel.UNIT_COLUMNS, Kernel.GEHD2, Kernel.LAHR2_COLUMN,
                Kernel.LAHR2_ROW, Kernel.HSEQR, Kernel.TREVC, Kernel.TREXC, Kernel.TRSEN, Kernel.TRSYL, Kernel.TRSNA,
                Kernel.TRSEN_SENSE, Kernel.QZ, Kernel.TGEVC, Kernel.TGSEN, Kernel.PAIR_VALUES);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        switch (l.kernel) {
            case GEBAL -> {
                Arguments.parameters(at, l.balance.ordinal(), 0, 0);
                block(GEBAL[t], l.n, l, at, channel);
            }
            case GEBAK -> {
                Arguments.parameters(at, l.balance.ordinal(), 0, 0);
                warps(GEBAK[t], l.m, l, at, channel);
            }
            case GGBAL -> {
                Arguments.parameters(at, l.balance.ordinal(), 0, 0);
                block(GGBAL[t], l.n, l, at, channel);
            }
            case UNIT_COLUMNS -> warps(UNIT_COLUMNS[t], l.n, l, at, channel);
            case GEHD2 -> block(GEHD2[t], WARP * l.n, l, at, channel);
            case LAHR2_COLUMN -> block(COLUMN[t], Math.max(l.m, WARP * l.p), l, at, channel);
            case LAHR2_ROW -> block(ROW[t], Math.max(l.m, WARP * l.p), l, at, channel);
            case HSEQR -> {
                if (windows(l)) {
                    share(t, l, at, channel);
                } else {
                    iterate(t, l, at, channel);
                }
            }
            case TREXC -> block(TREXC[t], l.n, l, at, channel);
            case TRSEN -> {
                Arguments.parameters(at, l.select.ordinal(), 0, 0);
                block(TRSEN[t], l.n, l, at, channel);
            }
            case TRSYL -> {
                Arguments.parameters(at, l.isgn == Sign.MINUS ? 1 : 0, 0, 0);
                block(TRSYL[t], tile(l.m) * tile(l.n) / EACH, l, at, channel);
            }
            case TRSNA -> block(TRSNA[t], l.n, l, at, channel);
            case TRSEN_SENSE -> block(TRSEN_SENSE[t], tile(l.n) * tile(l.n) / EACH, l, at, channel);
            case QZ -> block(QZ[t], 2 * l.n, l, at, channel);
            case PAIR_VALUES -> block(PAIR_VALUES[t], l.n, l, at, channel);
            case TGSEN -> {
                Arguments.parameters(at, l.select.ordinal(), 0, 0);
                block(TGSEN[t], 2 * l.n, l, at, channel);
            }
            case TGEVC -> {
                Arguments.parameters(at,
                        (l.leftEvect != Evect.NONE ? LEFT : 0) | (l.rightEvect != Evect.NONE ? RIGHT : 0), 0, 0);
                block(TGEVC[t], l.n, l, at, channel);
            }
            default -> {
                warps(NORM[t], l.n, l, at, channel);
                vectors(t, l, LEFT, l.leftEvect, at, channel);
                vectors(t, l, 0, l.rightEvect, at, channel);
            }
        }
    }

    /** A large matrix has all blocks, if there is room for windows; there is a launch a problem. */
    private boolean windows(Launch l) {
        return l.count < MANY && BulgeWindows.shifts(l.q - l.p) > 0
                && l.g.rows >= BulgeWindows.elements(l.n, l.type.isComplex());
    }

    /** Windows in the shared memory of one block; all blocks take what those are turned by to the rest. */
    private void share(int t, Launch l, long at, C channel) {
        KernelFunction f = WINDOWS[t];
        long blocks = Math.min(multiprocessors, up(l.n, STRIP) * (l.d.present() ? 2 : 1));
        for (int p = 0; p < l.count; p++) {
            Arguments.parameters(at, l.job == Schur.SCHUR ? 1 : 0, p, 0);
            launch(f, blocks, 1, 1, f.threads(), f.shared(), at, channel);
        }
    }

    /** A block a problem, with the matrix and its vectors in shared memory as far as there is room. */
    private void iterate(int t, Launch l, long at, C channel) {
        KernelFunction f = HSEQR[t];
        // No order whose square has too many bits is a candidate.
        long square = l.n > f.shared() ? Long.MAX_VALUE / 2 : (l.n | 1) * l.n * l.type.bytes();
        boolean matrix = square <= f.shared();
        boolean both = l.d.present() && 2 * square <= f.shared();
        Arguments.parameters(at, l.job == Schur.SCHUR ? 1 : 0, matrix ? 1 : 0, both ? 1 : 0);
        int threads = Math.max(WARP, powerOfTwo(l.n, f.threads()));
        launch(f, 1, 1, l.count, threads, matrix ? (int) (both ? 2 * square : square) : 0, at, channel);
    }

    /** Left or right vectors by groups, of which each leaves the Schur vectors that the next one reads. A pair makes a group larger by one. */
    private void vectors(int t, Launch l, int side, Evect kind, long at, C channel) {
        if (kind == Evect.NONE) {
            return;
        }
        boolean times = kind == Evect.ORIGINAL;
        long each = l.k >= l.n ? l.n : Math.max(1, l.k - 1);
        long groups = up(l.n, each);
        int threads = Math.max(WARP, powerOfTwo(l.n / 4, SOLVE[t].threads()));
        long tiles = up(l.n, TILE) * up(Math.min(l.n, each + 1), TILE);
        for (long i = 0; i < groups; i++) {
            long group = side == LEFT ? i : groups - 1 - i;
            Arguments.parameters(at, (int) group, side | (times ? TIMES : 0), (int) Math.min(each, Integer.MAX_VALUE));
            launch(SOLVE[t], Math.min(l.n, each + 1), 1, l.count, threads, 0, at, channel);
            if (times) {
                launch(PRODUCT[t], tiles, 1, l.count, at, channel);
                warps(STORE[t], Math.min(l.n, each + 1), l, at, channel);
            }
        }
    }

    private static long tile(long order) {
        return Math.min(order, TILE);
    }

    /** One block a problem, a thread an element as far as that goes. */
    private void block(KernelFunction f, long elements, Launch l, long at, C channel) {
        launch(f, 1, 1, l.count, Math.max(WARP, powerOfTwo(elements, f.threads())), 0, at, channel);
    }

    /** A warp a column, as far as blocks fit. */
    private void warps(KernelFunction f, long columns, Launch l, long at, C channel) {
        if (columns > 0) {
            launch(f, Math.min(up(WARP * columns, f.threads()), 4L * multiprocessors), 1, l.count, at, channel);
        }
    }
}
