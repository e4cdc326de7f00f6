package dev.basalt.host.assembled.code;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;

/**
 * A file in memory, mapped once so that it can be read and executed. Code comes into it by writing the file: no page of the process is
 * ever writable and executable, and after the start no page gets other rights, so a program that later forbids itself executable memory
 * (seccomp, {@code PR_SET_MDWE}), or runs out of mappings, keeps its kernels and gets new ones.
 *
 * <p>Code of a page or less lies in one page, and all code begins at a cache line.
 */
final class CodeRegion {
    /** The suites, with all types and both widths of vectors, write 4.5 MB. Pages without code cost no memory. */
    private static final long BYTES = 16L << 20;

    private static final long LINE = 64;
    private static final long CLOSE_ON_EXEC = 1;
    /** Says since Linux 6.3 that the file is meant to be executed. */
    private static final long EXECUTABLE = 0x10;

    private static final long SHARED = 1;

    private final int file;
    private final long start;
    private long used;

    private CodeRegion(int file, long start) {
        this.file = file;
        this.start = start;
    }

    /** A new region, or null if this system has no such files or does not let them be executed. */
    static CodeRegion open() {
        int file;
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom("basalt-kernels").address();
            file = (int) SystemCall.MEMFD_CREATE.call(name, CLOSE_ON_EXEC | EXECUTABLE, 0, 0, 0, 0);
            if (file == -1) {
                file = (int) SystemCall.MEMFD_CREATE.call(name, CLOSE_ON_EXEC, 0, 0, 0, 0);
            }
        }
        if (file == -1) {
            return null;
        }
        long start = -1;
        if ((int) SystemCall.FTRUNCATE.call(file, BYTES, 0, 0, 0, 0) == 0) {
            start = SystemCall.MMAP.call(0, BYTES, CodeMemory.READ | CodeMemory.EXECUTE, SHARED, file, 0);
        }
        if (start == -1) {
            SystemCall.CLOSE.call(file, 0, 0, 0, 0, 0);
            return null;
        }
        return new CodeRegion(file, start);
    }

    /**
     * Appends code.
     *
     * @return its address, or 0 if there is no room or the system refuses
     */
    long append(byte[] code) {
        long at = (used + LINE - 1) & -LINE;
        if (at / CodeMemory.PAGE != (at + code.length - 1) / CodeMemory.PAGE) {
            at = (at + CodeMemory.PAGE - 1) & -CodeMemory.PAGE;
        }
        if (at + code.length > BYTES) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            long bytes = arena.allocateFrom(JAVA_BYTE, code).address();
            if (SystemCall.PWRITE.call(file, bytes, code.length, at, 0, 0) != code.length) {
                return 0;
            }
        }
        used = at + code.length;
        return start + at;
    }
}
