package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What the script {@code basalt} says while it builds, with a Maven that builds nothing. */
@EnabledOnOs(OS.LINUX)
class BuildScriptTest {
    @TempDir
    private Path folder;

    private ScriptTree tree;

    @BeforeEach
    void makeTree() throws IOException {
        tree = ScriptTree.in(folder.resolve("a folder")).built();
    }

    private static final String[] MAVEN = {
            "echo '[INFO] Scanning for projects...'",
            "echo 'Downloaded from central: somewhere (2 kB at 3 kB/s)'",
            "echo '[INFO] Building Basalt 0.1.0-SNAPSHOT                [1/3]'",
            "echo '[INFO] Building Basalt :: core 0.1.0-SNAPSHOT        [2/3]'",
            "echo 'kernels: 3 of 96 programs compiled (12 s)'",
            "echo '[INFO] Building Basalt :: cli 0.1.0-SNAPSHOT         [3/3]'"};

    private ScriptTree.Ended build(String... more) throws IOException {
        Files.delete(tree.root().resolve("cli/target/built"));
        String[] lines = new String[MAVEN.length + more.length];
        System.arraycopy(MAVEN, 0, lines, 0, MAVEN.length);
        System.arraycopy(more, 0, lines, MAVEN.length, more.length);
        Path bin = tree.program("mvn", lines);
        ProcessBuilder builder = tree.bash("exec \"$BASALT\" --version");
        builder.environment().merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
        return tree.run(builder);
    }

    @Test
    void aBuildSaysHowFarItIs() throws IOException {
        ScriptTree.Ended ended = build();
        assertThat(ScriptTree.lines(ended.err())).containsExactly(
                "building Basalt (first run: a minute or two, and more where Maven has to fetch libraries)...",
                "  module 1 of 3: all (T s)", "  module 2 of 3: core (T s)",
                "  kernels: 3 of 96 programs compiled (T s)", "  module 3 of 3: cli (T s)", "  built in T s");
        assertThat(ended.out()).startsWith("basalt ").hasLineCount(1);
        assertThat(ended.code()).isZero();
        assertThat(tree.run("\"$BASALT\" --version").err()).isEmpty();
        Files.setLastModifiedTime(tree.root().resolve("cli/target/built"), FileTime.fromMillis(0));
        // It fails, which saves another rehearsal.
        tree.program("mvn", "exit 1");
        ScriptTree.Ended again = tree.run("PATH=\"${BASALT%/*}/bin:$PATH\" \"$BASALT\" --version");
        assertThat(again.err()).startsWith("building Basalt (sources changed)...");
        assertThat(again.code()).isEqualTo(1);
    }

    @Test
    void aBuildThatFails() throws IOException {
        ScriptTree.Ended ended = build("echo '[ERROR] no such symbol'", "exit 1");
        Path log = tree.root().resolve("target/build.log");
        assertThat(ScriptTree.lines(ended.err())).endsWith("[ERROR] no such symbol",
                "basalt: the build failed after T s; all that Maven said is in " + log);
        assertThat(log).content().contains("Scanning for projects");
        assertThat(ended.out()).isEmpty();
        assertThat(ended.code()).isEqualTo(1);
        assertThat(tree.root().resolve("cli/target/built")).doesNotExist();
    }
}
