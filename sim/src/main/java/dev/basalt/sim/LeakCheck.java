package dev.basalt.sim;

import dev.basalt.LeakDetection;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A JUnit extension that fails the test which left a handle, arena, stream, lease, graph, workspace or device open:
 * {@code @ExtendWith(LeakCheck.class)}. It notes creation stacks while the test runs, so the message says where. Tests of one JVM
 * that run in parallel would see each other's objects; run those that use it in one thread.
 */
public final class LeakCheck implements BeforeEachCallback, AfterEachCallback {
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(LeakCheck.class);

    /** An extension. */
    public LeakCheck() {}

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(SPACE).put("level", LeakDetection.level());
        LeakDetection.level(LeakDetection.Level.PARANOID);
        context.getStore(SPACE).put("mark", LeakDetection.mark());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        LeakDetection.level(context.getStore(SPACE).remove("level", LeakDetection.Level.class));
        long mark = context.getStore(SPACE).remove("mark", Long.class);
        List<String> open = LeakDetection.openedSince(mark);
        if (!open.isEmpty()) {
            throw new AssertionError(context.getDisplayName() + " left " + open.size() + " open:"
                    + System.lineSeparator() + String.join(System.lineSeparator(), open));
        }
    }
}
