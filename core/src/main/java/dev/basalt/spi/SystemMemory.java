package dev.basalt.spi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.foreign.NativeAccess;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The C library's memory functions, for devices that live in the CPU's memory. Unlike the JDK's arenas these do not
 * clear what they give: the first touch of a page costs up to 2 s a GiB, and a workspace is often reserved and never used.
 */
public final class SystemMemory {
    /**
     * One signature for all: binding one takes the JDK 5 to 10 ms in a fresh process. Functions that take fewer arguments do not
     * look at the rest, those that take ints do not look at the upper halves, and the upper half of an int result is ignored here.
     */
    private static final MethodHandle CALL = NativeAccess.downcall(
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    private static final MemorySegment MALLOC = NativeAccess.find("malloc");
    private static final MemorySegment FREE = NativeAccess.find("free");
    private static final MemorySegment MMAP = NativeAccess.find("mmap");
    private static final MemorySegment MPROTECT = NativeAccess.find("mprotect");
    private static final MemorySegment MUNMAP = NativeAccess.find("munmap");
    private static final MemorySegment MADVISE = NativeAccess.find("madvise");
    private static final boolean LINUX = System.getProperty("os.name", "").startsWith("Linux");
    private static final int MADV_HUGEPAGE = 14;
    private static final long HUGE_PAGE = 2L << 20;

    private SystemMemory() {}

    /**
     * Why memory cannot be had or reached at all. Devices that live in the CPU's memory refuse to open with this.
     *
     * @return the reason with the flag of Java to add, or null if nothing is in the way
     */
    public static String refusal() {
        return NativeAccess.refusal();
    }

    private static long call(MemorySegment function, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) CALL.invokeExact(function, a, b, c, d, e, f);
        } catch (Throwable t) {
            throw NativeAccess.failure(t);
        }
    }

    /**
     * Allocates memory without clearing it. Blocks of 2 MiB and more are aligned and advised for huge pages on Linux.
     *
     * @param bytes how many, > 0
     * @param alignment power of two
     * @return address; free it with {@link #free}
     * @throws DriverException if the system has no such memory
     */
    public static long allocate(long bytes, int alignment) {
        long align = bytes >= HUGE_PAGE && LINUX ? HUGE_PAGE : Math.max(16, alignment);
        long total = bytes + align + 16;
        long raw = total < bytes ? 0 : malloc(total);
        if (raw == 0) {
            throw new DriverException(DriverException.Code.OUT_OF_MEMORY,
                    "the system refused " + bytes + " bytes of memory");
        }
        long address = (raw + 16 + align - 1) & -align;
        Memory.i64(address - 8, raw);
        if (align == HUGE_PAGE) {
            advise(address, bytes);
        }
        return address;
    }

    /**
     * Frees what {@link #allocate} gave.
     *
     * @param address the address
     */
    public static void free(long address) {
        call(FREE, Memory.i64(address - 8), 0, 0, 0, 0, 0);
    }

    /**
     * Whether address ranges can be reserved here.
     *
     * @return true on Linux
     */
    public static boolean canReserve() {
        return LINUX && MMAP != null && MPROTECT != null && MUNMAP != null;
    }

    /**
     * Reserves an address range that cannot be touched yet and costs no memory.
     *
     * @param bytes how many
     * @return page-aligned address
     */
    public static long reserve(long bytes) {
        final int privateAnonymousNoReserve = 0x2 | 0x20 | 0x4000;
        long address = call(MMAP, 0, bytes, 0, privateAnonymousNoReserve, -1, 0);
        if (address == -1) {
            throw new DriverException(DriverException.Code.OUT_OF_MEMORY,
                    "cannot reserve an address range of " + bytes + " bytes");
        }
        return address;
    }

    /**
     * Makes part of a reserved range usable.
     *
     * @param address page-aligned start
     * @param bytes how many
     */
    public static void commit(long address, long bytes) {
        final int readWrite = 3;
        if ((int) call(MPROTECT, address, bytes, readWrite, 0, 0, 0) != 0) {
            throw new DriverException(DriverException.Code.OUT_OF_MEMORY, "cannot commit " + bytes + " bytes");
        }
        if (bytes >= HUGE_PAGE) {
            advise(address, bytes);
        }
    }

    /**
     * Gives back a reserved range and all memory in it.
     *
     * @param address what {@link #reserve} gave
     * @param bytes what was reserved
     */
    public static void unreserve(long address, long bytes) {
        if ((int) call(MUNMAP, address, bytes, 0, 0, 0, 0) != 0) {
            throw new DriverException(DriverException.Code.INVALID_HANDLE, "cannot give back an address range");
        }
    }

    /** Huge pages save 7 % of the time of memory-bound kernels; a refusal costs nothing but that. */
    private static void advise(long address, long bytes) {
        if (LINUX && MADVISE != null) {
            int refused = (int) call(MADVISE, address, bytes, MADV_HUGEPAGE, 0, 0, 0);
            assert refused == 0 || refused == -1;
        }
    }

    private static long malloc(long bytes) {
        return call(MALLOC, bytes, 0, 0, 0, 0, 0);
    }

    /**
     * A pointer-sized probe that native access works at all.
     *
     * @return the platform's address size in bytes
     */
    public static long addressBytes() {
        return ADDRESS.byteSize();
    }
}
