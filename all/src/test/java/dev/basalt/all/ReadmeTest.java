package dev.basalt.all;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.all.Installed.Outcome;
import dev.basalt.all.Readme.Block;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever does what README.md says gets what it says: every block of Java, every way to start, the dependency. */
class ReadmeTest {
    /** What fragments of programs may use without saying where it is from. */
    private static final String FRAGMENT =
            """
                    import static dev.basalt.type.ElementType.*;
                    import dev.basalt.*;
                    import dev.basalt.type.*;

                    class Fragment%d {
                        private Fragment%d() {}

                        static void run(Device device, Handle handle, DeviceArena arena, long cudaStream, long address, long bytes) {
                            %s
                        }
                    }
                    """;

    @TempDir
    private Path folder;

    private static List<Block> programs() {
        return Readme.blocks("java").stream().filter(Block::isProgram).toList();
    }

    private static String name(Block program) {
        return program.text().replaceFirst("(?s).*?\\bclass (\\w+).*", "$1");
    }

    @Test
    void everyBlockOfJavaCompiles() {
        List<Block> blocks = Readme.blocks("java");
        assertThat(blocks).isNotEmpty();
        String[] sources = new String[blocks.size()];
        for (int i = 0; i < sources.length; i++) {
            Block block = blocks.get(i);
            sources[i] = block.isProgram() ? block.text() : String.format(Locale.ROOT, FRAGMENT, i, i, block.text());
        }
        Installed.in(folder).program("requires dev.basalt;", "", sources);
    }

    @Test
    void everyProgramPrintsWhatIsSaidByEveryWayToStartIt() {
        assertThat(programs()).anyMatch(program -> program.printed() != null);
        List<String> commands = Readme.commands("java --enable-native-access=");
        assertThat(commands).anyMatch(c -> c.contains(" -cp ")).anyMatch(c -> c.contains(" -p "));
        Installed installed = Installed.in(folder);
        for (Block program : programs()) {
            installed.program(program.text());
            for (String command : commands) {
                Outcome outcome = installed.shell(command.replace("app.Example", "app." + name(program)));
                assertThat(outcome.complaints()).as(command).isEmpty();
                if (program.printed() != null) {
                    assertThat(outcome.out()).as(command).isEqualTo(program.printed());
                }
                assertThat(outcome.code()).as(command).isZero();
            }
        }
    }

    @Test
    void anExecutableJarNeedsNoFlag() {
        String line = "Enable-Native-Access: ALL-UNNAMED";
        assertThat(Readme.text()).contains(line);
        Installed installed = Installed.in(folder);
        Block program = programs().get(0);
        installed.program("requires dev.basalt;",
                "Main-Class: app." + name(program) + "\nClass-Path: " + installed.jars() + "\n" + line + "\n",
                program.text());
        Outcome outcome = installed.java("--illegal-native-access=deny", "-jar", "app.jar");
        assertThat(outcome.complaints()).isEmpty();
        assertThat(outcome.out()).isEqualTo(program.printed());
    }

    @Test
    void theDependencyIsTheOneThatIsBuilt() {
        String version = element(Readme.read(Readme.ROOT.resolve("bom/pom.xml")), "version");
        String own = Readme.read(Readme.ROOT.resolve("all/pom.xml"));
        assertThat(Readme.blocks("xml")).singleElement().satisfies(block -> {
            assertThat(element(block.text(), "groupId")).isEqualTo("dev.basalt");
            assertThat(own).contains("<artifactId>" + element(block.text(), "artifactId") + "</artifactId>\n  <name>");
            assertThat(element(block.text(), "version")).isEqualTo(version);
        });
    }

    @Test
    void theBillOfMaterialsNamesEveryArtifactThatTheDocumentNames() {
        String bom = Readme.read(Readme.ROOT.resolve("bom/pom.xml"));
        for (String artifact : List.of("", "-core", "-host", "-gpu", "-cuda", "-sim")) {
            assertThat(bom).contains("<artifactId>basalt" + artifact + "</artifactId>");
        }
        assertThat(bom).as("nothing of others").doesNotContain("<parent>", "junit", "picocli");
    }

    private static String element(String xml, String name) {
        return xml.replaceFirst("(?s).*?<" + name + ">([^<]*)</" + name + ">.*", "$1");
    }
}
