package dev.basalt.host.assembled.code;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Numbers of one precision in memory, for a comparison with scalar Java. They go there and come back as a whole: number by number takes Java a
 * microsecond each while it still interprets, which is when kernels are new.
 */
public final class Numbers {
    private final double[] values;
    private final int size;
    private final MemorySegment memory;

    /**
     * Puts numbers into memory, from a cache line on.
     *
     * @param arena whose memory it is
     * @param size bytes of a number, 4 or 8
     * @param values the numbers, which the precision has; they are kept and not copied
     */
    public Numbers(Arena arena, int size, double[] values) {
        this.values = values;
        this.size = size;
        this.memory = arena.allocate((long) values.length * size, 64);
        write(values);
    }

    /**
     * Puts others there.
     *
     * @param others as many numbers, which the precision has
     */
    public void write(double[] others) {
        if (size == 8) {
            MemorySegment.copy(others, 0, memory, JAVA_DOUBLE, 0, others.length);
            return;
        }
        float[] floats = new float[others.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) others[i];
        }
        MemorySegment.copy(floats, 0, memory, JAVA_FLOAT, 0, floats.length);
    }

    /**
     * Where they are.
     *
     * @return address of the first
     */
    public long address() {
        return memory.address();
    }

    /**
     * What was put there.
     *
     * @return the numbers
     */
    public double[] values() {
        return values;
    }

    /**
     * What is there now.
     *
     * @return as many numbers
     */
    public double[] read() {
        if (size == 8) {
            return memory.toArray(JAVA_DOUBLE);
        }
        float[] floats = memory.toArray(JAVA_FLOAT);
        double[] found = new double[floats.length];
        for (int i = 0; i < found.length; i++) {
            found[i] = floats[i];
        }
        return found;
    }

    /**
     * Whether these numbers are there now; the two zeros are one.
     *
     * @param expected as many numbers
     * @return whether each is there
     */
    public boolean are(double[] expected) {
        double[] found = read();
        for (int i = 0; i < found.length; i++) {
            if (found[i] != expected[i]) {
                return false;
            }
        }
        return true;
    }
}
