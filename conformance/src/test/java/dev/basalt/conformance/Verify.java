package dev.basalt.conformance;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import dev.basalt.Device;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.conformance.support.Target;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * {@code basalt verify --device cuda:0}: runs every suite on one device, says what failed and with which seed, and ends with
 * {@code N passed, N failed}. The reference is OpenBLAS on the CPU. With several threads so many tests run at once, each on handles of
 * its own, which is a test in itself. With {@code --small} the suites have a size for a sanitizer, under which all takes fifty times as long. With {@code --processes} each
 * suite is a process of its own, so a kernel that leaves its memory takes no other suite with it. {@code --families} keeps suites of
 * every routine to some. {@code --json} ends with an object for programs on standard output; all else goes to standard error then.
 */
final class Verify implements TestExecutionListener {
    /** Which families the suites of every routine take. */
    static final String FAMILIES = "basalt.test.family";

    private static final int MESSAGE = 600;

    private static final String USAGE =
            "usage: basalt verify [--device NAME] [--tests REGEX-OF-CLASS-NAMES] [--threads N]"
                    + " [--processes N] [--families REGEX] [--small] [--json]";

    private final Tally tally;
    private final Map<String, Long> begun = new ConcurrentHashMap<>();

    private Verify(Tally tally) {
        this.tally = tally;
    }

    /** Runs and exits with 0 if nothing failed and something ran. */
    public static void main(String[] args) {
        String device = "host";
        String tests = ".*\\.(numbers|memory|every)\\..*Test";
        int threads = 1;
        int processes = 0;
        boolean json = false;
        for (int i = 0; i < args.length; i++) {
            boolean valued = i + 1 < args.length;
            if (args[i].equals("--small")) {
                System.setProperty(Target.SMALL, "true");
            } else if (args[i].equals("--json")) {
                json = true;
            } else if (valued && args[i].equals("--device")) {
                device = args[++i];
            } else if (valued && args[i].equals("--tests")) {
                tests = args[++i];
            } else if (valued && args[i].equals("--threads")) {
                threads = Integer.parseInt(args[++i]);
            } else if (valued && args[i].equals("--processes")) {
                processes = Integer.parseInt(args[++i]);
            } else if (valued && args[i].equals("--families")) {
                System.setProperty(FAMILIES, args[++i]);
            } else {
                System.err.println(USAGE);
                System.exit(2);
            }
        }
        Tally tally = new Tally(json);
        boolean right = processes > 0
                ? new Processes(device, tests, args, tally).run(processes)
                : new Verify(tally).run(device, tests, threads);
        System.exit(right ? 0 : 1);
    }

    private boolean run(String name, String tests, int threads) {
        try (Device device = Device.open(name)) {
            tally.say(device + ", class " + device.deviceClass());
        }
        System.setProperty(Devices.ONLY, name);
        LauncherDiscoveryRequest request =
                asked(tests).configurationParameter("junit.jupiter.execution.parallel.enabled", "" + (threads > 1))
                        .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                        .configurationParameter("junit.jupiter.execution.parallel.config.executor-service",
                                "WORKER_THREAD_POOL")
                        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                        .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism",
                                "" + threads)
                        .build();
        Launcher launcher = LauncherFactory.create();
        launcher.registerTestExecutionListeners(this);
        launcher.execute(request);
        return tally.end(name);
    }

    /** The suites for one device whose names match. */
    static LauncherDiscoveryRequestBuilder asked(String tests) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(selectPackage("dev.basalt.conformance"))
                .filters(TagFilter.includeTags(OnDevice.TAG), includeClassNamePatterns(tests));
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        begun.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        boolean bad = result.getStatus() == TestExecutionResult.Status.FAILED;
        if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
            tally.passed.incrementAndGet();
        } else if (bad) {
            tally.failed.incrementAndGet();
            String message = String.valueOf(result.getThrowable().orElse(null));
            String shown = message.length() > MESSAGE ? message.substring(0, MESSAGE) + " …" : message;
            tally.say("FAILED " + where(test) + ": " + shown);
        }
        if (test.getSource().orElse(null) instanceof ClassSource source) {
            double seconds = (System.nanoTime() - begun.get(test.getUniqueId())) / 1e9;
            String line = source.getClassName().replaceFirst(".*\\.", "") + ": "
                    + String.format(Locale.ROOT, "%.1f s", seconds) + "; so far " + tally.counts();
            tally.say(line);
        }
    }

    private static String where(TestIdentifier test) {
        return test.getLegacyReportingName().replaceFirst("\\(.*", "") + " " + test.getDisplayName() + " of "
                + test.getUniqueId().replaceFirst(".*\\[class:", "").replaceFirst("\\].*", "");
    }
}
