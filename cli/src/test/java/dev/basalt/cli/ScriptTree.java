package dev.basalt.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The project's script in a tree of its own, where the command is built from the classes under test. */
record ScriptTree(Path root) {
    /** How a child ended. */
    record Ended(int code, String out, String err) {}

    /** Makes the tree in an empty folder. */
    static ScriptTree in(Path root) throws IOException {
        Path project = Path.of("..").toAbsolutePath().normalize();
        Files.createDirectories(root.resolve("scripts"));
        Files.copy(project.resolve("basalt"), root.resolve("basalt"));
        Files.copy(project.resolve("scripts/jdk.sh"), root.resolve("scripts/jdk.sh"));
        root.resolve("basalt").toFile().setExecutable(true);
        Files.createFile(root.resolve("pom.xml"));
        for (String module : List.of("codegen", "core", "host", "gpu", "cuda", "cli")) {
            Files.createDirectories(root.resolve(module).resolve("src/main"));
            Files.createFile(root.resolve(module).resolve("pom.xml"));
        }
        return new ScriptTree(root);
    }

    /** Makes what the build makes: modules in folders, and a stamp that is younger than the sources. */
    ScriptTree built() throws IOException {
        Path lib = Files.createDirectories(root.resolve("cli/target/lib"));
        String all = System.getProperty("jdk.module.path") + ":" + System.getProperty("java.class.path");
        String wanted =
                ".*/(core|host|gpu|cuda)/target/.*|.*/(picocli|snakeyaml-engine|aircompressor-v3|jhdf|commons-lang3|compress-lzf|lz4-java|mfl-core|xz|slf4j-api|slf4j-nop)-[^/]*";
        int count = 0;
        for (String entry : all.split(":")) {
            if (entry.matches(wanted) && !entry.endsWith("test-classes")) {
                Path from = Path.of(entry);
                // A jar's name is its module's; folders are all called classes.
                copy(from, lib.resolve(entry.endsWith(".jar") ? from.getFileName().toString() : "module" + ++count));
            }
        }
        copy(Path.of("target/classes"), root.resolve("cli/target/basalt-cli-0.jar"));
        Files.createFile(root.resolve("cli/target/built"));
        return this;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    /** A process that runs a line of bash, in which $BASALT is the script. */
    ProcessBuilder bash(String line) {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", line);
        builder.environment().put("BASALT", root.resolve("basalt").toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // A child lives a second; C2 would take a quarter of its processor time.
        builder.environment().put("BASALT_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
        return builder;
    }

    /** Runs a line to its end. */
    Ended run(String line) {
        return run(bash(line));
    }

    /** Runs a process to its end. */
    Ended run(ProcessBuilder builder) {
        try {
            Path err = Files.createTempFile(root, "err", "");
            Process process = builder.redirectError(err.toFile()).start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            String said = CommandRun.words(Files.readString(err))
                    .stream()
                    .map(line -> line + "\n")
                    .collect(Collectors.joining());
            return new Ended(code, out, said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** A program for the PATH that runs lines of bash. */
    Path program(String name, String... lines) throws IOException {
        List<String> text = new ArrayList<>(List.of("#!/usr/bin/env bash"));
        text.addAll(List.of(lines));
        Path file = Files.createDirectories(root.resolve("bin")).resolve(name);
        Files.write(file, text);
        file.toFile().setExecutable(true);
        return file.getParent();
    }

    /** The lines that the script shows of a build. */
    static List<String> lines(String text) {
        try (Stream<String> lines = text.lines()) {
            return lines.map(line -> line.replaceAll("\\b[0-9]+ s\\b", "T s")).toList();
        }
    }
}
