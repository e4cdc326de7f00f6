package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.basalt.ClassicLapack;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.OpenBlas;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** LDLᵀ and Aasen's LTLᵀ by LAPACK's measures, their pivots, and what becomes of matrices that are singular or not numbers. */
class IndefiniteTest {
    private static final double THRESHOLD = 30;
    private static final int SMALL = 40;

    /** 1/(1 - α), α = (1 + √17)/8. */
    private static final double LARGEST = 8 / (7 - Math.sqrt(17));

    /** Right-hand sides: few are solved pivot by pivot, more with a triangle. */
    private static final int[] SIDES = {2, 7};

    /** What the numbers of a matrix are like. */
    private enum Kind {
        RANDOM,
        /** Every pivot is a block of order 2, or a later row. */
        HOLLOW,
        /** Rows and columns of ever smaller numbers. */
        GRADED,
        /** Products overflow. */
        HUGE,
        /** Products vanish. */
        TINY
    }

    /** What a test does with one matrix. */
    private interface Check {
        void run(Handle handle, DeviceArena arena, Ldl ldl, Uplo uplo, boolean hermitian, Mat a, String what);
    }

    private static Mat random(Random random, ElementType type, int m, int n) {
        boolean complex = type.isComplex();
        return Mat.of(m, n, (i, j) -> (float) (2 * random.nextDouble() - 1),
                (i, j) -> complex ? (float) (2 * random.nextDouble() - 1) : 0);
    }

    private static Mat matrix(Kind kind, Random random, ElementType type, int n, boolean hermitian) {
        Mat a = random(random, type, n, n).symmetric(Uplo.LOWER, hermitian);
        // A triangle of Aasen's may make right-hand sides some hundred times as large on the way.
        double scale = type.real() == ElementType.F32 ? 0x1p108 : 0x1p990;
        return switch (kind) {
            case RANDOM -> a;
            // An odd one has one number on the diagonal, so that it is not singular.
            case HOLLOW -> Mat.of(n, n, (i, j) -> i == j ? i == 0 && n % 2 == 1 ? 1 : 0 : a.re(i, j),
                    (i, j) -> i == j ? 0 : a.im(i, j));
            case GRADED -> Mat.of(n, n, (i, j) -> a.re(i, j) * Math.pow(2, -(i % 20 + j % 20) / 2),
                    (i, j) -> a.im(i, j) * Math.pow(2, -(i % 20 + j % 20) / 2));
            case HUGE -> a.times(new Complex(scale, 0));
            case TINY -> a.times(new Complex(1 / scale / 64, 0));
        };
    }

    private static double unit(ElementType type) {
        return type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
    }

    private static void each(Target target, Check check) {
        ElementType type = target.type();
        boolean slow = target.device().startsWith("sim");
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (int n : new int[] {1, 2, 3, 16, 33, 40, 81, 150}) {
                for (Kind kind : Kind.values()) {
                    Random random = new Random(31L * n + kind.ordinal());
                    Uplo uplo = random.nextBoolean() ? Uplo.UPPER : Uplo.LOWER;
                    boolean hermitian = type.isComplex() && random.nextBoolean();
                    if (slow && n > SMALL) {
                        continue;
                    }
                    Mat a = matrix(kind, random, type, n, hermitian);
                    for (Ldl ldl : Ldl.values()) {
                        try (DeviceArena arena = device.arena()) {
                            String what =
                                    ldl + " " + kind + " " + type + " " + uplo + " hermitian=" + hermitian + " n=" + n;
                            check.run(handle, arena, ldl, uplo, hermitian, a, what);
                        }
                    }
                }
            }
        }
    }

    /** The triangle of a matrix, with what may not be read beside it. */
    private static MatrixView triangle(DeviceArena arena, ElementType type, Uplo uplo, Mat a) {
        MatrixView view = arena.matrix(type, a.m, a.n);
        Orthogonal.upload(view, Mat.of(a.m, a.n, (i, j) -> Mat.in(uplo, i, j) ? a.re(i, j) : Double.NaN,
                (i, j) -> Mat.in(uplo, i, j) ? a.im(i, j) : Double.NaN));
        return view;
    }

    private static int info(VectorView view) {
        int[] found = new int[1];
        view.download(found);
        return found[0];
    }

    /** Solves; b becomes the solution. */
    private static int solve(Handle h, DeviceArena arena, Ldl ldl, ElementType type, Uplo uplo, boolean hermitian,
            Mat a, MatrixView b) {
        MatrixView matrix = triangle(arena, type, uplo, a);
        VectorView ipiv = arena.vector(ElementType.I64, a.n);
        VectorView info = arena.vector(ElementType.I32, 1);
        ldl.drive(h, uplo, hermitian, matrix, ipiv, b, info);
        return info(info);
    }

    private static double scale(Mat a) {
        double largest = Math.max(1e-300, a.norm1());
        return Math.scalb(1.0, -Math.getExponent(largest));
    }

    @EveryTarget
    void residualsAreSmall(Target target) {
        ElementType type = target.type();
        each(target, (h, arena, ldl, uplo, hermitian, a, what) -> {
            for (int sides : SIDES) {
                double back = scale(a);
                Mat right = random(new Random(7), type, a.n, sides);
                Mat b = Mat.of(a.n, sides, (i, j) -> right.re(i, j) / back, (i, j) -> right.im(i, j) / back);
                MatrixView view = arena.matrix(type, a.n, sides);
                Orthogonal.upload(view, b);
                assertThat(solve(h, arena, ldl, type, uplo, hermitian, a, view)).as(what).isZero();
                Mat x = Orthogonal.download(view, a.n, sides);
                Mat scaled = a.times(new Complex(back, 0));
                Mat rest = right.minus(scaled.times(x));
                assertThat(rest.norm1()).as("b - Ax, %s", what)
                        .isLessThanOrEqualTo(THRESHOLD * a.n * unit(type) * scaled.norm1() * x.norm1());
            }
        });
    }

    @EveryTarget
    void inversesAreInverses(Target target) {
        ElementType type = target.type();
        each(target, (h, arena, ldl, uplo, hermitian, a, what) -> {
            if (ldl == Ldl.AASEN) {
                return;
            }
            MatrixView matrix = triangle(arena, type, uplo, a);
            VectorView ipiv = arena.vector(ElementType.I64, a.n);
            VectorView info = arena.vector(ElementType.I32, 1);
            ldl.factor(h, uplo, hermitian, matrix, ipiv, info);
            ldl.invert(h, uplo, hermitian, matrix, ipiv, info);
            assertThat(info(info)).as(what).isZero();
            double back = scale(a);
            Mat inverse =
                    Orthogonal.download(matrix, a.n, a.n).symmetric(uplo, hermitian).times(new Complex(1 / back, 0));
            Mat scaled = a.times(new Complex(back, 0));
            Mat rest = Mat.identity(a.n).minus(scaled.times(inverse));
            assertThat(rest.norm1()).as("I - A·A⁻¹, %s", what)
                    .isLessThanOrEqualTo(THRESHOLD * a.n * unit(type) * scaled.norm1() * inverse.norm1());
        });
    }

    /** Choices of random numbers are far from ties, so the pivots are those of LAPACK, whatever the panels. */
    @ParameterizedTest
    @EnumSource
    void pivotsAreThoseOfLapack(Ldl ldl) throws Throwable {
        try (Device device = Device.open("host"); Handle h = device.createHandle()) {
            for (ElementType type : List.of(ElementType.F64, ElementType.C64)) {
                for (int n : new int[] {5, 33, 100, 257, 600}) {
                    for (Uplo uplo : Uplo.values()) {
                        boolean hermitian = type.isComplex() && n % 2 == 1;
                        Mat a = random(new Random(n), type, n, n).symmetric(uplo, hermitian);
                        try (DeviceArena arena = device.arena()) {
                            MatrixView matrix = triangle(arena, type, uplo, a);
                            VectorView ipiv = arena.vector(ElementType.I64, n);
                            VectorView info = arena.vector(ElementType.I32, 1);
                            ldl.factor(h, uplo, hermitian, matrix, ipiv, info);
                            long[] found = new long[n];
                            ipiv.download(found);
                            assertThat(found).as("%s n=%d %s", type, n, uplo)
                                    .isEqualTo(reference(ldl, type, a, uplo, hermitian));
                        }
                    }
                }
            }
        }
    }

    private static long[] reference(Ldl ldl, ElementType type, Mat a, Uplo uplo, boolean hermitian) throws Throwable {
        int n = a.n;
        int parts = type.isComplex() ? 2 : 1;
        MemoryLayout[] arguments = new MemoryLayout[8];
        Arrays.fill(arguments, ValueLayout.ADDRESS);
        String name = (type.isComplex() ? hermitian ? "zhetrf" : "zsytrf" : "dsytrf") + ldl.suffix + "_";
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment matrix = arena.allocate(ValueLayout.JAVA_DOUBLE, (long) parts * n * n);
            for (int i = 0; i < n * n; i++) {
                matrix.setAtIndex(ValueLayout.JAVA_DOUBLE, (long) parts * i, a.re(i % n, i / n));
                if (parts == 2) {
                    matrix.setAtIndex(ValueLayout.JAVA_DOUBLE, 2L * i + 1, a.im(i % n, i / n));
                }
            }
            MemorySegment ipiv = arena.allocate(ValueLayout.JAVA_INT, n);
            MemorySegment order = arena.allocateFrom(ValueLayout.JAVA_INT, n);
            MemorySegment room = arena.allocateFrom(ValueLayout.JAVA_INT, 64 * n);
            OpenBlas.handle(name, FunctionDescriptor.ofVoid(arguments))
                    .invokeWithArguments(arena.allocateFrom(uplo == Uplo.UPPER ? "U" : "L"), order, matrix, order, ipiv,
                            arena.allocate(ValueLayout.JAVA_DOUBLE, 64L * parts * n), room,
                            arena.allocate(ValueLayout.JAVA_INT));
            return Arrays.stream(ipiv.toArray(ValueLayout.JAVA_INT)).asLongStream().toArray();
        }
    }

    /** No element of L is larger than 1/(1 - α) with rook pivoting, none larger than 1 with Aasen's method. */
    @EveryTarget
    void elementsOfLAreSmall(Target target) {
        ElementType type = target.type();
        each(target, (h, arena, ldl, uplo, hermitian, a, what) -> {
            if (ldl == Ldl.BUNCH_KAUFMAN) {
                return;
            }
            MatrixView matrix = triangle(arena, type, uplo, a);
            VectorView ipiv = arena.vector(ElementType.I64, a.n);
            ldl.factor(h, uplo, hermitian, matrix, ipiv, arena.vector(ElementType.I32, 1));
            // What is compared is |re| + |im|, up to √2 times the modulus.
            double bound = (ldl == Ldl.ROOK ? LARGEST : 1) * (type.isComplex() ? Math.sqrt(2) : 1);
            assertThat(largestOfL(matrix, ipiv, ldl, uplo)).as(what).isLessThanOrEqualTo(bound * (1 + 8 * unit(type)));
        });
    }

    private static double largestOfL(MatrixView matrix, VectorView ipiv, Ldl ldl, Uplo uplo) {
        int n = (int) matrix.rows();
        Mat found = Orthogonal.download(matrix, n, n);
        long[] pivots = new long[n];
        ipiv.download(pivots);
        double largest = 0;
        for (int j = 0; j < n; j++) {
            // Column j as it is read; below the diagonal T has one more element, and so has a block of order 2.
            boolean pair = ldl == Ldl.AASEN;
            int at = uplo == Uplo.UPPER && !pair ? n - 1 - j : j;
            if (!pair && pivots[at] < 0) {
                int before = 0;
                for (int i = j - 1; i >= 0 && pivots[uplo == Uplo.UPPER ? n - 1 - i : i] < 0; i--) {
                    before++;
                }
                pair = before % 2 == 0;
            }
            for (int i = j + (pair ? 2 : 1); i < n; i++) {
                boolean mirrored = uplo == Uplo.UPPER && ldl != Ldl.AASEN;
                int row = mirrored ? n - 1 - i : uplo == Uplo.UPPER ? j : i;
                int col = mirrored ? n - 1 - j : uplo == Uplo.UPPER ? i : j;
                largest = Math.max(largest, Math.hypot(found.re(row, col), found.im(row, col)));
            }
        }
        return largest;
    }

    /** Where Bunch and Kaufman's choice makes L as large as one likes, rook pivoting does not. */
    @EveryTarget
    void rookPivotingGoesOnSearching(Target target) {
        ElementType type = target.type();
        double small = 0x1p-20;
        Mat a = Mat.of(3, 3, (i, j) -> i + j == 1 ? small : i + j >= 3 ? 1 : 0, (i, j) -> 0);
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            VectorView ipiv = arena.vector(ElementType.I64, 3);
            VectorView info = arena.vector(ElementType.I32, 1);
            MatrixView large = triangle(arena, type, Uplo.LOWER, a);
            Ldl.BUNCH_KAUFMAN.factor(h, Uplo.LOWER, false, large, ipiv, info);
            assertThat(largestOfL(large, ipiv, Ldl.BUNCH_KAUFMAN, Uplo.LOWER)).isEqualTo(1 / small);
            MatrixView rook = triangle(arena, type, Uplo.LOWER, a);
            Ldl.ROOK.factor(h, Uplo.LOWER, false, rook, ipiv, info);
            assertThat(largestOfL(rook, ipiv, Ldl.ROOK, Uplo.LOWER)).isLessThanOrEqualTo(LARGEST);
        }
    }

    @EveryTarget
    void singularMatricesKeepTheirRightHandSides(Target target) {
        ElementType type = target.type();
        each(target, (h, arena, ldl, uplo, hermitian, full, what) -> {
            int zero = full.n / 2;
            Mat a = Mat.of(full.n, full.n, (i, j) -> i == zero || j == zero ? 0 : full.re(i, j),
                    (i, j) -> i == zero || j == zero ? 0 : full.im(i, j));
            Mat b = random(new Random(7), type, a.n, SIDES[1]);
            MatrixView view = arena.matrix(type, a.n, SIDES[1]);
            Orthogonal.upload(view, b);
            assertThat(solve(h, arena, ldl, type, uplo, hermitian, a, view)).as(what).isBetween(1, a.n);
            assertThat(Orthogonal.download(view, a.n, SIDES[1]).re).isEqualTo(b.re);
        });
    }

    /** One number of the matrix is none: the solution is none either, or info says so. */
    @EveryTarget
    void notANumberIsNotLost(Target target) {
        ElementType type = target.type();
        each(target, (h, arena, ldl, uplo, hermitian, full, what) -> {
            int row = full.n - 1;
            int column = full.n / 2;
            Mat a = full.copy();
            a.set(row, column, Double.NaN, 0);
            a.set(column, row, Double.NaN, 0);
            MatrixView view = arena.matrix(type, a.n, SIDES[1]);
            Orthogonal.upload(view, random(new Random(7), type, a.n, SIDES[1]));
            int info = solve(h, arena, ldl, type, uplo, hermitian, a, view);
            Mat x = Orthogonal.download(view, a.n, SIDES[1]);
            assertThat(info != 0 || Arrays.stream(x.re).anyMatch(Double::isNaN)).as(what).isTrue();
        });
    }

    /** Pivots that no factorisation leaves name no row that anybody touches. */
    @EveryTarget
    void wrongPivotsGiveNoSolution(Target target) {
        ElementType type = target.type();
        for (Ldl ldl : Ldl.values()) {
            for (long wrong : new long[] {0, 9, -9, Long.MIN_VALUE, Long.MAX_VALUE, -8}) {
                for (int sides : SIDES) {
                    wrongPivot(target, type, ldl, new long[] {1, 2, 3, wrong, 5, 6, 7, 8}, sides);
                }
            }
        }
        // The first row of a block may name none before it.
        wrongPivot(target, type, Ldl.ROOK, new long[] {1, 2, 3, -3, -6, 6, 7, 8}, SIDES[0]);
        wrongPivot(target, type, Ldl.ROOK, new long[] {1, 2, 3, 4, 5, 6, 7, -8}, SIDES[1]);
    }

    private static void wrongPivot(Target target, ElementType type, Ldl ldl, long[] pivots, int sides) {
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(type, 8, 8);
            Orthogonal.upload(a, Mat.identity(8));
            MatrixView b = arena.matrix(type, 8, sides);
            Orthogonal.upload(b, random(new Random(7), type, 8, sides));
            VectorView ipiv = arena.vector(ElementType.I64, 8);
            ipiv.upload(pivots);
            VectorView info = arena.vector(ElementType.I32, 1);
            String what = ldl + " " + Arrays.toString(pivots);
            ldl.solve(h, Uplo.LOWER, a, ipiv, b, info);
            assertThat(Orthogonal.download(b, 8, sides).re).as(what).containsOnly(Double.NaN);
            if (ldl != Ldl.AASEN) {
                ldl.invert(h, Uplo.LOWER, false, a, ipiv, info);
                assertThat(info(info)).as(what).isEqualTo(-5);
            }
        }
    }

    /** As a user of LAPACK calls it: 1-based pivots, both negative for a block of order 2. */
    @Test
    void classicNamesSolve() {
        assertThat(classic((h, a, ipiv, b, info) -> ClassicLapack.dsysv(h, Uplo.LOWER, 3, 1, a, 3, ipiv, b, 3, info)))
                .containsExactly(-3, -3, 3);
        assertThat(
                classic((h, a, ipiv, b, info) -> ClassicLapack.dsysvRook(h, Uplo.LOWER, 3, 1, a, 3, ipiv, b, 3, info)))
                .containsExactly(-1, -3, 3);
        assertThat(classic((h, a, ipiv, b, info) -> ClassicLapack.dsysvAa(h, Uplo.LOWER, 3, 1, a, 3, ipiv, b, 3, info)))
                .containsExactly(1, 3, 3);
    }

    /** A call by a classic name. */
    private interface Classic {
        void call(Handle h, DevicePointer a, DevicePointer ipiv, DevicePointer b, DevicePointer info);
    }

    private static long[] classic(Classic name) {
        try (Device device = Device.open("host");
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            VectorView a = arena.vector(ElementType.F64, 9);
            VectorView b = arena.vector(ElementType.F64, 3);
            VectorView ipiv = arena.vector(ElementType.I64, 3);
            VectorView info = arena.vector(ElementType.I32, 1);
            a.upload(new double[] {0, 1, 4, 1, 0, 2, 4, 2, 1});
            b.upload(new double[] {14, 7, 11});
            name.call(h, a.pointer(), ipiv.pointer(), b.pointer(), info.pointer());
            double[] x = new double[3];
            long[] pivots = new long[3];
            b.download(x);
            ipiv.download(pivots);
            assertThat(info(info)).isZero();
            assertThat(x[0]).isCloseTo(1, within(1e-14));
            assertThat(x[1]).isCloseTo(2, within(1e-14));
            assertThat(x[2]).isCloseTo(3, within(1e-14));
            return pivots;
        }
    }

    /** Three problems of two unknowns, the second one singular: the others of the batch are solved. */
    @EveryTarget(realOnly = true)
    void othersOfABatchAreSolved(Target target) {
        for (Ldl ldl : Ldl.values()) {
            batch(target, target.type(), ldl);
        }
    }

    private static void batch(Target target, ElementType type, Ldl ldl) {
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(type, 2, 2, 3);
            MatrixView b = arena.matrix(type, 2, 1, 3);
            VectorView ipiv = arena.vector(ElementType.I64, 2, 3);
            VectorView info = arena.vector(ElementType.I32, 1, 3);
            Mat[] problems = {
                    Mat.of(2, 2, (i, j) -> i == j ? 0 : 2, (i, j) -> 0),
                    Mat.of(2, 2, (i, j) -> 0, (i, j) -> 0),
                    Mat.of(2, 2, (i, j) -> i == j ? i == 0 ? 4 : -4 : 0, (i, j) -> 0)};
            for (int p = 0; p < 3; p++) {
                Orthogonal.upload(a.problem(p), problems[p]);
                Orthogonal.upload(b.problem(p), Mat.of(2, 1, (i, j) -> i == 0 ? 4 : 8, (i, j) -> 0));
            }
            ldl.drive(h, Uplo.UPPER, false, a, ipiv, b, info);
            int[] failed = new int[3];
            info.download(failed);
            // An upper triangle is factored from its last column on, a tridiagonal matrix from its first.
            assertThat(failed).as(ldl.name()).containsExactly(0, ldl == Ldl.AASEN ? 1 : 2, 0);
            assertThat(Orthogonal.download(b.problem(0), 2, 1).re).containsExactly(4, 2);
            assertThat(Orthogonal.download(b.problem(1), 2, 1).re).containsExactly(4, 8);
            assertThat(Orthogonal.download(b.problem(2), 2, 1).re).containsExactly(1, -2);
        }
    }
}
