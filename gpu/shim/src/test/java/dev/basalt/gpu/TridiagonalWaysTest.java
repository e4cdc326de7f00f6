package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tridiagonal systems whose rows several threads share, against one thread from the first row to the last: solutions, diagonals and info to the last bit, whatever the rows are and how
 * long an elimination remembers.
 */
class TridiagonalWaysTest {
    private static final long SEED = Seed.OF_RUN;
    private static final int[] ORDERS = {16, 17, 64, 128, 129, 160, 161, 300, 512, 900};
    private static final int COUNT = 7;

    /** Of a system: what it is like. */
    private enum Kind {
        DOMINANT, ANY, POISSON, EXCHANGED, ALTERNATING, HOLE, EMPTY, NAN, INFINITE
    }

    private final Launcher<Boolean> launcher = new Launcher<>(new Shim(), 2);

    @BeforeAll
    static void theSourcesAreCompiled() {
        assumeTrue(Shim.ABSENT == null, Shim.ABSENT);
    }

    @Test
    void waysAgreeToTheLastBit() {
        for (ElementType type : KernelsMatchPortableTest.TYPES) {
            for (int n : ORDERS) {
                Random r = new Random(SEED + n);
                Kind[] kinds = new Kind[COUNT];
                for (int p = 0; p < COUNT; p++) {
                    kinds[p] = Kind.values()[r.nextInt(Kind.values().length)];
                }
                long seed = r.nextLong();
                double[][] together = solved(type, n, kinds, 1, seed);
                double[][] apart = solved(type, n, kinds, 2, seed);
                for (int p = 0; p < COUNT; p++) {
                    assertThat(together[p]).as("%s order %d, problem %d: %s, seed %d", type, n, p, kinds[p], SEED)
                            .containsExactly(apart[p]);
                }
            }
        }
    }

    /** What is left in all operands, and info, to be compared by bits. Elements that lie `inc` apart are in the way of one thread. */
    private double[][] solved(ElementType type, int n, Kind[] kinds, int inc, long seed) {
        Random r = new Random(seed);
        Trial t = new Trial(Kernel.GTSV, type, COUNT, new Random(seed));
        Launch l = t.l;
        l.n = n;
        l.m = 1;
        Operand[] lines = {l.a, l.b, l.f, l.c};
        for (Operand o : lines) {
            t.vector(o, type, o == l.a || o == l.f ? n - 1 : n, inc, false);
        }
        t.vector(l.e, ElementType.I32, 1, 1, false);
        l.guarded = r.nextBoolean();
        for (int p = 0; p < COUNT; p++) {
            Memory.i32(l.e.at(p), r.nextInt(8) == 0 ? 3 : 0);
            fill(l, p, kinds[p], r);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment arguments = arena.allocate(Arguments.BYTES, 64).fill((byte) 0xA5);
            MemorySegment sync = arena.allocate(Launcher.SYNC_BYTES, 64);
            launcher.run(l, arguments.address(), sync.address(), seed % 2 == 0);
        }
        int parts = type.isComplex() ? 2 : 1;
        double[][] found = new double[COUNT][(4 * n - 2) * parts + 1];
        for (int p = 0; p < COUNT; p++) {
            int at = 0;
            for (Operand o : lines) {
                for (long i = 0; i < o.rows; i++) {
                    for (int q = 0; q < parts; q++) {
                        found[p][at++] = Trial.get(type, o.first(p), parts * i * o.ld + q);
                    }
                }
            }
            found[p][at] = Memory.i32(l.e.at(p));
        }
        return found;
    }

    private static void fill(Launch l, int p, Kind kind, Random r) {
        Operand[] lines = {l.a, l.b, l.f, l.c};
        long place = r.nextInt((int) l.n - 1);
        for (Operand o : lines) {
            int parts = o.type.isComplex() ? 2 : 1;
            for (long i = 0; i < o.rows; i++) {
                for (int q = 0; q < parts; q++) {
                    double x = 2 * r.nextDouble() - 1;
                    Trial.set(o.type, o.first(p), parts * i * o.ld + q,
                            o == l.c ? x : value(l, o, kind, i, place, q, x));
                }
            }
        }
    }

    /** An element of a diagonal. */
    private static double value(Launch l, Operand o, Kind kind, long i, long place, int part, double x) {
        boolean main = o == l.b;
        double on = part == 0 ? 1 : 0;
        boolean hole = o == l.f ? i == place - 1 : i == place;
        return switch (kind) {
            case DOMINANT -> main ? x + 4 * on : x;
            case ANY -> x;
            case POISSON -> main ? 2 * on : -on;
            case EXCHANGED -> main ? 0.01 * x : 3 * on + x;
            case ALTERNATING -> main ? 0 : i % 2 == 0 ? on : x;
            case HOLE -> hole ? 0 : main ? x + on : x;
            case EMPTY -> 0;
            case NAN -> main && i == place ? Double.NaN : x;
            case INFINITE -> o == l.a && i == place ? Double.POSITIVE_INFINITY : x;
        };
    }
}
