package dev.basalt.all;

import dev.basalt.Device;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** A folder as a user has it: {@code lib} with Basalt's jars, and {@code app.jar} with a program that is a module, too. */
final class Installed {
    /** One class of each jar. */
    private static final List<String> ALL = List.of("dev.basalt.Device", "dev.basalt.host.HostProvider",
            "dev.basalt.gpu.Launcher", "dev.basalt.cuda.CudaProvider", "dev.basalt.sim.SimProvider");

    private static final long PATIENCE_SECONDS = 300;

    private final Path folder;

    /**
     * What a process said.
     *
     * @param code its exit code
     * @param out standard output
     * @param err standard error
     */
    record Outcome(int code, String out, String err) {
        /** Standard error but for the one hint of a machine whose processor has no assembled kernels. */
        String complaints() {
            return err.replaceAll("(?m)^.*dev\\.basalt\\.host\\.Engines log\\R", "")
                    .replaceAll("(?m)^INFO: CPU kernels come from .*the processor has neither.*\\R", "");
        }
    }

    private Installed(Path folder) {
        this.folder = folder;
    }

    /** With all devices. */
    static Installed in(Path folder) {
        return in(folder, ALL);
    }

    /** With the API alone. */
    static Installed withoutDevices(Path folder) {
        return in(folder, List.of(Device.class.getName()));
    }

    private static Installed in(Path folder, List<String> classes) {
        try {
            Path lib = Files.createDirectory(folder.resolve("lib"));
            for (String name : classes) {
                Path from = Path.of(
                        URI.create(Class.forName(name).getProtectionDomain().getCodeSource().getLocation().toString()));
                Path jar = lib.resolve(name.replaceFirst(".*\\.", "") + ".jar");
                if (Files.isDirectory(from)) {
                    tool("jar", "--create", "--no-compress", "--file", jar.toString(), "-C", from.toString(), ".");
                } else {
                    Files.copy(from, jar);
                }
            }
            return new Installed(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static void tool(String name, String... args) {
        StringWriter said = new StringWriter();
        PrintWriter writer = new PrintWriter(said);
        int code = ToolProvider.findFirst(name).orElseThrow().run(writer, writer, args);
        if (code != 0) {
            throw new AssertionError(name + " " + List.of(args) + ":\n" + said);
        }
    }

    /**
     * Compiles a program against the jars and packs it as {@code app.jar}.
     *
     * @param descriptor what the module {@code app} says
     * @param manifest lines for the jar's manifest
     * @param sources the sources, of package {@code app} if they name none
     */
    Installed program(String descriptor, String manifest, String... sources) {
        try {
            Path source = Files.createDirectories(folder.resolve("src"));
            Path classes = folder.resolve("classes");
            List<String> javac = new ArrayList<>(List.of("-Xlint:all", "-Werror", "-d", classes.toString()));
            javac.addAll(List.of("-p", folder.resolve("lib").toString()));
            javac.add(Files.writeString(source.resolve("module-info.java"), "module app { " + descriptor + " }")
                    .toString());
            for (String text : sources) {
                String name = text.replaceFirst("(?s).*?\\bclass (\\w+).*", "$1");
                String whole = text.startsWith("package ") ? text : "package app;\n" + text;
                javac.add(Files.writeString(source.resolve(name + ".java"), whole).toString());
            }
            tool("javac", javac.toArray(new String[0]));
            Path lines = Files.writeString(folder.resolve("manifest"), manifest);
            String jar = folder.resolve("app.jar").toString();
            tool("jar", "--create", "--file", jar, "--manifest", lines.toString(), "-C", classes.toString(), ".");
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Installed program(String source) {
        return program("requires dev.basalt;", "", source);
    }

    /** The folder of the jars of Basalt, each named after a class of it. */
    Path lib() {
        return folder.resolve("lib");
    }

    /** The names of the jars of Basalt, as a manifest's class path wants them. */
    String jars() {
        try (Stream<Path> jars = Files.list(folder.resolve("lib"))) {
            return String.join(" ", jars.map(jar -> "lib/" + jar.getFileName()).sorted().toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command as it is written, with the Java that runs this test. */
    Outcome shell(String command) {
        return run("sh", "-c", command);
    }

    /** Runs {@code java} in the folder. */
    Outcome java(String... args) {
        List<String> command = new ArrayList<>(List.of("java"));
        command.addAll(Arrays.asList(args));
        return run(command.toArray(new String[0]));
    }

    private Outcome run(String... command) {
        try {
            Path out = Files.createTempFile(folder, "out", ".txt");
            Path err = Files.createTempFile(folder, "err", ".txt");
            String bin = Path.of(System.getProperty("java.home"), "bin").toString();
            List<String> words = new ArrayList<>(Arrays.asList(command));
            if (words.get(0).equals("java")) {
                words.set(0, Path.of(bin, "java").toString());
            }
            ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment()
                    .keySet()
                    .removeIf(name -> name.startsWith("ROCBLAS_") || name.endsWith("JAVA_OPTIONS")
                            || name.equals("JAVA_TOOL_OPTIONS") || name.equals("CLASSPATH"));
            builder.environment().merge("PATH", bin, (old, own) -> own + ":" + old);
            Process process = builder.start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("still running: " + words);
            }
            return new Outcome(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
