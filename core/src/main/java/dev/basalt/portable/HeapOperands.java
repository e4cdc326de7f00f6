package dev.basalt.portable;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.basalt.spi.Memory;
import java.lang.foreign.MemorySegment;

/**
 * Arrays of Java that the calls of one thread work on in place. Kernels know addresses only, and an array has none that lasts. So an operand in
 * an array gets a number that is no address of any process: bit 63 is set and bit 62 is not. Machine code that is called with such a number
 * gets the array's address of that moment, and no collector moves arrays until it returns ({@code NativeCall} in the host module).
 * Java code that follows such a number gets an exception, since it lies outside of all memory.
 */
public final class HeapOperands {
    /** Arrays that a call may have. */
    public static final int MOST = 4;

    /** Bits that count bytes of an array. */
    public static final int SHIFT = 50;

    /** The number of an array's first byte, within its range: pointers may step back from it for a while. */
    public static final long BIAS = 1L << SHIFT - 1;

    private static final double[] NO_DOUBLES = {};
    private static final float[] NO_FLOATS = {};

    private static final ThreadLocal<HeapOperands> OWN = ThreadLocal.withInitial(HeapOperands::new);

    private final double[][] doubles = {NO_DOUBLES, NO_DOUBLES, NO_DOUBLES, NO_DOUBLES};
    private final float[][] floats = {NO_FLOATS, NO_FLOATS, NO_FLOATS, NO_FLOATS};
    private int doubleCount;
    private int floatCount;
    private long calls;

    private HeapOperands() {}

    /**
     * Those of the calling thread.
     *
     * @return arrays, perhaps none
     */
    public static HeapOperands own() {
        return OWN.get();
    }

    /**
     * The number of a place in an array.
     *
     * @param array its index
     * @param bytes from the array's first element
     * @return what stands for an address
     */
    public static long address(int array, long bytes) {
        return Long.MIN_VALUE + ((long) array << SHIFT) + BIAS + bytes;
    }

    /**
     * Adds an array, all of one type.
     *
     * @param array doubles or floats
     * @return its index, -1 if there is no room or others are of another type
     */
    public int add(Object array) {
        if (array instanceof double[] numbers && floatCount == 0) {
            for (int i = 0; i < doubleCount; i++) {
                if (doubles[i] == numbers) {
                    return i;
                }
            }
            if (doubleCount == MOST) {
                return -1;
            }
            doubles[doubleCount] = numbers;
            return doubleCount++;
        }
        if (array instanceof float[] numbers && doubleCount == 0) {
            for (int i = 0; i < floatCount; i++) {
                if (floats[i] == numbers) {
                    return i;
                }
            }
            if (floatCount == MOST) {
                return -1;
            }
            floats[floatCount] = numbers;
            return floatCount++;
        }
        return -1;
    }

    /** Counts a call of machine code, for which a collector waits. */
    public void called() {
        calls++;
    }

    /**
     * Calls of machine code that this thread has made with arrays: work divided by them is what one does.
     *
     * @return how many
     */
    public long calls() {
        return calls;
    }

    /** Forgets the arrays. */
    public void clear() {
        while (doubleCount > 0) {
            doubles[--doubleCount] = NO_DOUBLES;
        }
        while (floatCount > 0) {
            floats[--floatCount] = NO_FLOATS;
        }
    }

    /**
     * Whether there are arrays.
     *
     * @return false outside of calls in place
     */
    public boolean isEmpty() {
        return doubleCount + floatCount == 0;
    }

    /**
     * Whether the arrays are of floats.
     *
     * @return false for doubles
     */
    public boolean isSingle() {
        return floatCount > 0;
    }

    /**
     * An array.
     *
     * @param index 0…3
     * @return the array, an empty one where there is none
     */
    public double[] doubles(int index) {
        return doubles[index];
    }

    /**
     * An array.
     *
     * @param index 0…3
     * @return the array, an empty one where there is none
     */
    public float[] floats(int index) {
        return floats[index];
    }

    /** Bytes from the first element of its array on. */
    private static long place(long address) {
        return (address & (1L << SHIFT) - 1) - BIAS;
    }

    private static int array(long address) {
        return (int) (address - Long.MIN_VALUE >>> SHIFT);
    }

    /**
     * Copies a matrix of the calling thread's arrays to memory, where its columns lie without gaps, or back: for kernels in Java.
     *
     * @param load whether it goes to memory
     * @param rows its rows
     * @param cols its columns
     * @param address a number of {@link #address}
     * @param ld elements from one column to the next
     * @param memory an address
     */
    public static void copy(boolean load, long rows, long cols, long address, long ld, long memory) {
        HeapOperands own = OWN.get();
        int count = (int) rows;
        for (long j = 0; j < cols; j++) {
            if (own.isSingle()) {
                float[] numbers = own.floats[array(address)];
                int first = (int) (place(address) / Float.BYTES + j * ld);
                long at = memory + j * rows * Float.BYTES;
                if (load) {
                    MemorySegment.copy(numbers, first, Memory.ALL, JAVA_FLOAT_UNALIGNED, at, count);
                } else {
                    MemorySegment.copy(Memory.ALL, JAVA_FLOAT_UNALIGNED, at, numbers, first, count);
                }
            } else {
                double[] numbers = own.doubles[array(address)];
                int first = (int) (place(address) / Double.BYTES + j * ld);
                long at = memory + j * rows * Double.BYTES;
                if (load) {
                    MemorySegment.copy(numbers, first, Memory.ALL, JAVA_DOUBLE_UNALIGNED, at, count);
                } else {
                    MemorySegment.copy(Memory.ALL, JAVA_DOUBLE_UNALIGNED, at, numbers, first, count);
                }
            }
        }
    }

    /**
     * Moves elements one by one: from an array of the calling thread to memory, or back.
     *
     * @param count how many
     * @param from a number of {@link #address}, or an address
     * @param fromStep bytes from one to the next
     * @param to the other of both
     * @param toStep bytes from one to the next
     */
    public static void move(int count, long from, long fromStep, long to, long toStep) {
        HeapOperands own = OWN.get();
        boolean load = from < 0;
        long place = place(load ? from : to);
        long step = load ? fromStep : toStep;
        long memory = load ? to : from;
        long memoryStep = load ? toStep : fromStep;
        if (own.isSingle()) {
            float[] numbers = own.floats[array(load ? from : to)];
            for (int p = 0; p < count; p++, place += step, memory += memoryStep) {
                if (load) {
                    Memory.f32(memory, numbers[(int) (place / Float.BYTES)]);
                } else {
                    numbers[(int) (place / Float.BYTES)] = Memory.f32(memory);
                }
            }
            return;
        }
        double[] numbers = own.doubles[array(load ? from : to)];
        for (int p = 0; p < count; p++, place += step, memory += memoryStep) {
            if (load) {
                Memory.f64(memory, numbers[(int) (place / Double.BYTES)]);
            } else {
                numbers[(int) (place / Double.BYTES)] = Memory.f64(memory);
            }
        }
    }
}
