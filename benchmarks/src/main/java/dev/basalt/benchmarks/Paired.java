package dev.basalt.benchmarks;

import dev.basalt.benchmarks.PairedFork.Plan;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Basalt beside a native BLAS, both in one JVM, in turns, on the same memory: {@code Paired [--option value]…}.
 *
 * <p>On a machine that others use too, two numbers taken a minute apart cannot be compared. So the figure is the median of the
 * ratios of pairs taken within milliseconds, and a pair is dropped if a fixed piece of work ran at another speed before it than
 * after it. Each group of rows runs in a fresh JVM, and against several of OpenBLAS's sets of kernels, since the one that
 * OpenBLAS chooses is not always the fastest. The figure that counts is the one against the fastest.
 *
 * <p>Results go into a file of comma-separated values, where they replace older ones of the same workload and peer; the table
 * of what is promised is printed from it, and {@code --measure no} prints no more than that.
 */
public final class Paired {
    private static final String USAGE =
            "usage: Paired [--only group,…] [--types d] [--peer openblas|mkl|vectorblas|ejml|ojalgo] [--peer-library path] [--cores auto,SkylakeX]"
                    + " [--quick yes] [--pairs 40] [--warmup 2] [--most 6] [--largest 4096] [--clock wall|cpu]"
                    + " [--measure no]" + " [--folder folder] [--results file.csv] [--jvm option]";

    private final Map<String, String> options = new LinkedHashMap<>();
    private final String types;
    private final ResultFile results;

    private Paired(String[] args) {
        options.putAll(
                Map.of("only", "", "types", "d", "peer", "openblas", "peer-library", "", "cores", "auto,SkylakeX"));
        options.putAll(Map.of("quick", "no", "clock", "wall", "results", "", "jvm", "", "folder", "."));
        options.putAll(Map.of("pairs", "", "warmup", "", "most", "", "largest", "", "measure", "yes"));
        for (int i = 0; i < args.length; i += 2) {
            if (!args[i].startsWith("--") || !options.containsKey(args[i].substring(2)) || i + 1 == args.length) {
                throw new IllegalArgumentException(USAGE);
            }
            options.put(args[i].substring(2), args[i + 1]);
        }
        boolean quick = options.get("quick").equals("yes");
        unset("pairs", quick ? "15" : "40");
        unset("warmup", quick ? "0.3" : "2");
        unset("most", quick ? "1.2" : "6");
        unset("largest", quick ? "2048" : "4096");
        types = options.get("types");
        String file = "paired-" + types + "-" + options.get("peer") + ".csv";
        String named = options.get("results");
        results = new ResultFile(named.isEmpty() ? Path.of(options.get("folder"), file) : Path.of(named));
    }

    private void unset(String name, String value) {
        if (options.get(name).isEmpty()) {
            options.put(name, value);
        }
    }

    /** Measures everything; see {@link Paired}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        new Paired(args).run();
    }

    static String now() {
        return LocalDateTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm"));
    }

    private void run() throws IOException, InterruptedException {
        System.err.println(USAGE + "; now " + options + "; " + Machine.load());
        List<String> only = options.get("only").isEmpty() ? List.of() : List.of(options.get("only").split(","));
        Set<String> groups = new LinkedHashSet<>();
        for (Row row : Row.all(types)) {
            if (only.isEmpty() || only.stream().anyMatch(word -> matches(word, row.group()))) {
                groups.add(row.group());
            }
        }
        if (groups.isEmpty()) {
            throw new IllegalArgumentException("there are no rows of " + only);
        }
        boolean measure = options.get("measure").equals("yes");
        int at = 0;
        for (String group : measure ? groups : Set.<String>of()) {
            at++;
            for (String core : cores(group)) {
                System.err.println(
                        "(" + at + "/" + groups.size() + ") " + group + ", " + options.get("peer") + " " + core);
                fork(plan(group, core));
            }
        }
        if (measure) {
            results.write();
        }
        System.out.println(
                new Table(results.all(), Row.all(types), groups, options.get("peer").equals("openblas")).markdown());
        List<String> dates = results.all()
                .stream()
                .filter(result -> groups.contains(result.group()))
                .map(Result::date)
                .sorted()
                .toList();
        System.out
                .println("Measured " + (dates.isEmpty() ? "never" : dates.get(0) + " to " + dates.get(dates.size() - 1))
                        + ", " + Machine.processor() + ", " + Machine.jdk() + (measure ? ", " + Machine.load() : ""));
    }

    /** {@code dgemm} is one group, {@code dgemm*} are all whose names begin so. */
    private static boolean matches(String word, String group) {
        return word.endsWith("*") ? group.startsWith(word.substring(0, word.length() - 1)) : group.equals(word);
    }

    private List<String> cores(String group) {
        if (!options.get("peer").equals("openblas")) {
            return List.of("auto");
        }
        return group.endsWith("-avx2") ? List.of("Haswell") : List.of(options.get("cores").split(","));
    }

    private Plan plan(String group, String core) {
        return new Plan(group, types, options.get("peer"), options.get("peer-library"), core.equals("auto") ? "" : core,
                Clock.valueOf(options.get("clock").toUpperCase(Locale.ROOT)), Integer.parseInt(options.get("pairs")),
                Double.parseDouble(options.get("warmup")), Double.parseDouble(options.get("most")),
                Long.parseLong(options.get("largest")));
    }

    /** Runs one group in a JVM of its own. */
    private void fork(Plan plan) throws IOException, InterruptedException {
        Row row = plan.rows().get(0);
        List<String> command =
                new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        Jvm.HEAP_START, Jvm.HEAP_MOST, Jvm.TOUCH, Jvm.BATCH, Jvm.STACK, Jvm.VECTORS, Jvm.NATIVE,
                        Jvm.threads(row.threads())));
        if (row.avx2()) {
            command.add(Jvm.AVX2);
        }
        if (!options.get("jvm").isEmpty()) {
            command.addAll(List.of(options.get("jvm").split(" ")));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), PairedFork.class.getName()));
        command.addAll(plan.arguments());
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                take(line);
            }
        }
        results.write();
        if (process.waitFor() != 0) {
            System.err.println("the JVM for " + plan.group() + " failed; see above");
        }
    }

    private void take(String line) {
        if (line.startsWith(PairedFork.PLAYERS)) {
            System.err.println("  " + line.substring(PairedFork.PLAYERS.length() + 1).replace("\t", "\n  "));
            return;
        }
        Result result = Result.parse(line);
        System.err.printf(Locale.ROOT,
                "  %s %d %s: %.2f of %.2f %s, ratio %.3f (%.3f-%.3f), best %.3f, %d/%d pairs, %.0f %% of limit, %.0f B%n",
                result.name(), result.n(), result.peer(), result.basalt(), result.theirs(), result.unit(),
                result.ratio(), result.low(), result.high(), result.best(), result.kept(), result.tried(),
                100 * result.basalt() / result.limit(), result.bytes());
        results.put(result);
    }
}
