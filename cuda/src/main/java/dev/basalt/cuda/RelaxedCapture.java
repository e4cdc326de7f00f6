package dev.basalt.cuda;

import dev.basalt.spi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.function.LongSupplier;

/**
 * Lets the calling thread allocate and load code while a capture of its own is under way, without spoiling it: for memory
 * and code of the library's own, which no graph frees.
 */
final class RelaxedCapture {
    private RelaxedCapture() {}

    /** Does work in relaxed mode and returns its result. */
    static long during(LongSupplier work) {
        try (Arena arena = Arena.ofConfined()) {
            long mode = arena.allocate(ValueLayout.JAVA_INT).address();
            Memory.i32(mode, Structs.CAPTURE_RELAXED);
            exchange(mode);
            try {
                return work.getAsLong();
            } finally {
                exchange(mode);
            }
        }
    }

    private static void exchange(long mode) {
        CudaErrors.check(Libcuda.call(Libcuda.EXCHANGE_CAPTURE_MODE, mode), "cuThreadExchangeStreamCaptureMode");
    }
}
