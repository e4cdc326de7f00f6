package dev.basalt.internal.telemetry;

import dev.basalt.BlasException;
import dev.basalt.Status;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is open: handles, arenas, streams, leases, graphs, workspaces, devices. At level OFF nothing is noted; SIMPLE notes what
 * and where on which thread; PARANOID adds the stack of the creation. An object that is collected without having been closed is
 * reported once as a hazard.
 */
public final class LeakRegistry {
    /** How much is noted. */
    public enum Level {
        /** Nothing. */
        OFF,
        /** Kind, thread and number. */
        SIMPLE,
        /** And the stack of the creation. */
        PARANOID
    }

    /** One open object; closing it takes it off the list. */
    public static final class Entry implements Runnable {
        private final String kind;
        private final String detail;
        private final long number;
        private final String thread;
        private final Throwable site;
        private final Runnable lost;
        private Cleaner.Cleanable cleanable;
        private volatile boolean closed;

        private Entry(String kind, String detail, long number, Throwable site, Runnable lost) {
            this.kind = kind;
            this.detail = detail;
            this.number = number;
            this.lost = lost;
            this.thread = Thread.currentThread().getName();
            this.site = site;
        }

        /** The object was closed by its owner. */
        public void close() {
            closed = true;
            OPEN.remove(this);
            if (cleanable != null) {
                cleanable.clean();
            }
        }

        /** The object was collected; a leak unless it was closed before. */
        @Override
        public void run() {
            if (!closed && OPEN.remove(this)) {
                LEAKED.incrementAndGet();
                lost.run();
                HazardEvent event = new HazardEvent();
                event.kind = "leak";
                event.detail = describe();
                event.commit();
                System.getLogger("dev.basalt")
                        .log(System.Logger.Level.WARNING, "leaked without close(): " + describe());
            }
        }

        /**
         * The object for people.
         *
         * @return kind, detail, thread, and the stack if it was noted
         */
        public String describe() {
            StringBuilder text =
                    new StringBuilder(kind + " #" + number + " (" + detail + ") opened by thread " + thread);
            if (site == null) {
                text.append("; set basalt.leakDetection=paranoid to see where");
            } else {
                for (StackTraceElement frame : site.getStackTrace()) {
                    if (!frame.getClassName().startsWith("dev.basalt.internal")) {
                        text.append(System.lineSeparator()).append("    at ").append(frame);
                    }
                }
            }
            return text.toString();
        }
    }

    private static final Set<Entry> OPEN = ConcurrentHashMap.newKeySet();
    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final AtomicLong LEAKED = new AtomicLong();
    private static final Cleaner CLEANER = Cleaner.create();
    private static final Entry NONE = new Entry("", "", 0, null, () -> {});
    private static final String SETTING = System.getProperty("basalt.leakDetection", "simple");
    private static volatile Level level = initial();

    private LeakRegistry() {}

    /** A value that is not known is told to whoever opens something: an error here would be one of the class, without a remedy. */
    private static Level initial() {
        for (Level l : Level.values()) {
            if (l.name().equalsIgnoreCase(SETTING.strip())) {
                return l;
            }
        }
        return null;
    }

    /**
     * The level.
     *
     * @return level for objects opened from now on
     */
    public static Level level() {
        Level now = level;
        if (now == null) {
            throw new BlasException(Status.INVALID_VALUE, "basalt.leakDetection",
                    "basalt.leakDetection = \"" + SETTING + "\" is not known; accepted are off, simple and paranoid");
        }
        return now;
    }

    /**
     * Sets the level for objects opened from now on.
     *
     * @param next level
     */
    public static void level(Level next) {
        level = next;
    }

    /**
     * Notes an object.
     *
     * @param kind its class
     * @param detail for people
     * @param object the object, watched for collection
     * @return entry to close with the object
     */
    public static Entry open(String kind, String detail, Object object) {
        return open(kind, detail, object, () -> {});
    }

    /**
     * Notes an object that leaves something behind.
     *
     * @param kind its class
     * @param detail for people
     * @param object the object, watched for collection
     * @param lost run by the collector's thread if the object was not closed; must not refer to it
     * @return entry to close with the object
     */
    public static Entry open(String kind, String detail, Object object, Runnable lost) {
        Level now = level();
        if (now == Level.OFF) {
            return NONE;
        }
        Throwable site = now == Level.PARANOID ? new Throwable("opened here") : null;
        Entry entry = new Entry(kind, detail, NUMBERS.incrementAndGet(), site, lost);
        OPEN.add(entry);
        entry.cleanable = CLEANER.register(object, entry);
        return entry;
    }

    /**
     * What is open now.
     *
     * @return one text an object, oldest first
     */
    public static List<String> openObjects() {
        List<Entry> entries = new ArrayList<>(OPEN);
        entries.sort((a, b) -> Long.compare(a.number, b.number));
        return entries.stream().map(Entry::describe).toList();
    }

    /**
     * How many objects were collected without having been closed.
     *
     * @return count since the start
     */
    public static long leaked() {
        return LEAKED.get();
    }

    /**
     * The number of the last object opened.
     *
     * @return number; objects opened later have larger ones
     */
    public static long lastNumber() {
        return NUMBERS.get();
    }

    /**
     * What was opened after a mark and is still open.
     *
     * @param mark from {@link #lastNumber}
     * @return one text an object
     */
    public static List<String> openedSince(long mark) {
        List<Entry> entries = new ArrayList<>(OPEN);
        entries.removeIf(e -> e.number <= mark);
        entries.sort((a, b) -> Long.compare(a.number, b.number));
        return entries.stream().map(Entry::describe).toList();
    }
}
