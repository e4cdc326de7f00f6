package dev.basalt.host;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.matvec.FewLines;
import dev.basalt.host.assembled.matvec.Matvec;
import dev.basalt.host.assembled.mixed.MixedKernels;
import dev.basalt.host.engine.Engine;
import dev.basalt.portable.Mixed;
import dev.basalt.portable.Reductions;
import dev.basalt.spi.Axis;
import dev.basalt.spi.Bound;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Part;
import dev.basalt.spi.RankUpdates;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * How one launch is cut into parts that run at the same time: by problems, or within every problem by ranges of the result.
 * No element of a result is ever computed by two parts, nor any sum split otherwise than without threads, so the bits are
 * those of one thread. Reused from launch to launch by whoever holds the workers.
 */
final class Cut {
    /** What the parts are ranges of. */
    private enum Along {
        PROBLEMS,
        ELEMENTS,
        ROWS,
        COLUMNS,
        /** Columns of a triangle, in ranges of about equal area. */
        TRIANGLE,
        /** The same, of operands that stay whole. */
        SPAN,
        BLOCKS
    }

    /** Elements of a vector or rows of a matrix: a multiple of all vector widths times the unrolling of kernels. */
    private static final long ROW_GRANULE = 128;
    /** Columns that kernels for matrix-vector products and triangular blocks take together, or a multiple. */
    private static final long COLUMN_GRANULE = 16;
    /** Columns of a triangle: whole micro-tiles of all types. */
    private static final long TRIANGLE_GRANULE = 16;
    /** The same of small triangles that take a path with other bits: parts are larger than {@link AssembledKernels#BOTH}. */
    private static final long BOTH_GRANULE = AssembledKernels.BOTH + 1;
    /** Problems that kernels for batches take together at most. */
    private static final long GROUP = 16;
    /** With so many problems a part, cutting between them is even enough. */
    private static final long EVEN = 4;

    private final Engine engine;
    private final Reductions reductions;
    private Launch launch;
    private Along along;
    private long extent;
    private long granule;
    private long most;
    private int parts;
    private long area;

    /**
     * A cut for the launches of an engine.
     *
     * @param engine who runs the parts
     * @param reductions reductions over the engine's kernels
     */
    Cut(Engine engine, Reductions reductions) {
        this.engine = engine;
        this.reductions = reductions;
    }

    /**
     * Cuts a launch.
     *
     * @param l the launch
     * @param wanted parts that would be good
     * @return parts there are, 1 if it cannot be cut
     */
    int plan(Launch l, int wanted) {
        launch = l;
        area = 0;
        boolean mixed = l.mixed();
        MixedKernels kernels = mixed ? engine.mixed() : null;
        boolean assembled = kernels != null && kernels.takes(l);
        // What an extent on the device leaves of a part, nobody here knows; and blocks that portable kernels convert
        // begin where they begin.
        boolean cuttable = (!mixed || assembled) && !together(l);
        boolean within = l.extent == 0 && cuttable && axisWithin(l, wanted);
        boolean between = l.count > 1 && independent(l);
        if (between && (!within || l.count >= EVEN * wanted || most < wanted)) {
            cut(Along.PROBLEMS, l.count, 1);
        } else if (!within) {
            return 1;
        }
        parts = (int) Math.min(wanted, most);
        if (assembled) {
            area = l.workBytes / parts & -64;
        } else if (mixed) {
            scratch(l);
        } else if (l.kernel.axis() == Axis.PRODUCT) {
            packing(l);
        } else if (l.kernel.takesWork() && (l.kernel.bound() == Bound.SPECIAL || l.kernel.bound() == Bound.BLOCK)) {
            // Each part has as much as a problem wants where the whole has as much for every thread.
            area = l.workBytes / parts & -64;
        }
        return parts;
    }

    /**
     * Cuts a batch between problems, at whole groups of those that vectors take together.
     *
     * @param l a launch that needs no workspace
     * @param wanted parts that would be good
     * @return parts there are, 1 if it cannot be cut
     */
    int problems(Launch l, int wanted) {
        launch = l;
        area = 0;
        cut(Along.PROBLEMS, l.count, GROUP);
        parts = (int) Math.min(wanted, most);
        return parts;
    }

    /** Whether each part is a range of problems of the launch. */
    boolean betweenProblems() {
        return along == Along.PROBLEMS;
    }

    /** Whether each part is a range of blocks of a reduction. */
    boolean betweenBlocks() {
        return along == Along.BLOCKS;
    }

    /** Where a part begins. The caller's, which is the first to start, is the longest. */
    long from(int part) {
        if (along == Along.TRIANGLE || along == Along.SPAN) {
            return triangle(part);
        }
        return Math.min(extent, (units() * part + parts - 1) / parts * granule);
    }

    /** Reflectors whose lines kernels take several at a time, and few products that are updates by rank in the leaf: where a part begins would show in the bits. */
    private static boolean together(Launch l) {
        if (l.kernel == Kernel.SYRK) {
            return l.k <= AssembledKernels.SINGLE_RANKS;
        }
        if (l.kernel == Kernel.SYR2K) {
            return l.hermitian && l.type.isComplex() && l.opA != Op.NONE && l.k <= RankUpdates.most(true, true, l.n);
        }
        return l.kernel == Kernel.ORM2R && (l.side != Side.LEFT || l.opB != Op.NONE || l.backward);
    }

    /** Equal areas: of an upper triangle the first columns have the square of their share. */
    private long triangle(int part) {
        double share = (double) part / parts;
        double columns = launch.uplo == Uplo.UPPER ? Math.sqrt(share) : 1 - Math.sqrt(1 - share);
        long at = Math.min(extent, Math.round(columns * extent / granule) * granule);
        // A triangle of one number takes a path with other bits, and so does what lies beside one of a few lines.
        long few = granule == BOTH_GRANULE ? AssembledKernels.BOTH : FewLines.MOST;
        return part == parts || at >= extent - few ? extent : at;
    }

    /** Workspace of a part. */
    long work(int part) {
        return area == 0 ? 0 : launch.work + part * area;
    }

    /** Bytes of workspace of each part. */
    long workBytes() {
        return area;
    }

    private boolean cut(Along what, long size, long step) {
        along = what;
        extent = size;
        granule = step;
        most = units();
        return true;
    }

    private long units() {
        return (extent + granule - 1) / granule;
    }

    private boolean axisWithin(Launch l, int wanted) {
        return switch (l.kernel.axis()) {
            case NONE -> false;
            case ELEMENTS -> !meets(l) && cut(Along.ELEMENTS, l.n, ROW_GRANULE);
            case BLOCKS ->
                l.workBytes >= l.count * reductions.bytes(l) && cut(Along.BLOCKS, l.count * reductions.blocks(l.n), 1);
            case RESULT -> results(l);
            case MATRIX -> l.n >= wanted * COLUMN_GRANULE ? columns(l) : rows(l);
            case COLUMNS -> columns(l);
            case ROWS -> rows(l);
            case SIDE -> (l.side == Side.LEFT ? columns(l) : rows(l)) && severalLines();
            case PRODUCT -> product(l);
            case TRIANGLE -> triangle(l);
            case SPAN -> cut(Along.SPAN, l.n, TRIANGLE_GRANULE);
        };
    }

    /** Few columns or rows beside a triangle or a symmetric matrix take a path with other bits, so that no part may have as few: two steps a part then, of which the last may be cut short. */
    private boolean severalLines() {
        long rest = extent % granule;
        if (rest > 0 && rest <= AssembledKernels.FEW_LINES) {
            most = units() / 2;
        }
        return most > 1;
    }

    /** So do few results of a matrix with a vector: few rows, or few columns of few rows. */
    private boolean results(Launch l) {
        boolean plain = l.opA == Op.NONE;
        if (!plain && l.m > Matvec.FEW_ROWS) {
            return columns(l);
        }
        cut(plain ? Along.ROWS : Along.COLUMNS, plain ? l.m : l.n, ROW_GRANULE);
        long rest = extent % granule;
        if (rest > 0 && rest <= Matvec.FEW_ROWS) {
            most = units() / 2;
        }
        return most > 1;
    }

    /** Whether elements that are written are one and the same, so that the order counts. */
    private static boolean meets(Launch l) {
        return l.c.ld == 0 || (l.kernel.writes(0) && l.a.ld == 0);
    }

    private boolean rows(Launch l) {
        return cut(Along.ROWS, l.m, ROW_GRANULE);
    }

    private boolean columns(Launch l) {
        return cut(Along.COLUMNS, l.n, COLUMN_GRANULE);
    }

    /** A triangle times a complex beta is scaled before the update, a rectangle within it: the bits would differ. */
    private boolean triangle(Launch l) {
        boolean realBeta = l.hermitian || !l.type.isComplex() || l.beta.im() == 0;
        boolean both = l.kernel == Kernel.SYR2K && l.type.isComplex();
        boolean turned = l.hermitian && l.type.isComplex() && l.opA != Op.NONE;
        // Both factors beside each other are one product, so the leaf has to know all of it.
        boolean whole = l.kernel == Kernel.SYR2K && RankUpdates.beside(l.type.isComplex(), turned, l.n, l.k);
        return engine.triangle() > 0 && realBeta
                && cut(whole ? Along.SPAN : Along.TRIANGLE, l.n, both ? BOTH_GRANULE : TRIANGLE_GRANULE);
    }

    /** The longer side of C is cut, at whole micro-tiles, and never into products so small that they take a path with other bits. */
    private boolean product(Launch l) {
        GemmBlocking blocking = l.mixed() ? engine.mixedBlocking() : engine.gemm(l.type);
        boolean wide = l.n >= l.m;
        long tile = wide ? blocking.nr() : blocking.mr();
        long step = (COLUMN_GRANULE + tile - 1) / tile * tile;
        long across = wide ? l.m : l.n;
        boolean small = across <= blocking.small() && l.k <= blocking.small();
        if (small && !engine.sameBitsUnpacked() && Math.max(l.m, l.n) > blocking.small()) {
            // Two steps a part, since the last step may be cut short.
            step = Math.max(step, (blocking.small() + tile) / tile * tile);
            cut(wide ? Along.COLUMNS : Along.ROWS, wide ? l.n : l.m, step);
            most = units() / 2;
            return most > 1;
        }
        cut(wide ? Along.COLUMNS : Along.ROWS, wide ? l.n : l.m, step);
        long rest = extent % granule;
        boolean few = rest > 0 && FewLines.few(rest, l.k) && !l.type.isComplex();
        if (few || rest == 1 && l.k >= FewLines.LINE) {
            // Few lines take a path with other bits.
            most = units() / 2;
        }
        return most > 1;
    }

    /**
     * Packing memory of each part. Whether a product packs must not depend on the number of threads, or its bits would: it packs
     * if one thread could, with as many parts as there is room for, and no part packs if one thread could not.
     */
    private void packing(Launch l) {
        GemmBlocking blocking = engine.gemm(l.type);
        int bytes = l.type.bytes();
        if (blocking.tier(l.m, l.n, l.k, bytes, 1, l.workBytes) == GemmBlocking.PACKED_TIERS) {
            return;
        }
        int tier = blocking.tier(l.m, l.n, l.k, bytes, parts, l.workBytes);
        while (tier == GemmBlocking.PACKED_TIERS) {
            parts--;
            tier = blocking.tier(l.m, l.n, l.k, bytes, parts, l.workBytes);
        }
        area = blocking.bytes(tier, l.m, l.n, l.k, bytes, 1);
    }

    /** Each part needs scratch of its own to convert in; integers need none. */
    private void scratch(Launch l) {
        if (l.type != ElementType.I32) {
            parts = (int) Math.max(1, Math.min(parts, l.workBytes / Mixed.WORK));
            area = l.workBytes / parts & -64;
        }
    }

    /** Whether every problem has a result of its own. */
    private static boolean independent(Launch l) {
        for (int i = 0; i < Launch.OPERANDS; i++) {
            Operand x = l.operand(i);
            if (l.kernel.writes(i) && x.present() && !x.pointers && x.stride == 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Makes a launch of one part.
     *
     * @param part the part
     * @param piece becomes the launch
     * @return whether there is anything in it
     */
    boolean piece(int part, Launch piece) {
        Launch l = launch;
        long from = from(part);
        long size = from(part + 1) - from;
        piece.set(l);
        piece.work = work(part);
        piece.workBytes = area;
        switch (along) {
            case ROWS -> {
                piece.m = size;
                share(l, piece, true, from, size);
            }
            case SPAN -> {
                piece.p = from;
                piece.q = from + size;
            }
            case TRIANGLE -> {
                piece.n = size;
                share(l, 0, piece.a, true, from, size);
                share(l, 1, piece.b, !ownFactor(l), from, size);
                piece.c.block(l.c, from, from, size, size);
            }
            default -> {
                piece.n = size;
                share(l, piece, false, from, size);
            }
        }
        return size > 0;
    }

    private static boolean plain(Launch l) {
        return l.opA == Op.NONE;
    }

    /** Whether the second factor of a triangle is an operand under an op of its own. */
    private static boolean ownFactor(Launch l) {
        return l.kernel.part(1) == Part.OP_COLUMNS;
    }

    /**
     * How many products a part of a triangle has beside its own triangle on the diagonal: one for each that the kernel adds up.
     *
     * @return 0 if parts are no parts of a triangle
     */
    int products() {
        return along != Along.TRIANGLE ? 0 : launch.kernel.part(1) == Part.OP_ROWS ? 2 : 1;
    }

    /**
     * Makes a launch of what a part of a triangle has beside its own triangle on the diagonal: a product.
     *
     * @param part the part
     * @param turn which of {@link #products}
     * @param piece becomes the launch
     * @return whether there is such a rectangle
     */
    boolean rectangle(int part, int turn, Launch piece) {
        Launch l = launch;
        long from = from(part);
        long size = from(part + 1) - from;
        long first = l.uplo == Uplo.LOWER ? from + size : 0;
        long rows = l.uplo == Uplo.LOWER ? l.n - first : from;
        piece.set(l);
        piece.kernel = Kernel.GEMM;
        piece.work = work(part);
        piece.workBytes = area;
        piece.m = rows;
        piece.n = size;
        block(piece.a, turn == 0 ? l.a : l.b, plain(l), first, rows);
        if (ownFactor(l)) {
            block(piece.b, l.b, l.opB != Op.NONE, from, size);
        } else {
            Op mirror = l.hermitian && l.type.isComplex() ? Op.CONJ_TRANS : Op.TRANS;
            piece.opB = plain(l) ? mirror : Op.NONE;
            block(piece.b, turn == 0 && products() == 2 ? l.b : l.a, plain(l), from, size);
        }
        if (turn > 0) {
            piece.alpha.set(l.alpha.re(), l.hermitian ? -l.alpha.im() : l.alpha.im());
            piece.beta.set(1, 0);
        }
        piece.c.block(l.c, first, from, rows, size);
        return rows > 0 && size > 0;
    }

    /** Leaves each operand what belongs to a range of rows, or of columns, of the result. */
    private static void share(Launch l, Launch piece, boolean rows, long from, long size) {
        for (int i = 0; i < Launch.OPERANDS; i++) {
            if (l.operand(i).present()) {
                share(l, i, piece.operand(i), rows, from, size);
            }
        }
    }

    private static void share(Launch l, int i, Operand piece, boolean rows, long from, long size) {
        Operand whole = l.operand(i);
        boolean second = i == 1 && l.kernel.part(i) != Part.OP_ROWS;
        boolean plain = i > 1 || (second ? l.opB : l.opA) == Op.NONE;
        switch (l.kernel.part(i)) {
            case WHOLE -> {}
            case ELEMENTS -> piece.slice(whole, from, size);
            case ROWS -> part(piece, whole, rows, from, size);
            case COLUMNS -> part(piece, whole, !rows, from, size);
            case DIAGONAL -> part(piece, whole, rows == (l.side == Side.LEFT), from, size);
            case MATRIX -> block(piece, whole, rows, from, size);
            case OP_MATRIX -> block(piece, whole, rows == plain, from, size);
            case OP_ROWS -> {
                if (rows) {
                    block(piece, whole, plain, from, size);
                }
            }
            case OP_COLUMNS -> {
                if (!rows) {
                    block(piece, whole, !plain, from, size);
                }
            }
        }
    }

    private static void part(Operand piece, Operand whole, boolean cut, long from, long size) {
        if (cut) {
            piece.slice(whole, from, size);
        }
    }

    private static void block(Operand piece, Operand whole, boolean rows, long from, long size) {
        if (rows) {
            piece.block(whole, from, 0, size, whole.cols);
        } else {
            piece.block(whole, 0, from, whole.rows, size);
        }
    }
}
