package dev.basalt.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.foreign.NativeAccess;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Sanitizer;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory part of NVTX, by which compute-sanitizer learns of memory that was divided by a library: a block is a heap, a slot of a
 * lease a region of it, and what is no region may not be touched. The toolkit's {@code libnvtx3interop} has these functions for
 * programs that are not C. It is looked for only when a tool listens, which it says by the environment variable
 * {@code NVTX_INJECTION64_PATH}.
 */
final class Nvtx implements Sanitizer {
    /** The environment variable by which a tool names the library that wants to be told. */
    static final String LISTENER = "NVTX_INJECTION64_PATH";

    static final int COMPATIBLE = 0x0102;
    static final int SUB_ALLOCATOR = 1;
    static final int VIRTUAL_ADDRESS = 1;
    /** {@code nvtxMemVirtualRangeDesc_t}: size, address. */
    static final int RANGE_BYTES = 16;

    static final int HEAP_BYTES = 48;
    static final int REGIONS_BYTES = 48;
    static final int UNREGISTER_BYTES = 32;
    static final int BY_POINTER = 1;

    private static final List<String> TRIED = new ArrayList<>();
    private static final Nvtx LISTENED = open();

    private final MethodHandle registerHeap;
    private final MethodHandle unregisterHeap;
    private final MethodHandle registerRegions;
    private final MethodHandle unregisterRegions;
    private final long domain;

    private Nvtx(SymbolLookup library) {
        registerHeap = downcall(library, "nvtxMemHeapRegister", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
        unregisterHeap = downcall(library, "nvtxMemHeapUnregister", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
        registerRegions = downcall(library, "nvtxMemRegionsRegister", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
        unregisterRegions =
                downcall(library, "nvtxMemRegionsUnregister", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
        MethodHandle create = downcall(library, "nvtxDomainCreateA", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
        try (Arena arena = Arena.ofConfined()) {
            domain = (long) create.invokeExact(arena.allocateFrom("basalt").address());
        } catch (Throwable t) {
            throw Libcuda.failed(t);
        }
    }

    private static Nvtx open() {
        if (System.getenv(LISTENER) == null) {
            return null;
        }
        try {
            SymbolLookup found =
                    ToolkitLibrary.find("basalt.nvtx", TRIED, "libnvtx3interop.so", "libnvtx3interop.so.1");
            if (found != null) {
                return new Nvtx(found);
            }
        } catch (DriverException e) {
            // This is a constant of the class: one that throws would keep the class from loading.
            TRIED.add(e.getMessage());
        }
        System.getLogger("dev.basalt.cuda")
                .log(System.Logger.Level.INFO, "a tool wants to be told of memory, but NVTX is not to be found; tried "
                        + String.join(", ", TRIED) + "; set the system property basalt.nvtx");
        return null;
    }

    /** Who tells the tool that this process runs under, or null if there is none. */
    static Nvtx listened() {
        return LISTENED;
    }

    private static MethodHandle downcall(SymbolLookup library, String name, FunctionDescriptor function) {
        return NativeAccess.downcall(library.find(name)
                .orElseThrow(() -> new DriverException(Code.NOT_SUPPORTED, "this NVTX is too old: it has no " + name)),
                function);
    }

    @Override
    public long watch(long address, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            long range = range(arena, address, bytes);
            long heap = arena.allocate(HEAP_BYTES, 8).address();
            Memory.i64(heap, COMPATIBLE | (long) HEAP_BYTES << 16);
            Memory.i64(heap + 8, SUB_ALLOCATOR | (long) VIRTUAL_ADDRESS << 32);
            Memory.i64(heap + 16, RANGE_BYTES);
            Memory.i64(heap + 24, range);
            return (long) registerHeap.invokeExact(domain, heap);
        } catch (Throwable t) {
            throw Libcuda.failed(t);
        }
    }

    @Override
    public void allow(long watched, long address, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            long range = range(arena, address, bytes);
            long regions = arena.allocate(REGIONS_BYTES, 8).address();
            Memory.i64(regions, COMPATIBLE | (long) REGIONS_BYTES << 16 | (long) VIRTUAL_ADDRESS << 32);
            Memory.i64(regions + 8, watched);
            Memory.i64(regions + 16, 1);
            Memory.i64(regions + 24, RANGE_BYTES);
            Memory.i64(regions + 32, range);
            Memory.i64(regions + 40, arena.allocate(JAVA_LONG).address());
            registerRegions.invokeExact(domain, regions);
        } catch (Throwable t) {
            throw Libcuda.failed(t);
        }
    }

    @Override
    public void forbid(long address) {
        try (Arena arena = Arena.ofConfined()) {
            long reference = arena.allocate(JAVA_LONG).address();
            Memory.i64(reference, address);
            long regions = arena.allocate(UNREGISTER_BYTES, 8).address();
            Memory.i64(regions, COMPATIBLE | (long) UNREGISTER_BYTES << 16 | (long) BY_POINTER << 32);
            Memory.i64(regions + 8, 1);
            Memory.i64(regions + 16, Long.BYTES);
            Memory.i64(regions + 24, reference);
            unregisterRegions.invokeExact(domain, regions);
        } catch (Throwable t) {
            throw Libcuda.failed(t);
        }
    }

    @Override
    public void unwatch(long watched) {
        try {
            unregisterHeap.invokeExact(domain, watched);
        } catch (Throwable t) {
            throw Libcuda.failed(t);
        }
    }

    private static long range(Arena arena, long address, long bytes) {
        long range = arena.allocate(RANGE_BYTES, 8).address();
        Memory.i64(range, bytes);
        Memory.i64(range + 8, address);
        return range;
    }
}
