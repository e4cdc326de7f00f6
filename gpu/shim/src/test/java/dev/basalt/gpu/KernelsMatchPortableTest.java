package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.spi.Dim;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Semiring;
import dev.basalt.spi.Storage;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kernel for GPUs, run on the CPU, against the portable one in Java: random shapes, options, forms and orders of threads. */
class KernelsMatchPortableTest {
    static final ElementType[] TYPES = {ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64};

    /** Kinds of trials change with the round, and any twelve of them in a row have all kinds. */
    private static final int ALL_ROUNDS = 24;
    private static final int ROUNDS =
            Integer.getInteger("basalt.rounds", Boolean.getBoolean("basalt.test.long") ? ALL_ROUNDS : ALL_ROUNDS / 2);
    private static final String ASKED = System.getProperty("basalt.test.kernel", ".*");
    private static final long SEED = Seed.OF_RUN;

    /** Kernels whose results a trial's condition may move by more than the rounding of a sum: what divides by what it found, or repeats. */
    private static final Set<Kernel> FACTORS = EnumSet.of(Kernel.GETF2, Kernel.GETF2_NPVT, Kernel.GETRI, Kernel.GEQP3,
            Kernel.TRTRI, Kernel.POTF2, Kernel.SYTF2, Kernel.LASYF, Kernel.AASEN, Kernel.SYTRI, Kernel.GBTF2,
            Kernel.GTTRF, Kernel.GTSV, Kernel.GEQR2, Kernel.GELS, Kernel.TPQRT2, Kernel.SYTD2, Kernel.LATRD,
            Kernel.SB2ST, Kernel.STEQR, Kernel.STEDC, Kernel.BDSQR, Kernel.BDSDC, Kernel.LABRD_PANEL, Kernel.GEBD2,
            Kernel.GESVJ, Kernel.SYEVJ, Kernel.GEHD2, Kernel.HSEQR, Kernel.TREVC, Kernel.TREXC, Kernel.TRSEN,
            Kernel.TRSYL, Kernel.TRSNA, Kernel.TRSEN_SENSE, Kernel.QZ, Kernel.TGEVC, Kernel.TGSEN);

    private final Shim shim = Shim.ABSENT == null ? new Shim() : null;
    private final Launcher<Boolean> plain = new Launcher<>(shim, 8);
    private final Launcher<Boolean> tensor = new Launcher<>(shim, 8, true);

    /** Those that are tried, for whoever works on some of them. */
    static Stream<Kernel> tried() {
        String names = System.getProperty("basalt.test.kernels", ".*");
        return offered().stream().filter(k -> k.name().matches(names));
    }

    @ParameterizedTest
    @MethodSource("tried")
    void matches(Kernel kernel) {
        if (Shim.ABSENT != null) {
            System.out.println("skipped: " + Shim.ABSENT);
        }
        assumeTrue(Shim.ABSENT == null, Shim.ABSENT);
        int first = new Random(SEED + kernel.ordinal()).nextInt(ALL_ROUNDS);
        for (int round = first; round < first + ROUNDS; round++) {
            for (ElementType type : TYPES) {
                if (!offered(kernel, type)) {
                    continue;
                }
                long seed = SEED + 31L * round + type.ordinal();
                Random random = new Random(seed);
                try (Arena arena = Arena.ofConfined()) {
                    Trial trial = trial(kernel, type, random, round);
                    double worst = trial.run(round % 2 == 0 ? plain : tensor, random.nextBoolean(), arena);
                    double allowed = tolerance(trial.l);
                    if (worst >= allowed && FACTORS.contains(kernel)) {
                        double sensitivity = trial.sensitivity(arena);
                        System.out.printf(
                                "%s %s round %d seed %d: %.3g apart; one unit in all numbers moves it by %.3g%n",
                                kernel, type, round, seed, worst, sensitivity);
                        allowed *= sensitivity;
                    }
                    assertThat(worst).as("%s %s round %d seed %d: %s", kernel, type, round, seed, describe(trial.l))
                            .isLessThanOrEqualTo(allowed);
                }
            }
        }
    }

    /** The kernels that GPUs have. */
    static Set<Kernel> offered() {
        EnumSet<Kernel> offered = EnumSet.allOf(Kernel.class);
        Launcher<Boolean> nowhere = new Launcher<>((f, x, y, z, threads, shared, at, channel) -> {}, 8);
        offered.removeIf(kernel -> !nowhere.has(kernel) || !kernel.name().matches(ASKED));
        return offered;
    }

    /** Whether a kernel is offered for a type. */
    static boolean offered(Kernel kernel, ElementType type) {
        boolean real = kernel == Kernel.ROTM || kernel == Kernel.ROTMG || kernel == Kernel.GEAM_EX
                || SymmetricTrials.real(kernel);
        boolean wide = kernel == Kernel.ROW_SUMS || kernel == Kernel.SYMMETRIC_SUMS || kernel == Kernel.CONVERGED
                || kernel == Kernel.FALL_BACK || kernel == Kernel.FGMRES;
        if (EmulationTrials.wide(kernel)) {
            return type == ElementType.F64;
        }
        boolean fits = type.isComplex() ? !real : kernel != Kernel.CONJUGATE;
        return fits && (!wide || type.real() == ElementType.F64);
    }

    private static double tolerance(Launch l) {
        return 20 + 8.0 * Math.max(l.m, Math.max(l.n, l.k));
    }

    static String describe(Launch l) {
        return "m=" + l.m + " n=" + l.n + " k=" + l.k + " p=" + l.p + " q=" + l.q + " count=" + l.count + " " + l.opA
                + " " + l.opB + " " + l.side + " " + l.uplo + " " + l.diag + " hermitian=" + l.hermitian + " alpha="
                + l.alpha + " beta=" + l.beta + " " + l.a.storage + " kl=" + l.a.kl + " ku=" + l.a.ku + " c "
                + l.c.storage + " lda=" + l.a.ld + " ldb=" + l.b.ld + " ldc=" + l.c.ld + " work=" + l.workBytes
                + " extent=" + (l.extent == 0 ? "none" : l.extentOf + " by " + l.extentStride);
    }

    /** Caps one dimension by integers in memory, one a problem or one for all, some of them negative or beyond it. */
    private static void extent(Trial t, Random r, int most) {
        Launch l = t.l;
        l.extent = t.take(8 * l.count);
        l.extentStride = r.nextInt(2);
        l.extentOf = Dim.values()[r.nextInt(3)];
        for (long i = 0; i < l.count; i++) {
            Memory.i64(l.extent + 8 * i, r.nextInt(r.nextBoolean() ? 30 : most) - 2);
        }
    }

    static Trial trial(Kernel kernel, ElementType type, Random r, int round) {
        int[] counts = {1, 1, 1, 2, 3, 7};
        // Products with a vector share blocks where there are many.
        boolean many = kernel == Kernel.GEMV && round % 3 == 1 || kernel == Kernel.LASWP && round % 3 == 2;
        Trial t = new Trial(kernel, type, many ? 100 + r.nextInt(400) : counts[r.nextInt(counts.length)], r);
        Launch l = t.l;
        boolean pointers = r.nextBoolean();
        int gap = r.nextInt(3);
        long size = many ? 1 + r.nextInt(round % 2 == 0 ? 12 : 90)
                : round % 8 == 7 ? 150 + r.nextInt(150)
                : round % 2 == 0 ? 1 + r.nextInt(40)
                : 1 + r.nextInt(100);
        l.m = size;
        l.n = round % 3 == 0 ? size : 1 + r.nextInt((int) size);
        // Products of a short inner dimension have kernels of their own.
        l.k = r.nextInt(round % 3 == 2 ? 10 : 40);
        l.opA = Op.values()[r.nextInt(3)];
        l.opB = Op.values()[r.nextInt(3)];
        l.side = Side.values()[r.nextInt(2)];
        l.uplo = Uplo.values()[r.nextInt(2)];
        l.diag = Diag.values()[r.nextInt(2)];
        l.hermitian = r.nextBoolean();
        l.conjugated = l.hermitian;
        l.backward = l.hermitian;
        l.real = l.hermitian;
        scalar(t, l.alpha, r);
        scalar(t, l.beta, r);
        if (r.nextInt(4) == 0 && kernel != Kernel.POTF2 && kernel != Kernel.GETF2 && kernel != Kernel.GETF2_NPVT
                && !StoredCholeskyTrials.reports(kernel)) {
            l.guarded = true;
            t.vector(l.e, ElementType.I32, 1, 1, pointers);
            for (long p = 0; p < l.count; p++) {
                Memory.i32(l.e.at(p), r.nextInt(2));
            }
        }
        if (kernel.capped() && r.nextInt(4) == 0) {
            extent(t, r, 400);
        }
        boolean lower = l.uplo == Uplo.LOWER;
        boolean unit = l.diag == Diag.UNIT;
        switch (kernel) {
            case SYTD2, LATRD_COLUMN, LATRD_ROW, LATRD, LATRD_DIAGONALS, SB2ST, CHASED, STEQR, STEDC, BDSDC, SYEVJ,
                    STEBZ, STEIN, EIGEN_RANGE ->
                SymmetricTrials.lay(t, type, gap, pointers, r);
            case GEBAL, GEBAK, GGBAL, UNIT_COLUMNS, GEHD2, LAHR2_COLUMN, LAHR2_ROW, HSEQR, TREVC, TREXC, TRSEN, TRSYL,
                    TRSNA, TRSEN_SENSE, QZ, TGEVC, TGSEN, PAIR_VALUES ->
                new NonsymmetricTrials(t, type, gap, pointers, r).lay();
            case NORM_LINES, NORM, NORM_TRIDIAGONAL, LASET, LASCL, RESCALE, SHIFT, LACN2, RCOND ->
                NormTrials.lay(t, type, gap, pointers);
            case EXPONENTS, RESIDUES, MODULO, FAINT, RECONSTRUCT -> EmulationTrials.lay(t, gap, pointers, r);
            case GEEQU, POEQU, LAQGE, GEMV_ABS, GERFS, SCALE_ROWS, GESVX -> RefineTrials.lay(t, type, gap, pointers);
            case COPY, SWAP, ROT, AXPY -> {
                // Increments of 0 make steps of what are elements otherwise; a few, since numbers may grow.
                boolean zero = r.nextInt(6) == 0;
                l.n = zero ? 1 + r.nextInt(3) : l.n;
                t.vector(l.a, type, l.n, zero && r.nextBoolean() ? 0 : inc(r), pointers);
                t.vector(l.c, type, l.n, zero ? r.nextInt(2) : inc(r), pointers);
            }
            case SCAL, FILL -> t.vector(l.c, type, l.n, inc(r), pointers);
            case DOT, ASUM, NRM2, IAMAX, IAMIN -> reduction(t, type, pointers, r, round);
            case COPY_MATRIX -> {
                t.matrix(l.a, type, l.m, l.n, gap, pointers);
                t.matrix(l.c, type, l.m, l.n, r.nextInt(3), pointers);
            }
            case SCAL_MATRIX -> t.matrix(l.c, type, l.m, l.n, gap, pointers);
            case SCAL_TRIANGLE -> t.matrix(l.c, type, l.n, l.n, gap, pointers);
            case EXPAND, ADD_TRIANGLE -> {
                l.structure = Structure.values()[r.nextInt(3)];
                t.matrix(l.a, type, l.n, l.n, gap, pointers);
                t.matrix(l.c, type, l.n, l.n, r.nextInt(3), pointers);
            }
            case COPY_TRIANGLE -> {
                t.matrix(l.a, type, l.n, l.n, gap, pointers);
                t.triangle(l.a, l.n, lower, unit, true);
                t.matrix(l.c, type, l.n, l.n, r.nextInt(3), pointers);
                if (r.nextInt(3) == 0) {
                    t.meet(l.a);
                }
            }
            case GEMV -> {
                if (!many && round % 5 == 4) {
                    l.m = 5000 + r.nextInt(3000);
                    l.n = 1 + r.nextInt(6);
                }
                boolean plain = l.opA == Op.NONE;
                if (r.nextBoolean()) {
                    t.band(l.a, type, l.m, l.n, r.nextInt(r.nextBoolean() ? 5 : 130),
                            r.nextInt(r.nextBoolean() ? 5 : 130), gap, pointers);
                } else {
                    t.matrix(l.a, type, l.m, l.n, gap, pointers);
                }
                t.vector(l.b, type, plain ? l.n : l.m, inc(r), pointers);
                t.vector(l.c, type, plain ? l.m : l.n, inc(r), pointers);
                work(t, r, l.n * ((l.m + 127) / 128) * type.bytes());
            }
            case GER -> {
                t.vector(l.a, type, l.m, inc(r), pointers);
                t.vector(l.b, type, l.n, inc(r), pointers);
                t.matrix(l.c, type, l.m, l.n, gap, pointers);
            }
            case SYMV -> {
                if (round % 4 == 1) {
                    // A triangle that blocks have equal parts of.
                    l.n = 260 + r.nextInt(400);
                }
                triangle(t, l.a, type, false, gap, pointers, r);
                t.vector(l.b, type, l.n, inc(r), pointers);
                if (!type.isComplex() && r.nextInt(3) == 0) {
                    // Times what is not stored it would not be a number.
                    long at = l.b.at(l.count - 1);
                    Trial.set(type, at, r.nextInt((int) l.n) * Math.abs(l.b.ld), Double.POSITIVE_INFINITY);
                }
                t.vector(l.c, type, l.n, inc(r), pointers);
                work(t, r, l.n * ((l.n + 127) / 128) * type.bytes());
            }
            case TRMV, TRSV -> {
                // Vectors know no side.
                l.side = Side.LEFT;
                if (kernel == Kernel.TRMV && round % 4 == 1) {
                    // A triangle that blocks have equal parts of.
                    l.n = 128 + r.nextInt(300);
                }
                triangle(t, l.a, type, unit, gap, pointers, r);
                t.vector(l.c, type, l.n, inc(r), pointers);
                work(t, r, l.n * type.bytes());
            }
            case SYR, SYR2 -> {
                t.vector(l.a, type, l.n, inc(r), pointers);
                t.vector(l.b, type, l.n, inc(r), pointers);
                if (r.nextBoolean()) {
                    t.packed(l.c, type, l.n, gap, pointers);
                } else {
                    t.matrix(l.c, type, l.n, l.n, gap, pointers);
                }
            }
            case ROTM -> {
                boolean zero = r.nextInt(6) == 0;
                l.n = zero ? 1 + r.nextInt(3) : round % 4 == 1 ? 5000 + r.nextInt(9000) : l.n;
                t.vector(l.a, type, l.n, zero && r.nextBoolean() ? 0 : inc(r), pointers);
                t.vector(l.c, type, l.n, zero ? r.nextInt(2) : inc(r), pointers);
                t.vector(l.d, type, 5, 1, pointers);
                for (long p = 0; p < l.count; p++) {
                    Trial.set(type, l.d.at(p), 0, r.nextInt(4) - 2);
                }
            }
            case GEMM -> {
                if (round % 6 == 1) {
                    // What small products have whole.
                    l.m = 8L << r.nextInt(3);
                    l.n = l.m;
                    l.k = 8L * r.nextInt(6);
                }
                if (round % 12 == 4) {
                    // Deep enough for a cluster to share it.
                    l.m = 1 + r.nextInt(20);
                    l.n = 1 + r.nextInt(80);
                    l.k = 1024 + r.nextInt(300);
                }
                boolean rounds = type == ElementType.F32 && round % 4 == 3;
                if (rounds) {
                    l.math = MathMode.values()[1 + r.nextInt(3)];
                    l.m += 32;
                    l.n += 32;
                    l.k += 32;
                }
                t.matrix(l.a, type, l.opA == Op.NONE ? l.m : l.k, l.opA == Op.NONE ? l.k : l.m, gap, pointers);
                t.matrix(l.b, type, l.opB == Op.NONE ? l.k : l.n, l.opB == Op.NONE ? l.n : l.k, gap, pointers);
                t.matrix(l.c, type, l.m, l.n, r.nextInt(3), pointers);
                if (rounds) {
                    // Numbers of so few bits are the same in all modes.
                    t.shorten(l.a, l.math == MathMode.BF16 ? ~0xffff : ~0x1fff);
                    t.shorten(l.b, l.math == MathMode.BF16 ? ~0xffff : ~0x1fff);
                }
            }
            case SYMM -> {
                long order = l.side == Side.LEFT ? l.m : l.n;
                t.matrix(l.a, type, order, order, gap, pointers);
                t.triangle(l.a, order, lower, false, true);
                t.matrix(l.b, type, l.m, l.n, gap, pointers);
                t.matrix(l.c, type, l.m, l.n, r.nextInt(3), pointers);
            }
            case SYRK -> {
                if (l.hermitian && l.opA == Op.TRANS || !l.hermitian && l.opA == Op.CONJ_TRANS) {
                    l.opA = Op.NONE;
                }
                t.matrix(l.a, type, l.opA == Op.NONE ? l.n : l.k, l.opA == Op.NONE ? l.k : l.n, gap, pointers);
                t.matrix(l.c, type, l.n, l.n, r.nextInt(3), pointers);
            }
            case SYR2K -> {
                if (l.hermitian && l.opA == Op.TRANS || !l.hermitian && l.opA == Op.CONJ_TRANS) {
                    l.opA = Op.NONE;
                }
                for (Operand factor : new Operand[] {l.a, l.b}) {
                    gap = r.nextInt(3);
                    t.matrix(factor, type, l.opA == Op.NONE ? l.n : l.k, l.opA == Op.NONE ? l.k : l.n, gap, pointers);
                }
                t.matrix(l.c, type, l.n, l.n, r.nextInt(3), pointers);
            }
            case GEMMT -> {
                t.matrix(l.a, type, l.opA == Op.NONE ? l.n : l.k, l.opA == Op.NONE ? l.k : l.n, gap, pointers);
                t.matrix(l.b, type, l.opB == Op.NONE ? l.k : l.n, l.opB == Op.NONE ? l.n : l.k, gap, pointers);
                t.matrix(l.c, type, l.n, l.n, r.nextInt(3), pointers);
            }
            case DGMM -> {
                t.matrix(l.a, type, l.m, l.n, gap, pointers);
                t.vector(l.b, type, l.side == Side.LEFT ? l.m : l.n, inc(r), pointers);
                t.matrix(l.c, type, l.m, l.n, r.nextInt(3), pointers);
                if (r.nextInt(3) == 0) {
                    t.meet(l.a);
                }
            }
            case GEAM -> {
                t.matrix(l.a, type, l.opA == Op.NONE ? l.m : l.n, l.opA == Op.NONE ? l.n : l.m, gap, pointers);
                t.matrix(l.b, type, l.opB == Op.NONE ? l.m : l.n, l.opB == Op.NONE ? l.n : l.m, gap, pointers);
                t.matrix(l.c, type, l.m, l.n, r.nextInt(3), pointers);
                if (r.nextInt(3) == 0 && l.opA == Op.NONE) {
                    t.meet(l.a);
                } else if (r.nextInt(3) == 0 && l.opB == Op.NONE) {
                    t.meet(l.b);
                }
            }
            case GEAM_EX -> {
                l.semiring = Semiring.values()[r.nextInt(2)];
                t.matrix(l.a, type, l.opA == Op.NONE ? l.m : l.k, l.opA == Op.NONE ? l.k : l.m, gap, pointers);
                t.matrix(l.b, type, l.opB == Op.NONE ? l.k : l.n, l.opB == Op.NONE ? l.n : l.k, gap, pointers);
                t.matrix(l.c, type, l.m, l.n, r.nextInt(3), pointers);
                t.matrix(l.d, type, l.m, l.n, r.nextInt(3), pointers);
                if (l.k > 0 && r.nextInt(4) == 0) {
                    Trial.set(type, l.b.at(0), 0, Double.NaN);
                }
            }
            case ROTG, ROTMG -> rotation(t, type, pointers, r);
            case TRMM_APART -> {
                long order = l.side == Side.LEFT ? l.m : l.n;
                t.matrix(l.a, type, order, order, gap, pointers);
                t.triangle(l.a, order, lower, unit, true);
                t.matrix(l.b, type, l.m, l.n, r.nextInt(3), pointers);
                t.matrix(l.c, type, l.m, l.n, r.nextInt(3), pointers);
                if (r.nextInt(3) == 0) {
                    t.meet(l.b);
                }
            }
            case TRMM, TRSM -> {
                if (kernel == Kernel.TRSM && round % 6 == 5) {
                    // A triangle that several blocks share out, with few right-hand sides.
                    t = new Trial(kernel, type, 1 + r.nextInt(2), r);
                    l = thin(t, l, r);
                } else if (kernel == Kernel.TRSM && round % 3 == 1) {
                    // Several problems a warp.
                    long few = 1 + r.nextInt(r.nextBoolean() ? 32 : 70);
                    long sides = 1 + r.nextInt(r.nextBoolean() ? 8 : 40);
                    l.m = l.side == Side.LEFT ? few : sides;
                    l.n = l.side == Side.LEFT ? sides : few;
                }
                long order = l.side == Side.LEFT ? l.m : l.n;
                t.matrix(l.a, type, order, order, gap, pointers);
                t.triangle(l.a, order, lower, unit, true);
                t.matrix(l.c, type, l.m, l.n, r.nextInt(3), pointers);
            }
            case TRTRI -> {
                t.matrix(l.c, type, l.n, l.n, gap, pointers);
                t.triangle(l.c, l.n, lower, unit, true);
            }
            case GETF2 -> {
                l.p = r.nextInt(5);
                l.k = l.extent == 0 ? r.nextInt(2) : 0;
                l.n = Math.min(l.n, 70);
                if (round % 12 == 6 || round % 12 == 9) {
                    // Tall enough for large clusters, and for the blocks of a grid; few columns, since fibers are slow.
                    t = new Trial(kernel, type, 1 + r.nextInt(2), r);
                    l = t.l;
                    l.p = r.nextInt(5);
                    l.m = 500 + r.nextInt(1600);
                    l.n = 1 + r.nextInt(20);
                    if (r.nextInt(3) == 0) {
                        extent(t, r, 2000);
                        l.k = 0;
                    }
                }
                boolean alike = r.nextInt(5) == 0;
                l.n = alike ? Math.min(l.n, 2) : l.n;
                t.matrix(l.c, type, l.m, l.n, gap, pointers);
                if (alike) {
                    fewMagnitudes(t, r);
                } else if (r.nextInt(4) == 0) {
                    zeroColumn(t, r);
                }
                t.vector(l.d, ElementType.I64, Math.min(l.m, l.n), 1, pointers);
                t.vector(l.e, ElementType.I32, 1, 1, pointers);
            }
            case LASWP -> {
                l.n = many ? 1 + r.nextInt(9) : l.n;
                l.k = r.nextInt(3);
                l.p = r.nextInt((int) size);
                l.q = l.p + r.nextInt((int) (size - l.p) + 1);
                t.matrix(l.c, type, l.m, l.n, gap, pointers);
                t.vector(l.d, ElementType.I64, l.m, 1, pointers);
                for (long p = 0; p < l.count; p++) {
                    for (long i = 0; i < l.m; i++) {
                        Memory.i64(l.d.at(p) + 8 * i, l.k + i + 1 + r.nextInt((int) (l.m - i)));
                    }
                    if (r.nextInt(3) == 0) {
                        Memory.i64(l.d.at(p) + 8L * r.nextInt((int) l.m), noRow(l, r));
                    }
                }
                if (!l.guarded && r.nextBoolean()) {
                    t.vector(l.e, ElementType.I32, 1, 1, pointers);
                }
            }
            case GEQR2 -> {
                if (round % 12 == 6 || round % 12 == 9) {
                    // Tall enough for clusters and for the blocks of a grid; few strips of columns, since fibers are slow.
                    t = new Trial(kernel, type, 1 + r.nextInt(2), r);
                    t.l.m = 300 + r.nextInt(round % 12 == 6 ? 1500 : 5000);
                    t.l.n = 1 + r.nextInt(20);
                }
                if (round % 12 == 0) {
                    // So tall that a grid takes two passes, where columns are far from dependent.
                    t = new Trial(kernel, type, 1 + r.nextInt(2), r);
                    t.l.n = 8 + r.nextInt(round % 24 == 0 ? 24 : 56);
                    t.l.m = 128 * t.l.n + r.nextInt(700);
                }
                reflectors(t, type, gap, pointers, r);
            }
            case ORM2R, ORG2R, LARFT -> reflectors(t, type, gap, pointers, r);
            case CONVERT, CONVERT_TRIANGLE, ROW_SUMS, SYMMETRIC_SUMS, CONVERGED, FALL_BACK, FGMRES ->
                RefinementTrials.prepare(t, gap, pointers, r);
            case TO_REAL, FROM_REAL -> RealFormTrials.prepare(t, gap, pointers, r);
            case CONJUGATE, LARFG, TPQRT2, TPMQR2, GEQP3_START, LAQPS_COLUMN, LAQPS_ROW, GEQP3, RANK, PERMUTE_ROWS,
                    GAUSSIAN, CHOOSE_COLUMNS ->
                new PivotingTrials(t, type, gap, pointers, r).fill();
            case GEBD2, LABRD, LABRD_PANEL, BDSQR, GESVJ, PSEUDO ->
                new SingularTrials(t, type, gap, pointers, r).fill();
            case GETF2_NPVT, GETRI, SWAP_COLUMNS -> InverseTrials.prepare(t, gap, pointers, r);
            case POTF2_STORED, POSV_STORED, POTRI_STORED, LAUUM, COPY_STORED, PTTRF, PTTRS ->
                StoredCholeskyTrials.lay(t, type, gap, pointers, r);
            case LASYF -> {
                if (round % 12 == 5) {
                    // So many rows that a cluster shares the panel.
                    t = new Trial(kernel, type, 1, r);
                    t.l.n = 1054 + r.nextInt(200);
                    t.l.uplo = Uplo.values()[r.nextInt(2)];
                    t.l.hermitian = r.nextBoolean();
                }
                IndefiniteTrials.prepare(t, type, gap, pointers, r);
            }
            case SYTF2, AASEN, SYTRS, D22SOLVE, SYCONV, SYTRI -> IndefiniteTrials.prepare(t, type, gap, pointers, r);
            case GBTF2, COPY_BAND, UNPIVOT_BAND, GBTRS, GTTRF, GTTRS, GTSV ->
                BandedTrials.lay(t, type, gap, pointers, r);
            case GELS -> leastSquares(t, type, gap, pointers, r);
            case ZERO_DIAGONAL -> {
                l.p = r.nextInt(5);
                t.matrix(l.c, type, l.n, l.n, gap, pointers);
                int parts = type.isComplex() ? 2 : 1;
                for (int i = 0; i < 2 && r.nextBoolean(); i++) {
                    long at = parts * r.nextInt((int) l.n) * (l.c.ld + 1);
                    Trial.set(type, l.c.at(0), at, 0);
                    Trial.set(type, l.c.at(0), at + parts - 1, 0);
                }
                if (!l.guarded) {
                    t.vector(l.e, ElementType.I32, 1, 1, pointers);
                    l.k = r.nextInt(2);
                    for (long p = 0; p < l.count; p++) {
                        Memory.i32(l.e.at(p), r.nextInt(3) == 0 ? 7 : 0);
                    }
                } else {
                    l.k = 0;
                }
            }
            case POTF2 -> {
                l.p = r.nextInt(5);
                l.k = l.extent == 0 ? r.nextInt(2) : 0;
                // By tiles in one launch where products of double go by warps.
                boolean tiles = type == ElementType.F64 && round % 4 == 3;
                l.n = tiles ? 60 + r.nextInt(340) : Math.min(l.n, type.isComplex() ? 90 : 135);
                t.matrix(l.c, type, l.n, l.n, gap, pointers);
                t.triangle(l.c, l.n, lower, false, true);
                if (r.nextInt(4) == 0) {
                    long at = r.nextInt((int) l.n);
                    int parts = type.isComplex() ? 2 : 1;
                    Trial.set(type, l.c.at(0), parts * (at + at * l.c.ld), r.nextBoolean() ? -1 : Double.NaN);
                }
                t.vector(l.e, ElementType.I32, 1, 1, pointers);
                if (r.nextInt(4) == 0) {
                    Memory.i32(l.e.at(l.count - 1), 3);
                }
            }
        }
        for (int i = 0; i < 2; i++) {
            // Of vectors there is something to pass by.
            if (kernel.skips(i, l) && !l.operand(0).vector) {
                absent(l.operand(i));
            }
        }
        return t;
    }

    /** Reflectors of any kind: those that others use are such as a factorisation leaves, small ones. */
    private static void reflectors(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        boolean panel = l.kernel == Kernel.GEQR2 && r.nextInt(3) > 0;
        if (panel && l.m < 300 && r.nextInt(3) > 0) {
            // Some by part of a warp, by a warp, by a block of threads.
            l.m = 1 + r.nextInt(8 << r.nextInt(5));
            l.n = 1 + r.nextInt((int) l.m);
        }
        l.n = Math.min(Math.min(l.m, l.n), panel ? 64 : 40);
        l.opA = r.nextBoolean() ? Op.NONE : Op.CONJ_TRANS;
        l.opB = r.nextBoolean() ? Op.NONE : Op.CONJ_TRANS;
        boolean rows = l.opB != Op.NONE;
        switch (l.kernel) {
            case GEQR2 -> {
                t.matrix(l.c, type, rows ? l.n : l.m, rows ? l.m : l.n, gap, pointers);
                t.weights(l.c, 1.0 / l.m);
                if (r.nextInt(3) == 0) {
                    nearby(t, r);
                }
                if (r.nextBoolean()) {
                    t.matrix(l.b, type, l.n, l.n, gap, pointers);
                }
                if (r.nextInt(3) == 0) {
                    // Squares underflow, and what reflectors are divided by has no reciprocal.
                    t.weights(l.c, type.real() == ElementType.F32 ? 1e-33 : 1e-295);
                }
                t.vector(l.d, type, l.n, 1, pointers);
            }
            case ORM2R -> {
                l.n = 1 + r.nextInt(60);
                long order = l.side == Side.LEFT ? l.m : l.n;
                l.k = Math.min(order, r.nextInt(30));
                t.matrix(l.a, type, rows ? l.k : order, rows ? order : l.k, gap, pointers);
                t.weights(l.a, 1.0 / order);
                t.matrix(l.c, type, l.m, l.n, r.nextInt(3), pointers);
                t.vector(l.d, type, l.k, 1, pointers);
            }
            case ORG2R -> {
                l.k = r.nextInt((int) l.n + 1);
                t.matrix(l.c, type, rows ? l.n : l.m, rows ? l.m : l.n, gap, pointers);
                t.weights(l.c, 1.0 / l.m);
                t.vector(l.d, type, l.k, 1, pointers);
            }
            default -> {
                if (r.nextBoolean()) {
                    t.matrix(l.a, type, rows ? l.n : l.m, rows ? l.m : l.n, gap, pointers);
                    t.weights(l.a, 1.0 / l.m);
                }
                t.matrix(l.c, type, l.n, l.n, r.nextInt(3), pointers);
                t.weights(l.c, 1.0 / l.n);
                t.vector(l.d, type, l.n, 1, pointers);
            }
        }
    }

    /** Makes some columns of GEQR2's matrix nearly those before them, so that little is left of them. */
    private static void nearby(Trial t, Random r) {
        Launch l = t.l;
        int parts = l.type.isComplex() ? 2 : 1;
        boolean rows = l.opB != Op.NONE;
        for (long j = 1; j < l.n; j++) {
            double left = r.nextBoolean() ? 1 : Math.pow(10, -1 - r.nextInt(l.type.real() == ElementType.F64 ? 5 : 2));
            for (long p = 0; p < l.count && left < 1; p++) {
                for (long i = 0; i < l.m * parts; i++) {
                    long here = rows ? (i / parts * l.c.ld + j) * parts + i % parts : j * l.c.ld * parts + i;
                    long before = here - (rows ? 1 : l.c.ld) * parts;
                    long at = l.c.at(p);
                    Trial.set(l.type, at, here, Trial.get(l.type, at, before) + left * Trial.get(l.type, at, here));
                }
            }
        }
    }

    /** Small systems, some with a column of zeros, some with numbers that want scaling. */
    private static void leastSquares(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        boolean rows = r.nextBoolean();
        l.guarded = false;
        l.n = 1 + r.nextInt(r.nextInt(4) == 0 ? 40 : 17);
        l.m = l.n + r.nextInt(r.nextBoolean() ? 3 : 70);
        l.k = r.nextInt(4);
        l.opA = r.nextBoolean() ? Op.NONE : Op.CONJ_TRANS;
        l.opB = rows ? Op.CONJ_TRANS : Op.NONE;
        l.hermitian = false;
        l.backward = false;
        l.conjugated = false;
        l.real = false;
        t.matrix(l.a, type, rows ? l.n : l.m, rows ? l.m : l.n, gap, pointers);
        t.weights(l.a, 1.0 / l.m);
        boolean single = type.real() == ElementType.F32;
        int parts = type.isComplex() ? 2 : 1;
        for (long p = 0; p < l.count; p++) {
            // Far from singular, so that rounding is all that differs.
            for (long j = 0; j < l.n; j++) {
                Trial.set(type, l.a.at(p), parts * j * (l.a.ld + 1), 2 + r.nextDouble());
            }
            if (r.nextInt(4) == 0) {
                long j = r.nextInt((int) l.n);
                for (long i = 0; i < l.m * parts; i++) {
                    long element = rows ? j + i / parts * l.a.ld : i / parts + j * l.a.ld;
                    Trial.set(type, l.a.at(p), parts * element + i % parts, 0);
                }
            }
        }
        t.matrix(l.c, type, l.m, l.k, r.nextInt(3), pointers);
        if (r.nextInt(4) == 0) {
            t.weights(l.a, single ? 1e-35 : 1e-300);
            t.weights(l.c, single ? 1e-35 : 1e-300);
        } else if (r.nextInt(4) == 0) {
            t.weights(l.c, single ? 1e-33 : 1e-297);
        }
        t.vector(l.d, type, l.n, 1, pointers);
        t.vector(l.e, ElementType.I32, 1, 1, pointers);
    }

    /** Operand a as a triangle in any storage. */
    private static void triangle(Trial t, Operand a, ElementType type, boolean unit, int gap, boolean pointers,
            Random r) {
        long n = t.l.n;
        boolean lower = t.l.uplo == Uplo.LOWER;
        switch (Storage.values()[r.nextInt(3)]) {
            case DENSE -> t.matrix(a, type, n, n, gap, pointers);
            case BAND -> {
                long reach = r.nextInt(r.nextBoolean() ? 5 : 200);
                t.band(a, type, n, n, lower ? reach : 0, lower ? 0 : reach, gap, pointers);
            }
            case PACKED -> t.packed(a, type, n, gap, pointers);
        }
        t.triangle(a, n, lower, unit, true);
    }

    /** A pivot that names no row. */
    private static long noRow(Launch l, Random r) {
        long[] wrong = {
                l.k,
                l.k + l.m + 1,
                0,
                -1,
                (1L << 31) - 1,
                1L << 31,
                (1L << 32) + l.k + 1,
                Long.MIN_VALUE,
                Long.MAX_VALUE};
        return wrong[r.nextInt(wrong.length)];
    }

    /** An operand that nobody needs to give. */
    private static void absent(Operand o) {
        o.base = 0;
        o.offset = 0;
        o.pointers = false;
    }

    /** One element each: ordinary ones, zeros, and large and small ones. */
    private static void rotation(Trial t, ElementType type, boolean pointers, Random r) {
        Launch l = t.l;
        boolean made = l.kernel == Kernel.ROTG;
        t.vector(l.a, type, 1, 1, pointers);
        t.vector(l.b, type, 1, 1, pointers);
        t.vector(l.c, made ? type.real() : type, 1, 1, pointers);
        t.vector(l.d, type, 1, 1, pointers);
        if (!made) {
            t.vector(l.f, type, 5, 1, pointers);
        }
        double[] odd = {0, 1e-30, 1e30, -1, 1e-7, 1e7};
        for (long p = 0; p < l.count; p++) {
            for (int i = 0; i < 4; i++) {
                if (r.nextInt(3) == 0 && l.operand(i).type == type) {
                    int part = type.isComplex() ? r.nextInt(2) : 0;
                    Trial.set(type, l.operand(i).at(p), part, odd[r.nextInt(made || i > 1 ? 3 : odd.length)]);
                }
            }
        }
    }

    private static void reduction(Trial t, ElementType type, boolean pointers, Random r, int round) {
        Launch l = t.l;
        if (round % 4 == 3) {
            l.n = 4000 + r.nextInt(30000);
        }
        t.vector(l.a, type, l.n, Math.abs(inc(r)), pointers);
        if (l.kernel == Kernel.DOT) {
            t.vector(l.b, type, l.n, inc(r), pointers);
        } else if (r.nextInt(3) == 0) {
            double[] odd = {Double.NaN, 1e300, 1e-300, Double.POSITIVE_INFINITY, 0};
            for (int i = 0; i < 3; i++) {
                Trial.set(type, l.a.at(0), r.nextInt((int) l.n) * (type.isComplex() ? 2L : 1),
                        odd[r.nextInt(odd.length)]);
            }
        }
        boolean index = l.kernel == Kernel.IAMAX || l.kernel == Kernel.IAMIN;
        ElementType result = index ? ElementType.I64 : l.kernel == Kernel.DOT ? type : type.real();
        t.vector(l.d, result, 1, 1, pointers);
        long bytes = l.kernel == Kernel.DOT && type.isComplex() ? 16 : 8;
        work(t, r, (l.n + 4095) / 4096 * bytes);
    }

    /** The workspace that the routine would lend, or none. */
    private static void work(Trial t, Random r, long bytesOfProblem) {
        if (r.nextBoolean()) {
            t.l.workBytes = bytesOfProblem * t.l.count;
            t.l.work = t.take(t.l.workBytes);
        }
    }

    /** Candidates of equal magnitude, of which the first must win; two columns of such numbers are eliminated without rounding. */
    private static void fewMagnitudes(Trial t, Random r) {
        Launch l = t.l;
        int parts = l.type.isComplex() ? 2 : 1;
        for (long p = 0; p < l.count; p++) {
            for (long i = 0; i < l.c.ld * l.n; i++) {
                double re = (1 << r.nextInt(2)) * (r.nextBoolean() ? 1 : -1);
                Trial.set(l.type, l.c.at(p), i * parts, re);
                if (parts == 2) {
                    Trial.set(l.type, l.c.at(p), i * parts + 1, 0);
                }
            }
        }
    }

    private static void zeroColumn(Trial t, Random r) {
        Launch l = t.l;
        int parts = l.type.isComplex() ? 2 : 1;
        long column = r.nextInt((int) Math.min(l.m, l.n));
        for (long i = 0; i < l.m * parts; i++) {
            Trial.set(l.type, l.c.at(0), i + column * l.c.ld * parts, 0);
        }
    }

    /** The options of another launch, for a large triangle and few right-hand sides. */
    private static Launch thin(Trial t, Launch like, Random r) {
        Launch l = t.l;
        long order = 257 + r.nextInt(150);
        long sides = 1 + r.nextInt(20);
        l.opA = like.opA;
        l.side = like.side;
        l.uplo = like.uplo;
        l.diag = like.diag;
        scalar(t, l.alpha, r);
        l.m = l.side == Side.LEFT ? order : sides;
        l.n = l.side == Side.LEFT ? sides : order;
        return l;
    }

    private static void scalar(Trial t, dev.basalt.spi.Scalar s, Random r) {
        int kind = r.nextInt(5);
        double re = kind == 0 ? 0 : kind == 1 ? 1 : 2 * r.nextDouble() - 1;
        double im = kind < 2 || !t.l.type.isComplex() ? 0 : 2 * r.nextDouble() - 1;
        // A host scalar reaches a float kernel as a float.
        if (t.l.type.real() == ElementType.F32) {
            re = (float) re;
            im = (float) im;
        }
        if (r.nextInt(3) > 0) {
            s.set(re, im);
            return;
        }
        long at = t.take(16);
        Trial.set(t.l.type, at, 0, re);
        if (t.l.type.isComplex()) {
            Trial.set(t.l.type, at, 1, im);
        }
        s.device(at, t.l.type);
        if (r.nextInt(3) == 0) {
            s.whereNonZero(s, -1);
        }
    }

    private static long inc(Random r) {
        long[] incs = {1, 1, 2, 3, -1, -2};
        return incs[r.nextInt(incs.length)];
    }
}
