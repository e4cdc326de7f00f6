package dev.basalt.portable;

import dev.basalt.spi.Dim;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A dimension that only device memory knows caps the one that was given, problem by problem. */
class ExtentTest {
    private static final long[][] CAPS = {{3, 5}, {0, 4}, {-7, 100}, {Long.MIN_VALUE, Long.MAX_VALUE}};

    @ParameterizedTest
    @EnumSource(Dim.class)
    void capsProducts(Dim dim) {
        long seed = 1;
        for (long[] caps : CAPS) {
            for (int stride = 0; stride < 2; stride++) {
                try (KernelRun r = new KernelRun(Kernel.GEMM, ElementType.C32, seed++);
                        Arena arena = Arena.ofConfined()) {
                    int m = 6;
                    int n = 7;
                    int k = 8;
                    r.l.m = m;
                    r.l.n = n;
                    r.l.k = k;
                    r.l.opA = Op.TRANS;
                    r.scalars(new double[] {2, 1, 1, 0});
                    Batch a = r.matrix(r.l.a, k, m);
                    Batch b = r.matrix(r.l.b, k, n);
                    Batch c = r.matrix(r.l.c, m, n);
                    Mat[] as = r.fill(a, k, m);
                    Mat[] bs = r.fill(b, k, n);
                    Mat[] cs = r.fill(c, m, n);
                    r.l.extent = arena.allocate(16, 8).address();
                    r.l.extentStride = stride;
                    r.l.extentOf = dim;
                    Memory.i64(r.l.extent, caps[0]);
                    Memory.i64(r.l.extent + 8, caps[1]);
                    r.run();
                    for (int i = 0; i < KernelRun.COUNT; i++) {
                        long cap = Math.max(0, caps[i * stride]);
                        int rows = (int) (dim == Dim.M ? Math.min(m, cap) : m);
                        int cols = (int) (dim == Dim.N ? Math.min(n, cap) : n);
                        int inner = (int) (dim == Dim.K ? Math.min(k, cap) : k);
                        Mat x = as[i];
                        Mat y = bs[i];
                        Mat left = Mat.of(m, inner, (p, q) -> x.re(q, p), (p, q) -> x.im(q, p));
                        Mat right = Mat.of(inner, n, y::re, y::im);
                        Mat all = r.combine(left.times(right), cs[i]);
                        Mat old = cs[i];
                        r.check(c, i, Mat.of(m, n, (p, q) -> p < rows && q < cols ? all.re(p, q) : old.re(p, q),
                                (p, q) -> p < rows && q < cols ? all.im(p, q) : old.im(p, q)));
                    }
                }
            }
        }
    }

    /** Also where a reduction has several blocks. */
    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void capsReductions(ElementType type) {
        long seed = 100;
        for (long cap : new long[] {-1, 0, 1, 15, 16, 17, 40, 77, 1000}) {
            try (KernelRun r = new KernelRun(Kernel.DOT, type, seed++); Arena arena = Arena.ofConfined()) {
                int n = 77;
                r.l.n = n;
                Batch a = r.vector(r.l.a, n, 1);
                Batch b = r.vector(r.l.b, n, 1);
                Batch d = r.vector(r.l.d, 1, 1);
                Mat[] as = r.fill(a, n, 1);
                Mat[] bs = r.fill(b, n, 1);
                r.l.extent = arena.allocate(8, 8).address();
                Memory.i64(r.l.extent, cap);
                r.run();
                int used = (int) Math.min(n, Math.max(0, cap));
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    Mat x = as[i];
                    Mat y = bs[i];
                    r.check(d, i, Mat.of(1, used, (p, q) -> x.re(q, 0), (p, q) -> x.im(q, 0))
                            .times(Mat.of(used, 1, y::re, y::im)));
                }
            }
        }
    }
}
