package dev.basalt.conformance.every;

import dev.basalt.DeviceArena;
import dev.basalt.DevicePointer;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Form;
import dev.basalt.internal.call.Argument;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * The operands of a call in device memory. What no routine may read is NaN, and so is all around them; for every other seed what is
 * around them are numbers, since a routine that overwrites a NaN mostly leaves a NaN.
 */
final class Loaded {
    /** Elements before the first problem and behind the last: a column more of most matrices. */
    private static final int MARGIN = 64;

    private final TableCall call;
    private final boolean numbers;
    private final DeviceArena arena;
    private final Map<String, DevicePointer> others = new LinkedHashMap<>();
    private final Map<String, DevicePointer> scalars = new LinkedHashMap<>();
    private final Map<String, Block> blocks = new LinkedHashMap<>();

    /** One operand: its memory, where its problems begin, and what was in it before the call. */
    private record Block(Stored stored, VectorView memory, int[] starts, long stride, DevicePointer pointer,
            double[] before) {}

    /** Loads the problems; the operands that are not read become NaN. The same seed lays them out the same way. */
    Loaded(TableCall call, DeviceArena arena, Set<String> unread, long seed) {
        this.call = call;
        this.arena = arena;
        numbers = (seed & 1) == 0;
        Random random = new Random(seed);
        for (Stored s : call.stored.values()) {
            blocks.put(s.name(), block(s, unread.contains(s.name()), random));
        }
    }

    private Block block(Stored s, boolean unread, Random random) {
        boolean dense = s.name().equals("info") || s.name().equals("result");
        boolean pivots =
                call.arguments().stream().anyMatch(x -> x instanceof Argument.Pivots && x.name().equals(s.name()));
        boolean table = call.form == Form.POINTERS && !pivots && !dense;
        int gap = dense ? 0 : random.nextInt(3);
        int distance = Math.max(1, s.span()) + gap;
        boolean backwards = call.form == Form.STRIDED && !dense && !pivots && random.nextInt(3) == 0;
        int[] starts = new int[call.count];
        for (int b = 0; b < call.count; b++) {
            starts[b] = MARGIN + (backwards ? call.count - 1 - b : b) * distance;
        }
        double[] before = new double[s.parts() * (2 * MARGIN + Math.max(1, call.count) * distance)];
        Arrays.setAll(before, i -> !s.hasNaN() ? 99 : numbers ? 1 + i % 7 : Double.NaN);
        for (int b = 0; b < call.count; b++) {
            double[] own = call.problems.get(b).arrays().get(s.name());
            for (int e = 0; e < s.at().length; e++) {
                int from = s.parts() * s.at()[e];
                int to = from + s.parts() * starts[b];
                if (unread) {
                    Arrays.fill(before, to, to + s.parts(), s.hasNaN() ? Double.NaN : 99);
                    continue;
                }
                System.arraycopy(own, from, before, to, s.parts());
                if (call.isHermitian() && s.triangle() && !call.factored() && !s.written()
                        && s.row()[e] == s.col()[e]) {
                    before[to + 1] = Double.NaN;
                }
            }
        }
        VectorView memory = arena.vector(s.element(), before.length / s.parts());
        memory.upload(narrow(s, before));
        DevicePointer first = at(memory, s, call.count == 0 ? MARGIN : starts[0]);
        if (table) {
            VectorView pointers = arena.vector(ElementType.I64, Math.max(1, call.count));
            long[] addresses = new long[Math.max(1, call.count)];
            for (int b = 0; b < call.count; b++) {
                addresses[b] = at(memory, s, starts[b]).address();
            }
            pointers.upload(addresses);
            first = pointers.pointer();
        }
        return new Block(s, memory, starts, backwards ? -distance : distance, first, before);
    }

    private static DevicePointer at(VectorView memory, Stored s, int element) {
        return memory.pointer().plus(s.element(), element);
    }

    /** From now on these operands have shapes only. */
    void remove(Set<String> names) {
        names.forEach(name -> replace(name, null));
    }

    /** From now on this operand is somewhere else, or nowhere. */
    void replace(String name, DevicePointer other) {
        others.put(name, other);
    }

    /** All operands are where they were loaded. */
    void putBack() {
        others.clear();
    }

    DevicePointer pointer(String name) {
        return others.containsKey(name) ? others.get(name) : blocks.get(name).pointer();
    }

    /** Where the memory of an operand ends but for some elements. */
    DevicePointer beforeTheEnd(String name, int elements) {
        Block block = blocks.get(name);
        return at(block.memory(), block.stored(), block.before().length / block.stored().parts() - elements);
    }

    /** Loads all operands again. */
    void reload() {
        blocks.values().forEach(block -> block.memory().upload(narrow(block.stored(), block.before())));
    }

    long stride(String name) {
        return blocks.get(name).stride();
    }

    /** A scalar in device memory, where it was put when it was asked for first. */
    DevicePointer scalar(String name, boolean complex) {
        return scalars.computeIfAbsent(name + complex, key -> {
            double[] v = call.scalars.get(name);
            return arena.scalar(call.scalarType(complex), new Complex(v[0], v[1])).pointer();
        });
    }

    /** The type of a scalar in device memory. */
    ElementType scalarType(boolean complex) {
        return call.scalarType(complex);
    }

    /** All elements of an operand, its surroundings included. */
    double[] content(String name) {
        Block block = blocks.get(name);
        Object array = narrow(block.stored(), block.before());
        block.memory().download(array);
        return wide(array);
    }

    /** The bits of all elements that the call knows, problem by problem. */
    List<long[]> results() {
        List<LongStream.Builder> results = new ArrayList<>();
        for (int b = 0; b < call.count; b++) {
            results.add(LongStream.builder());
        }
        for (Block block : blocks.values()) {
            double[] content = content(block.stored().name());
            int parts = block.stored().parts();
            for (int b = 0; b < call.count; b++) {
                for (int at : block.stored().at()) {
                    int first = parts * (block.starts()[b] + at);
                    for (int part = 0; part < parts; part++) {
                        results.get(b).add(Double.doubleToLongBits(content[first + part]));
                    }
                }
            }
        }
        return results.stream().map(bits -> bits.build().toArray()).toList();
    }

    double[] before(String name) {
        return blocks.get(name).before();
    }

    /** Where a problem begins, in elements. */
    int start(String name, int problem) {
        return blocks.get(name).starts()[problem];
    }

    private static Object narrow(Stored s, double[] numbers) {
        int n = numbers.length;
        switch (s.element()) {
            case F64, C64 -> {
                return numbers.clone();
            }
            case I32 -> {
                int[] array = new int[n];
                Arrays.setAll(array, i -> (int) numbers[i]);
                return array;
            }
            case I64 -> {
                long[] array = new long[n];
                Arrays.setAll(array, i -> (long) numbers[i]);
                return array;
            }
            case I8 -> {
                byte[] array = new byte[n];
                for (int i = 0; i < n; i++) {
                    array[i] = (byte) numbers[i];
                }
                return array;
            }
            default -> {
                float[] array = new float[n];
                for (int i = 0; i < n; i++) {
                    array[i] = (float) numbers[i];
                }
                return array;
            }
        }
    }

    private static double[] wide(Object array) {
        return switch (array) {
            case double[] numbers -> numbers;
            case float[] numbers -> {
                double[] wide = new double[numbers.length];
                Arrays.setAll(wide, i -> numbers[i]);
                yield wide;
            }
            case int[] numbers -> Arrays.stream(numbers).asDoubleStream().toArray();
            case long[] numbers -> Arrays.stream(numbers).asDoubleStream().toArray();
            case byte[] numbers -> {
                double[] wide = new double[numbers.length];
                Arrays.setAll(wide, i -> numbers[i]);
                yield wide;
            }
            default -> throw new AssertionError(array);
        };
    }
}
