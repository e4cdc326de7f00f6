package dev.basalt.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What readers are told of the routines is what the table has. {@code -Dbasalt.reference.write=true} writes it anew. */
class ReferenceTest {
    private static final Path PAGE = Path.of("../docs/routines.md");
    private static final Path OVERVIEW = Path.of("../docs/index.md");
    private static final String BEGIN = "<!-- routines: made from the table of routines -->";
    private static final String END = "<!-- end of routines -->";
    private static final boolean WRITE = Boolean.getBoolean("basalt.reference.write");

    @Test
    void thePageListsEveryRoutine() throws IOException {
        if (WRITE) {
            Files.write(PAGE, Reference.page());
        }
        assertThat(Files.readAllLines(PAGE)).isEqualTo(Reference.page());
    }

    @Test
    void theOverviewHasEveryName() throws IOException {
        List<String> lines = Files.readAllLines(OVERVIEW);
        int begin = lines.indexOf(BEGIN);
        int end = lines.indexOf(END);
        assertThat(begin).isPositive().isLessThan(end);
        if (WRITE) {
            List<String> all = new ArrayList<>(lines.subList(0, begin + 1));
            all.addAll(Reference.summary());
            all.addAll(lines.subList(end, lines.size()));
            Files.write(OVERVIEW, all);
            return;
        }
        assertThat(lines.subList(begin + 1, end)).isEqualTo(Reference.summary());
    }
}
