package dev.basalt.host.assembled.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.batch.BatchKernelsTest.Twice;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** QR and its products in lanes against the portable kernels; what else must hold is that of {@link BatchKernelsTest}. */
class BatchReflectorsTest {
    static Stream<Arguments> kernels() {
        List<Arguments> all = new ArrayList<>();
        for (int bits : new int[] {256, 512}) {
            for (ElementType type : new ElementType[] {
                    ElementType.F32,
                    ElementType.F64,
                    ElementType.C32,
                    ElementType.C64}) {
                all.add(Arguments.argumentSet(type + " by " + bits + " bits", bits, type));
            }
        }
        return all.stream();
    }

    /** Multiplies a range of a problem's column. */
    private static void scale(Twice t, Operand x, long problem, long column, long from, double by) {
        ElementType real = t.type.real();
        for (long i = from; i < x.rows; i++) {
            long at = x.at(problem) + (i + column * x.ld) * t.element;
            for (long end = at + t.element; at < end; at += t.size) {
                t.set(real, at, t.get(real, at) * by);
            }
        }
    }

    /** Problems that need more care: nothing below a diagonal element, tiny and huge columns, NaN; the others stay as they are. */
    private static void trouble(Twice t, int r) {
        Operand x = t.launch.c;
        double tiny = t.size == 8 ? 1e-170 : 1e-25;
        long problem = t.random.nextLong(t.launch.count);
        long column = t.random.nextLong(x.cols);
        switch (r) {
            case 4 -> scale(t, x, problem, column, Math.min(column + 1, x.rows), 0);
            case 5 -> scale(t, x, problem, 0, 0, tiny);
            case 6 -> scale(t, x, problem, column, 0, 1 / tiny);
            case 7 -> scale(t, x, problem, column, x.rows - 1, Double.NaN);
            case 8 -> {
                for (long j = 0; j < x.cols; j++) {
                    scale(t, x, problem, j, j + 1, 0);
                }
            }
            default -> {}
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void factors(int bits, ElementType type) {
        Twice t = new Twice(bits, type);
        for (int n = 1; n <= 32; n += n < 10 ? 1 : 3) {
            for (int r = 0; r < 9; r++) {
                Launch l = t.begin(Kernel.GEQR2, t.count());
                l.n = n;
                l.m = r % 2 == 0 ? n : n + t.random.nextInt(64 - n);
                t.place(l.c, type, l.m, n, l.m + BatchKernelsTest.gap(t.random), false, t.form());
                t.place(l.d, type, n, 1, 1, true, t.form());
                t.dominate(l.c, n, 2, true);
                trouble(t, r);
                t.run("geqr2 " + r, t.tolerance(64 * l.m));
            }
        }
        assertThat(t.taken).isGreaterThan(40);
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void products(int bits, ElementType type) {
        Twice t = new Twice(bits, type);
        for (int k = 1; k <= 32; k += k < 10 ? 1 : 3) {
            for (int r = 0; r < 4; r++) {
                Launch l = t.begin(Kernel.ORM2R, t.count());
                l.side = Side.LEFT;
                l.opA = r % 2 == 0 ? Op.NONE : Op.CONJ_TRANS;
                l.k = k;
                l.m = r < 2 ? k : k + t.random.nextInt(8);
                l.n = r == 0 ? 1 : 1 + t.random.nextInt(20);
                t.place(l.a, type, l.m, k, l.m + BatchKernelsTest.gap(t.random), false, t.form());
                t.place(l.c, type, l.m, l.n, l.m + BatchKernelsTest.gap(t.random), false, t.form());
                t.place(l.d, type, k, 1, 1, true, t.form());
                t.place(l.e, ElementType.I32, 1, 1, 1, true, t.form());
                l.guarded = r == 3;
                for (long i = 0; i < l.count; i++) {
                    t.leaf.geqr2(false, false, l.m, k, l.a.at(i), l.a.ld, l.d.at(i), 0, 0);
                    Memory.i32(l.e.at(i), t.random.nextInt(3) == 0 ? 77 : 0);
                }
                t.run("orm2r", t.tolerance(64 * l.m));
            }
        }
        assertThat(t.taken).isGreaterThan(20);
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void zeroDiagonals(int bits, ElementType type) {
        Twice t = new Twice(bits, type);
        for (int n = 1; n <= 9; n++) {
            for (int r = 0; r < 3; r++) {
                Launch l = t.begin(Kernel.ZERO_DIAGONAL, t.count());
                l.n = n;
                l.p = r;
                l.q = r == 1 ? n + 3 : 0;
                l.k = r == 2 ? 1 : 0;
                t.place(l.c, type, n, n, n + BatchKernelsTest.gap(t.random), false, t.form());
                t.place(l.e, ElementType.I32, 1, 1, 1, true, t.form());
                for (long i = 0; i < l.count; i++) {
                    Memory.i32(l.e.at(i), t.random.nextInt(4) == 0 ? 77 : 0);
                    for (int z = t.random.nextInt(3); z > 0; z--) {
                        t.put(l.c.at(i) + t.random.nextInt(n) * (l.c.ld + 1) * t.element, -0.0);
                    }
                }
                t.run("zero diagonal", 0);
            }
        }
        assertThat(t.taken).isEqualTo(27);
    }
}
