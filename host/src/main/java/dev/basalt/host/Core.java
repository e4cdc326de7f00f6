package dev.basalt.host;

import dev.basalt.foreign.NativeAccess;
import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.spi.Memory;
import dev.basalt.spi.SystemMemory;
import java.lang.foreign.MemorySegment;

/** The processor that a thread runs on, as Linux numbers them. Elsewhere nothing is known and nobody moves. */
public final class Core {
    private static final MemorySegment CURRENT = NativeAccess.find("sched_getcpu");
    private static final MemorySegment ALLOWED = NativeAccess.find("sched_getaffinity");
    private static final MemorySegment ALLOW = NativeAccess.find("sched_setaffinity");

    /** Bytes of a set of 1024 processors; the system refuses it where there are more. */
    private static final int SET = 128;

    private Core() {}

    /**
     * Where the calling thread runs at this moment; the C library reads it from a register, which takes some 5 ns.
     *
     * @return its number, or -1 if the system does not tell
     */
    public static int current() {
        return CURRENT == null ? -1 : (int) NativeCall.code(CURRENT, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Moves the calling thread to another processor of those that it may run on; afterwards it may run on all of them again.
     *
     * @param processor which one to leave
     * @return whether it moved; false if it may run nowhere else
     */
    public static boolean leave(int processor) {
        if (ALLOWED == null || ALLOW == null || processor < 0 || processor >= 8 * SET) {
            return false;
        }
        long all = SystemMemory.allocate(2 * SET, 64);
        long others = all + SET;
        try {
            Memory.fill(all, 2 * SET, (byte) 0);
            if ((int) NativeCall.code(ALLOWED, 0, SET, all, 0, 0, 0) < 0) {
                return false;
            }
            Memory.copy(all, others, SET);
            long word = others + processor / 64 * 8;
            Memory.i64(word, Memory.i64(word) & ~(1L << processor % 64));
            // The system moves a thread at once from a processor that it may not run on, and refuses an empty set.
            if ((int) NativeCall.code(ALLOW, 0, SET, others, 0, 0, 0) != 0) {
                return false;
            }
            NativeCall.code(ALLOW, 0, SET, all, 0, 0, 0);
            return true;
        } finally {
            SystemMemory.free(all);
        }
    }
}
