package dev.basalt.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The papers that the Javadoc of a class names: "(Golub and Reinsch, …, 1970)", or "Bunch and Kaufman (1977)". */
final class Papers {
    private static final Pattern CLASS = Pattern.compile(
            "(?s)/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@\\w+(?:\\([^)]*\\))?\\s*)*(?:public |final |abstract |sealed )*(?:class|record|enum)\\b");
    private static final Pattern INSIDE = Pattern.compile("\\(([^()]*\\p{Lu}[^()]*\\b(?:19|20)\\d\\d\\b[^()]*)\\)");
    private static final Pattern BEFORE = Pattern
            .compile("(\\p{Lu}[\\p{L}']+(?:,? (?:and )?\\p{Lu}[\\p{L}']+)*(?: method)?) \\(((?:19|20)\\d\\d)\\)");

    private Papers() {}

    /** The papers, in the order in which they are named. */
    static List<String> named(Path source) {
        List<String> papers = new ArrayList<>();
        if (!Files.isRegularFile(source)) {
            return papers; // the class is made by the build, or shared
        }
        try {
            Matcher javadoc = CLASS.matcher(Files.readString(source));
            if (javadoc.find()) {
                String text = javadoc.group(1).replaceAll("\\s*\\n\\s*\\*\\s?", " ");
                INSIDE.matcher(text).results().map(found -> found.group(1)).forEach(papers::add);
                BEFORE.matcher(text)
                        .results()
                        .map(found -> found.group(1) + ", " + found.group(2))
                        .forEach(papers::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return papers;
    }
}
