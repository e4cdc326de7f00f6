package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.basalt.foreign.NativeAccess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where a native BLAS comes from: a shared library, a folder of them, a jar of the bytedeco presets, the class path with such a
 * jar on it, or what the system's loader finds by name.
 *
 * @param product which library
 * @param path shared library, folder or jar; null to search
 * @param core OpenBLAS's name of the kernels it shall use, such as {@code SkylakeX}; empty lets it choose
 */
public record NativeLibrary(Product product, Path path, String core) {
    /** The libraries that are known. */
    @SuppressWarnings("ImmutableEnumChecker") // the lists cannot be changed
    public enum Product {
        /** OpenBLAS. */
        OPENBLAS("openblas", List.of("libgcc_s.so.1", "libquadmath.so.0", "libgfortran.so.5", "libopenblas.so.0"),
                List.of("libopenblas.so.0", "libopenblas.so")),
        /** Intel's MKL. */
        MKL("mkl", List.of("libiomp5.so", "libmkl_rt.so.2"), List.of("libmkl_rt.so.2", "libmkl_rt.so"));

        private final String text;
        private final List<String> parts;
        private final List<String> names;

        Product(String text, List<String> parts, List<String> names) {
            this.text = text;
            this.parts = parts;
            this.names = names;
        }

        private String folder() {
            return "org/bytedeco/" + text + "/linux-x86_64/";
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * By the name of a peer.
     *
     * @param peer {@code openblas} or {@code mkl}
     * @param path as of the record
     * @param core as of the record
     * @return library
     */
    public static NativeLibrary of(String peer, Path path, String core) {
        for (Product product : Product.values()) {
            if (product.text.equals(peer)) {
                return new NativeLibrary(product, path, core);
            }
        }
        throw new IllegalArgumentException("there is no peer \"" + peer + "\"; there are openblas and mkl");
    }

    String peer() {
        return product.text + (core.isEmpty() ? "" : "-" + core.toLowerCase(Locale.ROOT));
    }

    /** Version and kernels. */
    String description(SymbolLookup symbols) {
        return switch (product) {
            case OPENBLAS -> NativePeer.text(symbols, "openblas_get_config") + ", kernels "
                    + NativePeer.text(symbols, "openblas_get_corename");
            case MKL -> mklVersion(symbols);
        };
    }

    /**
     * Loads it; the settings that such a library reads as it is loaded are made first.
     *
     * @param threads threads it may use
     * @return its functions
     */
    public SymbolLookup load(int threads) {
        String count = Integer.toString(threads);
        setEnvironment("OPENBLAS_NUM_THREADS", count);
        setEnvironment("MKL_NUM_THREADS", count);
        setEnvironment("MKL_DYNAMIC", "FALSE");
        // The presets come without the sequential layer.
        setEnvironment("MKL_THREADING_LAYER", "INTEL");
        setEnvironment("MKL_INTERFACE_LAYER", "LP64");
        if (!core.isEmpty()) {
            setEnvironment("OPENBLAS_CORETYPE", core);
        }
        try {
            return path == null ? search() : given();
        } catch (IOException e) {
            throw new UncheckedIOException(product + " cannot be read: " + e.getMessage(), e);
        }
    }

    private SymbolLookup given() throws IOException {
        if (!Files.exists(path)) {
            throw new IllegalStateException("there is no " + path + " to load " + product + " from");
        }
        if (Files.isDirectory(path)) {
            return open(path);
        }
        if (!path.toString().endsWith(".jar")) {
            return open(List.of(path));
        }
        try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + path.toUri()), Map.of())) {
            Path folder = jar.getPath(product.folder());
            if (!Files.isDirectory(folder)) {
                throw new IllegalStateException(path + " holds no " + product + " for linux-x86_64");
            }
            try (Stream<Path> files = Files.list(folder)) {
                return extracted(files.filter(file -> file.toString().contains(".so"))
                        .filter(file -> product == Product.MKL || product.parts.contains(name(file)))
                        .toList());
            }
        }
    }

    private SymbolLookup search() throws IOException {
        List<Path> found = new ArrayList<>();
        for (String part : product.parts) {
            if (product == Product.OPENBLAS && ClassLoader.getSystemResource(product.folder() + part) != null) {
                Path file = Files.createTempDirectory("basalt-peer").resolve(part);
                try (InputStream in = ClassLoader.getSystemResourceAsStream(product.folder() + part)) {
                    Files.copy(in, file);
                }
                found.add(file);
            }
        }
        if (!found.isEmpty()) {
            try {
                return open(found);
            } finally {
                // A library that is mapped no longer needs its file.
                for (Path file : found) {
                    Files.delete(file);
                    Files.delete(file.getParent());
                }
            }
        }
        for (String name : product.names) {
            try {
                return NativeAccess.library(name);
            } catch (IllegalArgumentException e) {
                // The next name, or the advice below.
            }
        }
        throw new IllegalStateException(product
                + " is not installed and not on the class path; name its shared library, the folder with it, or the jar org.bytedeco:"
                + product + " for linux-x86_64" + (product == Product.MKL ? "-redist" : "") + " by --peer-library");
    }

    /** MKL loads its parts when it needs them, so they stay until the process ends. */
    private SymbolLookup extracted(List<Path> files) throws IOException {
        Path folder = Files.createTempDirectory("basalt-" + product);
        folder.toFile().deleteOnExit();
        for (Path file : files) {
            Path copy = folder.resolve(name(file));
            Files.copy(file, copy);
            copy.toFile().deleteOnExit();
        }
        return open(folder);
    }

    private SymbolLookup open(Path folder) {
        return open(product.parts.stream().map(folder::resolve).filter(Files::exists).toList());
    }

    /** In load order: each needs the ones before it, and the loader then finds those by name. */
    private SymbolLookup open(List<Path> files) {
        SymbolLookup last = null;
        for (Path file : files) {
            last = NativeAccess.library(file.toAbsolutePath().toString());
        }
        if (last == null || last.find("dgemm_").isEmpty()) {
            throw new IllegalStateException("there is no " + product + " in " + (path == null ? files : path));
        }
        return last;
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    private static String mklVersion(SymbolLookup symbols) {
        MemorySegment address = symbols.find("MKL_Get_Version_String").orElse(null);
        if (address == null) {
            return "";
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(256);
            NativeAccess.downcall(address, FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT)).invokeExact(text, 256);
            return text.getString(0).strip();
        } catch (Throwable t) {
            throw FortranCall.failure(t);
        }
    }

    /** The environment of a process is libc's, and Java can only read it. */
    private static void setEnvironment(String name, String value) {
        MemorySegment address = NativeAccess.find("setenv");
        if (address == null) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            int failed =
                    (int) NativeAccess.downcall(address, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT))
                            .invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 1);
            if (failed != 0) {
                throw new IllegalStateException("setenv " + name + " failed");
            }
        } catch (Throwable t) {
            throw FortranCall.failure(t);
        }
    }
}
