package dev.basalt.cuda;

import dev.basalt.foreign.NativeAccess;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;

/**
 * The file of NVIDIA's driver library. It stands apart from the functions of {@link Libcuda}: whether there is a driver is asked at every start, and
 * binding sixty functions takes a fresh JVM tens of milliseconds.
 */
final class DriverLibrary {
    private static final String FILE = System.getProperty("basalt.libcuda",
            System.getProperty("os.name", "").startsWith("Windows") ? "nvcuda.dll" : "libcuda.so.1");
    private static final Optional<SymbolLookup> LIBRARY = open();

    private DriverLibrary() {}

    private static Optional<SymbolLookup> open() {
        try {
            return NativeAccess.refusal() == null ? Optional.of(NativeAccess.library(FILE)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Why there is no driver, or null if there is one. */
    static String refusal() {
        if (NativeAccess.refusal() != null) {
            return NativeAccess.refusal();
        }
        return LIBRARY.isPresent() ? null : "no NVIDIA driver: the library " + FILE + " cannot be loaded";
    }

    /** Where a function is. */
    static Optional<MemorySegment> find(String symbol) {
        return LIBRARY.flatMap(library -> library.find(symbol));
    }
}
