package dev.basalt.benchmarks;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The peer: OpenBLAS from the bytedeco jar, called through the foreign function API on one thread. Pointers cross as
 * addresses.
 *
 * <p>OpenBLAS picks the kernels for the CPU as it is loaded, and does not always pick the best: the system property
 * {@link #CORE} names another set ({@code SkylakeX}, {@code Haswell}, …).
 */
@SuppressWarnings("restricted")
final class OpenBlas {
    /** System property with OpenBLAS's name of the core whose kernels it shall use; empty lets it choose. */
    static final String CORE = "basalt.benchmarks.openblasCore";

    private static final String FOLDER = "/org/bytedeco/openblas/linux-x86_64/";

    /** In load order: each needs the ones before it, and the loader then finds those by name. */
    private static final List<String> LIBRARIES =
            List.of("libgcc_s.so.1", "libquadmath.so.0", "libgfortran.so.5", "libopenblas.so.0");

    private static final int COLUMN_MAJOR = 102;
    private static final int NO_TRANS = 111;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup SYMBOLS = load();

    /** A critical call spends 5 ns less on the way, which shows in a vector of 8. */
    private static final MethodHandle DDOT = function(
            "cblas_ddot",
            FunctionDescriptor.of(JAVA_DOUBLE, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT),
            Linker.Option.critical(false));

    private static final MethodHandle DGEMM = function(
            "cblas_dgemm",
            FunctionDescriptor.ofVoid(
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_DOUBLE,
                    JAVA_LONG,
                    JAVA_INT,
                    JAVA_LONG,
                    JAVA_INT,
                    JAVA_DOUBLE,
                    JAVA_LONG,
                    JAVA_INT));

    // The Fortran interface: LAPACKE would search the matrix for NaN first.
    private static final MethodHandle DGETRF =
            function("dgetrf_", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS));
    private static final MethodHandle DPOTRF =
            function("dpotrf_", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG));

    private static final MemorySegment ORDER = Arena.global().allocate(JAVA_INT);
    private static final MemorySegment INFO = Arena.global().allocate(JAVA_INT);
    private static final MemorySegment LOWER = Arena.global().allocateFrom(JAVA_BYTE, (byte) 'L');

    private OpenBlas() {}

    /** The sum of the products of two vectors without gaps. */
    static double ddot(int n, long x, long y) {
        try {
            return (double) DDOT.invokeExact(n, x, 1, y, 1);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** C := A·B for square column-major matrices without gaps. */
    static void dgemm(int n, long a, long b, long c) {
        try {
            DGEMM.invokeExact(COLUMN_MAJOR, NO_TRANS, NO_TRANS, n, n, n, 1.0, a, n, b, n, 0.0, c, n);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** A = P·L·U in place; the pivots are ints. */
    static void dgetrf(int n, long a, long pivots) {
        ORDER.set(JAVA_INT, 0, n);
        try {
            DGETRF.invokeExact(ORDER, ORDER, a, ORDER, pivots, INFO);
        } catch (Throwable e) {
            throw failure(e);
        }
        requireSuccess("dgetrf");
    }

    /** A = L·Lᵀ in place, in the lower triangle. */
    static void dpotrf(int n, long a) {
        ORDER.set(JAVA_INT, 0, n);
        try {
            DPOTRF.invokeExact(LOWER, ORDER, a, ORDER, INFO, 1L);
        } catch (Throwable e) {
            throw failure(e);
        }
        requireSuccess("dpotrf");
    }

    private static void requireSuccess(String routine) {
        int info = INFO.get(JAVA_INT, 0);
        if (info != 0) {
            throw new IllegalStateException("OpenBLAS: " + routine + " has info = " + info);
        }
    }

    /** OpenBLAS's name of the core whose kernels run. */
    static String core() {
        return text("openblas_get_corename");
    }

    /** Version and build options, as OpenBLAS tells them. */
    static String config() {
        return text("openblas_get_config").strip();
    }

    private static String text(String function) {
        try {
            MemorySegment text = (MemorySegment)
                    function(function, FunctionDescriptor.of(ADDRESS)).invokeExact();
            return text.reinterpret(Long.MAX_VALUE).getString(0);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        return function(SYMBOLS, name, descriptor, options);
    }

    private static MethodHandle function(
            SymbolLookup symbols, String name, FunctionDescriptor descriptor, Linker.Option... options) {
        MemorySegment address =
                symbols.find(name).orElseThrow(() -> new NoSuchElementException("there is no function " + name));
        return LINKER.downcallHandle(address, descriptor, options);
    }

    private static SymbolLookup load() {
        chooseCore();
        SymbolLookup openblas = null;
        List<Path> extracted = new ArrayList<>();
        try {
            Path folder = Files.createTempDirectory("basalt-openblas");
            extracted.add(folder);
            for (String library : LIBRARIES) {
                Path file = folder.resolve(library);
                extracted.add(file);
                try (InputStream in = OpenBlas.class.getResourceAsStream(FOLDER + library)) {
                    if (in == null) {
                        throw new IllegalStateException("not on the class path: " + FOLDER + library);
                    }
                    Files.copy(in, file);
                }
                openblas = SymbolLookup.libraryLookup(file, Arena.global());
            }
            function(openblas, "openblas_set_num_threads", FunctionDescriptor.ofVoid(JAVA_INT))
                    .invokeExact(1);
            return openblas;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Throwable e) {
            throw failure(e);
        } finally {
            // A library that is mapped no longer needs its file.
            for (Path path : extracted.reversed()) {
                path.toFile().delete();
            }
        }
    }

    /** OpenBLAS reads the environment of the process as it is loaded, and Java can only change it through libc. */
    private static void chooseCore() {
        String core = System.getProperty(CORE, "");
        if (core.isEmpty()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            int failed = (int) function(
                            LINKER.defaultLookup(),
                            "setenv",
                            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT))
                    .invokeExact(arena.allocateFrom("OPENBLAS_CORETYPE"), arena.allocateFrom(core), 1);
            if (failed != 0) {
                throw new IllegalStateException("setenv failed");
            }
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    private static RuntimeException failure(Throwable e) {
        if (e instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a call of OpenBLAS failed", e);
    }
}
