package dev.basalt.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.foreign.NativeAccess;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.Memory;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * NVIDIA's driver library: every function used here by its real symbol, with hand-written descriptors that a test holds
 * against {@code cuda.h}. Pointers, device addresses, sizes and handles are all {@code long}. The class loads where there
 * is no driver, and the functions then throw {@link DriverLibrary#refusal}.
 *
 * <p>The handles are constants and the calls below small, so that the JIT folds both into the caller.
 */
final class Libcuda {
    /** A function: symbol and parameters; the result is always a {@code CUresult}. */
    record Signature(String symbol, List<MemoryLayout> parameters) {}

    private static final ValueLayout.OfLong J = JAVA_LONG;
    private static final ValueLayout.OfInt I = JAVA_INT;
    private static final List<Signature> SIGNATURES = new ArrayList<>();

    static final MethodHandle INIT = bind("cuInit", I);
    static final MethodHandle DRIVER_GET_VERSION = bind("cuDriverGetVersion", J);
    static final MethodHandle GET_ERROR_NAME = bind("cuGetErrorName", I, J);
    static final MethodHandle GET_ERROR_STRING = bind("cuGetErrorString", I, J);
    static final MethodHandle DEVICE_GET_COUNT = bind("cuDeviceGetCount", J);
    static final MethodHandle DEVICE_GET = bind("cuDeviceGet", J, I);
    static final MethodHandle DEVICE_GET_NAME = bind("cuDeviceGetName", J, I, I);
    static final MethodHandle DEVICE_TOTAL_MEM = bind("cuDeviceTotalMem_v2", J, I);
    static final MethodHandle DEVICE_GET_ATTRIBUTE = bind("cuDeviceGetAttribute", J, I, I);
    static final MethodHandle PRIMARY_CTX_RETAIN = bind("cuDevicePrimaryCtxRetain", J, I);
    static final MethodHandle CTX_SET_CURRENT = bind("cuCtxSetCurrent", J);

    static final MethodHandle MEM_GET_INFO = bind("cuMemGetInfo_v2", J, J);
    static final MethodHandle MEM_ALLOC = bind("cuMemAlloc_v2", J, J);
    static final MethodHandle MEM_FREE = bind("cuMemFree_v2", J);
    static final MethodHandle MEM_HOST_ALLOC = bind("cuMemHostAlloc", J, J, I);
    static final MethodHandle MEM_FREE_HOST = bind("cuMemFreeHost", J);
    static final MethodHandle POINTER_GET_ATTRIBUTE = bind("cuPointerGetAttribute", J, I, J);
    static final MethodHandle MEM_POOL_CREATE = bind("cuMemPoolCreate", J, J);
    static final MethodHandle MEM_POOL_DESTROY = bind("cuMemPoolDestroy", J);
    static final MethodHandle MEM_POOL_SET_ATTRIBUTE = bind("cuMemPoolSetAttribute", J, I, J);
    static final MethodHandle MEM_POOL_TRIM_TO = bind("cuMemPoolTrimTo", J, J);
    static final MethodHandle MEM_ALLOC_FROM_POOL_ASYNC = bind("cuMemAllocFromPoolAsync", J, J, J, J);
    static final MethodHandle MEM_FREE_ASYNC = bind("cuMemFreeAsync", J, J);
    static final MethodHandle MEM_GET_ALLOCATION_GRANULARITY = bind("cuMemGetAllocationGranularity", J, J, I);
    static final MethodHandle MEM_ADDRESS_RESERVE = bind("cuMemAddressReserve", J, J, J, J, J);
    static final MethodHandle MEM_ADDRESS_FREE = bind("cuMemAddressFree", J, J);
    static final MethodHandle MEM_CREATE = bind("cuMemCreate", J, J, J, J);
    static final MethodHandle MEM_RELEASE = bind("cuMemRelease", J);
    static final MethodHandle MEM_MAP = bind("cuMemMap", J, J, J, J, J);
    static final MethodHandle MEM_UNMAP = bind("cuMemUnmap", J, J);
    static final MethodHandle MEM_SET_ACCESS = bind("cuMemSetAccess", J, J, J, J);
    static final MethodHandle MEMCPY_HTOD_ASYNC = bind("cuMemcpyHtoDAsync_v2", J, J, J, J);
    static final MethodHandle MEMCPY_DTOH_ASYNC = bind("cuMemcpyDtoHAsync_v2", J, J, J, J);
    static final MethodHandle MEMCPY_2D_ASYNC = bind("cuMemcpy2DAsync_v2", J, J);
    static final MethodHandle MEMSET_D8_ASYNC = bind("cuMemsetD8Async", J, JAVA_BYTE, J, J);

    static final MethodHandle STREAM_CREATE = bind("cuStreamCreate", J, I);
    static final MethodHandle STREAM_CREATE_WITH_PRIORITY = bind("cuStreamCreateWithPriority", J, I, I);
    static final MethodHandle STREAM_PRIORITIES = bind("cuCtxGetStreamPriorityRange", J, J);
    static final MethodHandle STREAM_GET_CTX = bind("cuStreamGetCtx", J, J);
    static final MethodHandle STREAM_DESTROY = bind("cuStreamDestroy_v2", J);
    static final MethodHandle STREAM_SYNCHRONIZE = bind("cuStreamSynchronize", J);
    static final MethodHandle STREAM_WAIT_EVENT = bind("cuStreamWaitEvent", J, J, I);
    static final MethodHandle EVENT_CREATE = bind("cuEventCreate", J, I);
    static final MethodHandle EVENT_DESTROY = bind("cuEventDestroy_v2", J);
    static final MethodHandle EVENT_RECORD = bind("cuEventRecord", J, J);
    static final MethodHandle EVENT_QUERY = bind("cuEventQuery", J);
    static final MethodHandle EVENT_SYNCHRONIZE = bind("cuEventSynchronize", J);
    static final MethodHandle STREAM_BEGIN_CAPTURE = bind("cuStreamBeginCapture_v2", J, I);
    static final MethodHandle STREAM_END_CAPTURE = bind("cuStreamEndCapture", J, J);
    static final MethodHandle STREAM_IS_CAPTURING = bind("cuStreamIsCapturing", J, J);
    static final MethodHandle EXCHANGE_CAPTURE_MODE = bind("cuThreadExchangeStreamCaptureMode", J);
    static final MethodHandle GRAPH_INSTANTIATE = bind("cuGraphInstantiateWithFlags", J, J, J);
    static final MethodHandle GRAPH_LAUNCH = bind("cuGraphLaunch", J, J);
    static final MethodHandle GRAPH_DESTROY = bind("cuGraphDestroy", J);
    static final MethodHandle GRAPH_EXEC_DESTROY = bind("cuGraphExecDestroy", J);

    static final MethodHandle MODULE_LOAD_DATA = bind("cuModuleLoadData", J, J);
    static final MethodHandle MODULE_GET_FUNCTION = bind("cuModuleGetFunction", J, J, J);
    static final MethodHandle FUNC_SET_ATTRIBUTE = bind("cuFuncSetAttribute", J, I, I);
    static final MethodHandle LAUNCH_COOPERATIVE_KERNEL =
            bind("cuLaunchCooperativeKernel", J, I, I, I, I, I, I, I, J, J);
    static final MethodHandle LAUNCH_KERNEL_EX = bind("cuLaunchKernelEx", J, J, J, J);
    static final MethodHandle LAUNCH_KERNEL = bind("cuLaunchKernel", J, I, I, I, I, I, I, I, J, J, J);

    private Libcuda() {}

    /** All functions, for the test against the header. */
    static List<Signature> signatures() {
        return Collections.unmodifiableList(SIGNATURES);
    }

    /** A function; if there is none, one that throws and says so. */
    private static MethodHandle bind(String symbol, MemoryLayout... parameters) {
        SIGNATURES.add(new Signature(symbol, List.of(parameters)));
        FunctionDescriptor descriptor = FunctionDescriptor.of(JAVA_INT, parameters);
        Optional<MemorySegment> address = DriverLibrary.find(symbol);
        if (address.isPresent()) {
            return NativeAccess.downcall(address.get(), descriptor);
        }
        DriverException missing = new DriverException(DriverException.Code.NOT_SUPPORTED,
                DriverLibrary.refusal() != null
                        ? DriverLibrary.refusal()
                        : "the driver is too old: it has no " + symbol);
        return NativeAccess.refusing(descriptor, missing);
    }

    // ---- calls by shape -----------------------------------------------------------------------------------

    static int call(MethodHandle h, int a) {
        try {
            return (int) h.invokeExact(a);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    static int call(MethodHandle h, long a) {
        try {
            return (int) h.invokeExact(a);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    static int call(MethodHandle h, int a, long b) {
        try {
            return (int) h.invokeExact(a, b);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    static int call(MethodHandle h, long a, int b) {
        try {
            return (int) h.invokeExact(a, b);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    static int call(MethodHandle h, long a, long b) {
        try {
            return (int) h.invokeExact(a, b);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    static int call(MethodHandle h, long a, int b, int c) {
        try {
            return (int) h.invokeExact(a, b, c);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    static int call(MethodHandle h, long a, int b, long c) {
        try {
            return (int) h.invokeExact(a, b, c);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    static int call(MethodHandle h, long a, long b, int c) {
        try {
            return (int) h.invokeExact(a, b, c);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    static int call(MethodHandle h, long a, long b, long c) {
        try {
            return (int) h.invokeExact(a, b, c);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    static int call(MethodHandle h, long a, long b, long c, long d) {
        try {
            return (int) h.invokeExact(a, b, c, d);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    static int call(MethodHandle h, long a, long b, long c, long d, long e) {
        try {
            return (int) h.invokeExact(a, b, c, d, e);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    static int memset(long address, byte value, long bytes, long stream) {
        try {
            return (int) MEMSET_D8_ASYNC.invokeExact(address, value, bytes, stream);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    static int launch(long function, int gridX, int gridY, int gridZ, int threads, int shared, long stream,
            long params) {
        try {
            return (int) LAUNCH_KERNEL.invokeExact(function, gridX, gridY, gridZ, threads, 1, 1, shared, stream, params,
                    0L);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    /** A launch as the struct at {@code config} says. */
    static int launch(long config, long function, long params) {
        try {
            return (int) LAUNCH_KERNEL_EX.invokeExact(config, function, params, 0L);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    /** A launch whose blocks may wait for each other: all of them run at once, or it fails. */
    static int launchCooperative(long function, int gridX, int gridY, int gridZ, int threads, int shared, long stream,
            long params) {
        try {
            return (int) LAUNCH_COOPERATIVE_KERNEL.invokeExact(function, gridX, gridY, gridZ, threads, 1, 1, shared,
                    stream, params);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    /** What to throw for what a downcall threw. */
    static RuntimeException failed(Throwable t) {
        return NativeAccess.failure(t);
    }

    /** The C string at an address. */
    static String text(long address) {
        return address == 0 ? "" : Memory.ALL.getString(address);
    }
}
