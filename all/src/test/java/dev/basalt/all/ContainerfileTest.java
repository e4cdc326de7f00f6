package dev.basalt.all;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The container file, read as its builder reads it: what it takes is what the image has, and what it starts is there. No network, no builder. */
class ContainerfileTest {
    private static final String TEXT = Readme.read(Readme.ROOT.resolve("image/Containerfile"));
    private static final String IMAGE = Readme.read(Readme.ROOT.resolve("image/image.sh"));

    /**
     * An instruction.
     *
     * @param word such as COPY
     * @param rest what follows it, in one line
     */
    private record Step(String word, String rest) {}

    private static List<Step> steps() {
        return TEXT.replaceAll("(?m)^#.*\n", "").replace("\\\n", " ").lines().map(line -> {
            String[] parts = line.split(" ", 2);
            return new Step(parts[0], parts[1].strip().replaceAll(" +", " "));
        }).toList();
    }

    private static List<String> all(String word) {
        return steps().stream().filter(step -> step.word().equals(word)).map(Step::rest).toList();
    }

    @Test
    void everyInstructionIsOne() {
        assertThat(steps()).extracting(Step::word)
                .isSubsetOf("FROM", "RUN", "COPY", "USER", "WORKDIR", "ENV", "ENTRYPOINT", "CMD")
                .startsWith("FROM")
                .endsWith("ENTRYPOINT", "CMD");
        assertThat(all("FROM")).singleElement().asString().matches("[\\w./-]+:[\\w.-]+");
    }

    @Test
    void whatItCopiesIsWhatTheImageIsPackedFrom() {
        // Where the comment says it is built: the folder in which image.sh makes the image.
        assertThat(TEXT).contains("-f image/Containerfile image/target");
        assertThat(IMAGE).contains("cd \"$here/target\"");
        assertThat(all("COPY")).containsExactly("basalt /opt/basalt");
        assertThat(IMAGE).contains("mkdir -p basalt/bin", "cp \"$here/basalt.sh\" basalt/bin/basalt\n",
                "chmod +x basalt/bin/basalt");
        assertThat(all("ENTRYPOINT")).containsExactly("[\"/opt/basalt/bin/basalt\"]");
        assertThat(all("CMD")).containsExactly("[\"--help\"]");
    }

    @Test
    void whatRunsInItIsNotRoot() {
        List<Step> steps = steps();
        String user = all("USER").getLast();
        assertThat(all("RUN")).anyMatch(run -> run.matches("useradd .*\\b" + user));
        assertThat(user).isNotIn("root", "0");
        int last = steps.indexOf(new Step("USER", user));
        assertThat(steps.subList(last, steps.size())).noneMatch(step -> List.of("RUN", "COPY").contains(step.word()));
    }

    @Test
    void packagesAreTakenWithoutALeftover() {
        List<String> installs = all("RUN").stream().filter(run -> run.contains("apt-get")).toList();
        assertThat(installs).singleElement()
                .asString()
                .startsWith("apt-get update && apt-get install -y --no-install-recommends ")
                .endsWith("&& rm -rf /var/lib/apt/lists/*");
        // Java's graphics load these two; the rest of the image is its own.
        assertThat(installs.getFirst()).contains(" fontconfig ", " libfreetype6 ");
    }

    @Test
    void theCommandsOfItsCommentNameFilesThatAreThere() {
        Stream<String> files = Pattern.compile("image/[\\w/]+").matcher(TEXT).results().map(MatchResult::group);
        assertThat(files.filter(file -> !file.startsWith("image/target")).distinct())
                .containsExactly("image/Containerfile");
    }
}
