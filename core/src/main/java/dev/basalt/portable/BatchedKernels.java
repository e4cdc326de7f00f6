package dev.basalt.portable;

import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Conversion;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Storage;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;

/**
 * Runs a {@link Launch} now, on the calling thread: one call of a {@link Leaf} a problem. Nothing here allocates. The
 * operands and parameters of each kernel are those that {@link dev.basalt.spi.Kernel} documents.
 */
public class BatchedKernels {
    private final Leaf s;
    private final Leaf d;
    private final Leaf c;
    private final Leaf z;
    private final Reductions reductions;
    private final ReflectorKernels further;
    private final Mixed mixed;
    private final CholeskyKernels cholesky;
    private final NormKernels norms;
    private final ConditionKernels conditions;
    private final ScaleKernels scales;
    private final RefineKernels refinements;
    private final ExpertKernels experts;
    private final BandKernels bands;

    // Made when they are first asked for: their classes are a fifth of what the start of a JVM loads. All their fields are final, so a race makes one too many and does no harm.
    private IndefiniteKernels indefinite;
    private SingularKernels singular;
    private SymmetricKernels symmetric;
    private NonsymmetricKernels nonsymmetric;

    /**
     * Batches over the given kernels.
     *
     * @param s float
     * @param d double
     * @param c complex float
     * @param z complex double
     * @param reductionBlock elements of one partial result of a reduction
     */
    public BatchedKernels(Leaf s, Leaf d, Leaf c, Leaf z, int reductionBlock) {
        this.s = s;
        this.d = d;
        this.c = c;
        this.z = z;
        s.over(s, ElementType.F32);
        d.over(d, ElementType.F64);
        c.over(s, ElementType.C32);
        z.over(d, ElementType.C64);
        this.mixed = new Mixed(s, d);
        this.further = new ReflectorKernels(s, d, c, z);
        this.cholesky = new CholeskyKernels(s, d, c, z);
        this.norms = new NormKernels(s, d, c, z);
        this.conditions = new ConditionKernels(norms);
        this.scales = new ScaleKernels(s, d, c, z);
        this.refinements = new RefineKernels(scales);
        this.experts = new ExpertKernels(scales);
        this.bands = new BandKernels(s, d, c, z);
        this.reductions = new Reductions(s, d, c, z, reductionBlock);
    }

    private IndefiniteKernels indefinite() {
        IndefiniteKernels kernels = indefinite;
        if (kernels == null) {
            kernels = new IndefiniteKernels(s, d, c, z);
            indefinite = kernels;
        }
        return kernels;
    }

    private SingularKernels singular() {
        SingularKernels kernels = singular;
        if (kernels == null) {
            kernels = new SingularKernels(s, d, c, z);
            singular = kernels;
        }
        return kernels;
    }

    private SymmetricKernels symmetric() {
        SymmetricKernels kernels = symmetric;
        if (kernels == null) {
            kernels = new SymmetricKernels(s, d, c, z);
            symmetric = kernels;
        }
        return kernels;
    }

    private NonsymmetricKernels nonsymmetric() {
        NonsymmetricKernels kernels = nonsymmetric;
        if (kernels == null) {
            kernels = new NonsymmetricKernels(s, d, c, z);
            nonsymmetric = kernels;
        }
        return kernels;
    }

    /**
     * The kernels of a type.
     *
     * @param type a floating type
     * @return its kernels
     */
    public final Leaf leaf(ElementType type) {
        return switch (type) {
            case F32 -> s;
            case F64 -> d;
            case C32 -> c;
            case C64 -> z;
            default -> throw new IllegalArgumentException("no arithmetic on " + type);
        };
    }

    /**
     * The reductions, for a device that shares out their blocks.
     *
     * @return reductions over the same kernels
     */
    public final Reductions reductions() {
        return reductions;
    }

    /**
     * Runs all problems.
     *
     * @param l what to run
     */
    public void run(Launch l) {
        run(l, 0, l.count, l.work, l.workBytes);
    }

    /**
     * Runs some problems on the calling thread.
     *
     * @param l what to run
     * @param from first problem
     * @param to problem after the last
     * @param work scratch for this thread alone, 0 if none
     * @param workBytes its size
     */
    public void run(Launch l, long from, long to, long work, long workBytes) {
        if (l.mixed()) {
            mixed(l, from, to, work, workBytes);
            return;
        }
        switch (l.kernel) {
            case COPY, SWAP, ROT, AXPY, SCAL, FILL -> vectors(l, from, to);
            case ROTG, ROTM, ROTMG -> rotations(l, from, to);
            case DOT, ASUM, NRM2, IAMAX, IAMIN -> reductions(l, from, to);
            case COPY_MATRIX, SCAL_MATRIX, SCAL_TRIANGLE, EXPAND, ADD_TRIANGLE, COPY_TRIANGLE, DGMM, GEAM ->
                maps(l, from, to);
            case GEMV, GER, SYMV, TRMV, TRSV, SYR, SYR2 -> matrixVector(l, from, to);
            case GEMM, GEMMT, SYMM, SYRK, SYR2K, TRMM, TRMM_APART, TRSM, GEAM_EX ->
                products(l, from, to, work, workBytes);
            case TRTRI, GETF2, LASWP, POTF2, ZERO_DIAGONAL -> factorisations(l, from, to);
            case GEQR2, ORM2R, ORG2R, ORGTR, SYGST, LARFT -> reflectors(l, from, to);
            case CONVERT, CONVERT_TRIANGLE, ROW_SUMS, SYMMETRIC_SUMS, CONVERGED, FALL_BACK ->
                RefinementKernels.run(l, from, to);
            case TO_REAL, FROM_REAL -> RealFormKernels.run(l, from, to);
            case FGMRES -> GmresKernels.run(l, from, to);
            case CONJUGATE, LARFG, TPQRT2, TPMQR2, GEQP3_START, LAQPS_COLUMN, LAQPS_ROW, GEQP3, RANK, PERMUTE_ROWS ->
                further.run(l, from, to);
            case GAUSSIAN, CHOOSE_COLUMNS -> SketchKernels.run(leaf(l.type), l, from, to);
            case EXPONENTS, RESIDUES, MODULO, FAINT, RECONSTRUCT -> EmulationKernels.run(l, from, to);
            case GETF2_NPVT, GETRI, SWAP_COLUMNS -> LuKernels.run(leaf(l.type), l, from, to);
            case LAUUM, COPY_STORED, POTF2_STORED, POSV_STORED, POTRI_STORED, PTTRF, PTTRS ->
                cholesky.run(l, from, to, work, workBytes);
            case SYTF2, LASYF, AASEN, SYTRS, SYCONV, D22SOLVE, SYTRI -> indefinite().run(l, from, to);
            case NORM_LINES, NORM, NORM_TRIDIAGONAL, LASET, LASCL, RESCALE, SHIFT, GELS -> norms.run(l, from, to);
            case LACN2, RCOND -> conditions.run(l, from, to);
            case GEEQU, POEQU, LAQGE -> scales.run(l, from, to);
            case GEMV_ABS, GERFS -> refinements.run(l, from, to);
            case SCALE_ROWS, GESVX -> experts.run(l, from, to);
            case GEBD2, LABRD, LABRD_PANEL, BDSQR, BDSDC, GESVJ, PSEUDO -> singular().run(l, from, to);
            case SYTD2, LATRD_COLUMN, LATRD_ROW, LATRD, LATRD_DIAGONALS, SB2ST, CHASED, STEQR, STEDC, SYEVJ, STEBZ,
                    STEIN, EIGEN_RANGE ->
                symmetric().run(l, from, to);
            case GEBAL, GEBAK, GGBAL, GEHD2, LAHR2_COLUMN, LAHR2_ROW, HSEQR, TREVC, TREXC, TRSEN, TRSYL, TRSNA,
                    TRSEN_SENSE, QZ, TGEVC, TGSEN, PAIR_VALUES, UNIT_COLUMNS ->
                nonsymmetric().run(l, from, to, work, workBytes);
            case GBTF2, COPY_BAND, UNPIVOT_BAND, GBTRS, GTTRF, GTTRS, GTSV -> bands(l, from, to);
        }
    }

    private void mixed(Launch l, long from, long to, long work, long workBytes) {
        for (long i = from; i < to; i++) {
            if (!skips(l, i) && !mixed(l, i, work, workBytes)) {
                mixed.run(l, i, work, workBytes);
            }
        }
    }

    /**
     * Runs one problem of mixed types, for a device with kernels of its own for some of them.
     *
     * @param l what to run
     * @param problem index in the batch
     * @param work scratch for this thread alone, 0 if none
     * @param workBytes its size
     * @return false, with nothing done, if it is for the portable kernels
     */
    protected boolean mixed(Launch l, long problem, long work, long workBytes) {
        return false;
    }

    /**
     * Runs some problems of bands and tridiagonal systems, for a device with kernels of its own for some of them.
     *
     * @param l what to run
     * @param from first problem
     * @param to problem after the last
     */
    protected void bands(Launch l, long from, long to) {
        bands.run(l, from, to);
    }

    /**
     * Whether a launch leaves a problem alone, since an earlier one failed.
     *
     * @param l the launch
     * @param i the problem
     * @return true if nothing is to be done
     */
    public static boolean skips(Launch l, long i) {
        return l.guarded && i32(l.e.at(i)) != 0;
    }

    private void vectors(Launch l, long from, long to) {
        if (!l.type.isFloating()) {
            integers(l, from, to);
            return;
        }
        Leaf leaf = leaf(l.type);
        double re = l.alpha.re();
        double im = l.alpha.im();
        for (long i = from; i < to; i++) {
            if (skips(l, i)) {
                continue;
            }
            long n = l.n(i);
            switch (l.kernel) {
                case COPY -> leaf.copy(n, l.a.first(i), l.a.ld, l.c.first(i), l.c.ld);
                case SWAP -> leaf.swap(n, l.a.first(i), l.a.ld, l.c.first(i), l.c.ld);
                case ROT ->
                    leaf.rot(n, re, l.beta.re(), l.beta.im(), l.real, l.a.first(i), l.a.ld, l.c.first(i), l.c.ld);
                case AXPY -> {
                    if (re != 0 || (im != 0 && l.type.isComplex())) {
                        leaf.axpy(n, re, im, l.a.first(i), l.a.ld, l.c.first(i), l.c.ld);
                    }
                }
                case SCAL -> leaf.scal(n, re, im, l.real, l.c.first(i), l.c.ld);
                default -> leaf.fill(n, re, im, l.c.first(i), l.c.ld);
            }
        }
    }

    private void rotations(Launch l, long from, long to) {
        Leaf leaf = leaf(l.type);
        for (long i = from; i < to; i++) {
            if (skips(l, i)) {
                continue;
            }
            switch (l.kernel) {
                case ROTG -> leaf.rotg(l.a.at(i), l.b.at(i), l.c.at(i), l.d.at(i));
                case ROTM -> leaf.rotm(l.n(i), l.a.first(i), l.a.ld, l.c.first(i), l.c.ld, l.d.at(i));
                default -> leaf.rotmg(l.a.at(i), l.b.at(i), l.c.at(i), l.d.at(i), l.f.at(i));
            }
        }
    }

    /** COPY and FILL of what is not computed on. */
    private static void integers(Launch l, long from, long to) {
        boolean copy = l.kernel == Kernel.COPY;
        long bytes = l.type.bytes();
        double value = copy ? 0 : l.alpha.re();
        for (long i = from; i < to; i++) {
            if (skips(l, i)) {
                continue;
            }
            long x = copy ? l.a.first(i) : 0;
            long y = l.c.first(i);
            for (long j = 0; j < l.n(i); j++, x += l.a.ld * bytes, y += l.c.ld * bytes) {
                if (copy) {
                    move(bytes, x, y);
                } else {
                    Conversion.store(l.type, y, value);
                }
            }
        }
    }

    private static void move(long bytes, long x, long y) {
        if (bytes == 8) {
            i64(y, i64(x));
        } else if (bytes == 4) {
            i32(y, i32(x));
        } else if (bytes == 2) {
            Memory.i16(y, Memory.i16(x));
        } else {
            Memory.i8(y, Memory.i8(x));
        }
    }

    private void reductions(Launch l, long from, long to) {
        if (reductions.dots(l, from, to)) {
            return;
        }
        Leaf leaf = leaf(l.type);
        for (long i = from; i < to; i++) {
            if (skips(l, i)) {
                continue;
            }
            switch (l.kernel) {
                case IAMAX -> i64(l.d.at(i), leaf.iamax(l.n(i), l.a.first(i), l.a.ld));
                case IAMIN -> i64(l.d.at(i), leaf.iamin(l.n(i), l.a.first(i), l.a.ld));
                default -> reductions.reduce(l, i);
            }
        }
    }

    private void maps(Launch l, long from, long to) {
        if (!l.type.isFloating()) {
            integerMatrix(l, from, to);
            return;
        }
        Leaf leaf = leaf(l.type);
        double re = l.beta.re();
        double im = l.beta.im();
        for (long i = from; i < to; i++) {
            if (skips(l, i)) {
                continue;
            }
            long m = l.m(i);
            long n = l.n(i);
            long ai = l.a.present() ? l.a.at(i) : 0;
            long lda = l.a.ld;
            long ci = l.c.at(i);
            long ldc = l.c.ld;
            switch (l.kernel) {
                case COPY_MATRIX -> leaf.copyMatrix(m, n, ai, lda, ci, ldc);
                case SCAL_MATRIX -> leaf.scalMatrix(m, n, re, im, ci, ldc);
                case SCAL_TRIANGLE -> leaf.scalTriangle(l.uplo, l.hermitian, n, re, im, ci, ldc);
                case EXPAND -> leaf.expand(l.uplo, l.diag, l.structure, n, ai, lda, ci, ldc);
                case COPY_TRIANGLE -> leaf.copyTriangle(l.uplo, l.diag, n, ai, lda, ci, ldc);
                case DGMM -> leaf.dgmm(l.side, m, n, ai, lda, l.b.first(i), l.b.ld, ci, ldc);
                case GEAM -> leaf.geam(l.opA, l.opB, m, n, l.alpha.re(), l.alpha.im(), ai, lda, re, im, l.b.at(i),
                        l.b.ld, ci, ldc);
                default -> leaf.addTriangle(l.uplo, l.hermitian, n, ai, lda, re, im, ci, ldc);
            }
        }
    }

    /** COPY_MATRIX of integers. */
    private static void integerMatrix(Launch l, long from, long to) {
        long bytes = l.type.bytes();
        for (long i = from; i < to; i++) {
            if (skips(l, i)) {
                continue;
            }
            for (long j = 0; j < l.n(i); j++) {
                Memory.copy(l.a.at(i) + j * l.a.ld * bytes, l.c.at(i) + j * l.c.ld * bytes, l.m(i) * bytes);
            }
        }
    }

    private void matrixVector(Launch l, long from, long to) {
        Leaf leaf = leaf(l.type);
        double alphaRe = l.alpha.re();
        double alphaIm = l.type.isComplex() ? l.alpha.im() : 0;
        double betaRe = l.beta.re();
        double betaIm = l.type.isComplex() ? l.beta.im() : 0;
        Operand a = l.a;
        Operand b = l.b;
        Operand c = l.c;
        boolean dense = a.storage == Storage.DENSE;
        long step = a.step(l.uplo);
        long growth = a.growth(l.uplo);
        for (long i = from; i < to; i++) {
            if (skips(l, i)) {
                continue;
            }
            long m = l.m(i);
            long n = l.n(i);
            long ai = a.vector ? a.first(i) : a.origin(i);
            long bi = b.present() ? b.first(i) : 0;
            long ci = c.vector ? c.first(i) : c.origin(i);
            switch (l.kernel) {
                case GEMV -> {
                    if (dense) {
                        leaf.gemv(l.opA, m, n, alphaRe, alphaIm, ai, a.ld, bi, b.ld, betaRe, betaIm, ci, c.ld);
                    } else {
                        long top = a.at(i);
                        leaf.gbmv(l.opA, m, n, a.kl, a.ku, alphaRe, alphaIm, top, a.ld, bi, b.ld, betaRe, betaIm, ci,
                                c.ld);
                    }
                }
                case GER -> leaf.ger(m, n, alphaRe, alphaIm, ai, a.ld, bi, b.ld, l.conjugated, ci, c.ld);
                case SYR -> leaf.syr(l.uplo, l.hermitian, n, l.p, l.q > 0 ? l.q : n, alphaRe, alphaIm, ai, a.ld, ci,
                        c.step(l.uplo), c.growth(l.uplo));
                case SYR2 -> leaf.syr2(l.uplo, l.hermitian, n, l.p, l.q > 0 ? l.q : n, alphaRe, alphaIm, ai, a.ld, bi,
                        b.ld, ci, c.step(l.uplo), c.growth(l.uplo));
                case SYMV -> {
                    if (dense) {
                        leaf.symv(l.uplo, l.hermitian, n, alphaRe, alphaIm, ai, a.ld, bi, b.ld, betaRe, betaIm, ci,
                                c.ld);
                    } else {
                        leaf.symvStored(l.uplo, l.hermitian, n, a.reach(l.uplo), alphaRe, alphaIm, ai, step, growth, bi,
                                b.ld, betaRe, betaIm, ci, c.ld);
                    }
                }
                case TRMV -> {
                    if (dense) {
                        leaf.trmv(l.uplo, l.opA, l.diag, n, ai, a.ld, ci, c.ld);
                    } else {
                        leaf.trmvStored(l.uplo, l.opA, l.diag, n, a.reach(l.uplo), ai, step, growth, ci, c.ld);
                    }
                }
                default -> {
                    if (dense) {
                        leaf.trsv(l.uplo, l.opA, l.diag, n, ai, a.ld, ci, c.ld);
                    } else {
                        leaf.trsvStored(l.uplo, l.opA, l.diag, n, a.reach(l.uplo), ai, step, growth, ci, c.ld);
                    }
                }
            }
        }
    }

    private void products(Launch l, long from, long to, long work, long workBytes) {
        Leaf leaf = leaf(l.type);
        double alphaRe = l.alpha.re();
        double alphaIm = l.type.isComplex() ? l.alpha.im() : 0;
        double betaRe = l.beta.re();
        double betaIm = l.type.isComplex() ? l.beta.im() : 0;
        for (long i = from; i < to; i++) {
            if (skips(l, i)) {
                continue;
            }
            long m = l.m(i);
            long n = l.n(i);
            long k = l.k(i);
            long a = l.a.at(i);
            long lda = l.a.ld;
            long c = l.c.at(i);
            long ldc = l.c.ld;
            switch (l.kernel) {
                case GEMM -> leaf.wholeGemm(l.opA, l.opB, m, n, k, alphaRe, alphaIm, a, lda, l.b.at(i), l.b.ld, betaRe,
                        betaIm, c, ldc, work, workBytes);
                case GEMMT -> leaf.wholeGemmt(l.uplo, l.opA, l.opB, l.hermitian, n, k, alphaRe, alphaIm, a, lda,
                        l.b.at(i), l.b.ld, betaRe, betaIm, c, ldc, work, workBytes);
                case SYR2K -> {
                    if (l.q > 0) {
                        leaf.syr2kColumns(l.uplo, l.opA, l.hermitian, n, l.p, l.q, k, alphaRe, alphaIm, a, lda,
                                l.b.at(i), l.b.ld, betaRe, betaIm, c, ldc, work, workBytes);
                    } else {
                        leaf.wholeSyr2k(l.uplo, l.opA, l.hermitian, n, k, alphaRe, alphaIm, a, lda, l.b.at(i), l.b.ld,
                                betaRe, betaIm, c, ldc, work, workBytes);
                    }
                }
                case GEAM_EX -> leaf.geamEx(l.semiring, l.opA, l.opB, m, n, k, alphaRe, a, lda, l.b.at(i), l.b.ld,
                        betaRe, c, ldc, l.d.at(i), l.d.ld);
                case SYMM -> leaf.symm(l.side, l.uplo, l.hermitian, m, n, alphaRe, alphaIm, a, lda, l.b.at(i), l.b.ld,
                        betaRe, betaIm, c, ldc, work, workBytes);
                case SYRK -> leaf.wholeSyrk(l.uplo, l.opA, l.hermitian, n, k, alphaRe, alphaIm, a, lda, betaRe, betaIm,
                        c, ldc, work, workBytes);
                case TRMM ->
                    leaf.trmm(l.side, l.uplo, l.opA, l.diag, m, n, alphaRe, alphaIm, a, lda, c, ldc, work, workBytes);
                case TRMM_APART -> {
                    if (!l.alpha.is(0)) {
                        leaf.copyMatrix(m, n, l.b.at(i), l.b.ld, c, ldc);
                    }
                    leaf.trmm(l.side, l.uplo, l.opA, l.diag, m, n, alphaRe, alphaIm, a, lda, c, ldc, work, workBytes);
                }
                default ->
                    leaf.trsm(l.side, l.uplo, l.opA, l.diag, m, n, alphaRe, alphaIm, a, lda, c, ldc, work, workBytes);
            }
        }
    }

    private void factorisations(Launch l, long from, long to) {
        Leaf leaf = leaf(l.type);
        for (long i = from; i < to; i++) {
            if (skips(l, i)) {
                continue;
            }
            long c = l.c.at(i);
            long ldc = l.c.ld;
            switch (l.kernel) {
                case TRTRI -> leaf.trtri(l.uplo, l.diag, l.n(i), c, ldc);
                case ZERO_DIAGONAL -> {
                    begin(l, i);
                    report(l, i, zero(l, leaf.zeroDiagonal(l.n(i), c, ldc)));
                }
                case LASWP -> exchange(leaf, l, i);
                case GETF2 -> {
                    begin(l, i);
                    report(l, i, leaf.getf2(l.m(i), l.n(i), c, ldc, l.d.at(i), l.p));
                }
                default -> {
                    begin(l, i);
                    if (i32(l.e.at(i)) == 0) {
                        report(l, i, leaf.potf2(l.uplo, l.n(i), c, ldc));
                    }
                }
            }
        }
    }

    private void reflectors(Launch l, long from, long to) {
        Leaf leaf = leaf(l.type);
        boolean rows = l.opB != Op.NONE;
        boolean conj = l.opA != Op.NONE;
        for (long i = from; i < to; i++) {
            if (skips(l, i)) {
                continue;
            }
            long m = l.m(i);
            long n = l.n(i);
            long c = l.c.at(i);
            long ldc = l.c.ld;
            long tau = l.d.present() ? l.d.at(i) : 0;
            long a = l.a.present() ? l.a.at(i) : 0;
            switch (l.kernel) {
                case GEQR2 -> leaf.geqr2(rows, l.backward, m, n, c, ldc, tau, l.b.present() ? l.b.at(i) : 0, l.b.ld);
                case ORM2R -> leaf.orm2r(l.side, conj, rows, l.backward, m, n, l.k(i), a, l.a.ld, tau, c, ldc);
                case ORG2R -> leaf.org2r(rows, l.backward, m, n, l.k(i), c, ldc, tau);
                case SYGST -> leaf.sygst(l.itype, l.uplo, l.hermitian, n, a, l.a.ld, l.b.at(i), l.b.ld, c, ldc);
                case ORGTR -> leaf.orgtr(l.backward, n, l.p, l.q, c, ldc, tau);
                default -> leaf.larft(rows, l.backward, m, n, a, l.a.ld, tau, c, ldc);
            }
        }
    }

    private static void exchange(Leaf leaf, Launch l, long i) {
        long m = l.m(i);
        boolean rows =
                leaf.exchange(m, l.n(i), l.c.at(i), l.c.ld, l.p, Math.min(l.q, m), l.d.at(i), l.k(i), l.backward);
        if (l.e.present() && !l.guarded) {
            i32(l.e.at(i), rows ? 0 : Kernel.WRONG_PIVOTS);
        }
    }

    /** What is reported of a zero on a diagonal: its place, or what the launch says. */
    private static long zero(Launch l, long place) {
        return place == 0 || l.q == 0 ? place : l.q;
    }

    /** With k not 0 nobody has set info before a factorisation. */
    static void begin(Launch l, long i) {
        if (l.k != 0) {
            i32(l.e.at(i), 0);
        }
    }

    /**
     * Sets the info of a problem, unless an earlier panel did.
     *
     * @param l the launch
     * @param i the problem
     * @param info what is added to {@link Launch#p}; 0 sets nothing
     */
    public static void report(Launch l, long i, long info) {
        if (info != 0 && i32(l.e.at(i)) == 0) {
            i32(l.e.at(i), (int) (l.p + info));
        }
    }
}
