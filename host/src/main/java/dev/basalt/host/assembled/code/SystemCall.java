package dev.basalt.host.assembled.code;

import dev.basalt.foreign.NativeAccess;
import java.lang.foreign.MemorySegment;

/** The system calls by which code comes into memory, each by the C library's function of its name. */
final class SystemCall {
    static final SystemCall MMAP = new SystemCall("mmap");
    static final SystemCall MPROTECT = new SystemCall("mprotect");
    static final SystemCall MUNMAP = new SystemCall("munmap");
    static final SystemCall MEMFD_CREATE = new SystemCall("memfd_create");
    static final SystemCall FTRUNCATE = new SystemCall("ftruncate");
    static final SystemCall PWRITE = new SystemCall("pwrite");
    static final SystemCall CLOSE = new SystemCall("close");

    private final MemorySegment function;
    /** How often it may still succeed; negative for always. */
    private int left = -1;

    private SystemCall(String name) {
        function = NativeAccess.find(name);
        // A property of the tests of the ladder: calls that fail from some time on, as in mprotect=0,pwrite=3.
        for (String limit : System.getProperty("basalt.codeMemory", "").split(",", -1)) {
            if (limit.startsWith(name + "=")) {
                left = Integer.parseInt(limit.substring(name.length() + 1));
            }
        }
    }

    /**
     * Calls it; a function that takes fewer arguments does not see the rest. Of one that returns an int, the upper half means nothing.
     *
     * @return its result, or -1 if it fails or this system has none
     */
    long call(long a, long b, long c, long d, long e, long f) {
        if (function == null || left == 0) {
            return -1;
        }
        left -= left > 0 ? 1 : 0;
        return NativeCall.code(function, a, b, c, d, e, f);
    }
}
