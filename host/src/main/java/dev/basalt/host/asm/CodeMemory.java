package dev.basalt.host.asm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.basalt.spi.Memory;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/**
 * Executable memory. Pages are written first and made executable then; they are never both, so hardened systems that forbid
 * that have nothing to object to. Code stays for the life of the process: kernels are few and other threads may be in them.
 */
final class CodeMemory {
    private static final long PAGE = 4096;
    private static final long NOTHING = 0;
    private static final long READ = 1;
    private static final long WRITE = 2;
    private static final long EXECUTE = 4;
    private static final long PRIVATE = 2;

    /** Linux and macOS disagree on the number of MAP_ANONYMOUS. */
    private static final long ANONYMOUS = System.getProperty("os.name", "").startsWith("Mac") ? 0x1000 : 0x20;

    private static final MemorySegment MMAP = find("mmap");
    private static final MemorySegment MPROTECT = find("mprotect");
    private static final MemorySegment MUNMAP = find("munmap");

    private CodeMemory() {}

    private static MemorySegment find(String name) {
        @SuppressWarnings("restricted")
        SymbolLookup system = Linker.nativeLinker().defaultLookup();
        MemorySegment found = system.find(name).orElse(null);
        if (found == null) {
            throw new UnsupportedOperationException("the C library has no function " + name);
        }
        return found;
    }

    /**
     * Puts code into executable memory.
     *
     * @param code code that does not depend on its address
     * @return its first instruction
     * @throws UnsupportedOperationException if the system refuses executable memory
     */
    static MemorySegment install(byte[] code) {
        long bytes = (code.length + PAGE - 1) & -PAGE;
        long address = map(bytes);
        MemorySegment.copy(code, 0, Memory.ALL, JAVA_BYTE, address, code.length);
        if (!protect(address, bytes, READ | EXECUTE)) {
            unmap(address, bytes);
            throw new UnsupportedOperationException(
                    "the system refuses executable memory (mprotect); allow it (SELinux: execmem) for faster kernels");
        }
        return MemorySegment.ofAddress(address);
    }

    /** Fresh pages that can be read and written. */
    static long map(long bytes) {
        long address = Call.code(MMAP, 0, bytes, READ | WRITE, PRIVATE | ANONYMOUS, -1, 0);
        if (address == -1) {
            throw new UnsupportedOperationException("the system refuses memory for code (mmap)");
        }
        return address;
    }

    /** Makes pages inaccessible; tests put them behind operands. */
    static boolean forbid(long address, long bytes) {
        return protect(address, bytes, NOTHING);
    }

    private static boolean protect(long address, long bytes, long rights) {
        // The C function gives an int; the upper half of the register is not defined.
        return (int) Call.code(MPROTECT, address, bytes, rights, 0, 0, 0) == 0;
    }

    static void unmap(long address, long bytes) {
        Call.code(MUNMAP, address, bytes, 0, 0, 0, 0);
    }
}
