package dev.basalt.netlib;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A JVM of its own for a program of the tests: what netlib hands out is decided once in a JVM. */
final class Child {
    private static final List<String> CLASS_PATH =
            List.of(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                    .split(java.io.File.pathSeparator));

    /**
     * The option that keeps netlib to its Java: it finds no library of its own by which it reaches a BLAS of the machine. OpenBLAS, for one, ends a JVM whose threads
     * have stacks of the usual size.
     */
    static final String JAVA_ALONE = "-Dos.arch=none";

    private Child() {}

    /** The class path, in order: Basalt first where it is to stand in netlib's place. */
    static String classPath(boolean basaltFirst) {
        List<String> ours = entries(Child::isOurs);
        List<String> others = entries(entry -> !isOurs(entry));
        List<String> all = new ArrayList<>(basaltFirst ? ours : others);
        all.addAll(basaltFirst ? others : ours);
        return String.join(java.io.File.pathSeparator, all);
    }

    /** The part of the class path that has Basalt, or everything else but it. */
    static String classPath(Predicate<String> wanted) {
        return String.join(java.io.File.pathSeparator, entries(wanted));
    }

    /** Whether an entry of the class path has classes of Basalt that are not tests. */
    static boolean isOurs(String entry) {
        return Files.exists(Path.of(entry, "dev/basalt"))
                && !Files.exists(Path.of(entry, "dev/basalt/netlib/Child.class"))
                || entry.matches(".*basalt-(core|host|netlib)[^/]*jar");
    }

    private static List<String> entries(Predicate<String> wanted) {
        return CLASS_PATH.stream().filter(wanted).toList();
    }

    /**
     * Runs a program to its end.
     *
     * @param options options of Java
     * @param classPath its class path
     * @param main its class
     * @param arguments its arguments
     * @return the lines of its output
     */
    static List<String> run(List<String> options, String classPath, Class<?> main, String... arguments) {
        return run(options, classPath, Map.of(), main.getName(), List.of(arguments));
    }

    /**
     * Runs a program of others to its end.
     *
     * @param options options of Java
     * @param classPath its class path
     * @param environment variables beside those of this JVM
     * @param main the name of its class
     * @param arguments its arguments
     * @return the lines of its output
     */
    static List<String> run(List<String> options, String classPath, Map<String, String> environment, String main,
            List<String> arguments) {
        List<String> command =
                new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx2g",
                        "-XX:+UseSerialGC", "--add-modules=jdk.incubator.vector",
                        "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(arguments);
        try {
            Path errors = Files.createTempFile("netlib", ".err");
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(10, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new AssertionError(main + " " + arguments + " ended with " + process.exitValue() + ":\n" + output
                        + Files.readString(errors));
            }
            Files.delete(errors);
            return output.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
