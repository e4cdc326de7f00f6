package dev.basalt.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks the netlib of a program's class path which implementation its calls reach. That needs a Java of its own: this one has another class path. */
final class NetlibDoctor {
    private static final String MAIN = "dev.basalt.netlib.Doctor";

    private static final Pattern INSTANCE = Pattern.compile("(\\w+)\\.getInstance\\(\\) is (\\S+)");
    private static final Pattern METHODS = Pattern.compile("  by ([^:]*): [0-9]+(?:: (.*))?");

    private NetlibDoctor() {}

    /**
     * Starts it and waits.
     *
     * @param classPath as {@code java -cp} takes it
     * @return what it says, line by line
     */
    static List<String> ask(String classPath) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        try {
            Process process = new ProcessBuilder(java, "--enable-native-access=ALL-UNNAMED", "-cp", classPath, MAIN)
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new Failure(why(classPath, said));
            }
            return said.lines().filter(line -> !line.startsWith("Picked up ")).toList();
        } catch (IOException e) {
            throw new Failure("cannot start " + java + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure("interrupted while netlib was asked", e);
        }
    }

    /** The same for programs: by interface its instance, and the methods by who does them. */
    static Map<String, Object> values(List<String> lines) {
        Map<String, Object> all = new LinkedHashMap<>();
        Map<String, Object> one = all;
        for (String line : lines) {
            Matcher instance = INSTANCE.matcher(line);
            Matcher methods = METHODS.matcher(line);
            if (instance.matches()) {
                one = new LinkedHashMap<>(Map.of("instance", instance.group(2)));
                all.put(instance.group(1), one);
            } else if (methods.matches()) {
                one.put(methods.group(1), methods.group(2) == null ? List.of() : List.of(methods.group(2).split(" ")));
            }
        }
        return all;
    }

    private static String why(String classPath, String said) {
        if (said.contains("ClassNotFoundException: " + MAIN)) {
            return "the class path \"" + classPath + "\" has no basalt-netlib; put basalt-netlib, basalt-core and"
                    + " basalt-host before netlib's own jars (docs/netlib.md)";
        }
        if (said.contains("dev/ludovic/netlib")) {
            return "the class path \"" + classPath + "\" has no netlib: the jars blas, lapack and arpack of"
                    + " dev.ludovic.netlib, which Spark and Breeze bring";
        }
        return "netlib could not be asked: "
                + said.lines().filter(line -> !line.isBlank()).findFirst().orElse("it said nothing");
    }
}
