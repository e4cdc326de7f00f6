package dev.basalt.host.engine;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.Leaf;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;

/** What the tests of the vector kernels share: each call is made with the portable kernels too, on a copy of its operands. */
abstract class VectorLeafTest {
    static final List<ElementType> TYPES = List.of(ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64);
    static final VectorEngine ENGINE = new VectorEngine();

    private static final int GUARD = 128;

    final Random random = new Random(42);

    static Leaf portable(ElementType type) {
        return switch (type) {
            case F32 -> new SLeaf();
            case F64 -> new DLeaf();
            case C32 -> new CLeaf();
            default -> new ZLeaf();
        };
    }

    static Leaf vector(ElementType type) {
        return ENGINE.leaf(type);
    }

    /** The kernels that a call is made with. */
    Leaf tested(ElementType type) {
        return vector(type);
    }

    static double epsilon(ElementType type) {
        return type.real() == ElementType.F32 ? 0x1p-23 : 0x1p-52;
    }

    int upTo(int n) {
        return random.nextInt(n + 1);
    }

    boolean flag() {
        return random.nextBoolean();
    }

    <T> T any(T[] values) {
        return values[random.nextInt(values.length)];
    }

    /** 0, 1, -1 or anything. */
    double scalar() {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> -1;
            default -> random.nextDouble() * 2 - 1;
        };
    }

    /** Columns of elements between guards; what lies between the columns is NaN and must stay so. */
    final class Operand {
        final ElementType type;
        final int rows;
        final int columns;
        final long ld;
        final long inc;
        private final long block;
        private final long bytes;
        private byte[] before;

        private Operand(Arena arena, ElementType type, int rows, int columns, int gap, int inc) {
            this.type = type;
            this.rows = rows;
            this.columns = columns;
            this.inc = inc;
            this.ld = Math.max(1, (long) rows * Math.abs(inc)) + gap;
            this.bytes = ld * Math.max(1, columns) * type.bytes() + 2 * GUARD;
            // Elements are aligned, vectors are not.
            this.block = arena.allocate(bytes + 64, 64).address() + random.nextInt(4) * (long) type.bytes();
            for (long i = 0; i + real() <= bytes; i += real()) {
                put(block + i, Double.NaN);
            }
            for (int j = 0; j < columns; j++) {
                for (int i = 0; i < rows; i++) {
                    set(i, j, random.nextDouble() * 2 - 1, random.nextDouble() * 2 - 1);
                }
            }
        }

        private int real() {
            return type.real().bytes();
        }

        /** Where element (0, 0) is: the last in memory if the increment is negative. */
        long address() {
            return block + GUARD + (inc < 0 ? (rows - 1) * -inc * type.bytes() : 0);
        }

        private long at(int i, int j) {
            return address() + (i * inc + j * ld) * type.bytes();
        }

        void set(int i, int j, double re, double im) {
            put(at(i, j), re);
            if (type.isComplex()) {
                put(at(i, j) + real(), im);
            }
        }

        double re(int i, int j) {
            return get(at(i, j));
        }

        private void put(long address, double value) {
            if (real() == 4) {
                Memory.f32(address, (float) value);
            } else {
                Memory.f64(address, value);
            }
        }

        private double get(long address) {
            return real() == 4 ? Memory.f32(address) : Memory.f64(address);
        }

        byte[] content() {
            return Memory.ALL.asSlice(block, bytes).toArray(JAVA_BYTE);
        }

        void set(byte[] content) {
            MemorySegment.copy(content, 0, Memory.ALL, JAVA_BYTE, block, content.length);
        }

        private void keep() {
            before = content();
        }

        private void restore() {
            set(before);
        }

        private double[] values() {
            double[] result = new double[(int) (bytes / real())];
            for (int i = 0; i < result.length; i++) {
                result[i] = get(block + (long) i * real());
            }
            return result;
        }
    }

    Operand matrix(Arena arena, ElementType type, int rows, int columns) {
        return new Operand(arena, type, rows, columns, random.nextInt(4), 1);
    }

    Operand matrix(Arena arena, ElementType type, int rows, int columns, int gap) {
        return new Operand(arena, type, rows, columns, gap, 1);
    }

    /** A vector that mostly has no gaps. */
    Operand vector(Arena arena, ElementType type, int n) {
        int inc = random.nextInt(3) > 0 ? 1 : random.nextBoolean() ? 2 : -1 - random.nextInt(2);
        return new Operand(arena, type, n, 1, 0, inc);
    }

    /**
     * Runs a call with the portable kernels and with the vector kernels.
     *
     * @param what for the message
     * @param tolerance largest difference
     * @param call the call
     * @param written what it writes
     */
    void agree(ElementType type, String what, double tolerance, BiConsumer<Leaf, Integer> call, Operand... written) {
        double[][] expected = new double[written.length][];
        for (int i = 0; i < written.length; i++) {
            written[i].keep();
        }
        call.accept(portable(type), 0);
        for (int i = 0; i < written.length; i++) {
            expected[i] = written[i].values();
            written[i].restore();
        }
        call.accept(tested(type), 1);
        for (int i = 0; i < written.length; i++) {
            assertClose(type + " " + what, expected[i], written[i].values(), tolerance);
        }
    }

    static void assertClose(String what, double[] expected, double[] actual, double tolerance) {
        for (int i = 0; i < expected.length; i++) {
            boolean same = Double.isNaN(expected[i])
                    ? Double.isNaN(actual[i])
                    : expected[i] == actual[i] || Math.abs(expected[i] - actual[i]) <= tolerance;
            if (!same) {
                assertThat(actual[i]).as(what + " at " + i).isEqualTo(expected[i]);
            }
        }
    }
}
