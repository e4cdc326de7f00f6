package dev.basalt.conformance.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A JVM of its own for a test that needs fresh classes, other options or another environment. */
public final class ChildJvm {
    private ChildJvm() {}

    /**
     * Runs a main class to its end.
     *
     * @param main the class
     * @param environment variables set for it; {@code ROCBLAS_*} are not inherited
     * @param options of the JVM
     * @param args of the program
     * @return what it wrote to standard output
     */
    public static String run(Class<?> main, Map<String, String> environment, List<String> options, String... args) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx256m", "-XX:TieredStopAtLevel=1"));
        command.addAll(options);
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(List.of(args));
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().keySet().removeIf(name -> name.startsWith("ROCBLAS_"));
            builder.environment().putAll(environment);
            Process process = builder.start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return out;
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
