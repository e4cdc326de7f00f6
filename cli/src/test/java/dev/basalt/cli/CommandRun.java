package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** What a command printed and returned. */
record CommandRun(int code, String out, String err) {
    static CommandRun of(Object... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] words = new String[args.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = args[i].toString();
        }
        CommandLine commandLine = Main.commandLine(words).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int code = Main.run(commandLine, words);
        return new CommandRun(code, out.toString(), err.toString());
    }

    /** In a JVM of its own, whose output is no terminal. */
    static CommandRun inChild(Path folder, List<String> options, Map<String, String> environment, String... args)
            throws IOException, InterruptedException {
        List<String> command = java(options, Main.class);
        command.addAll(List.of(args));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment()
                .keySet()
                .removeIf(name -> name.endsWith("_OPTIONS") || name.equals("BASALT_DEBUG") || name.contains("COLOR"));
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        return new CommandRun(code, Files.readString(out), Files.readString(err));
    }

    /** The command that starts a class of these tests, or of what they test, in a JVM of its own. */
    static List<String> java(List<String> options, Class<?> main) {
        List<String> command =
                new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String modules = System.getProperty("jdk.module.path", "");
        command.addAll(List.of("-cp", modules + ":" + path, main.getName()));
        return command;
    }

    /** The command must have succeeded. */
    CommandRun good() {
        assertThat(words(err)).isEmpty();
        assertThat(code).isZero();
        return this;
    }

    /** The command must have failed with one line that says so, and nothing else. */
    String failure(int expected) {
        assertThat(out).isEmpty();
        List<String> words = words(err);
        assertThat(words).hasSize(1);
        assertThat(err).doesNotContain("internal error", "Exception");
        assertThat(code).isEqualTo(expected);
        return words.get(0);
    }

    /** Without the lines of progress that come on a slow machine. */
    static List<String> words(String err) {
        return err.lines()
                .filter(line -> !line
                        .matches(".*\\.\\.\\. [0-9]+ (s|%(, [0-9]+ (GFLOP|MB)/s)?(, [0-9]+ (s|min) left)?)"))
                .toList();
    }

    /** The text behind a label of a report. */
    String value(String label) {
        return out.lines()
                .filter(line -> line.startsWith(label + " "))
                .map(line -> line.substring(16))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + label + " in\n" + out));
    }

    double number(String label) {
        return Double.parseDouble(value(label));
    }

    /** A copy of one of the small matrices among the resources. */
    static Path matrix(Path folder, String name) {
        Path file = folder.resolve(name);
        try (InputStream in = CommandRun.class.getResourceAsStream("/matrices/" + name)) {
            Files.copy(in, file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    /** A file with a text. */
    static Path file(Path folder, String text) {
        try {
            return Files.writeString(folder.resolve("A.mtx"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
