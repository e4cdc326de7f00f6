package dev.basalt.portable;

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

    /**
     * Loads 32 bits of an operand of the calling thread, for kernels that do a few elements in Java.
     *
     * @param address a number of {@link #address}, a multiple of 4 bytes from the array's first element
     * @return the bits there, of a double its lower or upper half
     */
    public static int i32(long address) {
        HeapOperands own = OWN.get();
        int array = (int) (address - Long.MIN_VALUE >>> SHIFT);
        long bytes = (address & (1L << SHIFT) - 1) - BIAS;
        if (own.isSingle()) {
            return Float.floatToRawIntBits(own.floats[array][(int) (bytes >> 2)]);
        }
        long bits = Double.doubleToRawLongBits(own.doubles[array][(int) (bytes >> 3)]);
        return (int) (bits >>> (bytes & 4) * 8);
    }
}
