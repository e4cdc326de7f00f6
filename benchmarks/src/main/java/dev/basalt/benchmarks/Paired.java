package dev.basalt.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Basalt beside OpenBLAS, both in one JVM, in turns, on the same memory: {@code Paired [--option value]…}.
 *
 * <p>On a machine that others use too, two numbers taken a minute apart cannot be compared. So the figure is the median of the
 * ratios of pairs taken within milliseconds, and a pair is dropped if a fixed piece of work ran at another speed before it than
 * after it. Each group of figures runs in fresh JVMs, several times, since what the JIT compiler makes of a kernel is not the
 * same in every JVM; and against several of OpenBLAS's sets of kernels, since the one that OpenBLAS chooses is not always the
 * fastest. The figure that counts is the one against the fastest.
 *
 * <p>Prints a table for README.md and writes a file of comma-separated values.
 */
public final class Paired {
    private static final String USAGE = "usage: Paired [--cores auto,SkylakeX] [--forks 3] [--pairs 40] [--warmup 5]"
            + " [--clock wall|cpu] [--only group,…] [--results folder] [--jvm option]";

    private final Map<String, String> options = new LinkedHashMap<>(Map.of(
            "cores", "auto,SkylakeX",
            "forks", "3",
            "pairs", "40",
            "warmup", "5",
            "clock", "wall",
            "only", String.join(",", Figure.groups()),
            "results", "benchmarks/results",
            "jvm", ""));

    /** The pairs of a set of kernels as asked for, by figure. */
    private final Map<String, Map<Integer, List<Pair>>> pairs = new LinkedHashMap<>();

    /** OpenBLAS's core and configuration, and Basalt's device, by the set of kernels as asked for. */
    private final Map<String, String[]> players = new LinkedHashMap<>();

    private Paired(String[] args) {
        for (int i = 0; i < args.length; i += 2) {
            if (!args[i].startsWith("--") || !options.containsKey(args[i].substring(2)) || i + 1 == args.length) {
                throw new IllegalArgumentException(USAGE);
            }
            options.put(args[i].substring(2), args[i + 1]);
        }
    }

    /** Measures everything; see {@link Paired}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        new Paired(args).run();
    }

    private void run() throws IOException, InterruptedException {
        Clock clock = Clock.valueOf(options.get("clock").toUpperCase(Locale.ROOT));
        LocalDateTime now = LocalDateTime.now(ZoneId.systemDefault());
        System.err.println(USAGE + "; now " + options + "; " + load());
        for (int fork = 0; fork < Integer.parseInt(options.get("forks")); fork++) {
            for (String group : options.get("only").split(",")) {
                for (String core : options.get("cores").split(",")) {
                    System.err.println("fork " + fork + ", " + group + ", OpenBLAS " + core);
                    fork(group, core, clock);
                }
            }
        }
        report(clock, now);
    }

    /** Runs one group in a JVM of its own. */
    private void fork(String group, String core, Clock clock) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                Jvm.HEAP_START,
                Jvm.HEAP_MOST,
                Jvm.TOUCH,
                Jvm.STACK,
                Jvm.VECTORS,
                Jvm.NATIVE,
                Jvm.ONE_THREAD));
        command.add(Jvm.core(core.equals("auto") ? "" : core));
        if (!options.get("jvm").isEmpty()) {
            command.addAll(List.of(options.get("jvm").split(" ")));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), PairedFork.class.getName()));
        command.addAll(List.of(group, clock.name(), options.get("pairs"), options.get("warmup")));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                take(core, line);
            }
        }
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the JVM for " + group + " failed; see above");
        }
    }

    private void take(String core, String line) {
        Pair pair = Pair.parse(line);
        if (pair != null) {
            pairs.computeIfAbsent(core, c -> new LinkedHashMap<>())
                    .computeIfAbsent(pair.figure(), f -> new ArrayList<>())
                    .add(pair);
        } else if (line.startsWith(PairedFork.PLAYERS)) {
            players.put(core, line.split("\t", -1));
        } else {
            System.err.println(line);
        }
    }

    private void report(Clock clock, LocalDateTime now) throws IOException {
        String date = now.format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm"));
        Path folder = Files.createDirectories(Path.of(options.get("results")));
        Path file = folder.resolve("paired-" + date.replace(":", "").replace(' ', '-') + ".csv");
        List<String> csv = new ArrayList<>();
        csv.add(Row.CSV_HEAD + ",corename,openblas_config,cpu,jdk,basalt,clock,date");
        System.out.println(Row.TABLE_HEAD);
        for (int f = 0; f < Figure.ALL.size(); f++) {
            for (String core : pairs.keySet()) {
                List<Pair> measured = pairs.get(core).get(f);
                if (measured != null) {
                    String tail = String.join(
                            ",",
                            quoted(players.get(core)[1]),
                            quoted(players.get(core)[2]),
                            quoted(cpu()),
                            quoted(jdk()),
                            quoted(players.get(core)[3]),
                            clock.name().toLowerCase(Locale.ROOT),
                            date);
                    add(f, core, measured, clock, csv, tail);
                }
            }
        }
        Files.write(file, csv);
        System.out.println();
        System.out.println(date + ", " + cpu() + ", " + jdk() + ", " + load() + ", clock: " + clock);
        players.forEach((core, who) -> System.out.println("OpenBLAS (" + core + ") " + who[1] + ": " + who[2]));
        players.values().stream().findFirst().ifPresent(who -> System.out.println("Basalt: " + who[3]));
        System.out.println("written to " + file);
    }

    private void add(int f, String core, List<Pair> measured, Clock clock, List<String> csv, String tail) {
        Figure figure = Figure.ALL.get(f);
        String kernels = players.get(core)[1];
        Row row = Row.of(figure, kernels, figure.metric(), figure.work(), measured, clock);
        if (row == null) {
            System.out.println("| " + figure.routine() + " | " + figure.n() + " | " + kernels + " | none of "
                    + measured.size() + " pairs could be kept |");
            return;
        }
        System.out.println(row.table());
        csv.add(row.csv() + "," + tail);
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\"", "\"\"") + "\"";
    }

    /** The processor as Linux names it; a hypervisor may hide the model, so family and model number follow. */
    private static String cpu() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            Map<String, String> facts = new LinkedHashMap<>();
            lines.map(line -> line.split("\\s*:\\s*", 2))
                    .filter(fact -> fact.length == 2)
                    .forEach(fact -> facts.putIfAbsent(fact[0].strip(), fact[1]));
            String model = facts.getOrDefault("model name", "unknown processor");
            return model + " (family " + facts.get("cpu family") + ", model " + facts.get("model") + "), "
                    + Runtime.getRuntime().availableProcessors() + " processors";
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    private static String jdk() {
        return System.getProperty("java.vendor.version", System.getProperty("java.vendor")) + " " + Runtime.version();
    }

    private static String load() {
        try {
            return "load " + Files.readString(Path.of("/proc/loadavg")).strip();
        } catch (IOException e) {
            return "load unknown";
        }
    }
}
