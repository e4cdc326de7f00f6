package dev.basalt.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** What a figure was measured on. */
final class Machine {
    private Machine() {}

    /** The processor as Linux names it; a hypervisor may hide the model, so family and model number follow. */
    static String processor() {
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

    static String jdk() {
        return System.getProperty("java.vendor.version", System.getProperty("java.vendor")) + " " + Runtime.version();
    }

    static String load() {
        try {
            return "load " + Files.readString(Path.of("/proc/loadavg")).strip();
        } catch (IOException e) {
            return "load unknown";
        }
    }
}
