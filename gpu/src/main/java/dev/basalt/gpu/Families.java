package dev.basalt.gpu;

import dev.basalt.spi.DriverException;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Storage;

/** The rules of all families, and which kernel belongs to which. */
final class Families<C> {
    private final VectorRules<C> vectors;
    private final MatrixRules<C> matrices;
    private final ReductionRules<C> reductions;
    private final MatvecRules<C> matvecs;
    private final BandRules<C> bands;
    private final BandedRules<C> banded;
    private final RankRules<C> ranks;
    private final TriangularVectorRules<C> triangularVectors;
    private final ProductRules<C> products;
    private final TriangleRules<C> triangles;
    private final SolveRules<C> solves;
    private final LuRules<C> lu;
    private final InverseRules<C> inverses;
    private final CholeskyRules<C> cholesky;
    private final StoredCholeskyRules<C> storedCholesky;
    private final ReflectorRules<C> reflectors;
    private final RefinementRules<C> conversions;
    private final PivotingRules<C> pivotings;
    private final IndefiniteRules<C> indefinite;
    private final NormRules<C> norms;
    private final RefineRules<C> refinements;
    private final GeamRules<C> sums;
    private final RotgRules<C> rotations;
    private final PartRules<C> parts;
    private final MixedRules<C> mixed;

    Families(Functions<C> functions, Chip chip) {
        vectors = new VectorRules<>(functions, chip);
        matrices = new MatrixRules<>(functions, chip);
        reductions = new ReductionRules<>(functions, chip);
        matvecs = new MatvecRules<>(functions, chip);
        bands = new BandRules<>(functions, chip);
        banded = new BandedRules<>(functions, chip);
        ranks = new RankRules<>(functions, chip);
        triangularVectors = new TriangularVectorRules<>(functions, chip, vectors, bands);
        products = new ProductRules<>(functions, chip);
        triangles = new TriangleRules<>(functions, chip);
        solves = new SolveRules<>(functions, chip);
        lu = new LuRules<>(functions, chip);
        inverses = new InverseRules<>(functions, chip);
        cholesky = new CholeskyRules<>(functions, chip);
        storedCholesky = new StoredCholeskyRules<>(functions, chip);
        reflectors = new ReflectorRules<>(functions, chip);
        conversions = new RefinementRules<>(functions, chip);
        pivotings = new PivotingRules<>(functions, chip);
        indefinite = new IndefiniteRules<>(functions, chip);
        norms = new NormRules<>(functions, chip);
        refinements = new RefineRules<>(functions, chip);
        sums = new GeamRules<>(functions, chip);
        rotations = new RotgRules<>(functions, chip);
        parts = new PartRules<>(functions, chip);
        mixed = new MixedRules<>(functions, chip);
    }

    /** Runs a launch whose arguments are written. */
    void run(Launch l, long arguments, C channel) {
        if (l.mixed()) {
            if (!mixed.run(l, arguments, channel)) {
                throw refusal(l);
            }
            return;
        }
        if (StoredCholeskyRules.has(l.kernel)) {
            storedCholesky.run(Arguments.letter(l.type), l, arguments, channel);
            return;
        }
        if (BandedRules.KERNELS.contains(l.kernel)) {
            banded.run(Arguments.letter(l.type), l, arguments, channel);
            return;
        }
        if (l.a.storage != Storage.DENSE || l.c.storage != Storage.DENSE) {
            stored(l, arguments, channel);
            return;
        }
        if (!l.type.isFloating()) {
            integers(l, arguments, channel);
            return;
        }
        if (l.kernel == Kernel.ROTM && l.type.isComplex()) {
            throw refusal(l);
        }
        int t = Arguments.letter(l.type);
        switch (l.kernel) {
            case COPY, SWAP, ROT, AXPY, SCAL, FILL, ROTM -> vectors.run(t, l, arguments, channel);
            case DOT, ASUM, NRM2, IAMAX, IAMIN -> reductions.run(t, l, arguments, channel);
            case COPY_MATRIX, SCAL_MATRIX, SCAL_TRIANGLE, EXPAND, ADD_TRIANGLE, COPY_TRIANGLE, GER ->
                matrices.run(t, l, arguments, channel);
            case GEMV, SYMV -> matvecs.run(t, l, arguments, channel);
            case TRMV, TRSV -> triangularVectors.run(t, l, arguments, channel);
            case SYR, SYR2 -> ranks.run(t, l, arguments, channel);
            case GEMM, SYMM, SYRK -> products.run(t, l, arguments, channel);
            case TRMM, TRMM_APART, TRTRI -> triangles.run(t, l, arguments, channel);
            case TRSM -> solves.run(t, l, arguments, channel);
            case GETF2, LASWP -> lu.run(t, l, arguments, channel);
            case GETF2_NPVT, GETRI, SWAP_COLUMNS -> inverses.run(t, l, arguments, channel);
            case POTF2 -> cholesky.run(t, l, arguments, channel);
            case DGMM, GEAM -> sums.run(t, l, arguments, channel);
            case GEQR2, ORM2R, ORG2R, LARFT, ZERO_DIAGONAL -> reflectors.run(t, l, arguments, channel);
            case CONVERT, CONVERT_TRIANGLE, ROW_SUMS, SYMMETRIC_SUMS, CONVERGED, FALL_BACK ->
                conversions.run(t, l, arguments, channel);
            case CONJUGATE, LARFG, TPQRT2, TPMQR2, GEQP3_START, LAQPS_COLUMN, LAQPS_ROW, RANK, PERMUTE_ROWS ->
                pivotings.run(t, l, arguments, channel);
            case SYTF2, LASYF, AASEN, SYTRS, D22SOLVE, SYCONV, SYTRI -> indefinite.run(t, l, arguments, channel);
            case NORM_LINES, NORM, NORM_TRIDIAGONAL, LASET, LASCL, RESCALE, SHIFT, LACN2, RCOND ->
                norms.run(t, l, arguments, channel);
            case GEEQU, POEQU, LAQGE, GEMV_ABS, GERFS, SCALE_ROWS, GESVX -> refinements.run(t, l, arguments, channel);
            case ROTG -> rotations.run(t, l, arguments, channel);
            case SYR2K, GEMMT -> parts.run(t, l, arguments, channel);
            case GEAM_EX, ROTMG -> realOnly(t, l, arguments, channel);
            default -> throw refusal(l);
        }
    }

    private void realOnly(int t, Launch l, long arguments, C channel) {
        if (l.type.isComplex()) {
            throw refusal(l);
        }
        if (l.kernel == Kernel.GEAM_EX) {
            sums.run(t, l, arguments, channel);
        } else {
            rotations.run(t, l, arguments, channel);
        }
    }

    private void integers(Launch l, long arguments, C channel) {
        switch (l.kernel) {
            case COPY, FILL -> vectors.integers(l, arguments, channel);
            case COPY_MATRIX -> matrices.integers(l, arguments, channel);
            default -> throw refusal(l);
        }
    }

    /** Bands and packed triangles. */
    private void stored(Launch l, long arguments, C channel) {
        int t = Arguments.letter(l.type);
        boolean band = l.a.storage == Storage.BAND;
        if (l.c.storage == Storage.BAND || l.kernel == Kernel.GEMV && !band) {
            throw refusal(l);
        }
        switch (l.kernel) {
            case GEMV -> bands.run(t, l, arguments, channel);
            case SYMV -> {
                if (band) {
                    bands.run(t, l, arguments, channel);
                } else {
                    matvecs.run(t, l, arguments, channel);
                }
            }
            case TRMV, TRSV -> triangularVectors.run(t, l, arguments, channel);
            case SYR, SYR2 -> ranks.run(t, l, arguments, channel);
            case SYTF2, SYTRS, SYTRI -> indefinite.run(t, l, arguments, channel);
            default -> throw refusal(l);
        }
    }

    static DriverException refusal(Launch l) {
        String form = " of " + l.type + ", a " + l.a.storage + ", c " + l.c.storage
                + (l.extent == 0 ? "" : ", " + l.extentOf + " known to the device alone");
        return new DriverException(DriverException.Code.NOT_IMPLEMENTED, "GPUs have no kernel for " + l.kernel + form);
    }
}
