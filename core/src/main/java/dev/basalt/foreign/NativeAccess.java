package dev.basalt.foreign;

import dev.basalt.spi.DriverException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The one door to native code. Java asks the module of whoever calls a restricted method whether it may, so all restricted methods
 * that the devices need are called here: the flag {@code --enable-native-access=dev.basalt}, or {@code ALL-UNNAMED} on the class
 * path, then allows all of them.
 *
 * <p>Where Java refuses, nothing here fails to load: functions are bound to handles that throw the refusal with the flag to add, today and
 * at every later try.
 */
public final class NativeAccess {
    private static final String REFUSAL;
    private static final MemorySegment ALL;

    static {
        MemorySegment all = MemorySegment.NULL;
        String refusal = null;
        try {
            Linker.nativeLinker();
            all = everything();
        } catch (IllegalCallerException e) {
            refusal = "Java refuses native access; " + remedy(NativeAccess.class.getModule());
        } catch (UnsupportedOperationException e) {
            refusal = "this Java cannot call native code: " + e.getMessage();
        }
        ALL = all;
        REFUSAL = refusal;
    }

    private NativeAccess() {}

    @SuppressWarnings("restricted") // the one place where the whole address space is opened
    private static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    /** What to add to the command line; it follows from how Basalt was started. */
    static String remedy(Module module) {
        if (!module.isNamed()) {
            return "start it with --enable-native-access=ALL-UNNAMED";
        }
        return module.getLayer() == ModuleLayer.boot()
                ? "start it with --enable-native-access=" + module.getName()
                : "let the controller of Basalt's module layer enable it for " + module.getName()
                        + " (ModuleLayer.Controller.enableNativeAccess)";
    }

    /**
     * Why native code cannot be called at all.
     *
     * @return the reason with the flag to add, or null if it can be called
     */
    public static String refusal() {
        return REFUSAL;
    }

    /**
     * All of the process's memory as one segment.
     *
     * @return the segment; an empty one where native access is refused
     */
    public static MemorySegment memory() {
        return ALL;
    }

    /**
     * Memory as a segment that ends with an arena.
     *
     * @param address its first address
     * @param bytes its size
     * @param arena whose end is that of the segment
     * @return segment
     */
    @SuppressWarnings("restricted")
    public static MemorySegment memory(long address, long bytes, Arena arena) {
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
    }

    /**
     * Finds a function of the C library.
     *
     * @param symbol its name
     * @return its address, or null if there is none
     */
    public static MemorySegment find(String symbol) {
        return REFUSAL != null ? null : Linker.nativeLinker().defaultLookup().find(symbol).orElse(null);
    }

    /**
     * Loads a library for the life of the process.
     *
     * @param file its path, or a name that the system's loader finds
     * @return its symbols
     * @throws IllegalArgumentException if it cannot be loaded
     * @throws DriverException NOT_SUPPORTED if Java refuses native access
     */
    @SuppressWarnings("restricted") // this is the door
    public static SymbolLookup library(String file) {
        if (REFUSAL != null) {
            throw refused();
        }
        return SymbolLookup.libraryLookup(file, Arena.global());
    }

    /**
     * Binds a function.
     *
     * @param address where it is
     * @param signature its parameters and result
     * @return handle; where native access is refused, or Java has no room for its stub, one that throws a {@link DriverException}
     */
    public static MethodHandle downcall(MemorySegment address, FunctionDescriptor signature) {
        return downcall(signature).bindTo(address);
    }

    /**
     * Binds a signature, for functions whose address is the first argument.
     *
     * @param signature parameters and result
     * @param options of the linker
     * @return handle; where native access is refused, or Java has no room for its stub, one that throws a {@link DriverException}
     */
    @SuppressWarnings("restricted") // this is the door
    public static MethodHandle downcall(FunctionDescriptor signature, Linker.Option... options) {
        if (REFUSAL != null) {
            return thrower(signature, refused());
        }
        try {
            return Linker.nativeLinker().downcallHandle(signature, options);
        } catch (OutOfMemoryError e) {
            // What it lacks is not memory of the heap, and a class whose constant fails never loads.
            return thrower(signature,
                    new DriverException(DriverException.Code.OUT_OF_MEMORY,
                            "Java has no room for a call of native code (" + e.getMessage()
                                    + "); raise -XX:ReservedCodeCacheSize"));
        }
    }

    private static DriverException refused() {
        return new DriverException(DriverException.Code.NOT_SUPPORTED, REFUSAL);
    }

    private static MethodHandle thrower(FunctionDescriptor signature, DriverException reason) {
        return MethodHandles.dropArguments(refusing(signature, reason), 0, MemorySegment.class);
    }

    /**
     * A handle in place of a function that is not there.
     *
     * @param signature the function's
     * @param reason what it throws, anew at each call
     * @return handle without an address
     */
    public static MethodHandle refusing(FunctionDescriptor signature, DriverException reason) {
        MethodType type = signature.toMethodType();
        try {
            MethodHandle again = MethodHandles.lookup()
                    .findStatic(NativeAccess.class, "again",
                            MethodType.methodType(DriverException.class, DriverException.class))
                    .bindTo(reason);
            MethodHandle thrower = MethodHandles
                    .foldArguments(MethodHandles.throwException(type.returnType(), DriverException.class), again);
            return MethodHandles.dropArguments(thrower, 0, type.parameterList());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a method of this class is not to be found", e);
        }
    }

    @SuppressWarnings("unused") // through a handle
    private static DriverException again(DriverException reason) {
        return new DriverException(reason.code(), reason.getMessage());
    }

    /**
     * What to throw for what a handle threw: native code throws nothing, but the handle may refuse, and Java's stack may end.
     *
     * @param t what was caught
     * @return the same, to be thrown
     */
    public static RuntimeException failure(Throwable t) {
        if (t instanceof Error e) {
            throw e;
        }
        return t instanceof RuntimeException e ? e : new IllegalStateException("native code threw " + t, t);
    }
}
