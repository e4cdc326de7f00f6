package dev.basalt.netlib;

import java.nio.file.Path;
import java.util.Set;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs all suites of a folder of classes: a line for each test that failed, and one for all. */
final class SuitesRun {
    private SuitesRun() {}

    public static void main(String[] args) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectClasspathRoots(Set.of(Path.of(args[0]))))
                        .build(), listener);
        TestExecutionSummary summary = listener.getSummary();
        for (TestExecutionSummary.Failure failure : summary.getFailures()) {
            System.out.println(failure.getTestIdentifier().getUniqueId() + ": " + failure.getException());
        }
        System.out.println(summary.getTestsSucceededCount() + " passed, " + summary.getTestsFailedCount() + " failed, "
                + (summary.getTestsAbortedCount() + summary.getTestsSkippedCount()) + " left out");
    }
}
