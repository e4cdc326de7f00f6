package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Breeze without Basalt and with it first on the class path, in turn, as many times as {@code basalt.breeze.pairs} says; {@code basalt.breeze.calls} is a pattern of calls. The table is
 * {@code target/breeze-pairs.csv}. Results must agree; no speed is asserted.
 */
class BreezePairsTest {
    /** Orders and rounds. The first one warms the JVM up for the others. */
    private static final String[] CALLS = {"100", "101", "500", "5", "1000", "3"};

    private static final String WANTED = System.getProperty("basalt.breeze.calls", ".*");

    private static final List<String> OPTIONS = List.of("-Xms2g", "-Dbasalt.breeze.calls=" + WANTED);

    @Test
    @EnabledIfSystemProperty(named = "basalt.breeze.pairs", matches = "[1-9][0-9]*",
            disabledReason = "figures take minutes")
    @DisplayName("Pairs of runs of Breeze without Basalt and with it have the same results; a table says what they took")
    void pairs() throws IOException {
        int pairs = Integer.getInteger("basalt.breeze.pairs");
        List<String> table = new ArrayList<>(
                List.of("order,call,pair,off_seconds,on_seconds,off_processor_seconds,on_processor_seconds"));
        for (int pair = 1; pair <= pairs; pair++) {
            List<String> off = Child.run(OPTIONS, Child.classPath(false), BreezeCalls.class, CALLS);
            List<String> on = Child.run(OPTIONS, Child.classPath(true), BreezeCalls.class, CALLS);
            BreezeTest.compare(off, on, 3);
            assertThat(off).hasSameSizeAs(on);
            String order = "";
            for (int i = 0; i < off.size(); i++) {
                String[] words = off.get(i).split(" ");
                if (words[0].equals("order")) {
                    order = words[1];
                } else if (words[0].equals("seconds")) {
                    table.add(String.join(",", order, words[1], "" + pair, words[2], last(on.get(i)),
                            last(off.get(i + 1)), last(on.get(i + 1))));
                }
            }
            Files.createDirectories(Path.of("target"));
            Files.write(Path.of("target/breeze-pairs.csv"), table);
        }
        assertThat(table).hasSizeBetween(1 + 3 * pairs, 1 + 18 * pairs);
    }

    private static String last(String line) {
        return line.substring(line.lastIndexOf(' ') + 1);
    }
}
