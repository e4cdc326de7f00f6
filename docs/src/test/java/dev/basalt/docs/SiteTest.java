package dev.basalt.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.codegen.Reference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The site as a reader has it: every link leads somewhere, every routine is found, nothing is fetched from elsewhere. */
@TestInstance(Lifecycle.PER_CLASS)
class SiteTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private Path site;

    private final Map<String, String> pages = new HashMap<>();

    @BeforeAll
    void make(@TempDir Path folder) throws IOException {
        site = folder.resolve("site");
        Site.main(new String[] {ROOT.toString(), site.toString()});
        try (Stream<Path> files = Files.list(site)) {
            for (Path page : files.filter(file -> file.toString().endsWith(".html")).toList()) {
                pages.put(page.getFileName().toString(), Files.readString(page));
            }
        }
    }

    private static List<String> matches(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        List<String> found = new ArrayList<>();
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    @Test
    void everyLinkLeadsSomewhere() {
        List<String> broken = new ArrayList<>();
        Map<String, Set<String>> anchors = new HashMap<>();
        pages.forEach((name, text) -> anchors.put(name, new HashSet<>(matches(text, " id=\"([^\"]*)\""))));
        int seen = 0;
        for (Map.Entry<String, String> page : pages.entrySet()) {
            for (String link : matches(page.getValue(), "(?:href|src)=\"([^\"]*)\"")) {
                if (link.matches("(https?|mailto):.*")) {
                    continue;
                }
                seen++;
                String[] parts = link.split("#", 2);
                String name = parts[0].isEmpty() ? page.getKey() : parts[0];
                boolean there = parts.length == 1 || !anchors.containsKey(name)
                        ? Files.isRegularFile(site.resolve(name))
                        : anchors.get(name).contains(parts[1]);
                if (!there) {
                    broken.add(page.getKey() + ": " + link);
                }
            }
        }
        assertThat(seen).isGreaterThan(1000);
        assertThat(broken).isEmpty();
    }

    @Test
    void nothingIsFetchedFromElsewhere() {
        pages.forEach(
                (name, text) -> assertThat(matches(text, "<(?:script|link|img)[^>]*(?:src|href)=\"(https?:[^\"]*)\""))
                        .as(name)
                        .isEmpty());
    }

    @Test
    void everyRoutineHasASectionAndIsFound() throws IOException {
        String search = Files.readString(site.resolve("assets/sections.js"), StandardCharsets.UTF_8);
        for (Reference.Entry entry : Reference.entries()) {
            String page = RoutinePages.file(entry.branch());
            assertThat(pages).containsKey(page);
            assertThat(pages.get(page)).contains(">" + entry.view() + "</h2>");
            assertThat(search).contains("\"" + entry.view() + "\"");
        }
    }

    @Test
    void aRoutineThatTakesWorkspaceShowsItsTiers() throws IOException {
        for (String view : List.of("getrf", "gels", "gesvd", "syevd")) {
            Reference.Entry entry =
                    Reference.entries().stream().filter(e -> e.view().equals(view)).findFirst().orElseThrow();
            String text = pages.get(RoutinePages.file(entry.branch()));
            String section = text.substring(text.indexOf(">" + view + "</h2>"));
            section = section.substring(0, section.indexOf("</table>"));
            assertThat(section).as(view)
                    .containsPattern("<td>workspace</td>\\s*<td><code>d" + view + "</code>: .*\\d (B|KiB|MiB)");
        }
    }

    @Test
    void everyRoutineSaysWhatItCostsAndHasAnExample() throws IOException {
        for (Reference.Entry entry : Reference.entries()) {
            String text = pages.get(RoutinePages.file(entry.branch()));
            assertThat(text).contains("<td>" + entry.operations().replace("<", "&lt;") + "</td>");
            entry.example().forEach(line -> assertThat(text).contains(line.replace("<", "&lt;")));
        }
        long sections = pages.values().stream().mapToLong(page -> matches(page, "(<td>operations</td>)").size()).sum();
        assertThat(sections).isEqualTo(Reference.entries().size());
    }

    @Test
    void aRoutineShowsItsCallOnViews() throws IOException {
        assertThat(RoutinePages.onViews("getrf"))
                .isEqualTo("Lapack.getrf(Handle handle, MatrixView a, VectorView ipiv, VectorView info)");
        assertThat(RoutinePages.onViews("gemm"))
                .startsWith("Blas.gemm(Handle handle, Op transA, Op transB, double alpha, ");
        List<String> without = Reference.entries()
                .stream()
                .map(Reference.Entry::view)
                .filter(v -> RoutinePages.onViews(v).isEmpty())
                .toList();
        assertThat(without.size()).as("%s", without).isLessThan(Reference.entries().size() / 10);
    }

    @Test
    void aRoutineOfTheBlasNamesThePaperThatDefinesIt() {
        assertThat(Standards.of("trsm").orElseThrow()).contains("1990");
        assertThat(Standards.of("geam").orElseThrow()).contains("cuBLAS");
        for (String level : List.of("1979", "1988", "1990")) {
            assertThat(pages.values()
                    .stream()
                    .filter(page -> !matches(page, "(<td>defined by</td>\\s*<td>[^<]*, " + level + "</td>)").isEmpty())
                    .count()).as(level).isEqualTo(1);
        }
    }

    @Test
    void everyRoutineNamesWhatDefinesIt() throws IOException {
        Set<String> views = new HashSet<>();
        Reference.entries().forEach(entry -> views.add(entry.view()));
        assertThat(views).as("routines that standards.txt does not name")
                .allSatisfy(view -> assertThat(Standards.of(view)).as(view).isPresent());
        assertThat(Standards.named()).as("names in standards.txt that are no routines").isSubsetOf(views);
        assertThat(Standards.defined()).as("routines with two definitions").doesNotHaveDuplicates();
        long sections = pages.values().stream().mapToLong(page -> matches(page, "(<td>defined by</td>)").size()).sum();
        assertThat(sections).isEqualTo(Reference.entries().size());
    }

    @Test
    void everyReferenceHasAYearOrNamesDocuments() {
        for (String view : Standards.named()) {
            for (String paper : Standards.background(view)) {
                assertThat(paper).containsPattern("^\\p{Lu}.*\\b(18|19|20)\\d\\d\\b");
            }
            assertThat(Standards.of(view).orElseThrow())
                    .containsPattern("\\b(18|19|20)\\d\\d\\b|documentation$|developer reference$|^LAPACK 3\\.");
        }
        assertThat(Standards.same("Bunch and Kaufman, 1977", "Bunch and Kaufman, Some stable methods, 1977")).isTrue();
        assertThat(Standards.same("Gu and Eisenstat, 1995", "Gu and Eisenstat, Other, 1994")).isFalse();
    }

    @Test
    void aRoutineNamesThePapersOfItsJavadoc() throws IOException {
        assertThat(Papers.named(ROOT.resolve("core/src/main/java/dev/basalt/internal/lu/Getrf.java")))
                .containsExactly("Toledo, 1997");
        assertThat(pages.values().stream().filter(page -> page.contains("<td>algorithm of</td>")).count())
                .isGreaterThan(4);
    }

    @Test
    void picturesHaveAWordForThoseWhoDoNotSeeThem() {
        pages.forEach((name, text) -> assertThat(matches(text, "(<img [^>]*>)")).as(name)
                .allSatisfy(picture -> assertThat(picture).containsPattern("alt=\"[^\"]{4,}\"")));
    }
}
