package dev.basalt.all;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.all.Installed.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Native access that Java allows, allows with a warning, or refuses, in processes of their own, on both paths. */
@TestInstance(Lifecycle.PER_CLASS)
class NativeAccessTest {
    private static final String DENY = "--illegal-native-access=deny";
    private static final String REFUSED = "Java refuses native access; ";

    /** Looks for devices and opens each, twice: what fails once must fail the same way again. */
    private static final String PROBE = """
            import dev.basalt.*;
            import dev.basalt.type.*;

            class Probe {
                private Probe() {}

                public static void main(String[] args) {
                    for (int round = 0; round < 2; round++) {
                        for (Device.Found found : Device.list()) {
                            System.out.println("FOUND " + found.name() + ": " + found.refusal());
                        }
                        for (String name : new String[] {"host", "host:engine=scalar", "cuda:0", "sim", "best"}) {
                            System.out.println("OPEN " + name + ": " + outcome(name));
                        }
                    }
                }

                private static String outcome(String name) {
                    try (Device device = name.equals("best") ? Device.best() : Device.open(name);
                            Handle handle = device.createHandle();
                            DeviceArena arena = device.arena()) {
                        MatrixView a = arena.matrix(ElementType.F64, 2, 2);
                        a.upload(new double[] {1, 2, 3, 4});
                        Blas.gemm(handle, Op.NONE, Op.NONE, 1, a, a, 0, arena.matrix(ElementType.F64, 2, 2));
                        return "works";
                    } catch (BlasException e) {
                        return e.status() + " " + e.getMessage();
                    }
                }
            }
            """;

    /** The same in a layer of its own, whose controller allows native access only if it is told to. */
    private static final String LAYERED =
            """
                    import java.lang.module.Configuration;
                    import java.lang.module.ModuleFinder;
                    import java.nio.file.Path;
                    import java.util.List;

                    class Layered {
                        private Layered() {}

                        @SuppressWarnings("restricted")
                        public static void main(String[] args) throws ReflectiveOperationException {
                            ModuleFinder finder = ModuleFinder.of(Path.of("lib"));
                            ModuleLayer boot = ModuleLayer.boot();
                            Configuration modules =
                                    boot.configuration().resolveAndBind(finder, ModuleFinder.of(), List.of("dev.basalt"));
                            ModuleLayer.Controller controller =
                                    ModuleLayer.defineModulesWithOneLoader(modules, List.of(boot), ClassLoader.getSystemClassLoader());
                            Module basalt = controller.layer().findModule("dev.basalt").orElseThrow();
                            if (args.length > 0) {
                                controller.enableNativeAccess(basalt);
                            }
                            Object found = basalt.getClassLoader()
                                    .loadClass("dev.basalt.Device")
                                    .getMethod("list")
                                    .invoke(null);
                            System.out.println(found);
                        }
                    }
                    """;

    private Installed installed;

    @BeforeAll
    void install(@TempDir Path folder) {
        installed = Installed.in(folder).program("requires dev.basalt;", "", PROBE, LAYERED);
    }

    private Outcome probe(boolean modules, String... options) {
        List<String> args = new ArrayList<>(List.of(options));
        args.addAll(modules
                ? List.of("-p", "app.jar:lib", "-m", "app/app.Probe")
                : List.of("-cp", "app.jar:lib/*", "app.Probe"));
        Outcome outcome = installed.java(args.toArray(new String[0]));
        assertThat(outcome.out() + outcome.err()).doesNotContain("Exception", "AssertionError", "\tat ");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        return outcome;
    }

    private static Stream<String> lines(Outcome outcome, String key) {
        return outcome.out().lines().filter(line -> line.startsWith(key));
    }

    private static void works(Outcome outcome) {
        assertThat(lines(outcome, "OPEN host")).hasSize(4).allMatch(line -> line.endsWith(": works"));
        assertThat(lines(outcome, "OPEN sim")).hasSize(2).allMatch(line -> line.endsWith(": works"));
        assertThat(lines(outcome, "OPEN best")).hasSize(2).allMatch(line -> line.endsWith(": works"));
        assertThat(lines(outcome, "FOUND cuda")).noneMatch(line -> line.contains(REFUSED));
    }

    @ParameterizedTest
    @CsvSource({"false, ALL-UNNAMED", "true, dev.basalt"})
    void aRefusalNamesTheFlagThatIsMissing(boolean modules, String names) {
        Outcome outcome = probe(modules, DENY);
        String remedy = REFUSED + "start it with --enable-native-access=" + names;
        assertThat(lines(outcome, "FOUND")).hasSize(6).allMatch(line -> line.endsWith(": " + remedy));
        assertThat(lines(outcome, "OPEN")).hasSize(10)
                .allMatch(line -> line.contains(": INVALID_VALUE ") && line.contains(remedy));
        assertThat(outcome.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"false, ALL-UNNAMED", "true, dev.basalt"})
    void theFlagThatIsNamedIsEnough(boolean modules, String names) {
        for (String mode : List.of("deny", "warn", "allow")) {
            Outcome outcome = probe(modules, "--illegal-native-access=" + mode, "--enable-native-access=" + names);
            works(outcome);
            assertThat(outcome.complaints()).as(mode).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutAnyFlagAllWorksWithOneWarning(boolean modules) {
        Outcome outcome = probe(modules);
        works(outcome);
        assertThat(outcome.err().lines().filter(line -> line.contains("has been called by"))).singleElement()
                .asString()
                .contains("dev.basalt.foreign.NativeAccess");
    }

    @Test
    void theModulesFlagIsNotEnoughOnTheClassPath() {
        Outcome outcome = probe(false, DENY, "--enable-native-access=dev.basalt");
        assertThat(lines(outcome, "OPEN host")).allMatch(line -> line.endsWith("--enable-native-access=ALL-UNNAMED"));
    }

    @Test
    void aRefusedDriverIsNotLookedFor() {
        Outcome outcome = probe(true, DENY, "-Dbasalt.libcuda=/dev/null");
        assertThat(lines(outcome, "OPEN cuda:0"))
                .allMatch(line -> line.contains(REFUSED + "start it with --enable-native-access=dev.basalt"));
    }

    @Test
    void aLayerIsToldToAskItsController() {
        Outcome refused = layered();
        assertThat(refused.out()).contains(REFUSED,
                "enable it for dev.basalt (ModuleLayer.Controller.enableNativeAccess)");
        assertThat(layered("allow").out()).contains("name=host").doesNotContain(REFUSED);
    }

    private Outcome layered(String... args) {
        List<String> words = new ArrayList<>(List.of(DENY, "--enable-native-access=ALL-UNNAMED"));
        words.addAll(List.of("-cp", "app.jar", "app.Layered"));
        words.addAll(List.of(args));
        Outcome outcome = installed.java(words.toArray(new String[0]));
        assertThat(outcome.code()).as(outcome.err()).isZero();
        return outcome;
    }

    @ParameterizedTest
    @ValueSource(strings = {"mmap=0", "mprotect=0", "mprotect=0,memfd_create=0"})
    void executableMemoryThatIsRefusedCostsSpeedAlone(String codeMemory) {
        for (boolean modules : new boolean[] {false, true}) {
            String flag = "--enable-native-access=" + (modules ? "dev.basalt" : "ALL-UNNAMED");
            Outcome outcome = probe(modules, flag, "-Dbasalt.codeMemory=" + codeMemory);
            works(outcome);
            assertThat(outcome.err().lines().filter(line -> line.contains("CPU kernels come from"))).as("one hint")
                    .hasSize(1)
                    .allMatch(line -> line.contains("--add-modules jdk.incubator.vector"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whereNoDeviceIsThereItSaysWhatToAdd(boolean modules, @TempDir Path folder) {
        Installed api = Installed.withoutDevices(folder).program(PROBE);
        Outcome outcome = modules
                ? api.java("-p", "app.jar:lib", "-m", "app/app.Probe")
                : api.java("-cp", "app.jar:lib/*", "app.Probe");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(lines(outcome, "OPEN host")).hasSize(4)
                .allMatch(
                        line -> line.contains("\"; there are: none; add dev.basalt:basalt-host, or dev.basalt:basalt"));
        assertThat(lines(outcome, "OPEN sim")).allMatch(line -> line.contains("add dev.basalt:basalt-sim"));
        assertThat(lines(outcome, "OPEN best")).allMatch(line -> line.contains("no device can be used"));
    }
}
