package dev.basalt.host.engine;

import dev.basalt.host.vector.VectorBits;
import dev.basalt.spi.DriverException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The ladder of engines, the fastest first. Each is tried once per process; the choice falls on the first that this machine
 * and this JVM can run, and it is remembered why a faster one was declined.
 */
public final class Engines {
    /** Lets the machine decide. */
    public static final String AUTO = "auto";

    /** Reached by name only: where it could run, the one above it does. */
    private static final String NARROW = "assembled-avx2";

    private static final String VECTOR_MODULE = "jdk.incubator.vector";

    /** A new engine is a rung here. */
    private static final List<Rung> LADDER =
            List.of(new Rung("assembled", AssembledEngine::open), new Rung(NARROW, AssembledEngine::openNarrow),
                    new Rung("vector", Engines::vector), new Rung("scalar", ScalarEngine::new));

    private static boolean logged;

    private Engines() {}

    /**
     * An engine and why it is not a faster one.
     *
     * @param engine the engine
     * @param declined reasons, one a faster engine that was wanted; null if there is none
     */
    public record Choice(Engine engine, String declined) {}

    /** Thrown by an engine's opener: this engine cannot run here. */
    static final class Declined extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Declined(String reason) {
            super(reason, null, false, false);
        }
    }

    /** An engine that may or may not run here; opened at most once, and given up when the system refuses it later. */
    private static final class Rung {
        private final String name;
        private final Supplier<Engine> opener;
        private Engine engine;
        private String reason;

        Rung(String name, Supplier<Engine> opener) {
            this.name = name;
            this.opener = opener;
        }

        /** The engine, or null and {@link #reason} is set. */
        synchronized Engine open() {
            if (engine == null && reason == null) {
                try {
                    engine = opener.get();
                } catch (Declined e) {
                    reason = e.getMessage();
                }
            }
            if (engine != null && engine.refusal() != null) {
                reason = engine.refusal();
                engine = null;
            }
            return engine;
        }
    }

    /**
     * The best engine, or the one that is wanted.
     *
     * @param wanted {@code auto} or an engine's name, checked
     * @return the choice
     * @throws DriverException NOT_SUPPORTED with the reason, if the wanted engine cannot run here; INVALID_VALUE if the width of
     *     vectors that is wanted is none
     */
    public static Choice choose(String wanted) {
        // Before any class that reads it is loaded: a class that failed to load says why once only.
        VectorBits.of(512);
        List<String> declined = new ArrayList<>();
        for (Rung rung : LADDER) {
            if (wanted.equals(AUTO) ? rung.name.equals(NARROW) : !wanted.equals(rung.name)) {
                continue;
            }
            Engine engine = rung.open();
            if (engine != null) {
                String reasons = declined.isEmpty() ? null : String.join("; ", declined);
                log(engine, reasons);
                return new Choice(engine, reasons);
            }
            declined.add(rung.name + ": " + rung.reason);
        }
        throw new DriverException(DriverException.Code.NOT_SUPPORTED,
                "the engine cannot run here: " + String.join("; ", declined));
    }

    /**
     * What may be wanted.
     *
     * @return {@code auto} and the names of all engines
     */
    public static List<String> names() {
        List<String> names = new ArrayList<>(List.of(AUTO));
        LADDER.forEach(rung -> names.add(rung.name));
        return names;
    }

    private static synchronized void log(Engine engine, String declined) {
        if (declined != null && !logged) {
            logged = true;
            System.getLogger("dev.basalt.host")
                    .log(System.Logger.Level.INFO, "CPU kernels come from the " + engine.name()
                            + " engine, not from a faster one. " + declined);
        }
    }

    /** By name only: a reference to the class would be resolved where its module is absent. */
    private static Engine vector() {
        if (ModuleLayer.boot().findModule(VECTOR_MODULE).isEmpty()) {
            throw new Declined("Java runs without module " + VECTOR_MODULE + "; add --add-modules " + VECTOR_MODULE);
        }
        String vm = System.getProperty("java.vm.info", "");
        if (vm.contains("interpreted") || vm.contains("emulated-client")) {
            throw new Declined("without the C2 compiler the Vector API is slower than scalar Java (" + vm + ")");
        }
        try {
            return Class.forName("dev.basalt.host.engine.VectorEngine")
                    .asSubclass(Engine.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | LinkageError e) {
            Throwable cause = e instanceof InvocationTargetException || e instanceof ExceptionInInitializerError
                    ? e.getCause()
                    : e;
            for (; cause instanceof ExceptionInInitializerError; cause = cause.getCause()) {}
            throw new Declined(
                    cause instanceof UnsupportedOperationException ? cause.getMessage() : "it failed: " + cause);
        }
    }
}
