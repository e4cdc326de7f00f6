package dev.basalt.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** ARCHITECTURE.md against what it shows: modules and their dependencies, and classes and files by name. */
class OverviewTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path PICTURES = ROOT.resolve("docs/pictures");

    private static List<String> found(String regex, String text) {
        return Pattern.compile(regex).matcher(text).results().map(match -> match.group(1)).toList();
    }

    /** The modules of this build that a module's pom names: those it is compiled or run with, or those of its tests if there are no others. */
    private static Set<String> needs(Path pom, TreeMap<String, String> artifacts) throws IOException {
        Set<String> needs = new TreeSet<>();
        Set<String> ofTests = new TreeSet<>();
        String text = Files.readString(pom).replaceAll("(?s)<dependencyManagement>.*?</dependencyManagement>", "");
        for (String dependency : found("(?s)<dependency>(.*?)</dependency>", text)) {
            String module = artifacts.get(found("<artifactId>(.*?)</artifactId>", dependency).getFirst());
            if (module != null && dependency.contains("<groupId>dev.basalt</groupId>")) {
                (dependency.contains("<scope>test</scope>") ? ofTests : needs).add(module);
            }
        }
        return needs.isEmpty() ? ofTests : needs;
    }

    /** A module has a box, and its box names what it stands on. */
    @Test
    void theModulesAreThoseOfTheBuild() throws IOException {
        TreeMap<String, String> artifacts = new TreeMap<>();
        TreeMap<String, Set<String>> expected = new TreeMap<>();
        List<String> modules = found("<module>(.*?)</module>", Files.readString(ROOT.resolve("pom.xml"))).stream()
                .filter(module -> !module.startsWith("examples/"))
                .toList();
        for (String module : modules) {
            String pom = Files.readString(ROOT.resolve(module).resolve("pom.xml"))
                    .replaceFirst("(?s)<parent>.*?</parent>", "");
            artifacts.put(found("<artifactId>(.*?)</artifactId>", pom).getFirst(), module);
        }
        for (String module : modules) {
            expected.put(module, needs(ROOT.resolve(module).resolve("pom.xml"), artifacts));
        }
        TreeMap<String, Set<String>> drawn = new TreeMap<>();
        for (String box : found("(?s)<g class=\"module\">(.*?)</g>",
                Files.readString(PICTURES.resolve("modules.svg")))) {
            List<String> on = found("class=\"s m needs\"[^>]*>on (.*?)</text>", box);
            drawn.put(found("class=\"b\"[^>]*>(.*?)</text>", box).getFirst(),
                    on.isEmpty() ? Set.of() : new TreeSet<>(Arrays.asList(on.getFirst().split(", "))));
        }
        assertThat(drawn).isEqualTo(expected);
    }

    /** The names of all files that a recipe may name. */
    private static Set<String> files() throws IOException {
        Set<String> files = new TreeSet<>();
        for (String module : List.of("core", "host", "sim", "gpu", "cuda", "conformance", "codegen")) {
            try (Stream<Path> all = Files.walk(ROOT.resolve(module))) {
                all.filter(path -> !path.toString().contains("/target/"))
                        .forEach(path -> files.add(path.getFileName().toString()));
            }
        }
        return files;
    }

    static List<String> pictures() {
        return List.of("modules.svg", "call.svg", "kernel.svg");
    }

    /** What is written as code is a class or a file of this project. */
    @ParameterizedTest
    @MethodSource("pictures")
    void whatIsNamedIsThere(String picture) throws IOException {
        Set<String> files = files();
        List<String> named = new ArrayList<>();
        for (String text : found("class=\"c\"[^>]*>(.*?)</text>", Files.readString(PICTURES.resolve(picture)))) {
            named.addAll(List.of(text.split("\\s*(,|→)\\s*")));
        }
        assertThat(named.stream()
                .map(name -> name.matches(".*\\.(h|txt|table)") ? name : name.replaceFirst("\\..*", "") + ".java")
                .filter(name -> !files.contains(name))
                .collect(Collectors.toList())).isEmpty();
        assertThat(named.size()).isGreaterThan(picture.equals("modules.svg") ? -1 : 5);
    }

    /** A recipe names no file that is gone. */
    @Test
    void filesOfTheRecipesAreThere() throws IOException {
        String overview = Files.readString(ROOT.resolve("ARCHITECTURE.md"));
        String recipes =
                overview.substring(overview.indexOf("## Add something"), overview.indexOf("## What a family costs"));
        Set<String> files = files();
        List<String> named = found("`(?:[^` ]*/)?(\\w+\\.(?:java|table|txt|h|cu))`", recipes);
        assertThat(named).hasSizeGreaterThan(15);
        assertThat(named.stream().filter(name -> !name.matches("(?i)name.*") && !files.contains(name)).toList())
                .isEmpty();
        List<String> classes = found("`([A-Z]\\w+(?:Test|Rules|Leaf|Engine|Table|Traits|Driver|Provider))`", recipes);
        assertThat(classes.stream().filter(name -> !files.contains(name + ".java")).toList()).isEmpty();
    }

    /** Readers in the dark see them, too, and readers who do not see have a word. */
    @ParameterizedTest
    @MethodSource("pictures")
    void theyAreMadeForLightAndDark(String picture) throws IOException {
        String text = Files.readString(PICTURES.resolve(picture));
        assertThat(text).contains("prefers-color-scheme:dark", "role=\"img\"", "aria-label=\"");
        assertThat(found("<(?:rect|path|text)[^>]*(fill|stroke|style)=", text)).isEmpty();
    }

    /** ARCHITECTURE.md stays what it is for: two pages and three pictures; what is long has a page of its own. */
    @Test
    void theOverviewIsShort() throws IOException {
        String overview = Files.readString(ROOT.resolve("ARCHITECTURE.md"));
        assertThat(found("!\\[[^]]+]\\(docs/pictures/(.*?)\\)", overview)).containsExactlyElementsOf(pictures());
        String prose = overview.lines()
                .filter(line -> !line.startsWith("|") && !line.startsWith("    "))
                .collect(Collectors.joining(" "));
        assertThat(prose.split("\\s+").length).isLessThan(1500);
    }
}
