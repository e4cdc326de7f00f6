package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** cuBLAS, cuSOLVER and cuSPARSE with a handle each on one stream. The latter two may be missing. */
final class CudaLibraries implements AutoCloseable {
    /** One of them: how its functions begin, and how its handle is made and freed. */
    private enum Kind {
        CUBLAS("cuBLAS", "cublas", "cublasCreate_v2", "cublasSetStream_v2", "cublasDestroy_v2"),
        CUSOLVER("cuSOLVER", "cusolver", "cusolverDnCreate", "cusolverDnSetStream", "cusolverDnDestroy"),
        CUSPARSE("cuSPARSE", "cusparse", "cusparseCreate", "cusparseSetStream", "cusparseDestroy");

        private final String title;
        private final String prefix;
        private final String create;
        private final String setStream;
        private final String destroy;

        Kind(String title, String prefix, String create, String setStream, String destroy) {
            this.title = title;
            this.prefix = prefix;
            this.create = create;
            this.setStream = setStream;
            this.destroy = destroy;
        }

        static Kind of(String symbol) {
            return symbol.startsWith(CUSOLVER.prefix) ? CUSOLVER
                    : symbol.startsWith(CUSPARSE.prefix) ? CUSPARSE
                    : CUBLAS;
        }
    }

    /** A library that could be loaded. */
    private record Library(Functions functions, long handle, String version) {}

    private final Map<Kind, Library> libraries = new HashMap<>();
    private final Map<Kind, String> missing = new HashMap<>();
    private final Map<String, Long> objects = new HashMap<>();
    private final List<Runnable> ends = new ArrayList<>();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment word = arena.allocate(JAVA_LONG, 3);

    /**
     * Libraries without handles on the device, or fakes.
     *
     * @param cublas functions
     * @param cusolver functions; null if they are missing
     * @param cusparse functions; null if they are missing
     * @param stream a {@code CUstream}
     */
    CudaLibraries(Functions cublas, Functions cusolver, Functions cusparse, long stream) {
        open(Kind.CUBLAS, cublas, stream);
        open(Kind.CUSOLVER, cusolver, stream);
        open(Kind.CUSPARSE, cusparse, stream);
    }

    private CudaLibraries() {}

    /**
     * Loads them.
     *
     * @param folder the folder with all; null to search
     * @param stream a {@code CUstream}
     * @throws IllegalStateException that says what was tried, if cuBLAS is not to be found
     */
    static CudaLibraries load(Path folder, long stream) {
        CudaLibraries all = new CudaLibraries();
        all.open(Kind.CUBLAS,
                ForeignLibrary.load("cuBLAS", folder, "libcublas.so", "libcublas.so.13", "libcublas.so.12"), stream);
        all.open(Kind.CUSOLVER, folder, stream, "libcusolver.so", "libcusolver.so.12", "libcusolver.so.11");
        all.open(Kind.CUSPARSE, folder, stream, "libcusparse.so", "libcusparse.so.12", "libcusparse.so.13",
                "libcusparse.so.11");
        return all;
    }

    private void open(Kind kind, Path folder, long stream, String... files) {
        try {
            open(kind, ForeignLibrary.load(kind.title, folder, files), stream);
        } catch (IllegalStateException e) {
            missing.put(kind, e.getMessage());
        }
    }

    private void open(Kind kind, Functions functions, long stream) {
        if (functions == null) {
            missing.put(kind, kind.title + " is not there");
            return;
        }
        functions.call(kind.create, word.address());
        long handle = word.get(JAVA_LONG, 0);
        functions.call(kind.setStream, handle, stream);
        libraries.put(kind, new Library(functions, handle, version(kind, functions)));
        ends.add(() -> functions.call(kind.destroy, handle));
    }

    private String version(Kind kind, Functions functions) {
        StringJoiner version = new StringJoiner(".");
        for (int part = 0; part < 3; part++) {
            functions.call(kind.prefix + "GetProperty", part, word.address());
            version.add(Integer.toString(word.get(JAVA_INT, 0)));
        }
        return version.toString();
    }

    private Library library(String symbol) {
        Kind kind = Kind.of(symbol);
        Library library = libraries.get(kind);
        if (library == null) {
            throw new UnsupportedOperationException(missing.get(kind));
        }
        return library;
    }

    /**
     * The library that a function belongs to.
     *
     * @throws UnsupportedOperationException that says why, if it or the function is missing
     */
    Functions of(String symbol) {
        Library library = library(symbol);
        if (!library.functions.has(symbol)) {
            throw new UnsupportedOperationException(
                    Kind.of(symbol).title + " " + library.version + " has no " + symbol);
        }
        return library.functions;
    }

    /** The handle that a function takes. */
    long handle(String symbol) {
        return library(symbol).handle;
    }

    /** Such as {@code cuSOLVER 12.0.4}. */
    String version(String symbol) {
        return Kind.of(symbol).title + " " + library(symbol).version;
    }

    /** All versions, and what is missing and why. */
    String description() {
        StringJoiner text = new StringJoiner(", ");
        for (Kind kind : Kind.values()) {
            Library library = libraries.get(kind);
            text.add(library == null ? missing.get(kind) : kind.title + " " + library.version);
        }
        return text.toString();
    }

    /** Whether cuSOLVER is there. */
    boolean solves() {
        return libraries.containsKey(Kind.CUSOLVER);
    }

    /** cuSOLVER's options of its functions in 64 bits. */
    long params() {
        return object("Params");
    }

    /** Its options of Jacobi's method for eigenvalues, as they are at first. */
    long syevj() {
        return object("SyevjInfo");
    }

    /** The same for singular values. */
    long gesvdj() {
        return object("GesvdjInfo");
    }

    private long object(String name) {
        return objects.computeIfAbsent(name, key -> {
            Functions solver = library("cusolverDnCreate" + key).functions;
            solver.call("cusolverDnCreate" + key, word.address());
            long made = word.get(JAVA_LONG, 0);
            ends.add(() -> solver.call("cusolverDnDestroy" + key, made));
            return made;
        });
    }

    @Override
    public void close() {
        ends.reversed().forEach(Runnable::run);
        arena.close();
    }
}
