package dev.basalt.cuda;

import dev.basalt.spi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/** The driver's events, without timing, which makes them cheaper to wait for. */
final class Events {
    private Events() {}

    static long create() {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            CudaErrors.check(Libcuda.call(Libcuda.EVENT_CREATE, out, Structs.EVENT_DISABLE_TIMING), "cuEventCreate");
            return Memory.i64(out);
        }
    }

    static void destroy(long event) {
        CudaErrors.check(Libcuda.call(Libcuda.EVENT_DESTROY, event), "cuEventDestroy");
    }

    /** Whether the work before the last recording is done; true if there was none. */
    static boolean done(long event) {
        int result = Libcuda.call(Libcuda.EVENT_QUERY, event);
        if (result == CudaErrors.NOT_READY) {
            return false;
        }
        CudaErrors.check(result, "cuEventQuery");
        return true;
    }
}
