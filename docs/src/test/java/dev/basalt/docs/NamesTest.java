package dev.basalt.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Lapack;
import dev.basalt.arrays.ArrayBlas;
import dev.basalt.arrays.ArrayLapack;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The methods that the pages name are there. */
class NamesTest {
    private static final Path DOCS = Path.of("").toAbsolutePath().normalize();
    private static final Pattern METHOD = Pattern.compile("\\b(Blas|Lapack|ArrayBlas|ArrayLapack)\\.([a-z]\\w*)");

    private static final Map<String, Set<String>> CLASSES = Map.of("Blas", names(Blas.class), "Lapack",
            names(Lapack.class), "ArrayBlas", names(ArrayBlas.class), "ArrayLapack", names(ArrayLapack.class));

    private static Set<String> names(Class<?> type) {
        return Arrays.stream(type.getMethods()).map(Method::getName).collect(Collectors.toSet());
    }

    @Test
    void everyMethodThatAPageNamesIsThere() throws IOException {
        List<Path> pages;
        try (Stream<Path> files = Files.list(DOCS)) {
            pages = files.filter(file -> file.toString().endsWith(".md")).toList();
        }
        List<String> missing = new ArrayList<>();
        int seen = 0;
        for (Path page : pages) {
            Matcher names = METHOD.matcher(Files.readString(page));
            while (names.find()) {
                seen++;
                if (!CLASSES.get(names.group(1)).contains(names.group(2))) {
                    missing.add(page.getFileName() + ": " + names.group());
                }
            }
        }
        assertThat(seen).isGreaterThan(150);
        assertThat(missing).isEmpty();
    }
}
