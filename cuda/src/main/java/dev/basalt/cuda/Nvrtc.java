package dev.basalt.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.foreign.NativeAccess;
import dev.basalt.gpu.device.GpuApi;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** NVIDIA's run-time compiler, for chips that the jar has no code for. Loaded when it is first needed. */
final class Nvrtc {
    /** The chip whose tensor cores take products of four warps. */
    private static final int FOUR_WARPS = 90;

    private static final String[] NAMES = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"};

    private static final WorkAtEnd AT_WORK = new WorkAtEnd();

    private static Nvrtc process;

    private final SymbolLookup library;
    private final MethodHandle create;
    private final MethodHandle compile;
    private final MethodHandle destroy;
    private final MethodHandle version;
    private final MethodHandle errorString;
    private final MethodHandle supportedCount;
    private final MethodHandle supported;

    private Nvrtc(SymbolLookup library) {
        this.library = library;
        create = bind("nvrtcCreateProgram", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        compile = bind("nvrtcCompileProgram", JAVA_LONG, JAVA_INT, JAVA_LONG);
        destroy = bind("nvrtcDestroyProgram", JAVA_LONG);
        version = bind("nvrtcVersion", JAVA_LONG, JAVA_LONG);
        errorString = downcall("nvrtcGetErrorString", FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
        supportedCount = bind("nvrtcGetNumSupportedArchs", JAVA_LONG);
        supported = bind("nvrtcGetSupportedArchs", JAVA_LONG);
    }

    /**
     * Loads the compiler.
     *
     * @throws DriverException NOT_SUPPORTED if it is not to be found, with the names tried
     */
    static Nvrtc load() {
        List<String> tried = new ArrayList<>();
        SymbolLookup found = ToolkitLibrary.find("basalt.nvrtc", tried, NAMES);
        if (found != null) {
            return new Nvrtc(found);
        }
        throw new DriverException(Code.NOT_SUPPORTED,
                "this build has no kernels for this GPU, and the compiler NVRTC is not to be found to make them; tried "
                        + String.join(", ", tried) + "; install CUDA's NVRTC or set the system property basalt.nvrtc");
    }

    /** The compiler of the process, loaded at first use. */
    static synchronized Nvrtc loaded() {
        if (process == null) {
            process = load();
            Runtime.getRuntime().addShutdownHook(new Thread(AT_WORK::end, "basalt-nvrtc-end"));
        }
        return process;
    }

    /** The compiler for chips of a compute capability. */
    GpuApi.Compiler on(int capability) {
        String target = target(capability);
        return new GpuApi.Compiler() {
            @Override
            public String identity() {
                return "nvrtc " + version();
            }

            @Override
            public List<String> options() {
                return List.of("-default-device", "--gpu-architecture=" + target);
            }

            @Override
            public byte[] compile(String name, String source, Map<String, String> headers, List<String> options) {
                return AT_WORK.run(() -> Nvrtc.this.compile(name, source, headers, options, target.startsWith("sm_")));
            }
        };
    }

    private MethodHandle bind(String name, MemoryLayout... parameters) {
        return downcall(name, FunctionDescriptor.of(JAVA_INT, parameters));
    }

    private MethodHandle downcall(String name, FunctionDescriptor descriptor) {
        return NativeAccess.downcall(library.find(name)
                .orElseThrow(() -> new DriverException(Code.NOT_SUPPORTED, "this NVRTC is too old: it has no " + name)),
                descriptor);
    }

    /** Its version, such as {@code 13.0}. */
    String version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT, 2);
            check((int) version.invokeExact(out.address(), out.address() + 4), "nvrtcVersion");
            return out.getAtIndex(JAVA_INT, 0) + "." + out.getAtIndex(JAVA_INT, 1);
        } catch (Throwable t) {
            throw Libcuda.failed(t);
        }
    }

    /** The best target for a chip: its own machine code, else PTX for the newest chip before it that this compiler knows. */
    String target(int capability) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            check((int) supportedCount.invokeExact(count.address()), "nvrtcGetNumSupportedArchs");
            MemorySegment list = arena.allocate(JAVA_INT, count.get(JAVA_INT, 0));
            check((int) supported.invokeExact(list.address()), "nvrtcGetSupportedArchs");
            int best = 0;
            for (int known : list.toArray(JAVA_INT)) {
                best = known <= capability ? Math.max(best, known) : best;
            }
            if (best == 0) {
                throw new DriverException(Code.NOT_SUPPORTED,
                        "NVRTC " + version() + " makes no code for compute capability " + Gpu.dotted(capability));
            }
            // Products of four warps are of that one chip and no later one: "sm_90a".
            return best == capability ? "sm_" + best + (best == FOUR_WARPS ? "a" : "") : "compute_" + best;
        } catch (Throwable t) {
            throw Libcuda.failed(t);
        }
    }

    /**
     * Compiles.
     *
     * @param name name of the source in messages
     * @param source C++
     * @param headers text by the name in the include directive
     * @param options the compiler's options, the target among them
     * @param machineCode whether the target is machine code and not PTX
     * @return a cubin, or PTX
     */
    byte[] compile(String name, String source, Map<String, String> headers, List<String> options, boolean machineCode) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            check((int) create.invokeExact(out.address(), arena.allocateFrom(source).address(),
                    arena.allocateFrom(name).address(), headers.size(), strings(arena, List.copyOf(headers.values())),
                    strings(arena, List.copyOf(headers.keySet()))), "nvrtcCreateProgram");
            long program = out.get(JAVA_LONG, 0);
            try {
                int result = (int) compile.invokeExact(program, options.size(), strings(arena, options));
                if (result != 0) {
                    throw new DriverException(Code.FAILED,
                            "NVRTC " + version() + " cannot compile " + name + " with " + options + ": "
                                    + message(result) + "\n"
                                    + new String(bytes(program, "nvrtcGetProgramLog", "nvrtcGetProgramLogSize"),
                                            StandardCharsets.UTF_8));
                }
                return machineCode
                        ? bytes(program, "nvrtcGetCUBIN", "nvrtcGetCUBINSize")
                        : bytes(program, "nvrtcGetPTX", "nvrtcGetPTXSize");
            } finally {
                check((int) destroy.invokeExact(out.address()), "nvrtcDestroyProgram");
            }
        } catch (Throwable t) {
            throw Libcuda.failed(t);
        }
    }

    private byte[] bytes(long program, String content, String size) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            check((int) bind(size, JAVA_LONG, JAVA_LONG).invokeExact(program, out.address()), size);
            MemorySegment data = arena.allocate(Math.max(1, out.get(JAVA_LONG, 0)));
            check((int) bind(content, JAVA_LONG, JAVA_LONG).invokeExact(program, data.address()), content);
            return data.toArray(JAVA_BYTE);
        } catch (Throwable t) {
            throw Libcuda.failed(t);
        }
    }

    /** An array of C strings. */
    private static long strings(Arena arena, List<String> texts) {
        MemorySegment array = arena.allocate(JAVA_LONG, Math.max(1, texts.size()));
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(JAVA_LONG, i, arena.allocateFrom(texts.get(i)).address());
        }
        return array.address();
    }

    private void check(int result, String call) {
        if (result != 0) {
            throw new DriverException(Code.FAILED, call + " failed: " + message(result));
        }
    }

    private String message(int result) {
        try {
            return Libcuda.text((long) errorString.invokeExact(result));
        } catch (Throwable t) {
            throw Libcuda.failed(t);
        }
    }
}
