package dev.basalt.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.foreign.NativeAccess;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * NVIDIA's library of matrix products: its functions and the numbers of its enums. Loaded once if it is there; the handle, which
 * takes memory on the GPU, is made at first use.
 */
final class CublasLt {
    static final int COMPUTE_32F = 68;
    static final int COMPUTE_64F = 70;
    static final int COMPUTE_32F_FAST_16F = 74;
    static final int COMPUTE_32F_FAST_16BF = 75;
    static final int COMPUTE_32F_FAST_TF32 = 77;
    static final int COMPUTE_32I = 72;
    static final int R_32F = 0;
    static final int R_64F = 1;
    static final int C_32F = 4;
    static final int C_64F = 5;
    static final int R_16F = 2;
    static final int R_8I = 3;
    static final int R_32I = 10;
    static final int R_16BF = 14;
    static final int R_8F_E4M3 = 28;
    static final int R_8F_E5M2 = 29;
    static final int DESC_TRANSA = 3;
    static final int DESC_TRANSB = 4;
    static final int PREFERENCE_WORKSPACE = 1;
    static final int PREFERENCE_ALIGNMENT_A = 5;
    static final int ALGORITHM_BYTES = 64;
    /** An algorithm, its workspace, its status and what is not used here. */
    static final int HEURISTIC_BYTES = 96;
    static final int HEURISTIC_WORKSPACE = 64;
    static final int HEURISTIC_STATUS = 72;

    static final int SUCCESS = 0;

    private static final List<String> TRIED = new ArrayList<>();
    private static final CublasLt LIBRARY = open();

    private final SymbolLookup symbols;
    private final MethodHandle create;
    private final MethodHandle version;
    final MethodHandle descriptor;
    final MethodHandle setDescriptor;
    final MethodHandle destroyDescriptor;
    final MethodHandle layout;
    final MethodHandle destroyLayout;
    final MethodHandle preference;
    final MethodHandle setPreference;
    final MethodHandle destroyPreference;
    final MethodHandle heuristic;
    final MethodHandle matmul;

    private CublasLt(SymbolLookup symbols) {
        this.symbols = symbols;
        create = bind("cublasLtCreate", JAVA_LONG);
        version = downcall("cublasLtGetVersion", FunctionDescriptor.of(JAVA_LONG));
        descriptor = bind("cublasLtMatmulDescCreate", JAVA_LONG, JAVA_INT, JAVA_INT);
        setDescriptor = bind("cublasLtMatmulDescSetAttribute", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        destroyDescriptor = bind("cublasLtMatmulDescDestroy", JAVA_LONG);
        layout = bind("cublasLtMatrixLayoutCreate", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        destroyLayout = bind("cublasLtMatrixLayoutDestroy", JAVA_LONG);
        preference = bind("cublasLtMatmulPreferenceCreate", JAVA_LONG);
        setPreference = bind("cublasLtMatmulPreferenceSetAttribute", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        destroyPreference = bind("cublasLtMatmulPreferenceDestroy", JAVA_LONG);
        heuristic = bind("cublasLtMatmulAlgoGetHeuristic", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        MemoryLayout[] sixteen = new MemoryLayout[16];
        Arrays.fill(sixteen, JAVA_LONG);
        matmul = bind("cublasLtMatmul", sixteen);
    }

    private static CublasLt open() {
        try {
            SymbolLookup found = ToolkitLibrary.find("basalt.cublasLt", TRIED, "libcublasLt.so", "libcublasLt.so.13",
                    "libcublasLt.so.12");
            return found == null ? null : new CublasLt(found);
        } catch (DriverException e) {
            // This is a constant of the class: one that throws would keep the class from loading.
            TRIED.add(e.getMessage());
            return null;
        }
    }

    /** The library, or null if it is not installed. */
    static CublasLt installed() {
        return LIBRARY;
    }

    /** What was tried in vain. */
    static List<String> tried() {
        return TRIED;
    }

    private MethodHandle bind(String name, MemoryLayout... parameters) {
        return downcall(name, FunctionDescriptor.of(JAVA_INT, parameters));
    }

    private MethodHandle downcall(String name, FunctionDescriptor function) {
        return NativeAccess.downcall(symbols.find(name)
                .orElseThrow(
                        () -> new DriverException(Code.NOT_SUPPORTED, "this cuBLASLt is too old: it has no " + name)),
                function);
    }

    /** Its version, such as {@code 13.1}. */
    String version() {
        try {
            long number = (long) version.invokeExact();
            return number / 10000 + "." + number / 100 % 100;
        } catch (Throwable t) {
            throw Libcuda.failed(t);
        }
    }

    /** A new handle for the context that is current. */
    long newHandle() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            check((int) create.invokeExact(out.address()), "cublasLtCreate");
            return out.get(JAVA_LONG, 0);
        } catch (Throwable t) {
            throw Libcuda.failed(t);
        }
    }

    static void check(int status, String call) {
        if (status != SUCCESS) {
            throw new DriverException(Code.FAILED, call + " failed with status " + status);
        }
    }
}
