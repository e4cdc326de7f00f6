package dev.basalt.cuda;

import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** From the driver's result codes to exceptions. */
final class CudaErrors {
    static final int SUCCESS = 0;
    static final int INVALID_VALUE = 1;
    static final int OUT_OF_MEMORY = 2;
    static final int STUB_LIBRARY = 34;
    static final int NO_DEVICE = 100;
    static final int NO_BINARY_FOR_GPU = 209;
    static final int INVALID_CONTEXT = 201;
    static final int INVALID_HANDLE = 400;
    static final int NOT_FOUND = 500;
    static final int NOT_READY = 600;
    static final int CONTEXT_IS_DESTROYED = 709;
    static final int NOT_SUPPORTED = 801;
    static final int SYSTEM_DRIVER_MISMATCH = 803;
    static final int FIRST_CAPTURE = 900;
    static final int LAST_CAPTURE = 908;

    private CudaErrors() {}

    /** Throws unless a call succeeded. {@code call} is a constant, so that success costs one compare. */
    static void check(int result, String call) {
        if (result != SUCCESS) {
            throw failure(result, call);
        }
    }

    /** As {@link #check(int, String)}, for a call that is about a number of bytes. */
    static void check(int result, String call, long bytes) {
        if (result != SUCCESS) {
            throw failure(result, call + " of " + bytes + " bytes");
        }
    }

    /** What a result means. */
    static DriverException failure(int result, String call) {
        return new DriverException(code(result), call + " failed: " + describe(result));
    }

    /** The driver's name and text of a result. */
    static String describe(int result) {
        String name = lookUp(true, result);
        String text = lookUp(false, result);
        String known = name.isEmpty() ? "error " + result : name + " (" + result + ")";
        return text.isEmpty() ? known : known + ", " + text;
    }

    private static String lookUp(boolean name, int result) {
        if (DriverLibrary.refusal() != null) {
            return "";
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
            int status = Libcuda.call(name ? Libcuda.GET_ERROR_NAME : Libcuda.GET_ERROR_STRING, result, out.address());
            return status == SUCCESS ? Libcuda.text(out.get(ValueLayout.JAVA_LONG, 0)) : "";
        }
    }

    /** The kind of failure that a result is. */
    static Code code(int result) {
        switch (result) {
            case OUT_OF_MEMORY:
                return Code.OUT_OF_MEMORY;
            case INVALID_VALUE:
                return Code.INVALID_VALUE;
            case INVALID_CONTEXT, INVALID_HANDLE, CONTEXT_IS_DESTROYED:
                return Code.INVALID_HANDLE;
            case NOT_SUPPORTED, NO_BINARY_FOR_GPU:
                return Code.NOT_SUPPORTED;
            default:
                return result >= FIRST_CAPTURE && result <= LAST_CAPTURE ? Code.CAPTURE : Code.FAILED;
        }
    }
}
