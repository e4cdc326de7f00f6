package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code basalt} as a shell uses it: signals, descriptors, environment. */
@EnabledOnOs(OS.LINUX)
class ScriptTest {
    /** A shell's code for the end by a signal is this and the signal's number. */
    private static final int DEATH = 128;

    @TempDir
    private static Path folder;

    private static ScriptTree tree;
    private static Path matrix;

    @BeforeAll
    static void makeTree() throws IOException {
        tree = ScriptTree.in(folder.resolve("a folder (with [signs] & $pace)")).built();
        matrix = CommandRun.matrix(folder, "general4.mtx");
    }

    private static void succeeded(ScriptTree.Ended ended) {
        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isZero();
    }

    /** Whether a signal was ignored when this process began. */
    private static boolean isIgnored(int number) throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/status"))
                .stream()
                .filter(l -> l.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(line.substring(line.indexOf(':') + 1).strip(), 16) >> number - 1 & 1) == 1;
    }

    @Test
    void solves() {
        ScriptTree.Ended ended = tree.run("\"$BASALT\" solve '" + matrix + "'");
        succeeded(ended);
        assertThat(ended.out()).contains("condition ", "backward error");
    }

    /** All errors are there when the command has ended, and Java's announcement of its incubator module is not. */
    @Test
    void errorsAreOneLine() {
        ScriptTree.Ended ended = tree.run("\"$BASALT\" slove");
        assertThat(ended.err()).startsWith("basalt: ").contains("did you mean solve").hasLineCount(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.code()).isEqualTo(Failure.USAGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"})
    void javasOwnAnnouncementsAreNoErrors(String variable) {
        ProcessBuilder builder = tree.bash("\"$BASALT\" slove");
        builder.environment().put(variable, "-Dnothing=1");
        ScriptTree.Ended ended = tree.run(builder);
        assertThat(ended.err()).startsWith("basalt: ").hasLineCount(1);
        assertThat(ended.code()).isEqualTo(Failure.USAGE);
    }

    @Test
    void aNameBeyondAsciiInTheLocaleC() throws IOException {
        Path file = Files.copy(matrix, folder.resolve("größe.mtx"));
        ProcessBuilder builder = tree.bash("\"$BASALT\" solve '" + file + "'");
        builder.environment().put("LC_ALL", "C");
        succeeded(tree.run(builder));
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "HUP, 129", "INT, 130"})
    void signalsEndJava(String signal, int code) throws IOException, InterruptedException {
        // Under nohup, say: no shell can be made to listen to a signal that it was started deaf to.
        assumeFalse(isIgnored(code - DEATH), signal + " is ignored by whoever started this");
        // A shell starts what runs in the background deaf to INT; this one runs in the foreground of nobody.
        Process script = tree.bash("exec \"$BASALT\" bench -f gemm -n 1:9000 --warmup 1000 --threads 1")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader out = script.inputReader(StandardCharsets.UTF_8);
        assertThat(out.readLine()).startsWith("function,");
        List<ProcessHandle> all = script.descendants().toList();
        new ProcessBuilder("kill", "-" + signal, "" + script.pid()).start().waitFor();
        assertThat(script.waitFor()).isEqualTo(code);
        for (ProcessHandle one : all) {
            one.onExit().join();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--help", "--version", "doctor", "solve '$M'", "plan solve -n 9", "help solve"})
    void aFullDisk(String command) {
        ScriptTree.Ended ended = tree.run("\"$BASALT\" " + command.replace("$M", matrix.toString()) + " > /dev/full");
        assertThat(ended.err()).contains("standard output cannot be written").hasLineCount(1);
        assertThat(ended.code()).isEqualTo(Failure.LOST_OUTPUT);
    }

    @Test
    void closedDescriptors() {
        ScriptTree.Ended out = tree.run("\"$BASALT\" plan solve -n 9 >&-");
        assertThat(out.err()).contains("standard output is closed").hasLineCount(1);
        assertThat(out.code()).isEqualTo(Failure.LOST_OUTPUT);
        ScriptTree.Ended both = tree.run("\"$BASALT\" plan solve -n 9 >&- 2>&-");
        assertThat(both.code()).isEqualTo(Failure.LOST_OUTPUT);
        assertThat(tree.run("\"$BASALT\" slove 2>&-").code()).isEqualTo(Failure.USAGE);
        ScriptTree.Ended in = tree.run("\"$BASALT\" plan solve -n 9 <&-");
        succeeded(in);
        // Where nothing but Java is to notice: as the script does not stand between.
        String java = "exec \"$JAVA_HOME/bin/java\" --add-modules jdk.incubator.vector -p '"
                + tree.root().resolve("cli/target/lib") + ":" + tree.root().resolve("cli/target/basalt-cli-0.jar")
                + "' -m dev.basalt.cli/dev.basalt.cli.Main plan solve -n 9 >&-";
        assertThat(tree.run(java).code()).isEqualTo(Failure.LOST_OUTPUT);
    }

    /** The sweep would take hours. */
    @Test
    void aClosedPipeEndsTheCommand() {
        ScriptTree.Ended ended = tree.run("\"$BASALT\" bench -f gemm -n 1:9000 --warmup 1 --threads 1 | head -n 2;"
                + " exit \"${PIPESTATUS[0]}\"");
        assertThat(ended.out()).startsWith("function,").hasLineCount(2);
        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isEqualTo(Failure.CLOSED_PIPE);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "env -u HOME \"$BASALT\" --version",
            "env -u PATH \"$BASALT\" --version",
            "PATH=/nonexistent; exec /bin/bash \"$BASALT\" --version",
            "exec env -i JAVA_HOME=\"$JAVA_HOME\" \"$BASALT\" --version",
            "cd / && exec \"$BASALT\" --version",
            "mkdir \"$HOME/b\" && ln -s \"$BASALT\" \"$HOME/b/link\" && cd \"$HOME/b\" && ./link --version && rm link",
            "export BASALT_JAVA_OPTS='-Xmx200m -Dwild=*'; cd \"$HOME\"; exec \"$BASALT\" --version"})
    void environments(String line) {
        ProcessBuilder builder = tree.bash(line);
        builder.environment().put("HOME", folder.toString());
        ScriptTree.Ended ended = tree.run(builder);
        succeeded(ended);
        assertThat(ended.out()).startsWith("basalt ");
    }

    @Test
    void withoutAJdkItSaysWhatToInstall() {
        // Found are JDKs of another release only, whatever this machine has.
        ScriptTree.Ended ended = tree.run("set -euo pipefail; cd \"${BASALT%/*}\"; source scripts/jdk.sh;"
                + " jdk_release() { echo 17; }; unset HOME JAVA_HOME; find_jdk");
        assertThat(ended.err()).startsWith("Basalt needs a JDK 25 or newer and found none")
                .contains("JAVA_HOME is not set", "Temurin 25", "apt install", "brew install", "sdk install java");
        assertThat(ended.out()).isEmpty();
        assertThat(ended.code()).isNotZero();
    }
}
