package dev.basalt.arrays;

/**
 * What calls on arrays keep between them. Each thread has a handle on the CPU with its workspace, and memory for operands, which grows to the
 * largest call. They are released when the thread ends, and by {@link #release}.
 */
public final class ArrayWorkspace {
    private ArrayWorkspace() {}

    /** Releases all that the calling thread keeps; of a virtual thread what all of them keep together. The next call takes it anew. */
    public static void release() {
        Lane.release();
    }
}
