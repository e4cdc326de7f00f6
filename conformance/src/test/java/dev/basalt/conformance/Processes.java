package dev.basalt.conformance;

import dev.basalt.conformance.support.Devices;
import dev.basalt.internal.signature.Signatures;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs each suite in a Java process of its own. A fault on a GPU ends all that its process has there, so in one process the first fault
 * would fail every later test. Suites of every routine are cut into some families each.
 */
final class Processes {
    /** Families in one process: enough that its start does not count. */
    private static final int SHARE = 12;
    private static final Pattern CLOSING = Pattern.compile("(\\d+) passed, (\\d+) failed");

    private static final Pattern PROGRESS = Pattern.compile("; so far \\d+ passed");

    private final String device;
    private final String tests;
    private final String[] args;
    private final Tally tally;

    Processes(String device, String tests, String[] args, Tally tally) {
        this.device = device;
        this.tests = tests;
        this.args = args;
        this.tally = tally;
    }

    private record Unit(String suite, String families, boolean alone) {
        @Override
        public String toString() {
            return suite.replaceFirst(".*\\.", "") + (families == null ? "" : " of " + families);
        }
    }

    boolean run(int processes) {
        System.setProperty(Devices.ONLY, device);
        List<Unit> units = units();
        try (ExecutorService pool = Executors.newFixedThreadPool(processes)) {
            units.stream().filter(unit -> !unit.alone()).forEach(unit -> pool.execute(() -> run(unit)));
        }
        units.stream().filter(Unit::alone).forEach(this::run);
        return tally.end(device);
    }

    private List<Unit> units() {
        TestPlan plan = LauncherFactory.create().discover(Verify.asked(tests).build());
        TreeSet<String> suites = new TreeSet<>();
        plan.getRoots()
                .forEach(root -> plan.getDescendants(root)
                        .stream()
                        .map(Processes::suite)
                        .filter(Objects::nonNull)
                        .forEach(suites::add));
        String asked = System.getProperty(Verify.FAMILIES, ".*");
        List<String> families =
                Signatures.all().stream().map(r -> r.family()).distinct().filter(f -> f.matches(asked)).toList();
        List<Unit> units = new ArrayList<>();
        for (String suite : suites) {
            if (suite.contains(".every.")) {
                for (int i = 0; i < families.size(); i += SHARE) {
                    units.add(new Unit(suite,
                            String.join("|", families.subList(i, Math.min(i + SHARE, families.size()))), false));
                }
            } else {
                units.add(new Unit(suite, null, alone(suite)));
            }
        }
        return units;
    }

    private static boolean alone(String suite) {
        try {
            return Class.forName(suite).isAnnotationPresent(Isolated.class);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String suite(TestIdentifier test) {
        return switch (test.getSource().orElse(null)) {
            case ClassSource source -> source.getClassName();
            case MethodSource source -> source.getClassName();
            case null, default -> null;
        };
    }

    private void run(Unit unit) {
        try {
            Process child = new ProcessBuilder(command(unit)).redirectErrorStream(true).start();
            child.getOutputStream().close();
            Matcher closing = null;
            try (BufferedReader out = child.inputReader(StandardCharsets.UTF_8)) {
                boolean failure = false;
                for (String line; (line = out.readLine()) != null;) {
                    Matcher counts = CLOSING.matcher(line);
                    failure = line.startsWith("FAILED") || failure && !PROGRESS.matcher(line).find();
                    if (counts.matches()) {
                        closing = counts;
                    } else if (failure) {
                        tally.say(line);
                    }
                }
            }
            int code = child.waitFor();
            if (closing == null) {
                tally.failed.incrementAndGet();
                tally.say("FAILED " + unit + ": its process ended with code " + code + " and no count");
            } else {
                tally.passed.addAndGet(Integer.parseInt(closing.group(1)));
                tally.failed.addAndGet(Integer.parseInt(closing.group(2)));
                tally.say(unit + ": " + closing.group() + "; so far " + tally.counts());
            }
        } catch (IOException | InterruptedException e) {
            tally.failed.incrementAndGet();
            tally.say("FAILED " + unit + ": " + e);
        }
    }

    /** This process's own command line as far as the class, and the arguments that a child keeps. */
    private List<String> command(Unit unit) {
        ProcessHandle.Info self = ProcessHandle.current().info();
        List<String> command = new ArrayList<>();
        command.add(self.command().orElseThrow());
        for (String argument : self.arguments().orElseThrow()) {
            command.add(argument);
            if (argument.equals(Verify.class.getName())) {
                break;
            }
        }
        command.addAll(List.of("--device", device, "--tests", Pattern.quote(unit.suite())));
        if (unit.families() != null) {
            command.addAll(List.of("--families", unit.families()));
        }
        if (Arrays.asList(args).contains("--small")) {
            command.add("--small");
        }
        return command;
    }
}
