package dev.basalt;

import dev.basalt.internal.telemetry.LeakRegistry;
import java.util.List;

/**
 * Finds what was not closed. The level is set by the system property {@code basalt.leakDetection} ({@code off},
 * {@code simple}, the default, or {@code paranoid}) or here.
 */
public final class LeakDetection {
    /** How much is noted when an object is opened. */
    public enum Level {
        /** Nothing. */
        OFF,
        /** What and by which thread. */
        SIMPLE,
        /** And the stack; costs microseconds an object. */
        PARANOID
    }

    private LeakDetection() {}

    /**
     * Sets the level for objects opened from now on.
     *
     * @param level level
     */
    public static void level(Level level) {
        LeakRegistry.level(LeakRegistry.Level.valueOf(level.name()));
    }

    /**
     * The level.
     *
     * @return level
     */
    public static Level level() {
        return Level.valueOf(LeakRegistry.level().name());
    }

    /**
     * Handles, arenas, streams, leases, graphs, workspaces and devices that are open now.
     *
     * @return one text an object, oldest first
     */
    public static List<String> open() {
        return LeakRegistry.openObjects();
    }

    /**
     * A mark for {@link #openedSince}.
     *
     * @return mark
     */
    public static long mark() {
        return LeakRegistry.lastNumber();
    }

    /**
     * What was opened after a mark and is still open.
     *
     * @param mark from {@link #mark}
     * @return one text an object
     */
    public static List<String> openedSince(long mark) {
        return LeakRegistry.openedSince(mark);
    }

    /**
     * How many objects were collected by the garbage collector without having been closed.
     *
     * @return count since the start of the JVM
     */
    public static long leaked() {
        return LeakRegistry.leaked();
    }
}
