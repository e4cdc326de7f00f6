package dev.basalt;

import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.type.ElementType;

/** The rules of shapes that views and arenas check when they are made, so that no later call needs to. */
final class Shapes {
    private Shapes() {}

    static void notNegative(String what, String name, long value) {
        if (value < 0) {
            throw new BlasException(Status.INVALID_SIZE, what, name + " = " + value + " is negative");
        }
    }

    static void index(String what, String name, long value, long limit) {
        if (value < 0 || value >= limit) {
            throw new BlasException(Status.INVALID_SIZE, what, name + " = " + value + " is not in 0.." + (limit - 1));
        }
    }

    static void range(String what, long first, long size, long limit) {
        if (first < 0 || size < 0 || first > limit - size) {
            throw new BlasException(Status.INVALID_SIZE, what,
                    "[" + first + ", " + first + " + " + size + ") is not inside 0.." + limit);
        }
    }

    static long bytes(String what, ElementType type, long elements) {
        try {
            return Math.multiplyExact(elements, (long) type.bytes());
        } catch (ArithmeticException e) {
            throw tooBig(what, elements + " elements of " + type.bytes() + " bytes");
        }
    }

    static long product(String what, long a, long b) {
        try {
            return Math.multiplyExact(a, b);
        } catch (ArithmeticException e) {
            throw tooBig(what, a + " x " + b + " elements");
        }
    }

    static long spanBytes(String what, ElementType type, long rows, long cols, long ld, boolean vector, long count,
            long stride) {
        if (rows == 0 || cols == 0 || count == 0) {
            return 0;
        }
        try {
            long one = vector
                    ? Math.addExact(Math.multiplyExact(rows - 1, Math.absExact(ld)), 1)
                    : Math.addExact(Math.multiplyExact(cols - 1, ld), rows);
            // Of problems at a negative distance the first lies highest: see {@link #behind}.
            long all = Math.addExact(Math.multiplyExact(count - 1, Math.max(0, stride)), one);
            return Math.multiplyExact(all, (long) type.bytes());
        } catch (ArithmeticException e) {
            throw tooBig(what, rows + " x " + cols + " elements, ld or inc " + ld + ", " + count + " problems");
        }
    }

    static void inside(String what, DeviceMemory memory, long offset, long bytes) {
        if (offset < 0 || bytes > memory.byteSize() - offset) {
            throw new BlasException(Status.INVALID_SIZE, what,
                    "needs " + bytes + " bytes from offset " + offset + ", but the memory has " + memory.byteSize());
        }
    }

    /** Whether a batch whose problems lie one before the other stays in its memory. */
    static void behind(String what, ElementType type, long offset, long count, long stride) {
        if (stride >= 0 || count <= 1) {
            return;
        }
        long bytes = bytes(what, type, product(what, count - 1, -stride));
        if (bytes > offset) {
            throw new BlasException(Status.INVALID_SIZE, what, "a stride of " + stride + " needs " + bytes
                    + " bytes before the first of " + count + " problems, but there are only " + offset);
        }
    }

    /** Keeps memory for a copy by this thread; ends with {@link MemoryCore#letGo}. */
    static void hold(String what, DeviceMemory memory) {
        if (memory == null) {
            throw new BlasException(Status.INVALID_POINTER, what,
                    "this view is a shape without memory; make one with DeviceArena");
        }
        if (!memory.core.hold()) {
            throw new BlasException(Status.INVALID_POINTER, what, memory.core.objection(memory.core.driver));
        }
    }

    private static BlasException tooBig(String what, String shape) {
        return new BlasException(Status.INVALID_SIZE, what, shape + ": the size does not fit 64 bits");
    }
}
