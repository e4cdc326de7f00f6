package dev.basalt.host;

import dev.basalt.spi.DriverException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The ladder of engines, the fastest first. Each is tried once per process; the choice falls on the first that this machine
 * and this JVM can run, and it is remembered why a faster one was declined.
 */
final class Engines {
    /** Lets the machine decide. */
    static final String AUTO = "auto";

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
    record Choice(Engine engine, String declined) {}

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
    static Choice choose(String wanted) {
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
     * Refuses a name that is not an engine's.
     *
     * @param setting where it was given
     * @param name the name
     * @return the name
     */
    static String checkName(String setting, String name) {
        List<String> accepted = new ArrayList<>(List.of(AUTO));
        LADDER.forEach(rung -> accepted.add(rung.name));
        if (!accepted.contains(name)) {
            throw HostSettings.invalid(setting, name, String.join(", ", accepted));
        }
        return name;
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
            return Class.forName("dev.basalt.host.VectorEngine")
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
