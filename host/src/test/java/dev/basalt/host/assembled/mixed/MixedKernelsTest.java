package dev.basalt.host.assembled.mixed;

import static dev.basalt.type.ElementType.BF16;
import static dev.basalt.type.ElementType.F16;
import static dev.basalt.type.ElementType.F32;
import static dev.basalt.type.ElementType.F8_E4M3;
import static dev.basalt.type.ElementType.F8_E5M2;
import static dev.basalt.type.ElementType.I32;
import static dev.basalt.type.ElementType.I8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.code.Guarded;
import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.product.ProductTable;
import dev.basalt.host.assembled.x86.CpuFeatures;
import dev.basalt.host.assembled.x86.Extension;
import dev.basalt.host.assembled.x86.Format;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.spi.Conversion;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kernels on narrow numbers, with each set of instructions that this processor has, against exact products of the converted operands: within the error of
 * sums in single precision, and one rounding. Operands end before a page without access.
 */
class MixedKernelsTest {
    private static final int ROUNDS = 120;
    private static final long BYTES = 4 << 20;
    private static final int[] SIZES = {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 47, 48, 49, 64, 65, 97, 130, 193, 260};
    private static final int[] DEPTHS = {0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 64, 257, 511, 513, 1030};
    private static final int[] LENGTHS = {0, 1, 2, 7, 8, 15, 16, 17, 63, 64, 65, 100, 1023, 1025, 2500, 16385, 33000};
    private static final double[][] SCALARS = {{1, 0}, {1, 1}, {2, 0}, {-1.5, 0.5}, {0, 2}, {0, 0}, {1, -1}};

    private final Arena memory = Arena.ofConfined();
    private final long work = memory.allocate(BYTES, 64).address();
    private final Guarded spaceA = new Guarded(BYTES);
    private final Guarded spaceB = new Guarded(BYTES);
    private final Guarded spaceC = new Guarded(BYTES);
    private final Launch l = new Launch();
    private SplittableRandom random = new SplittableRandom(1);

    @AfterEach
    void free() {
        memory.close();
    }

    /** An instruction set and what of its extensions is used. */
    record Instructions(Isa isa, Set<Extension> extensions) {
        MixedKernels kernels() {
            return new MixedKernels(new ProductTable(new Shape(isa, Real.F32)), extensions);
        }
    }

    record Types(ElementType a, ElementType b, ElementType c, ElementType compute) {}

    private static final Types[] PRODUCTS = {
            new Types(F16, F16, F16, F16),
            new Types(F16, F16, F32, F32),
            new Types(BF16, BF16, BF16, F32),
            new Types(BF16, BF16, F32, F32),
            new Types(F8_E4M3, F8_E4M3, F32, F32),
            new Types(F8_E4M3, F8_E5M2, BF16, F32),
            new Types(F8_E5M2, F8_E5M2, F32, F32),
            new Types(F32, BF16, F16, F32),
            new Types(I8, I8, I32, I32)};

    private static final Types[] VECTORS = {
            new Types(F16, F16, F16, F32),
            new Types(BF16, BF16, BF16, BF16),
            new Types(F16, F32, F32, F32),
            new Types(BF16, F16, BF16, F32),
            new Types(F32, BF16, F16, F32)};

    static List<Instructions> instructions() {
        try {
            AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            Assumptions.abort("skipped: " + e.getMessage());
        }
        CpuFeatures features = CpuFeatures.detect();
        List<Instructions> found = new ArrayList<>();
        for (Isa isa : Isa.values()) {
            if (features.has(isa)) {
                Set<Instructions> sets = new LinkedHashSet<>();
                Set<Extension> all = features.extensions(isa);
                sets.add(new Instructions(isa, all));
                sets.add(new Instructions(isa, all.contains(Extension.F16C) ? Set.of(Extension.F16C) : Set.of()));
                sets.add(new Instructions(isa, Set.of()));
                found.addAll(sets);
            }
        }
        return found;
    }

    private int pick(int[] values) {
        return values[random.nextInt(values.length)];
    }

    private double number(ElementType type) {
        if (type == I8) {
            return random.nextInt(4) == 0 ? -128 : random.nextInt(256) - 128;
        }
        if (type == I32) {
            return random.nextInt();
        }
        // Of different sizes, so that sums lose something; subnormals of halves among them.
        return (2 * random.nextDouble() - 1) * Math.scalb(1.0, random.nextInt(12) == 0 ? -14 : -random.nextInt(4));
    }

    private static double get(Operand x, long i, long j) {
        long at = x.vector ? x.first(0) + i * x.ld * x.type.bytes() : x.at(0) + (i + j * x.ld) * x.type.bytes();
        return Conversion.load(x.type, at);
    }

    /** A matrix at the end of its memory, in which everything but the elements is a NaN, or a large integer. */
    private void matrix(Guarded space, Operand x, ElementType type, int rows, int cols, boolean known) {
        int ld = Math.max(rows, 1) + random.nextInt(3);
        x.matrix(type, 1, rows, cols, ld, 0);
        long bytes = x.span() * type.bytes();
        x.base = space.place(bytes);
        Memory.fill(x.base, bytes, (byte) 0x7f);
        for (int j = 0; known && j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                Conversion.store(type, x.base + (i + (long) j * ld) * type.bytes(), number(type));
            }
        }
    }

    private void vector(Guarded space, Operand x, ElementType type, int n, boolean known) {
        int[] increments = {1, 1, 1, -1, 2, -3};
        x.vector(type, 1, n, pick(increments), 0);
        long bytes = x.span() * type.bytes();
        x.base = space.place(bytes);
        Memory.fill(x.base, bytes, (byte) 0x7f);
        for (int i = 0; known && i < n; i++) {
            Conversion.store(type, x.first(0) + i * x.ld * type.bytes(), number(type));
        }
    }

    private void scalars() {
        double[] scalars = SCALARS[random.nextInt(SCALARS.length)];
        l.alpha.set(scalars[0], 0);
        l.beta.set(scalars[1], 0);
    }

    private void run(MixedKernels kernels, long work, long workBytes) {
        assertThat(kernels.takes(l)).isTrue();
        kernels.run(l, 0, work, workBytes);
        assertThat(spaceA.intact() && spaceB.intact() && spaceC.intact()).as("memory before operands").isTrue();
    }

    private boolean can(Instructions set, Types types) {
        boolean halves = false;
        for (ElementType type : List.of(types.a, types.b, types.c)) {
            Format format = Format.of(type);
            halves |= format != null && format.half();
        }
        return !halves || set.extensions.contains(Extension.F16C);
    }

    /** What one rounding may change: half a unit in the last place, subnormals among them. */
    private static double rounding(ElementType type, double value) {
        return switch (type) {
            case F16 -> 0x1p-11 * Math.abs(value) + 0x1p-25;
            case BF16 -> 0x1p-8 * Math.abs(value) + 0x1p-134;
            default -> 0x1p-24 * Math.abs(value);
        };
    }

    @ParameterizedTest
    @MethodSource("instructions")
    void products(Instructions set) {
        MixedKernels kernels = set.kernels();
        for (int round = 0; round < ROUNDS; round++) {
            random = new SplittableRandom(round);
            Types types = PRODUCTS[round % PRODUCTS.length];
            if (!can(set, types)) {
                continue;
            }
            int m = pick(SIZES);
            int n = pick(SIZES);
            int k = pick(DEPTHS);
            l.reset(Kernel.GEMM, types.compute, 1);
            l.m = m;
            l.n = n;
            l.k = k;
            l.opA = Op.values()[random.nextInt(3)];
            l.opB = Op.values()[random.nextInt(3)];
            scalars();
            boolean plainA = l.opA == Op.NONE;
            boolean plainB = l.opB == Op.NONE;
            boolean reads = l.alpha.re() != 0;
            matrix(spaceA, l.a, types.a, plainA ? m : k, plainA ? k : m, reads);
            matrix(spaceB, l.b, types.b, plainB ? k : n, plainB ? n : k, reads);
            matrix(spaceC, l.c, types.c, m, n, l.beta.re() != 0);
            check(kernels, types, m, n, k, plainA, plainB);
        }
    }

    private void check(MixedKernels kernels, Types types, int m, int n, int k, boolean plainA, boolean plainB) {
        double alpha = types.compute == I32 ? (int) l.alpha.re() : l.alpha.re();
        double beta = types.compute == I32 ? (int) l.beta.re() : l.beta.re();
        double[] a = new double[m * k];
        double[] b = new double[k * n];
        for (int p = 0; alpha != 0 && p < k; p++) {
            for (int i = 0; i < m; i++) {
                a[i * k + p] = plainA ? get(l.a, i, p) : get(l.a, p, i);
            }
            for (int j = 0; j < n; j++) {
                b[j * k + p] = plainB ? get(l.b, p, j) : get(l.b, j, p);
            }
        }
        double[] old = new double[m * n];
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < m; i++) {
                old[i + j * m] = beta == 0 ? 0 : get(l.c, i, j);
            }
        }
        byte[] before = bytes();
        run(kernels, 0, 0);
        byte[] own = bytes();
        put(before);
        run(kernels, work, BYTES);
        assertThat(bytes()).as("the same bits with packing memory").isEqualTo(own);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < m; i++) {
                double sum = 0;
                double size = 0;
                for (int p = 0; alpha != 0 && p < k; p++) {
                    double term = a[i * k + p] * b[j * k + p];
                    sum += term;
                    size += Math.abs(term);
                }
                double found = get(l.c, i, j);
                if (types.compute == I32) {
                    int expected = (int) alpha * (int) (long) sum + (int) beta * (int) (long) old[i + j * m];
                    assertThat((int) found).isEqualTo(expected);
                } else {
                    double exact = alpha * sum + beta * old[i + j * m];
                    double error =
                            0x1.01p-24 * ((k + 3) * Math.abs(alpha) * size + 2 * Math.abs(beta * old[i + j * m]));
                    // Products of halves below the least normal float are lost.
                    error += rounding(types.c, exact) * 1.01 + k * 0x1p-126;
                    assertThat(Math.abs(found - exact)).as("%s %d×%d×%d (%d, %d)", types, m, n, k, i, j)
                            .isLessThanOrEqualTo(error);
                }
            }
        }
        if (m > 0 && l.c.ld > m && n > 1) {
            byte[] now = bytes();
            assertThat(now[m * l.c.type.bytes()]).as("between columns").isEqualTo((byte) 0x7f);
        }
    }

    private byte[] bytes() {
        byte[] found = new byte[(int) l.c.spanBytes()];
        for (int i = 0; i < found.length; i++) {
            found[i] = Memory.i8(l.c.base + i);
        }
        return found;
    }

    private void put(byte[] values) {
        for (int i = 0; i < values.length; i++) {
            Memory.i8(l.c.base + i, values[i]);
        }
    }

    @ParameterizedTest
    @MethodSource("instructions")
    void matrixTimesVector(Instructions set) {
        MixedKernels kernels = set.kernels();
        for (int round = 0; round < 2 * ROUNDS; round++) {
            random = new SplittableRandom(round);
            Types types = VECTORS[round % VECTORS.length];
            if (!can(set, types)) {
                continue;
            }
            int m = pick(round % 7 == 0 ? LENGTHS : SIZES);
            int n = pick(SIZES);
            m = m > 3000 ? 2100 : m;
            l.reset(Kernel.GEMV, types.compute, 1);
            l.m = m;
            l.n = n;
            l.opA = Op.values()[random.nextInt(3)];
            scalars();
            boolean plain = l.opA == Op.NONE;
            matrix(spaceA, l.a, types.a, m, n, l.alpha.re() != 0);
            vector(spaceB, l.b, types.b, plain ? n : m, l.alpha.re() != 0);
            vector(spaceC, l.c, types.c, plain ? m : n, l.beta.re() != 0);
            int rows = plain ? m : n;
            double[] old = new double[rows];
            for (int i = 0; l.beta.re() != 0 && i < rows; i++) {
                old[i] = get(l.c, i, 0);
            }
            run(kernels, 0, 0);
            int depth = l.alpha.re() == 0 ? 0 : plain ? n : m;
            for (int i = 0; i < rows; i++) {
                double sum = 0;
                double size = 0;
                for (int p = 0; p < depth; p++) {
                    double term = (plain ? get(l.a, i, p) : get(l.a, p, i)) * get(l.b, p, 0);
                    sum += term;
                    size += Math.abs(term);
                }
                double exact = l.alpha.re() * sum + l.beta.re() * old[i];
                double error =
                        0x1.01p-24 * ((depth + 3) * Math.abs(l.alpha.re()) * size + 2 * Math.abs(l.beta.re() * old[i]));
                error += rounding(types.c, exact) * 1.01 + depth * 0x1p-149;
                assertThat(Math.abs(get(l.c, i, 0) - exact)).as("%s %d×%d %s", types, m, n, l.opA)
                        .isLessThanOrEqualTo(error);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("instructions")
    void vectors(Instructions set) {
        MixedKernels kernels = set.kernels();
        Kernel[] which = {Kernel.AXPY, Kernel.SCAL, Kernel.ROT, Kernel.DOT, Kernel.NRM2};
        for (int round = 0; round < 4 * ROUNDS; round++) {
            random = new SplittableRandom(round);
            Types types = VECTORS[round % VECTORS.length];
            Kernel kernel = which[round / VECTORS.length % which.length];
            if (!can(set, types)) {
                continue;
            }
            int n = pick(LENGTHS);
            l.reset(kernel, types.compute, 1);
            l.n = n;
            l.real = true;
            l.alpha.set(round % 11 == 0 ? 0 : 0.75, 0);
            l.beta.set(-0.625, 0);
            vector(spaceA, l.a, types.a, n, true);
            vector(spaceB, l.b, types.b, n, true);
            vector(spaceC, l.c, types.c, n, true);
            double[] x = new double[n];
            double[] y = new double[n];
            double sum = 0;
            double size = 0;
            for (int i = 0; i < n; i++) {
                x[i] = get(l.a, i, 0);
                y[i] = get(l.c, i, 0);
                double term = x[i] * (kernel == Kernel.DOT ? get(l.b, i, 0) : x[i]);
                sum += term;
                size += Math.abs(term);
            }
            if (kernel == Kernel.DOT || kernel == Kernel.NRM2) {
                l.d.vector(F32, work, 1, 1, 0);
                run(kernels, 0, 0);
                double exact = kernel == Kernel.DOT ? sum : Math.sqrt(sum);
                double error =
                        0x1p-24 * (n < 64 ? n + 4 : n / 8 + 64) * (kernel == Kernel.DOT ? size : Math.sqrt(size));
                assertThat(Math.abs(get(l.d, 0, 0) - exact)).isLessThanOrEqualTo(error);
                continue;
            }
            run(kernels, 0, 0);
            double c = l.alpha.re();
            double s = l.beta.re();
            for (int i = 0; i < n; i++) {
                double newX = kernel == Kernel.ROT ? c * x[i] + s * y[i] : x[i];
                double newY =
                        kernel == Kernel.ROT ? c * y[i] - s * x[i] : kernel == Kernel.SCAL ? c * y[i] : c * x[i] + y[i];
                double error = 0x1p-23 * (Math.abs(x[i]) + Math.abs(y[i]));
                assertThat(Math.abs(get(l.a, i, 0) - newX))
                        .isLessThanOrEqualTo(kernel == Kernel.ROT ? error + 1.01 * rounding(types.a, newX) : 0);
                assertThat(Math.abs(get(l.c, i, 0) - newY)).as("%s %s n = %d", kernel, types, n)
                        .isLessThanOrEqualTo(error + 1.01 * rounding(types.c, newY));
            }
        }
    }

    /** Norms of numbers whose squares are beyond the range of single precision, of nothing, of NaN and infinities. */
    @ParameterizedTest
    @MethodSource("instructions")
    void normsOfExtremes(Instructions set) {
        MixedKernels kernels = set.kernels();
        int n = 20000;
        l.reset(Kernel.NRM2, F32, 1);
        l.n = n;
        l.d.vector(F32, work, 1, 1, 0);
        double[] sizes = {
                0,
                0x1p-133,
                0x1p-126,
                0x1p-100,
                0x1p-60,
                0x1p-41,
                0x1p60,
                0x1p64,
                0x1p100,
                0x1p120,
                Double.POSITIVE_INFINITY,
                Double.NaN};
        for (long inc : new long[] {1, 2}) {
            l.a.vector(BF16, 1, n, inc, 0);
            l.a.base = spaceA.place(l.a.spanBytes());
            for (double size : sizes) {
                for (int i = 0; i < n; i++) {
                    Conversion.store(BF16, l.a.base + 2 * inc * i, i % 1000 == 7 ? size : size < 1 ? size / 8 : 1);
                }
                double sum = 0;
                for (int i = 0; i < n; i++) {
                    sum += get(l.a, i, 0) * get(l.a, i, 0);
                }
                run(kernels, 0, 0);
                double found = get(l.d, 0, 0);
                if (sum == 0 || !Double.isFinite(sum)) {
                    assertThat(Double.compare(found, (float) Math.sqrt(sum))).isZero();
                } else {
                    assertThat(found / Math.sqrt(sum)).as("%s", size).isBetween(1 - 0x1p-12, 1 + 0x1p-12);
                }
            }
        }
    }

    /** Every number there is, and floats of every exponent, are converted as {@link Conversion} does. */
    @ParameterizedTest
    @MethodSource("instructions")
    void conversions(Instructions set) {
        MixedTable table = new MixedTable(new Shape(set.isa, Real.F32), set.extensions);
        int count = 1 << 16;
        try (Arena arena = Arena.ofConfined()) {
            long from = arena.allocate(4L * count, 64).address();
            long to = arena.allocate(4L * count, 64).address();
            for (Format format : Format.values()) {
                if (format.half() && !set.extensions.contains(Extension.F16C)) {
                    continue;
                }
                for (int i = 0; i < count; i++) {
                    if (format.bytes == 1) {
                        Memory.i8(from + i, (byte) i);
                    } else if (format.bytes == 2) {
                        Memory.i16(from + 2L * i, (short) i);
                    }
                }
                NativeCall.stream(table.widen(format), count - 3, from, to, 1);
                for (int i = 0; format != Format.F32 && i < count - 3; i++) {
                    double expected = Conversion.load(format.type, from + (long) i * format.bytes);
                    assertThat(Double.compare(expected, Memory.f32(to + 4L * i))).as("%s %x", format, i).isZero();
                }
                for (int i = 0; i < count; i++) {
                    int bits = random.nextInt(3) == 0 ? 0x33000000 + (random.nextInt() >>> 5) : random.nextInt();
                    // Halfway between two halves, or close to it.
                    bits = random.nextInt(4) == 0 ? bits & 0xffff0000 | 0x7fff + random.nextInt(3) : bits;
                    Memory.i32(from + 4L * i, bits);
                }
                if (format.stored()) {
                    NativeCall.stream(table.stream(MixedStreamCode.Kind.SET, Format.F32, format), count - 3, from, to,
                            1);
                    long one = arena.allocate(4, 4).address();
                    for (int i = 0; i < count - 3; i++) {
                        Conversion.store(format.type, one, Memory.f32(from + 4L * i));
                        double found = Conversion.load(format.type, to + (long) i * format.bytes);
                        assertThat(Double.compare(Conversion.load(format.type, one), found))
                                .as("%x to %s", Memory.i32(from + 4L * i), format)
                                .isZero();
                    }
                }
            }
        }
    }
}
