package dev.basalt.host;

import java.util.Arrays;

/**
 * Free blocks of memory in classes by size, eight to every doubling, so at most 1/8 of a block is wasted. Keeps all that it
 * is given until it is trimmed. Not thread-safe; no garbage once its stacks are deep enough.
 */
final class BlockPool {
    private static final int STEP = 64;
    private static final int CLASSES = 8 * 58;

    private final long[][] stacks = new long[CLASSES][];
    private final int[] depths = new int[CLASSES];
    private long idleBytes;

    /** The bytes of the blocks it holds. */
    long idleBytes() {
        return idleBytes;
    }

    /**
     * The size of the block for a request.
     *
     * @param bytes the request, from 1 to 2^60
     * @return bytes of its class
     */
    static long blockBytes(long bytes) {
        return classBytes(classOf(bytes));
    }

    /**
     * Takes a block of the class of a request.
     *
     * @param bytes the request
     * @return a block of {@link #blockBytes}, 0 if there is none
     */
    long take(long bytes) {
        int index = classOf(bytes);
        if (depths[index] == 0) {
            return 0;
        }
        idleBytes -= classBytes(index);
        return stacks[index][--depths[index]];
    }

    /**
     * Puts a block back. The one put back last is given first, as it is the likeliest to be in cache.
     *
     * @param address the block
     * @param blockBytes its size, of {@link #blockBytes}
     */
    void put(long address, long blockBytes) {
        int index = classOf(blockBytes);
        if (stacks[index] == null) {
            stacks[index] = new long[8];
        } else if (depths[index] == stacks[index].length) {
            stacks[index] = Arrays.copyOf(stacks[index], 2 * depths[index]);
        }
        stacks[index][depths[index]++] = address;
        idleBytes += blockBytes;
    }

    /**
     * Takes any block, of the largest class that has one.
     *
     * @return a block, 0 if there is none
     */
    long takeLargest() {
        for (int index = CLASSES - 1; index >= 0; index--) {
            if (depths[index] > 0) {
                return take(classBytes(index));
            }
        }
        return 0;
    }

    // With u = ⌈bytes / 64⌉ - 1: one class a value up to 7, then the leading bit and the three bits behind it decide.
    private static int classOf(long bytes) {
        long u = (bytes - 1) / STEP;
        if (u < 8) {
            return (int) u;
        }
        int exponent = 63 - Long.numberOfLeadingZeros(u);
        return (exponent - 2) * 8 + (int) ((u >>> (exponent - 3)) & 7);
    }

    private static long classBytes(int index) {
        return (index < 8 ? index + 1L : (9L + index % 8) << (index / 8 - 1)) * STEP;
    }
}
