package dev.basalt.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The OpenBLAS that the tests take as their oracle: the shared library in the bytedeco jar, called through the
 * foreign function API without the JavaCPP loader. It runs on one thread.
 */
@SuppressWarnings("restricted")
public final class OpenBlas {
    private static final String FOLDER = "/org/bytedeco/openblas/linux-x86_64/";

    /** In load order: each needs the ones before it, and the loader then finds those by name. */
    private static final List<String> LIBRARIES =
            List.of("libgcc_s.so.1", "libquadmath.so.0", "libgfortran.so.5", "libopenblas.so.0");

    private static final SymbolLookup SYMBOLS = load();

    private OpenBlas() {}

    /** The function of that name, CBLAS ({@code cblas_ddot}), LAPACKE or Fortran ({@code dgetrf_}). */
    public static MethodHandle handle(String name, FunctionDescriptor descriptor) {
        return handle(SYMBOLS, name, descriptor);
    }

    /** Whether there is a function of that name. */
    public static boolean has(String name) {
        return SYMBOLS.find(name).isPresent();
    }

    private static MethodHandle handle(SymbolLookup symbols, String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker()
                .downcallHandle(
                        symbols.find(name).orElseThrow(() -> new NoSuchElementException("OpenBLAS has no " + name)),
                        descriptor);
    }

    private static SymbolLookup load() {
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
            handle(openblas, "openblas_set_num_threads", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT))
                    .invokeExact(1);
            return openblas;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("OpenBLAS did not start", e);
        } finally {
            // A library that is mapped no longer needs its file.
            for (Path path : extracted.reversed()) {
                path.toFile().delete();
            }
        }
    }
}
