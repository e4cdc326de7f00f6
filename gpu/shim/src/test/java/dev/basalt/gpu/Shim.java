package dev.basalt.gpu;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The kernels' portable path on the CPU: compiled by g++ against {@code shim.h}, each thread of a block a fiber. A launch
 * runs at once, in one of two orders of threads and blocks.
 */
@SuppressWarnings("restricted")
final class Shim implements Functions<Boolean> {
    /** Why there is none on this machine, or null. */
    static final String ABSENT;

    /** Sources whose blocks in x wait for each other. */
    private static final Set<String> TOGETHER = Set.of("cholesky", "lu_tiles");

    private static final SymbolLookup LIBRARY;
    /** The sources that are compiled for dimensions that the device alone knows too. */
    private static final SymbolLookup CAPPED;
    private static final MethodHandle LAUNCH;
    private static final MethodHandle LAUNCH_CAPPED;

    static {
        SymbolLookup library = null;
        SymbolLookup capped = null;
        String absent = null;
        try {
            Compilation first = compile(false);
            Compilation second = compile(true);
            library = load(first, false);
            capped = load(second, true);
        } catch (IOException | IllegalStateException e) {
            absent = "the kernels cannot be run on the CPU: " + e.getMessage();
        }
        LIBRARY = library;
        ABSENT = absent;
        CAPPED = capped;
        LAUNCH = launch(library);
        LAUNCH_CAPPED = launch(capped);
    }

    private static MethodHandle launch(SymbolLookup library) {
        return library == null
                ? null
                : Linker.nativeLinker()
                        .downcallHandle(library.find("basalt_shim_launch").orElseThrow(),
                                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_INT,
                                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
                                        ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT,
                                        ValueLayout.JAVA_INT));
    }

    private final MemorySegment[] entries = new MemorySegment[KernelFunction.count()];

    /** How often each function ran. */
    final int[] launches = new int[entries.length];

    /** A function of the library that is no kernel. */
    static MethodHandle function(String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(LIBRARY.find(name).orElseThrow(), descriptor);
    }

    /** Begins to make the library of a property, null if it is given. */
    private static Compilation compile(boolean capped) throws IOException {
        if (given(capped) != null) {
            return null;
        }
        List<Path> sources = new ArrayList<>(Compilation.sources(capped));
        // -Og compiles in 0.6 of the time of -O1, and warns of what it finds on the way too.
        List<String> options = new ArrayList<>(List.of("-Og", "-fPIC", "-Wall", "-Werror", "-Wno-unknown-pragmas",
                "-DBASALT_SHIM", "-I" + Compilation.KERNELS, "-I" + Compilation.CPP));
        sources.add(Compilation.CPP.resolve("shim.cpp"));
        if (capped) {
            options.add("-DBASALT_CAPPED");
        } else {
            sources.add(Compilation.CPP.resolve("layout.cpp"));
        }
        Path library = Files.createTempDirectory("basalt-shim").resolve("libkernels.so");
        return new Compilation(library, sources, options, List.of("-shared"));
    }

    private static String given(boolean capped) {
        return System.getProperty(capped ? "basalt.shim.capped" : "basalt.shim");
    }

    private static SymbolLookup load(Compilation made, boolean capped) throws IOException {
        return SymbolLookup.libraryLookup(made == null ? Path.of(given(capped)) : made.done(), Arena.global());
    }

    @Override
    public void launch(KernelFunction function, int gridX, int gridY, int gridZ, int threads, int shared,
            long arguments, Boolean backwards) {
        int id = function.id();
        if (entries[id] == null) {
            entries[id] = (function.capped() == null ? CAPPED : LIBRARY).find(function.name()).orElseThrow();
        }
        launches[id]++;
        if (shared > function.shared()) {
            throw new AssertionError(function + " is launched with more shared memory than it declares");
        }
        try {
            (function.capped() == null ? LAUNCH_CAPPED : LAUNCH).invokeExact(entries[id], gridX, gridY, gridZ, threads,
                    shared, MemorySegment.ofAddress(arguments), backwards ? 1 : 0,
                    function.cooperative() ? 0 : TOGETHER.contains(function.source()) ? gridX : function.cluster());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
