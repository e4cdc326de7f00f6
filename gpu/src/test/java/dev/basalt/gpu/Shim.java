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
import java.util.stream.Stream;

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
            Compiling first = compile(false);
            Compiling second = compile(true);
            library = SymbolLookup.libraryLookup(first.done(), Arena.global());
            capped = SymbolLookup.libraryLookup(second.done(), Arena.global());
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

    /** A library and the compiler that makes it, null if it is there already: two at a time keep two processors at work. */
    private record Compiling(Path library, Process compiler) {
        Path done() throws IOException {
            try {
                if (compiler != null && compiler.waitFor() != 0) {
                    throw new AssertionError(
                            "g++ refuses the kernels:\n" + Files.readString(library.resolveSibling("log")));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
            return library;
        }
    }

    private static Compiling compile(boolean capped) throws IOException {
        String given = System.getProperty(capped ? "basalt.shim.capped" : "basalt.shim");
        if (given != null) {
            return new Compiling(Path.of(given), null);
        }
        Path target = Files.createTempDirectory("basalt-shim");
        Path library = target.resolve("libkernels.so");
        Path cpp = Path.of("src/test/cpp").toAbsolutePath();
        List<String> command = new ArrayList<>(List.of("g++", "-x", "c++", "-std=c++17", "-O1", "-fPIC", "-shared",
                "-Wall", "-Werror", "-Wno-unknown-pragmas"));
        Path sources = Path.of("src/main/resources/dev/basalt/gpu").toAbsolutePath();
        command.addAll(List.of("-DBASALT_SHIM", "-I" + sources, "-I" + cpp, "-o", library.toString()));
        command.add(cpp.resolve("shim.cpp").toString());
        command.add(capped ? "-DBASALT_CAPPED" : cpp.resolve("layout.cpp").toString());
        for (Path source : sources(sources, capped)) {
            command.add(source.toString());
        }
        return new Compiling(library,
                new ProcessBuilder(command).redirectErrorStream(true)
                        .redirectOutput(target.resolve("log").toFile())
                        .start());
    }

    /** The sources of kernels, or of those the ones that are compiled for capped launches too. */
    static List<Path> sources(Path folder, boolean capped) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".cu")).sorted().toList()) {
                if (!capped || Files.readString(file).contains("BASALT_CAPPED_TOO")) {
                    found.add(file);
                }
            }
        }
        return found;
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
