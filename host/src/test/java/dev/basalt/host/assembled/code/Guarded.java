package dev.basalt.host.assembled.code;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i8;

import dev.basalt.spi.Memory;

/** Memory that ends right before a page without access: a read beyond an operand crashes. Before the operand lies a pattern. */
public final class Guarded {
    private static final long PAGE = 4096;
    private static final long ZONE = 256;
    private static final byte PATTERN = 0x5a;

    private final long start;
    private final long end;
    private long address;

    public Guarded(long bytes) {
        long pages = (bytes + ZONE + PAGE - 1) & -PAGE;
        start = CodeMemory.map(pages + PAGE);
        end = start + pages;
        if (!CodeMemory.forbid(end, PAGE)) {
            throw new IllegalStateException("no guard page");
        }
    }

    /** Places an operand at the end. */
    public long place(long bytes) {
        address = end - bytes;
        long zone = Math.max(start, address - ZONE);
        Memory.fill(zone, end - zone, PATTERN);
        return address;
    }

    /** Places numbers at the end, of 4 or 8 bytes each. */
    public long place(double[] values, int size) {
        long at = place((long) values.length * size);
        for (int i = 0; i < values.length; i++) {
            if (size == 8) {
                f64(at + i * 8L, values[i]);
            } else {
                f32(at + i * 4L, (float) values[i]);
            }
        }
        return at;
    }

    /** Whether nothing was written before the operand. */
    public boolean intact() {
        for (long at = Math.max(start, address - ZONE); at < address; at++) {
            if (i8(at) != PATTERN) {
                return false;
            }
        }
        return true;
    }
}
