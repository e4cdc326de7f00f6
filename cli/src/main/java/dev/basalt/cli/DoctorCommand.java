package dev.basalt.cli;

import com.sun.management.OperatingSystemMXBean;
import dev.basalt.ByteSize;
import dev.basalt.Device;
import dev.basalt.Handle;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code basalt doctor}: looks at everything on this machine that decides whether and how fast Basalt runs. */
@Command(name = "doctor",
        description = "Looks at Java, vectors, threads, devices, settings and memory; exits with 1 if something is wrong.")
final class DoctorCommand implements Callable<Integer> {
    private static final String VECTOR_MODULE = "jdk.incubator.vector";
    private static final Pattern WIDTH = Pattern.compile("(128|256|512)");

    private static final Pattern ENGINE = Pattern.compile(", (\\S+) engine \\(([^)]*)\\)");

    @Mixin
    private Output output;

    @Option(names = "--report",
            description = "Print everything as text for a bug report, in Markdown; your home folder is written as ~.")
    private boolean report;

    @Option(names = "--netlib", paramLabel = "CLASSPATH",
            description = "Say instead which implementation each call of dev.ludovic.netlib reaches on the class path of a"
                    + " program, written as for java -cp.")
    private String netlib;

    private final Findings findings = new Findings();

    DoctorCommand() {}

    @Override
    public Integer call() {
        if (netlib != null) {
            List<String> lines = NetlibDoctor.ask(netlib);
            if (output.json()) {
                output.out().println(Json.of(Map.of("netlib", NetlibDoctor.values(lines))));
            } else {
                lines.forEach(output.out()::println);
            }
            output.out().flush();
            return 0;
        }
        section("java", "Java");
        java();
        List<Device.Found> found = find();
        section("cpu", "CPU");
        cpu(found);
        section("devices", "devices");
        devices(found);
        section("settings", "settings (properties go into BASALT_JAVA_OPTS, such as -Dbasalt.threads=2)");
        settings(found);
        section("memory", "memory");
        memory();
        section("system", "system");
        system();
        print();
        return findings.isWell() ? 0 : Failure.FAILED;
    }

    private void print() {
        PrintWriter out = output.out();
        if (output.json()) {
            out.println(Json.of(findings.values()));
        } else if (report) {
            reportBug(out);
        } else if (output.quiet()) {
            if (!findings.isWell()) {
                findings.printTroubles(out);
            }
        } else {
            findings.print(out);
        }
        out.flush();
    }

    private void reportBug(PrintWriter out) {
        StringWriter text = new StringWriter();
        PrintWriter lines = new PrintWriter(text);
        findings.print(lines);
        lines.flush();
        String home = System.getProperty("user.home", "");
        String shown = home.length() > 1 ? text.toString().replace(home, "~") : text.toString();
        out.println("**What I did**" + System.lineSeparator());
        out.println("(the command or the shortest program that shows it)" + System.lineSeparator());
        out.println("**What I expected, and what happened**" + System.lineSeparator());
        out.println("(with --stacktrace, where there is an error)" + System.lineSeparator());
        out.println("**basalt doctor --report**" + System.lineSeparator());
        out.println("```text");
        out.print(shown);
        out.println("```");
    }

    private void java() {
        line("Basalt", Version.basalt());
        line("version", Runtime.version() + ", " + System.getProperty("java.vendor"));
        line("machine", System.getProperty("java.vm.name") + " (" + System.getProperty("java.vm.info") + ")");
        line("home", System.getProperty("java.home"));
        boolean access = Device.class.getModule().isNativeAccessEnabled();
        line("native access", access ? "allowed" : "not allowed");
        List<String> options = Machine.javaOptions();
        line("options", options.isEmpty() ? "none" : String.join(" ", options));
        for (String variable : Machine.javaVariables()) {
            String value = System.getenv(variable);
            if (value != null) {
                line(variable, value);
            }
        }
        if (System.getProperty("java.vm.info", "").contains("interpreted")) {
            trouble("Java interprets and compiles nothing: leave out -Xint, everything is tens of times slower with it");
        }
        if (Runtime.version().feature() < 25) {
            trouble("Basalt is made for Java 25 or newer");
        }
        if (!access) {
            String modules = Device.class.getModule().isNamed() ? "dev.basalt" : "ALL-UNNAMED";
            trouble("start Java with --enable-native-access=" + modules);
        }
    }

    /** A junk setting may keep the device classes from loading at all; that is a finding, too. */
    private List<Device.Found> find() {
        try {
            return Device.list();
        } catch (RuntimeException | LinkageError e) {
            trouble("looking for devices failed: " + OneLineErrors.message(e));
            return List.of();
        }
    }

    private void cpu(List<Device.Found> found) {
        line("model", Machine.processor());
        line("extensions", Machine.extensions());
        line("processors", Runtime.getRuntime().availableProcessors() + ", " + System.getProperty("os.arch"));
        Device.Found host = found.stream().filter(f -> f.name().equals("host")).findFirst().orElse(null);
        if (host == null) {
            line("vectors", "none: there is no host device");
            return;
        }
        if (host.refusal() != null) {
            line("vectors", "none: the host device is refused");
            return;
        }
        try (Device device = Device.open("host")) {
            String[] parts = device.deviceClass().split("-t", 2);
            Matcher width = WIDTH.matcher(parts[0]);
            line("engine", engine(device.description()));
            line("vectors", width.find() ? width.group(1) + " bits in use (" + parts[0] + ")" : why(device));
            line("threads", parts.length < 2 ? "see devices" : parts[1] + " at work in a call");
        } catch (RuntimeException | LinkageError e) {
            line("vectors", "unknown: the host device cannot be opened");
            trouble("host: " + OneLineErrors.message(e));
        }
    }

    /** The engine in use, and why it is not a faster one, out of what the device says of itself. */
    private static String engine(String description) {
        Matcher used = ENGINE.matcher(description);
        if (!used.find()) {
            return "see devices";
        }
        String engine = used.group(1) + ", " + used.group(2);
        if (!System.getProperty("basalt.engine", "auto").equals("auto")) {
            return engine + ", as asked for";
        }
        int not = description.indexOf("; not ");
        return engine + (not < 0 ? ", the fastest for this processor" : description.substring(not));
    }

    /** The reason why vectors are not in use. */
    private String why(Device device) {
        if (ModuleLayer.boot().findModule(VECTOR_MODULE).isEmpty()) {
            trouble("start Java with --add-modules " + VECTOR_MODULE + " for several times the speed");
            return "none: Java runs without module " + VECTOR_MODULE;
        }
        int not = device.description().indexOf("; not ");
        return "none: " + (not < 0 ? device.description() : device.description().substring(not + 6));
    }

    private void devices(List<Device.Found> found) {
        boolean usable = false;
        for (Device.Found one : found) {
            line(one.name(), one.description() + (one.refusal() == null ? "" : "; refused: " + one.refusal()));
            usable |= one.refusal() == null;
            if (one.refusal() != null && one.name().equals("host")) {
                trouble("host is refused: " + one.refusal());
            }
        }
        if (!usable) {
            trouble("there is no usable device");
            return;
        }
        handle();
    }

    /** Makes the handle that a program would get: the library itself has the last word on its settings. */
    private void handle() {
        try (Device device = Device.best(); Handle handle = device.createHandle()) {
            String order = handle.isStreamOrdered() ? ", allocated in stream order" : "";
            line("a new handle", "on " + device.name() + ": scheme " + handle.workspaceScheme() + ", workspace "
                    + ByteSize.format(handle.getDeviceMemorySize()) + order);
        } catch (RuntimeException | LinkageError e) {
            line("a new handle", "refused");
            trouble("a new handle is refused: " + OneLineErrors.message(e));
        }
    }

    private void settings(List<Device.Found> found) {
        for (Setting setting : Setting.ALL) {
            String value = setting.value();
            String wrong = setting.objection(value);
            if (wrong != null) {
                trouble(setting.name() + " = \"" + value + "\": " + wrong);
            }
            for (Device.Found one : found) {
                // What a device alone can judge, such as the name of an engine, is in its refusal.
                boolean refused = one.refusal() != null && one.refusal().contains(setting.name());
                wrong = wrong == null && refused ? "see devices" : wrong;
            }
            String state =
                    value == null ? "not set" : "\"" + value + "\", " + (wrong == null ? "ok" : "WRONG: " + wrong);
            findings.line(String.format("  %-27s %-46s %s", setting.name(), setting.meaning(), state), setting.name(),
                    value);
        }
        Setting.unknown(System.getProperties().stringPropertyNames(), System.getenv().keySet()).forEach(this::trouble);
    }

    private void memory() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            line("host", String.format(Locale.ROOT, "%s, %s free", ByteSize.format(system.getTotalMemorySize()),
                    ByteSize.format(system.getFreeMemorySize())));
        }
        line("Java heap",
                "up to " + ByteSize.format(Runtime.getRuntime().maxMemory()) + "; device memory is outside of it");
        line("huge pages", hugePages());
    }

    private static String hugePages() {
        Path file = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        try {
            String modes = Files.readString(file).strip();
            int open = modes.indexOf('[');
            int close = modes.indexOf(']');
            String mode = open < 0 || close < open ? modes : modes.substring(open + 1, close);
            return mode + (mode.equals("never") ? ": large matrices would be faster with madvise or always" : "");
        } catch (IOException | RuntimeException e) {
            return "unknown on this system";
        }
    }

    private void system() {
        line("system", Machine.system());
        line("kernel", Machine.kernel());
        line("libc", Machine.libc());
        line("limits", Machine.limits());
        line("locale", Machine.locale());
    }

    private void section(String name, String title) {
        findings.section(name, title);
    }

    private void line(String label, String text) {
        findings.line(label, text);
    }

    private void trouble(String text) {
        findings.trouble(text);
    }
}
