package dev.basalt.all;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Graph;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.Lease;
import dev.basalt.MatrixView;
import dev.basalt.Plan;
import dev.basalt.VectorView;
import dev.basalt.all.Installed.Outcome;
import dev.basalt.all.Readme.Block;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the pages in docs say: every block of Java compiles, every program prints what is shown, every method that is named is there. */
class DocumentsTest {
    private static final Path DOCS = Readme.ROOT.resolve("docs");

    private static final String FRAGMENT =
            """
                    import static dev.basalt.type.ElementType.*;
                    import dev.basalt.*;
                    import dev.basalt.type.*;

                    class DocumentFragment%d {
                        private DocumentFragment%d() {}

                        static void run(Device device, Handle handle, DeviceArena arena, long cudaStream, long address, long bytes) {
                            %s
                        }
                    }
                    """;

    /** What a word before a dot stands for in the documents. */
    private static final Map<String, Class<?>> NAMES = Map.ofEntries(Map.entry("Blas", Blas.class),
            Map.entry("Lapack", Lapack.class), Map.entry("Device", Device.class), Map.entry("device", Device.class),
            Map.entry("handle", Handle.class), Map.entry("arena", DeviceArena.class), Map.entry("plan", Plan.class),
            Map.entry("graph", Graph.class), Map.entry("lease", Lease.class), Map.entry("MatrixView", MatrixView.class),
            Map.entry("VectorView", VectorView.class));

    @TempDir
    private Path folder;

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(DOCS)) {
            List<Path> pages = files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
            assertThat(pages).hasSizeGreaterThan(10);
            return pages;
        }
    }

    private static String name(Block program) {
        return program.text().replaceFirst("(?s).*?\\bpublic class (\\w+).*", "$1");
    }

    @Test
    void everyBlockCompilesAndEveryProgramPrintsWhatIsShown() throws IOException {
        List<Block> programs = new ArrayList<>();
        List<String> sources = new ArrayList<>();
        for (Path page : pages()) {
            for (Block block : Readme.blocks(Readme.read(page), "java")) {
                if (block.isProgram()) {
                    assertThat(block.printed()).as(page + " says what " + name(block) + " prints").isNotNull();
                    programs.add(block);
                    sources.add(block.text());
                } else {
                    int i = sources.size();
                    sources.add(String.format(Locale.ROOT, FRAGMENT, i, i, block.text()));
                }
            }
        }
        assertThat(programs).hasSizeGreaterThan(5);
        Installed installed = Installed.in(folder).program("requires dev.basalt;", "", sources.toArray(new String[0]));
        for (Block program : programs) {
            Outcome outcome = installed.java("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
                    "app.jar:lib/*", "app." + name(program));
            assertThat(outcome.complaints()).as(name(program)).isEmpty();
            assertThat(outcome.out()).as(name(program)).isEqualTo(program.printed());
            assertThat(outcome.code()).as(name(program)).isZero();
        }
    }

    /** With and without the Vector API, on both paths, as the page writes it. */
    @ParameterizedTest
    @CsvSource({"''", "--add-modules jdk.incubator.vector"})
    void everyWayToStartWorks(String more) throws IOException {
        String page = Readme.read(DOCS.resolve("getting-started.md"));
        List<String> commands = Readme.commands(page, "java --enable-native-access=");
        assertThat(commands).hasSize(2)
                .anyMatch(command -> command.contains(" -cp "))
                .anyMatch(command -> command.contains(" -p "));
        Block first = Readme.blocks(page, "java").get(0);
        Installed installed = Installed.in(folder).program(first.text());
        for (String command : commands) {
            Outcome outcome = installed.shell(command.replace("java ", "java " + more + " "));
            assertThat(outcome.out()).as(command).isEqualTo(first.printed());
            assertThat(outcome.complaints().lines().filter(line -> !line.contains("incubator")).toList()).as(command)
                    .isEmpty();
        }
    }

    @Test
    void theLinesForJshellWork() throws IOException {
        String page = Readme.read(DOCS.resolve("getting-started.md"));
        Block script = Readme.blocks(page, "jshell").get(0);
        String command = Readme.commands(page, "jshell ").get(0);
        Installed installed = Installed.in(folder);
        Files.writeString(folder.resolve("first.jsh"), script.text());
        Outcome outcome = installed.shell(command);
        assertThat(outcome.out()).as(outcome.err()).isEqualTo(script.printed());
    }

    @Test
    void theCoordinatesAreThoseThatAreBuilt() {
        String page = Readme.read(DOCS.resolve("getting-started.md"));
        String version = Readme.read(Readme.ROOT.resolve("bom/pom.xml"))
                .replaceFirst("(?s).*?<version>([^<]*)</version>.*", "$1");
        assertThat(page).contains("<version>" + version + "</version>",
                "implementation(\"dev.basalt:basalt:" + version + "\")");
        String bom = Readme.read(Readme.ROOT.resolve("bom/pom.xml"));
        Matcher artifacts = Pattern.compile("(?m)^\\| `(basalt[\\w-]*)` \\|").matcher(page);
        List<String> named = new ArrayList<>();
        while (artifacts.find()) {
            named.add(artifacts.group(1));
        }
        assertThat(named).hasSizeGreaterThan(3)
                .allSatisfy(name -> assertThat(bom).contains("<artifactId>" + name + "</artifactId>"));
    }

    @Test
    void everyMethodThatIsNamedIsThere() throws IOException {
        Set<String> missing = new TreeSet<>();
        int seen = 0;
        for (Path page : pages()) {
            Matcher uses = Pattern.compile("`[^`\\n]*`").matcher(Readme.read(page));
            while (uses.find()) {
                Matcher calls = Pattern.compile("\\b([A-Za-z]+)\\.([a-z]\\w*)\\b(?!\\.)").matcher(uses.group());
                while (calls.find()) {
                    Class<?> type = NAMES.get(calls.group(1));
                    boolean other = type == null || calls.group(2).matches("md|java|svg|csv|html");
                    if (!other && !has(type, calls.group(2))) {
                        missing.add(page.getFileName() + ": " + calls.group());
                    }
                    seen += other ? 0 : 1;
                }
            }
        }
        assertThat(seen).isGreaterThan(50);
        assertThat(missing).isEmpty();
    }

    private static boolean has(Class<?> type, String method) {
        return Stream.of(type.getMethods()).map(Method::getName).anyMatch(method::equals);
    }
}
