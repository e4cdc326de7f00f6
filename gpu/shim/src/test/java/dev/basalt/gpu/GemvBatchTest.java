package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Many small products with vectors: one launch for all, and the bits of each depend on its operands alone. */
class GemvBatchTest {
    private static final int PROBLEMS = 90;

    /** Both forms of short, of long and of broken columns. */
    private static final int[][] SHAPES = {{8, 8}, {7, 5}, {34, 19}, {90, 70}};

    private final Shim shim = Shim.ABSENT == null ? new Shim() : null;

    @Test
    void bitsDoNotDependOnThePlace() {
        assumeTrue(Shim.ABSENT == null, Shim.ABSENT);
        for (ElementType type : KernelsMatchPortableTest.TYPES) {
            for (Op op : Op.values()) {
                for (int[] shape : SHAPES) {
                    equalProblems(type, op, shape[0], shape[1]);
                }
            }
        }
    }

    private void equalProblems(ElementType type, Op op, int m, int n) {
        Trial t = new Trial(Kernel.GEMV, type, PROBLEMS, new Random(m));
        Launch l = t.l;
        l.m = m;
        l.n = n;
        l.opA = op;
        l.alpha.set(0.75, 0);
        l.beta.set(-0.5, 0);
        // Columns that may be aligned in every so-manieth problem only.
        t.matrix(l.a, type, m, n, 0, false);
        shift(t, l.a, (long) m * n);
        boolean plain = op == Op.NONE;
        shift(t, t.vector(l.b, type, plain ? n : m, 1, false), plain ? n : m);
        shift(t, t.vector(l.c, type, plain ? m : n, 1, false), plain ? m : n);
        int before = Arrays.stream(shim.launches).sum();
        try (Arena arena = Arena.ofConfined()) {
            long sync = arena.allocate(Launcher.SYNC_BYTES, 64).address();
            new Launcher<>(shim, 8).run(l, arena.allocate(Arguments.BYTES, 64).address(), sync, true);
        }
        assertThat(Arrays.stream(shim.launches).sum()).isEqualTo(before + 1);
        long bytes = (plain ? m : n) * (long) type.bytes();
        for (int p = 1; p < PROBLEMS; p++) {
            for (long i = 0; i < bytes; i += 4) {
                assertThat(Memory.i32(l.c.at(p) + i)).as("%s %s %dx%d problem %d", type, op, m, n, p)
                        .isEqualTo(Memory.i32(l.c.at(0) + i));
            }
        }
    }

    /** Lays problem 0 out anew for all, an odd number of elements apart. */
    private static void shift(Trial t, Operand o, long elements) {
        long stride = elements | 1;
        long bytes = o.type.bytes();
        long from = o.at(0);
        long to = t.take(stride * PROBLEMS * bytes);
        for (int p = 0; p < PROBLEMS; p++) {
            Memory.copy(from, to + p * stride * bytes, elements * bytes);
        }
        o.base = to;
        o.offset = 0;
        o.stride = stride;
    }
}
