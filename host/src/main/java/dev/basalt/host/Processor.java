package dev.basalt.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The CPU's name. */
final class Processor {
    private Processor() {}

    /**
     * The model as the system names it, or the architecture.
     *
     * @param cpuinfo Linux's {@code /proc/cpuinfo}; need not be there
     * @return such as {@code AMD EPYC 9B14}
     */
    static String model(Path cpuinfo) {
        try {
            for (String key : List.of("model name", "Model", "Hardware", "cpu model", "uarch")) {
                for (String line : Files.readAllLines(cpuinfo)) {
                    int colon = line.indexOf(':');
                    if (colon > 0 && line.substring(0, colon).strip().equals(key)) {
                        return line.substring(colon + 1).strip();
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            // The architecture will do.
        }
        return System.getProperty("os.arch", "CPU");
    }
}
