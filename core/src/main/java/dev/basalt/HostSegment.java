package dev.basalt;

import dev.basalt.internal.workspace.MemoryCore;
import java.lang.foreign.MemorySegment;

/** The rules of the JVM's own memory, which copies by address would otherwise pass over. */
final class HostSegment {
    private HostSegment() {}

    /** Refuses a segment that is gone, is another thread's, or must not be written. */
    static void check(String what, MemorySegment segment, boolean written) {
        String objection = MemoryCore.segmentObjection(segment);
        if (objection != null) {
            throw new BlasException(Status.INVALID_POINTER, what,
                    what + ": the host memory cannot be used: " + objection);
        }
        if (written && segment.isReadOnly()) {
            throw new BlasException(Status.INVALID_POINTER, what,
                    what + ": the host memory is a read-only MemorySegment");
        }
    }
}
