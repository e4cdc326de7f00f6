package dev.basalt.all;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What README.md says, taken apart. */
final class Readme {
    /** The root of the project. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern BLOCK =
            Pattern.compile("```(\\w+)\\n(.*?)```\\n(\\s*prints:?\\n\\n((?:    [^\\n]*\\n)+))?", Pattern.DOTALL);

    private Readme() {}

    /**
     * A block of code.
     *
     * @param text the code
     * @param printed what the document says that it prints, or null if it says nothing
     */
    record Block(String text, String printed) {
        /** Whether it is a whole program, which runs as it is. */
        boolean isProgram() {
            return text.contains("static void main(");
        }
    }

    static String text() {
        return read(ROOT.resolve("README.md"));
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The blocks of a language. */
    static List<Block> blocks(String language) {
        return blocks(text(), language);
    }

    /** The blocks of a language in any document. */
    static List<Block> blocks(String document, String language) {
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(document);
        while (matcher.find()) {
            if (matcher.group(1).equals(language)) {
                String printed = matcher.group(4);
                blocks.add(new Block(matcher.group(2), printed == null ? null : printed.replaceAll("(?m)^    ", "")));
            }
        }
        return blocks;
    }

    /** The commands that begin so, as they are written. */
    static List<String> commands(String beginning) {
        return commands(text(), beginning);
    }

    /** The commands of any document that begin so. */
    static List<String> commands(String document, String beginning) {
        return Pattern.compile("(?m)^    (" + Pattern.quote(beginning) + ".*)$")
                .matcher(document)
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }
}
