package dev.basalt.spi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.basalt.foreign.NativeAccess;
import java.lang.foreign.MemorySegment;

/**
 * Loads and stores by absolute address, for devices whose memory the CPU can reach.
 *
 * <p>All kernels of the CPU work on plain {@code long} addresses through one constant segment that covers the whole
 * address space: the JIT then folds the segment away and each access is one instruction. Bounds are checked before, once
 * a call, where the shapes are known.
 */
public final class Memory {
    /** All of the process's memory as one segment; empty where Java refuses native access, and no device of the CPU's memory opens. */
    public static final MemorySegment ALL = NativeAccess.memory();

    /**
     * {@code address & ADDRESSES} is the address, but the compiler sees that it is neither negative nor near the end of all memory: with one AND in a loop, none of the accesses near it has a
     * bounds check.
     */
    public static final long ADDRESSES = 0x00ff_ffff_ffff_ffffL;

    private Memory() {}

    /**
     * Loads a double.
     *
     * @param address absolute address
     * @return the value there
     */
    public static double f64(long address) {
        return ALL.get(JAVA_DOUBLE_UNALIGNED, address);
    }

    /**
     * Stores a double.
     *
     * @param address absolute address
     * @param value the value
     */
    public static void f64(long address, double value) {
        ALL.set(JAVA_DOUBLE_UNALIGNED, address, value);
    }

    /**
     * Loads a float.
     *
     * @param address absolute address
     * @return the value there
     */
    public static float f32(long address) {
        return ALL.get(JAVA_FLOAT_UNALIGNED, address);
    }

    /**
     * Stores a float.
     *
     * @param address absolute address
     * @param value the value
     */
    public static void f32(long address, float value) {
        ALL.set(JAVA_FLOAT_UNALIGNED, address, value);
    }

    /**
     * Loads an int.
     *
     * @param address absolute address
     * @return the value there
     */
    public static int i32(long address) {
        return ALL.get(JAVA_INT_UNALIGNED, address);
    }

    /**
     * Stores an int.
     *
     * @param address absolute address
     * @param value the value
     */
    public static void i32(long address, int value) {
        ALL.set(JAVA_INT_UNALIGNED, address, value);
    }

    /**
     * Loads a long.
     *
     * @param address absolute address
     * @return the value there
     */
    public static long i64(long address) {
        return ALL.get(JAVA_LONG_UNALIGNED, address);
    }

    /**
     * Stores a long.
     *
     * @param address absolute address
     * @param value the value
     */
    public static void i64(long address, long value) {
        ALL.set(JAVA_LONG_UNALIGNED, address, value);
    }

    /**
     * Copies bytes; the ranges may overlap.
     *
     * @param from source address
     * @param to target address
     * @param bytes how many
     */
    public static void copy(long from, long to, long bytes) {
        MemorySegment.copy(ALL, from, ALL, to, bytes);
    }

    /**
     * Fills bytes.
     *
     * @param address start
     * @param bytes how many
     * @param value the byte
     */
    public static void fill(long address, long bytes, byte value) {
        ALL.asSlice(address, bytes).fill(value);
    }

    /**
     * Loads a byte.
     *
     * @param address absolute address
     * @return the value there
     */
    public static byte i8(long address) {
        return ALL.get(JAVA_BYTE, address);
    }

    /**
     * Stores a byte.
     *
     * @param address absolute address
     * @param value the value
     */
    public static void i8(long address, byte value) {
        ALL.set(JAVA_BYTE, address, value);
    }

    /**
     * Loads 16 bits: an integer, or what a half-precision number is stored as.
     *
     * @param address absolute address
     * @return the value there
     */
    public static short i16(long address) {
        return ALL.get(JAVA_SHORT_UNALIGNED, address);
    }

    /**
     * Stores 16 bits.
     *
     * @param address absolute address
     * @param value the value
     */
    public static void i16(long address, short value) {
        ALL.set(JAVA_SHORT_UNALIGNED, address, value);
    }
}
