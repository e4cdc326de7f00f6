package dev.basalt.host.assembled.matvec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Products with matrices so large that their panels are fetched ahead. */
class FetchedPanelsTest {
    private static final int ROWS = 1027;
    private static final int COLUMNS = 1605;
    private static final int HALF = 800;

    @Test
    @DisplayName("A matrix that comes from memory has the bits of its halves, which do not")
    void sameBits() {
        int bits = 0;
        try {
            bits = AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            Assumptions.abort(e.getMessage());
        }
        for (Isa isa : Isa.values()) {
            if (isa.bytes * Byte.SIZE <= bits) {
                halves(new Matvec(new Shape(isa, Real.F64), false), Op.NONE);
                halves(new Matvec(new Shape(isa, Real.F64), false), Op.TRANS);
            }
        }
    }

    private static void halves(Matvec kernels, Op op) {
        Random random = new Random(7);
        try (Arena arena = Arena.ofConfined()) {
            long a = numbers(arena, random, ROWS * COLUMNS).address();
            MemorySegment x = numbers(arena, random, COLUMNS);
            for (boolean set : new boolean[] {false, true}) {
                MemorySegment y = numbers(arena, random, COLUMNS);
                MemorySegment expected = arena.allocate(ValueLayout.JAVA_DOUBLE, COLUMNS).copyFrom(y);
                kernels.gemv(op, set, ROWS, COLUMNS, 0.7, 0, a, ROWS, x.address(), y.address());
                boolean plain = op == Op.NONE;
                long right = HALF * (long) Double.BYTES;
                kernels.gemv(op, set, ROWS, HALF, 0.7, 0, a, ROWS, x.address(), expected.address());
                kernels.gemv(op, set && !plain, ROWS, COLUMNS - HALF, 0.7, 0, a + right * ROWS, ROWS,
                        x.address() + (plain ? right : 0), expected.address() + (plain ? 0 : right));
                assertThat(y.toArray(ValueLayout.JAVA_DOUBLE)).isEqualTo(expected.toArray(ValueLayout.JAVA_DOUBLE));
            }
        }
    }

    private static MemorySegment numbers(Arena arena, Random random, int n) {
        return arena.allocateFrom(ValueLayout.JAVA_DOUBLE, random.doubles(n, -1, 1).toArray());
    }
}
