package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** What {@code docs/edge-cases.md} says of Basalt is so on every device and in every type, line by line. */
class EdgeCasesTest {
    private static final Path PAGE = Path.of("..", "docs", "edge-cases.md");

    private static List<EdgeCase> cases() {
        List<EdgeCase> cases = new ArrayList<>(List.of(VectorEdges.values()));
        cases.addAll(List.of(MatrixEdges.values()));
        cases.addAll(List.of(LapackEdges.values()));
        return cases;
    }

    @EveryTarget
    void everyLineIsTrue(Target target) {
        SoftAssertions softly = new SoftAssertions();
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (EdgeCase edge : cases()) {
                try (DeviceArena arena = device.arena()) {
                    softly.assertThat(edge.outcome(new EdgeProbe(handle, arena, target.type())))
                            .as("%s on %s", edge.name(), target)
                            .isEqualTo(edge.expected());
                }
            }
        }
        softly.assertAll();
    }

    /** A line without a test, a test without a line, and a line that says something else fail. */
    @Test
    void thePageHasTheSameLines() throws IOException {
        Map<String, String> page = new TreeMap<>();
        for (String line : Files.readAllLines(PAGE)) {
            String[] cells = line.split(" *\\| *", -1);
            if (cells.length > 4 && cells[1].matches("[A-Z]\\d+")) {
                assertThat(page).as("id used twice").doesNotContainKey(cells[1]);
                page.put(cells[1], cells[4].replace("`", ""));
            }
        }
        Map<String, String> tested = new TreeMap<>();
        cases().forEach(edge -> tested.put(edge.name(), edge.expected()));
        assertThat(page).isEqualTo(tested);
    }
}
