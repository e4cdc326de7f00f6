package dev.basalt.all;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a release must have: one version everywhere, licences in what is shipped, and what a public repository asks for. */
class ReleaseTest {
    private static final String BOM = Readme.read(Readme.ROOT.resolve("bom/pom.xml"));
    private static final String VERSION = BOM.replaceFirst("(?s).*?<version>([^<]*)</version>.*", "$1");

    private static List<Path> poms() throws IOException {
        List<Path> poms = new ArrayList<>();
        Files.walkFileTree(Readme.ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean other = name.equals("target") || name.startsWith(".") || name.equals("src");
                return other ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.getFileName().toString().equals("pom.xml")) {
                    poms.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return poms;
    }

    @Test
    void everyProjectHasTheVersionOfTheBillOfMaterials() throws IOException {
        List<Path> poms = poms();
        assertThat(poms).hasSizeGreaterThan(12);
        Pattern own = Pattern.compile(
                "<groupId>dev\\.basalt[.\\w]*</groupId>\\s*<artifactId>[^<]*</artifactId>\\s*<version>([^<$]*)</version>");
        for (Path pom : poms) {
            Matcher versions = own.matcher(Readme.read(pom));
            int found = 0;
            while (versions.find()) {
                assertThat(versions.group(1)).as(pom + "; scripts/version.sh sets all of them").isEqualTo(VERSION);
                found++;
            }
            assertThat(found).as(pom.toString()).isPositive();
        }
    }

    @Test
    void anExampleUsesTheVersionThatIsBuilt() throws IOException {
        List<Path> examples = poms().stream().filter(pom -> pom.toString().contains("/examples/")).toList();
        assertThat(examples).isNotEmpty()
                .allSatisfy(pom -> assertThat(Readme.read(pom))
                        .contains("<basalt.version>" + VERSION + "</basalt.version>"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "description", "url", "licenses", "developers", "scm", "connection"})
    void thePublishedProjectsSayWhatARepositoryAsksFor(String element) {
        assertThat(BOM).containsPattern("<" + element + "[ >]");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "README.md",
            "CHANGELOG.md",
            "CONTRIBUTING.md",
            "CODE_OF_CONDUCT.md",
            "SECURITY.md",
            "LICENSE",
            "NOTICE",
            ".github/workflows/build.yml",
            ".github/PULL_REQUEST_TEMPLATE.md",
            ".github/ISSUE_TEMPLATE/bug.yml",
            ".github/ISSUE_TEMPLATE/config.yml",
            "image/Containerfile"})
    void whatAPublicRepositoryHasIsThere(String file) {
        assertThat(Readme.ROOT.resolve(file)).isNotEmptyFile();
    }

    @ParameterizedTest
    @ValueSource(strings = {"LICENSE", "NOTICE"})
    void whatIsPackedHasItsLicence(String name) throws IOException {
        // Other jars of the class path have files of that name.
        URL core = Device.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader alone = new URLClassLoader(new URL[] {core}, null);
                InputStream packed = alone.getResourceAsStream("META-INF/" + name)) {
            assertThat(packed).as(name).isNotNull();
            String text = new String(packed.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(text).isEqualTo(Readme.read(Readme.ROOT.resolve(name)));
        }
    }

    @Test
    void theListOfLicencesNamesFilesThatAreThere() {
        Path folder = Readme.ROOT.resolve("image/licenses");
        Matcher names = Pattern.compile("`([\\w.-]+\\.txt)`").matcher(Readme.read(folder.resolve("README.md")));
        List<String> found = new ArrayList<>();
        while (names.find()) {
            found.add(names.group(1));
        }
        // The image makes it from Basalt's own licence.
        found.removeIf("Apache-2.0.txt"::equals);
        assertThat(found).contains("OpenBLAS.txt", "jHDF.txt", "GCC-exception-3.1.txt")
                .allSatisfy(name -> assertThat(folder.resolve(name)).isNotEmptyFile());
    }
}
