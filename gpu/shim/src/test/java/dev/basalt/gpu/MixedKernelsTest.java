package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.portable.BatchedKernels;
import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.Mixed;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.spi.Conversion;
import dev.basalt.spi.Dim;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Semiring;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kernels of mixed types for GPUs, run on the CPU, against the portable ones. */
class MixedKernelsTest {
    private static final int ROUNDS = Integer.getInteger("basalt.rounds", 40);
    private static final long SEED = Seed.OF_RUN;
    private static final BatchedKernels PORTABLE =
            new BatchedKernels(new SLeaf(), new DLeaf(), new CLeaf(), new ZLeaf(), ReductionRules.BLOCK);

    /** Types of the computation, of what is read, and of what is written. */
    private static final ElementType[][] TYPES = {
            {ElementType.F32, ElementType.F16, ElementType.F16},
            {ElementType.F32, ElementType.BF16, ElementType.BF16},
            {ElementType.F32, ElementType.F16, ElementType.F32},
            {ElementType.F32, ElementType.BF16, ElementType.F32},
            {ElementType.F16, ElementType.F16, ElementType.F16},
            {ElementType.BF16, ElementType.BF16, ElementType.BF16},
            {ElementType.F64, ElementType.F32, ElementType.F64},
            {ElementType.I32, ElementType.I8, ElementType.I32},
            {ElementType.F32, ElementType.F8_E4M3, ElementType.F32},
            {ElementType.F32, ElementType.F8_E5M2, ElementType.BF16}};

    /** Without tensor cores, with products of a warp, and with those of four. */
    private final List<Launcher<Boolean>> launchers = Shim.ABSENT != null
            ? List.of()
            : Stream.of(Cores.NONE, Cores.HALVES, Cores.WARPGROUPS)
                    .map(cores -> new Launcher<>(new Shim(), 8, cores, 1))
                    .toList();

    @ParameterizedTest
    @EnumSource(value = Kernel.class, names = {"AXPY", "SCAL", "ROT", "DOT", "NRM2", "GEMV", "GEMM", "GEAM_EX"})
    void matchesPortable(Kernel kernel) {
        assumeTrue(Shim.ABSENT == null, Shim.ABSENT);
        for (int round = 0; round < ROUNDS; round++) {
            ElementType[] types = TYPES[round % TYPES.length];
            if (kernel == Kernel.GEAM_EX) {
                types = new ElementType[] {ElementType.F16, ElementType.F16, ElementType.F16};
            }
            if (types[1].bytes() == 1 && kernel != Kernel.GEMM) {
                continue;
            }
            Random random = new Random(SEED + round);
            try (Arena arena = Arena.ofConfined()) {
                trial(kernel, types, random, arena, kernel + " round " + round + " seed " + SEED);
            }
        }
    }

    private void trial(Kernel kernel, ElementType[] types, Random r, Arena arena, String label) {
        Launch l = new Launch().reset(kernel, types[0], 1 + r.nextInt(3));
        boolean large = r.nextInt(4) == 0;
        l.m = 1 + r.nextInt(large ? 200 : 40);
        l.n = kernel == Kernel.GEMM || kernel == Kernel.GEMV || kernel == Kernel.GEAM_EX ? 1 + r.nextInt(90)
                : large ? 5000 + r.nextInt(9000)
                : l.m;
        l.k = r.nextInt(60);
        l.opA = Op.values()[r.nextInt(3)];
        l.opB = Op.values()[r.nextInt(3)];
        l.real = true;
        boolean integers = types[0] == ElementType.I32;
        scalar(l, arena, r, true, integers);
        scalar(l, arena, r, false, integers);
        boolean plainA = l.opA == Op.NONE;
        boolean plainB = l.opB == Op.NONE;
        boolean pointers = r.nextBoolean();
        switch (kernel) {
            case GEMM, GEAM_EX -> {
                l.semiring = Semiring.values()[r.nextInt(2)];
                operand(l.a, types[1], plainA ? l.m : l.k, plainA ? l.k : l.m, false, pointers, l, arena, r);
                operand(l.b, types[1], plainB ? l.k : l.n, plainB ? l.n : l.k, false, pointers, l, arena, r);
                operand(l.c, types[2], l.m, l.n, false, pointers, l, arena, r);
                if (kernel == Kernel.GEAM_EX) {
                    operand(l.d, types[2], l.m, l.n, false, pointers, l, arena, r);
                }
            }
            case GEMV -> {
                operand(l.a, types[1], l.m, l.n, false, pointers, l, arena, r);
                operand(l.b, types[1], plainA ? l.n : l.m, 1, true, pointers, l, arena, r);
                operand(l.c, types[2], plainA ? l.m : l.n, 1, true, pointers, l, arena, r);
            }
            case DOT, NRM2 -> {
                operand(l.a, types[1], l.n, 1, true, pointers, l, arena, r);
                if (kernel == Kernel.DOT) {
                    operand(l.b, types[1], l.n, 1, true, pointers, l, arena, r);
                }
                operand(l.d, types[2], 1, 1, true, pointers, l, arena, r);
            }
            default -> {
                ElementType of = kernel == Kernel.SCAL || r.nextInt(3) > 0 ? types[1] : types[2];
                if (kernel != Kernel.SCAL) {
                    operand(l.a, types[1], l.n, 1, true, pointers, l, arena, r);
                }
                operand(l.c, of, l.n, 1, true, pointers, l, arena, r);
            }
        }
        if (!l.mixed()) {
            return;
        }
        if (kernel.capped() && r.nextInt(3) == 0) {
            l.extent = arena.allocate(8 * l.count, 8).address();
            l.extentStride = 1;
            l.extentOf = Dim.values()[r.nextInt(3)];
            for (long i = 0; i < l.count; i++) {
                Memory.i64(l.extent + 8 * i, r.nextInt(r.nextBoolean() ? 30 : 9000) - 2);
            }
        }
        l.workBytes = Mixed.WORK;
        l.work = arena.allocate(l.workBytes, 64).address();
        MemorySegment arguments = arena.allocate(Arguments.BYTES, 64).fill((byte) 0xA5);
        MemorySegment sync = arena.allocate(Launcher.SYNC_BYTES, 64);
        double[][] before = elements(l);
        PORTABLE.run(l);
        double[][] expected = elements(l);
        restore(l, before);
        launchers.get(r.nextInt(launchers.size())).run(l, arguments.address(), sync.address(), r.nextBoolean());
        double[][] actual = elements(l);
        long terms = Math.max(l.m, Math.max(l.n, l.k));
        for (int i = 0; i < 4; i++) {
            double eps = epsilon(l.operand(i).type);
            // A sum is as wrong as its computation, and may then be rounded to the neighbour.
            double computed = types[0] == ElementType.F64 ? 0x1p-52 : 0x1p-23;
            for (int e = 0; e < expected[i].length; e++) {
                double y = expected[i][e];
                double bound = integers ? 0 : 2 * eps * Math.max(0x1p-14, Math.abs(y)) + 8 * terms * computed;
                assertThat(actual[i][e]).as("%s types %s operand %d element %d", label, l.type, i, e)
                        .isBetween(y - bound, y + bound);
            }
        }
    }

    /** Numbers of 16 bits are copied as they are, whatever they are. */
    @Test
    void copiesHalves() {
        assumeTrue(Shim.ABSENT == null, Shim.ABSENT);
        Random r = new Random(SEED);
        try (Arena arena = Arena.ofConfined()) {
            Launch l = new Launch().reset(Kernel.COPY_MATRIX, ElementType.F16, 2);
            l.m = 70;
            l.n = 9;
            operand(l.a, ElementType.F16, l.m, l.n, false, false, l, arena, r);
            operand(l.c, ElementType.F16, l.m, l.n, false, true, l, arena, r);
            Memory.i16(l.a.at(1), (short) 0x7c01);
            double[] gaps = elements(l)[2];
            MemorySegment arguments = arena.allocate(Arguments.BYTES, 64).fill((byte) 0xA5);
            launchers.get(0).run(l, arguments.address(), arena.allocate(Launcher.SYNC_BYTES, 64).address(), false);
            for (int e = 0; e < gaps.length; e++) {
                int span = (int) l.c.span();
                long at = l.c.at(e / span) + 2L * (e % span);
                long row = e % span % l.c.ld;
                if (row < l.m) {
                    long from = l.a.at(e / span) + 2 * (row + e % span / l.c.ld * l.a.ld);
                    assertThat(Memory.i16(at)).as("element %d, seed %d", e, SEED).isEqualTo(Memory.i16(from));
                } else {
                    assertThat(load(ElementType.F16, at)).as("gap %d, seed %d", e, SEED).isEqualTo(gaps[e]);
                }
            }
        }
    }

    private static double epsilon(ElementType type) {
        return switch (type) {
            case F16 -> 0x1p-10;
            case BF16 -> 0x1p-7;
            case F64 -> 0x1p-52;
            default -> 0x1p-23;
        };
    }

    private static void scalar(Launch l, Arena arena, Random r, boolean first, boolean integers) {
        dev.basalt.spi.Scalar s = first ? l.alpha : l.beta;
        double value = r.nextInt(4) == 0 ? 0 : integers ? r.nextInt(7) - 3 : (r.nextInt(33) - 16) / 16.0;
        if (r.nextBoolean()) {
            s.set(value, 0);
            return;
        }
        long at = arena.allocate(16, 16).address();
        store(l.type, at, value);
        s.device(at, l.type);
    }

    private static void operand(Operand o, ElementType type, long rows, long cols, boolean vector, boolean pointers,
            Launch l, Arena arena, Random r) {
        long inc = vector ? new long[] {1, 1, 1, 2, -1}[r.nextInt(5)] : rows + r.nextInt(3);
        boolean norm = l.kernel == Kernel.DOT || l.kernel == Kernel.NRM2;
        inc = norm && o == l.a ? Math.abs(inc) : inc;
        long ld = vector ? inc : Math.max(1, inc);
        long each = (vector ? (rows - 1) * Math.abs(ld) + 1 : ld * cols) + r.nextInt(2) * 8;
        long at = arena.allocate(Math.max(16, each * l.count * type.bytes()), 16).address();
        if (vector) {
            o.vector(type, at, rows, ld, each);
        } else {
            o.matrix(type, at, rows, cols, ld, each);
        }
        for (long i = 0; i < each * l.count; i++) {
            store(type, at + i * type.bytes(),
                    type == ElementType.I8 || type == ElementType.I32 ? r.nextInt(255) - 127 : 2 * r.nextDouble() - 1);
        }
        if (pointers) {
            long table = arena.allocate(8 * l.count, 8).address();
            for (long i = 0; i < l.count; i++) {
                Memory.i64(table + 8 * i, at + (l.count - 1 - i) * each * type.bytes());
            }
            o.base = table;
            o.pointers = true;
        }
    }

    /** All that lies between the first and the last element of each operand and problem. */
    private static double[][] elements(Launch l) {
        double[][] all = new double[4][];
        for (int i = 0; i < 4; i++) {
            Operand o = l.operand(i);
            int span = o.present() ? (int) o.span() : 0;
            all[i] = new double[(int) (span * l.count)];
            for (int e = 0; e < all[i].length; e++) {
                all[i][e] = load(o.type, o.at(e / span) + e % span * o.type.bytes());
            }
        }
        return all;
    }

    private static void restore(Launch l, double[][] all) {
        for (int i = 0; i < 4; i++) {
            Operand o = l.operand(i);
            for (int e = 0; e < all[i].length; e++) {
                int span = (int) o.span();
                store(o.type, o.at(e / span) + e % span * o.type.bytes(), all[i][e]);
            }
        }
    }

    private static double load(ElementType type, long at) {
        return switch (type) {
            case I8 -> Memory.i8(at);
            case I32 -> Memory.i32(at);
            case F64 -> Memory.f64(at);
            default -> Conversion.load(type, at);
        };
    }

    private static void store(ElementType type, long at, double value) {
        switch (type) {
            case I8 -> Memory.i8(at, (byte) value);
            case I32 -> Memory.i32(at, (int) value);
            case F64 -> Memory.f64(at, value);
            default -> Conversion.store(type, at, value);
        }
    }
}
