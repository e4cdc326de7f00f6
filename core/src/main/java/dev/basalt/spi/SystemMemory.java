package dev.basalt.spi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * The C library's memory functions, for devices that live in the CPU's memory. Unlike the JDK's arenas these do not
 * clear what they give: the first touch of a page costs up to 2 s a GiB, and a workspace is often reserved and never used.
 */
public final class SystemMemory {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBC = LINKER.defaultLookup();
    private static final MethodHandle MALLOC =
            bind("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG)).orElseThrow();
    private static final MethodHandle FREE =
            bind("free", FunctionDescriptor.ofVoid(JAVA_LONG)).orElseThrow();
    private static final Optional<MethodHandle> MMAP = bind(
            "mmap", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final Optional<MethodHandle> MPROTECT =
            bind("mprotect", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final Optional<MethodHandle> MUNMAP =
            bind("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final Optional<MethodHandle> MADVISE =
            bind("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final boolean LINUX = System.getProperty("os.name", "").startsWith("Linux");
    private static final int MADV_HUGEPAGE = 14;
    private static final long HUGE_PAGE = 2L << 20;

    private SystemMemory() {}

    @SuppressWarnings("restricted")
    private static Optional<MethodHandle> bind(String name, FunctionDescriptor descriptor) {
        return LIBC.find(name).map(address -> LINKER.downcallHandle(address, descriptor));
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
            throw new DriverException(
                    DriverException.Code.OUT_OF_MEMORY, "the system refused " + bytes + " bytes of memory");
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
        try {
            FREE.invokeExact(Memory.i64(address - 8));
        } catch (Throwable t) {
            throw new AssertionError("free failed", t);
        }
    }

    /**
     * Whether address ranges can be reserved here.
     *
     * @return true on Linux
     */
    public static boolean canReserve() {
        return LINUX && MMAP.isPresent() && MPROTECT.isPresent() && MUNMAP.isPresent();
    }

    /**
     * Reserves an address range that cannot be touched yet and costs no memory.
     *
     * @param bytes how many
     * @return page-aligned address
     */
    public static long reserve(long bytes) {
        final int privateAnonymousNoReserve = 0x2 | 0x20 | 0x4000;
        try {
            long address = (long) MMAP.orElseThrow().invokeExact(0L, bytes, 0, privateAnonymousNoReserve, -1, 0L);
            if (address == -1) {
                throw new DriverException(
                        DriverException.Code.OUT_OF_MEMORY, "cannot reserve an address range of " + bytes + " bytes");
            }
            return address;
        } catch (DriverException e) {
            throw e;
        } catch (Throwable t) {
            throw new AssertionError("mmap failed", t);
        }
    }

    /**
     * Makes part of a reserved range usable.
     *
     * @param address page-aligned start
     * @param bytes how many
     */
    public static void commit(long address, long bytes) {
        final int readWrite = 3;
        try {
            int failed = (int) MPROTECT.orElseThrow().invokeExact(address, bytes, readWrite);
            if (failed != 0) {
                throw new DriverException(DriverException.Code.OUT_OF_MEMORY, "cannot commit " + bytes + " bytes");
            }
            if (bytes >= HUGE_PAGE) {
                advise(address, bytes);
            }
        } catch (DriverException e) {
            throw e;
        } catch (Throwable t) {
            throw new AssertionError("mprotect failed", t);
        }
    }

    /**
     * Gives back a reserved range and all memory in it.
     *
     * @param address what {@link #reserve} gave
     * @param bytes what was reserved
     */
    public static void unreserve(long address, long bytes) {
        try {
            int failed = (int) MUNMAP.orElseThrow().invokeExact(address, bytes);
            if (failed != 0) {
                throw new DriverException(DriverException.Code.INVALID_HANDLE, "cannot give back an address range");
            }
        } catch (DriverException e) {
            throw e;
        } catch (Throwable t) {
            throw new AssertionError("munmap failed", t);
        }
    }

    /** Huge pages save 7 % of the time of memory-bound kernels; a refusal costs nothing but that. */
    private static void advise(long address, long bytes) {
        if (!LINUX || MADVISE.isEmpty()) {
            return;
        }
        try {
            int refused = (int) MADVISE.get().invokeExact(address, bytes, MADV_HUGEPAGE);
            assert refused == 0 || refused == -1;
        } catch (Throwable t) {
            throw new AssertionError("madvise failed", t);
        }
    }

    private static long malloc(long bytes) {
        try {
            return (long) MALLOC.invokeExact(bytes);
        } catch (Throwable t) {
            throw new AssertionError("malloc failed", t);
        }
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
