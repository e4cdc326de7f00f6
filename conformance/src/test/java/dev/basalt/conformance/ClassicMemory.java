package dev.basalt.conformance;

import dev.basalt.DeviceArena;
import dev.basalt.DeviceMemory;
import dev.basalt.DevicePointer;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The memory of one classic call: a block for two problems of every operand, by name, filled the same way each time. */
final class ClassicMemory {
    static final long LD = 8;
    static final long INC = 2;
    static final long STRIDE = 72;
    private static final int BLOCK = (int) (2 * STRIDE);

    /** Bytes that the views made so far reach, by operand. */
    final Map<String, Long> spans = new HashMap<>();

    private final DeviceArena arena;
    private final Method method;
    private final ElementType type;
    private final Map<String, DeviceMemory> blocks = new TreeMap<>();

    ClassicMemory(DeviceArena arena, Method method) {
        this.arena = arena;
        this.method = method;
        this.type = ClassicMethods.type(method);
    }

    ElementType element(String name) {
        return ClassicMethods.operandType(method, name);
    }

    DevicePointer pointer(String name, long problem) {
        long distance = name.equals("info") || name.equals("result") ? 1 : STRIDE;
        return block(name).pointer().plus(element(name), problem * distance);
    }

    /** A pointer into memory that ends after so many bytes. */
    DevicePointer bounded(String name, long bytes) {
        return arena.wrap(block(name).address(), bytes).pointer();
    }

    DevicePointer table(String name) {
        VectorView table = arena.vector(ElementType.I64, 2);
        table.upload(new long[] {pointer(name, 0).address(), pointer(name, 1).address()});
        return table.pointer();
    }

    static Complex scalarValue(String name, boolean complex) {
        boolean first = name.matches("alpha|c|(abs)?tol|vu|cfrom");
        return first ? new Complex(1.5, complex ? 0.25 : 0) : new Complex(-0.5, complex ? 0.75 : 0);
    }

    VectorView scalar(String name) {
        ElementType element = ClassicMethods.scalarType(method, name);
        return arena.scalar(element, scalarValue(name, element.isComplex()));
    }

    MatrixView matrix(String name, long rows, long cols) {
        spans.put(name, ((cols - 1) * LD + rows) * type.bytes());
        return MatrixView.of(type, pointer(name, 0), rows, cols, LD);
    }

    VectorView vector(String name, long n) {
        return vector(name, n, INC);
    }

    /** Elements side by side: pivots, info, result. */
    VectorView dense(String name, long n) {
        return vector(name, n, 1);
    }

    private VectorView vector(String name, long n, long inc) {
        spans.put(name, ((n - 1) * inc + 1) * element(name).bytes());
        return VectorView.of(element(name), pointer(name, 0), n, inc);
    }

    /** All bits of all operands. */
    Map<String, int[]> bits() {
        Map<String, int[]> bits = new TreeMap<>();
        blocks.forEach((name, memory) -> {
            int[] words = new int[(int) (memory.byteSize() / 4)];
            VectorView.of(ElementType.I32, memory.pointer(), words.length, 1).download(words);
            bits.put(name, words);
        });
        return bits;
    }

    /** All numbers of all operands but integers. */
    Map<String, double[]> numbers() {
        Map<String, double[]> numbers = new TreeMap<>();
        boolean single = type.real() == ElementType.F32;
        blocks.forEach((name, memory) -> {
            if (!element(name).isFloating()) {
                return;
            }
            int count = (int) (memory.byteSize() / type.real().bytes());
            double[] values = new double[count];
            VectorView all = VectorView.of(type.real(), memory.pointer(), count, 1);
            if (single) {
                float[] narrow = new float[count];
                all.download(narrow);
                Arrays.setAll(values, i -> narrow[i]);
            } else {
                all.download(values);
            }
            numbers.put(name, values);
        });
        return numbers;
    }

    /** The unit of rounding. */
    double unit() {
        return type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
    }

    private DeviceMemory block(String name) {
        return blocks.computeIfAbsent(name, this::filled);
    }

    private DeviceMemory filled(String name) {
        ElementType element = element(name);
        DeviceMemory memory = arena.allocate((long) BLOCK * element.bytes());
        VectorView all = VectorView.of(element, memory.pointer(), BLOCK, 1);
        switch (element) {
            case I32 -> all.upload(new int[BLOCK]);
            case I64 -> {
                long[] pivots = new long[BLOCK];
                Arrays.setAll(pivots, i -> i % STRIDE % 4 + 1);
                all.upload(pivots);
            }
            case F32, C32 -> {
                double[] values = values(name, element.isComplex());
                float[] narrow = new float[values.length];
                for (int i = 0; i < values.length; i++) {
                    narrow[i] = (float) values[i];
                }
                all.upload(narrow);
            }
            default -> all.upload(values(name, element.isComplex()));
        }
        return memory;
    }

    /** As matrices Hermitian with a heavy diagonal, so that every routine likes them; different in each operand and problem. */
    private static double[] values(String name, boolean complex) {
        double[] values = new double[complex ? 2 * BLOCK : BLOCK];
        for (int at = 0; at < BLOCK; at++) {
            int i = at % (int) STRIDE % (int) LD;
            int j = at % (int) STRIDE / (int) LD;
            int seed = name.charAt(0) * 31 + Math.min(i, j) * 7 + Math.max(i, j) * 3 + (at >= STRIDE ? 1 : 0);
            double re = i == j ? 9 + i : seed % 11 / 8.0 - 0.5;
            if (complex) {
                values[2 * at] = re;
                values[2 * at + 1] = Integer.compare(i, j) * (seed % 5 / 8.0);
            } else {
                values[at] = re;
            }
        }
        return values;
    }
}
