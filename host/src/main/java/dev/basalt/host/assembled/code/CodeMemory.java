package dev.basalt.host.assembled.code;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.basalt.spi.DriverException;
import dev.basalt.spi.Memory;
import java.lang.foreign.MemorySegment;

/**
 * Executable memory. Pages are never writable and executable at once, so hardened systems that forbid that have nothing to object to.
 * Code stays for the life of the process: kernels are few and other threads may be in them.
 *
 * <p>The first piece of code asks the system openly: a page is written and then made executable. Who refuses that wants no machine code, and
 * gets none. Who allows it gets a {@link CodeRegion} for all other code, where it can be had.
 */
public final class CodeMemory {
    static final long PAGE = 4096;
    static final long READ = 1;
    static final long EXECUTE = 4;
    private static final long NOTHING = 0;
    private static final long WRITE = 2;
    private static final long PRIVATE = 2;

    /** Linux and macOS disagree on the number of MAP_ANONYMOUS. */
    private static final long ANONYMOUS = System.getProperty("os.name", "").startsWith("Mac") ? 0x1000 : 0x20;

    private static boolean allowed;
    private static CodeRegion region;
    private static String refusal;

    private CodeMemory() {}

    /**
     * Puts code into executable memory.
     *
     * @param code code that does not depend on its address
     * @return its first instruction
     * @throws DriverException NOT_SUPPORTED if the system refuses executable memory, with what would allow it
     */
    public static synchronized MemorySegment install(byte[] code) {
        long address = region == null ? 0 : region.append(code);
        if (address == 0) {
            address = ownPages(code);
        }
        if (!allowed) {
            allowed = true;
            region = CodeRegion.open();
        }
        return MemorySegment.ofAddress(address);
    }

    /** Why no more code can be had although there was some before; null while all is well. */
    public static synchronized String refusal() {
        return refusal;
    }

    private static long ownPages(byte[] code) {
        long bytes = (code.length + PAGE - 1) & -PAGE;
        long address = map(bytes);
        if (address == -1) {
            throw refused("mmap");
        }
        MemorySegment.copy(code, 0, Memory.ALL, JAVA_BYTE, address, code.length);
        if (!protect(address, bytes, READ | EXECUTE)) {
            unmap(address, bytes);
            throw refused("mprotect");
        }
        return address;
    }

    private static DriverException refused(String call) {
        String reason = "the system refuses executable memory (" + call
                + "); allow it (SELinux: execmem; systemd: MemoryDenyWriteExecute=no) for faster kernels";
        if (allowed) {
            refusal = reason;
            reason += "; it was allowed when the device was opened: open the device again, and it does without";
        }
        return new DriverException(DriverException.Code.NOT_SUPPORTED, reason);
    }

    /** Fresh pages that can be read and written, or -1. */
    public static long map(long bytes) {
        return SystemCall.MMAP.call(0, bytes, READ | WRITE, PRIVATE | ANONYMOUS, -1, 0);
    }

    /** Makes pages inaccessible; tests put them behind operands. */
    static boolean forbid(long address, long bytes) {
        return protect(address, bytes, NOTHING);
    }

    private static boolean protect(long address, long bytes, long rights) {
        return (int) SystemCall.MPROTECT.call(address, bytes, rights, 0, 0, 0) == 0;
    }

    static void unmap(long address, long bytes) {
        SystemCall.MUNMAP.call(address, bytes, 0, 0, 0, 0);
    }
}
