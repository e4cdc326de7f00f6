package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.foreign.NativeAccess;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A shared library. For the benchmark alone: flexible, not fast; what is timed is bound once. */
final class ForeignLibrary implements Functions {
    private final String name;
    private final SymbolLookup symbols;

    private ForeignLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /**
     * Loads a library.
     *
     * @param what its name for people
     * @param folder where to look first; may be null
     * @param files names to try, in folders of CUDA and by the system's loader
     * @throws IllegalStateException if there is none, with all places that were tried
     */
    static ForeignLibrary load(String what, Path folder, String... files) {
        List<String> tried = new ArrayList<>();
        for (Path place : folders(folder)) {
            for (String file : files) {
                if (Files.exists(place.resolve(file))) {
                    tried.add(place.resolve(file).toString());
                }
            }
        }
        if (folder == null) {
            tried.addAll(0, List.of(files));
        }
        for (String candidate : tried) {
            try {
                return new ForeignLibrary(what, open(candidate));
            } catch (IllegalArgumentException e) {
                // The next one, or the message below.
            }
        }
        throw new IllegalStateException(what + " cannot be loaded"
                + (tried.isEmpty() ? ": there is none in " + folder : "; tried " + String.join(", ", tried)));
    }

    private static SymbolLookup open(String candidate) {
        return NativeAccess.library(candidate);
    }

    private static List<Path> folders(Path first) {
        if (first != null) {
            return List.of(first);
        }
        List<Path> folders = new ArrayList<>();
        for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
            String home = System.getenv(variable);
            if (home != null && !home.isEmpty()) {
                folders.add(Path.of(home, "lib64"));
            }
        }
        folders.add(Path.of("/usr/local/cuda/lib64"));
        return folders;
    }

    @Override
    public boolean has(String symbol) {
        return symbols.find(symbol).isPresent();
    }

    @Override
    public Call bind(String symbol, Object... arguments) {
        MemoryLayout[] layouts = new MemoryLayout[arguments.length];
        for (int i = 0; i < layouts.length; i++) {
            layouts[i] = layout(arguments[i]);
        }
        MemorySegment address = symbols.find(symbol)
                .orElseThrow(() -> new IllegalStateException(name + " is too old: it has no " + symbol));
        MethodHandle function = NativeAccess.downcall(address, FunctionDescriptor.of(JAVA_INT, layouts));
        MethodHandle bound = MethodHandles.insertArguments(function, 0, arguments);
        return () -> {
            int status;
            try {
                status = (int) bound.invokeExact();
            } catch (Throwable t) {
                throw FortranCall.failure(t);
            }
            if (status != 0) {
                throw new IllegalStateException(symbol + " of " + name + " failed with status " + status);
            }
            return status;
        };
    }

    private static MemoryLayout layout(Object argument) {
        if (argument instanceof Byte) {
            return JAVA_BYTE;
        }
        if (argument instanceof Integer) {
            return JAVA_INT;
        }
        if (argument instanceof Float) {
            return JAVA_FLOAT;
        }
        return argument instanceof Double ? JAVA_DOUBLE : JAVA_LONG;
    }
}
