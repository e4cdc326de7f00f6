package dev.basalt.portable;

import static dev.basalt.type.ElementType.BF16;
import static dev.basalt.type.ElementType.F16;
import static dev.basalt.type.ElementType.F32;
import static dev.basalt.type.ElementType.F64;
import static dev.basalt.type.ElementType.F8_E4M3;
import static dev.basalt.type.ElementType.F8_E5M2;
import static dev.basalt.type.ElementType.I32;
import static dev.basalt.type.ElementType.I8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.spi.Conversion;
import dev.basalt.spi.Kernel;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Operands of other types than the computation: small integers, which sums have exactly, rounded once at the end. */
class MixedTest {
    private static final int ROUNDS = 30;
    private static final int[] SIZES = {0, 1, 3, 17, 64, 65, 140};
    private static final int[] LENGTHS = {0, 1, 5, 1023, 1024, 1025, 2500};
    private static final double[][] SCALARS = {{1, 0, 0, 0}, {2, 0, 1, 0}, {0, 0, 2, 0}, {-1, 0, 3, 0}, {0, 0, 0, 0}};

    /**
     * Types of a kernel.
     *
     * @param in type of a and b
     * @param out type of c, or of the result
     * @param compute type of the computation
     */
    record Types(ElementType in, ElementType out, ElementType compute) {}

    static final Types[] PRODUCTS = {
            new Types(F16, F16, F16),
            new Types(F16, F16, F32),
            new Types(F16, F32, F32),
            new Types(BF16, BF16, F32),
            new Types(BF16, F32, F32),
            new Types(I8, I32, I32),
            new Types(F8_E4M3, F32, F32),
            new Types(F8_E4M3, BF16, F32),
            new Types(F8_E5M2, F32, F32),
            new Types(F8_E5M2, BF16, F32)};

    static final Types[] VECTORS = {
            new Types(F16, F16, F16),
            new Types(F16, F16, F32),
            new Types(BF16, BF16, F32),
            new Types(BF16, BF16, BF16)};

    static final Types[] REDUCTIONS = {
            new Types(F16, F16, F16),
            new Types(F16, F16, F32),
            new Types(F16, F32, F32),
            new Types(BF16, BF16, F32),
            new Types(BF16, F32, F32),
            new Types(F32, F64, F64)};

    private static Mat rounded(ElementType type, Mat a) {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(16, 16).address();
            return Mat.of(a.m(), a.n(), (i, j) -> {
                Conversion.store(type, at, a.re(i, j));
                return Conversion.load(type, at);
            }, (i, j) -> 0);
        }
    }

    private static long inc(KernelRun r) {
        long[] increments = {-2, -1, 1, 2};
        return increments[r.random.nextInt(4)];
    }

    private static void scalars(KernelRun r) {
        r.scalars(SCALARS[r.random.nextInt(SCALARS.length)]);
        scratch(r);
    }

    /** Without it elements are converted one by one. */
    private static void scratch(KernelRun r) {
        r.work(r.random.nextInt(3) == 0 ? 0 : Mixed.WORK);
    }

    @ParameterizedTest
    @FieldSource("PRODUCTS")
    void gemm(Types types) {
        for (int round = 0; round < ROUNDS; round++) {
            try (KernelRun r = new KernelRun(Kernel.GEMM, types.compute, round)) {
                int m = SIZES[r.random.nextInt(SIZES.length)];
                int n = SIZES[r.random.nextInt(SIZES.length)];
                int k = SIZES[r.random.nextInt(SIZES.length)];
                r.l.m = m;
                r.l.n = n;
                r.l.k = k;
                r.l.opA = Op.values()[r.random.nextInt(3)];
                r.l.opB = Op.values()[r.random.nextInt(3)];
                scalars(r);
                boolean plainA = r.l.opA == Op.NONE;
                boolean plainB = r.l.opB == Op.NONE;
                Batch a = r.matrix(r.l.a, types.in, plainA ? m : k, plainA ? k : m);
                Batch b = r.matrix(r.l.b, types.in, plainB ? k : n, plainB ? n : k);
                Batch c = r.matrix(r.l.c, types.out, m, n);
                product(r, a, b, c, types, plainA ? m : k, plainA ? k : m, plainB ? k : n, plainB ? n : k, m, n);
            }
        }
    }

    @ParameterizedTest
    @FieldSource("PRODUCTS")
    void gemv(Types types) {
        if (types.in == I8) {
            return;
        }
        for (int round = 0; round < ROUNDS; round++) {
            try (KernelRun r = new KernelRun(Kernel.GEMV, types.compute, round)) {
                int m = SIZES[r.random.nextInt(SIZES.length)];
                int n = SIZES[r.random.nextInt(SIZES.length)];
                r.l.m = m;
                r.l.n = n;
                r.l.opA = Op.values()[r.random.nextInt(3)];
                scalars(r);
                int rows = r.l.opA == Op.NONE ? m : n;
                Batch a = r.matrix(r.l.a, types.in, m, n);
                Batch b = r.vector(r.l.b, types.in, m + n - rows, inc(r));
                Batch c = r.vector(r.l.c, types.out, rows, inc(r));
                product(r, a, b, c, types, m, n, m + n - rows, 1, rows, 1);
            }
        }
    }

    private static void product(KernelRun r, Batch a, Batch b, Batch c, Types types, int am, int an, int bm, int bn,
            int m, int n) {
        Mat[] as = {r.random(am, an), r.random(am, an)};
        Mat[] bs = {r.random(bm, bn), r.random(bm, bn)};
        Mat[] cs = {r.random(m, n), r.random(m, n)};
        for (int i = 0; i < KernelRun.COUNT; i++) {
            if (!r.alphaIsZero()) {
                a.put(i, as[i]);
                b.put(i, bs[i]);
            }
            c.put(i, r.betaIsZero() ? c.filler() : cs[i]);
        }
        r.run();
        for (int i = 0; i < KernelRun.COUNT; i++) {
            Mat sum = as[i].op(r.l.opA).times(bs[i].op(r.l.opB));
            r.check(c, i, rounded(types.out, r.combine(sum, cs[i])));
        }
    }

    @ParameterizedTest
    @FieldSource("VECTORS")
    void vectors(Types types) {
        for (int round = 0; round < 3 * ROUNDS; round++) {
            Kernel kernel = new Kernel[] {Kernel.AXPY, Kernel.SCAL, Kernel.ROT}[round / 2 % 3];
            try (KernelRun r = new KernelRun(kernel, types.compute, round)) {
                int n = LENGTHS[r.random.nextInt(LENGTHS.length)];
                r.l.n = n;
                r.l.real = true;
                scalars(r);
                Batch a = r.vector(r.l.a, types.in, n, inc(r));
                Batch c = r.vector(r.l.c, types.out, n, inc(r));
                Mat[] as = r.fill(a, n, 1);
                Mat[] cs = r.fill(c, n, 1);
                if (kernel == Kernel.SCAL) {
                    r.l.a.clear();
                }
                r.run();
                double alpha = r.l.alpha.re();
                double beta = r.l.beta.re();
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    Mat x = as[i];
                    Mat y = cs[i];
                    switch (kernel) {
                        case AXPY -> r.check(c, i, rounded(types.out, x.times(alpha, 0).plus(y)));
                        case SCAL -> r.check(c, i, rounded(types.out, y.times(alpha, 0)));
                        default -> {
                            r.check(a, i, x.times(alpha, 0).plus(y.times(beta, 0)));
                            r.check(c, i, y.times(alpha, 0).plus(x.times(-beta, 0)));
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @FieldSource("REDUCTIONS")
    void reductions(Types types) {
        for (int round = 0; round < 2 * ROUNDS; round++) {
            Kernel kernel = round % 4 < 2 ? Kernel.DOT : Kernel.NRM2;
            try (KernelRun r = new KernelRun(kernel, types.compute, round)) {
                int n = LENGTHS[r.random.nextInt(LENGTHS.length)];
                r.l.n = n;
                scratch(r);
                Batch a = r.vector(r.l.a, types.in, n, inc(r));
                Batch b = r.vector(r.l.b, types.in, n, inc(r));
                Batch d = r.vector(r.l.d, types.out, 1, 1);
                Mat[] as = r.fill(a, n, 1);
                Mat[] bs = r.fill(b, n, 1);
                r.run();
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    if (kernel == Kernel.DOT) {
                        r.check(d, i, rounded(types.out, as[i].op(Op.TRANS).times(bs[i])));
                    } else {
                        double norm = Math.sqrt(as[i].op(Op.TRANS).times(as[i]).re(0, 0));
                        double unit = types.out == F64 ? 0x1p-50
                                : types.out == F32 ? 0x1p-21
                                : types.out == F16 ? 0x1p-10
                                : 0x1p-7;
                        r.check(d, i, Mat.of(1, 1, (p, q) -> norm, (p, q) -> 0), unit * norm);
                    }
                }
            }
        }
    }

    /** Sums wrap around as the integers of machines do. */
    @Test
    void integersWrapAround() {
        try (KernelRun r = new KernelRun(Kernel.GEMM, I32, 0)) {
            r.l.m = 1;
            r.l.n = 1;
            r.l.k = 1;
            r.l.alpha.set(1 << 20, 0);
            Batch a = r.matrix(r.l.a, I8, 1, 1);
            Batch b = r.matrix(r.l.b, I8, 1, 1);
            Batch c = r.matrix(r.l.c, I32, 1, 1);
            for (int i = 0; i < KernelRun.COUNT; i++) {
                a.put(i, Mat.of(1, 1, (p, q) -> -128, (p, q) -> 0));
                b.put(i, Mat.of(1, 1, (p, q) -> 127, (p, q) -> 0));
            }
            r.run();
            int expected = (1 << 20) * (-128 * 127);
            r.check(c, 0, Mat.of(1, 1, (p, q) -> expected, (p, q) -> 0));
        }
    }

    @Test
    void refusesComplexNumbers() {
        try (KernelRun r = new KernelRun(Kernel.AXPY, F32, 0)) {
            r.l.n = 1;
            r.vector(r.l.a, F16, 1, 1);
            r.vector(r.l.c, F16, 1, 1);
            r.l.type = ElementType.C32;
            assertThatThrownBy(r::run).hasMessageContaining("C32");
        }
    }
}
