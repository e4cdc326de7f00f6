package dev.basalt.bench;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A call of a library of NVIDIA's, as a table writes it.
 *
 * @param function its name, with ? for the type's letter, @ for two letters of the routine and ~ for or and un
 * @param query what its query of workspace takes; null if that follows from the arguments
 * @param arguments names of arguments behind the handle
 */
record PeerStep(String function, List<String> query, List<String> arguments) {
    /** What stands for a copy in place of a function. */
    static final String COPY = "copy";

    /** Arguments that are workspace, with what their query of bytes or elements leaves. */
    static final List<String> WORKSPACE = List.of("work", "bare", "bytes", "spaces", "buffer");

    /** What queries take behind the place for the size. */
    private static final List<String> BEHIND = List.of("syevj", "gesvdj", "batch");

    private static final List<String> SIZES = List.of("m", "n", "k", "nrhs", "k1", "k2", "kl", "ku", "min", "batch");

    private static final List<String> OPTIONS =
            List.of("side", "uplo", "trans", "diag", "direct", "storev", "ct", "jobz", "vect", "itype", "type", "real");

    private static final Pattern SYNTAX = Pattern.compile("([\\w?@~]+)(?:\\(([^)]*)\\))?\\s+(.*)");

    static PeerStep of(String text) {
        Matcher matcher = SYNTAX.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is no call");
        }
        return new PeerStep(matcher.group(1), matcher.group(2) == null ? null : words(matcher.group(2)),
                words(matcher.group(3)));
    }

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+"));
    }

    boolean copies() {
        return function.equals(COPY);
    }

    /** Whether sizes have 64 bits. */
    boolean wide() {
        return function.startsWith("cusolverDnX");
    }

    /** The function's name for a routine's family and a type's letter. */
    String symbol(String family, char letter) {
        boolean complex = letter == 'c' || letter == 'z';
        return function.replace("?", String.valueOf(letter).toUpperCase(Locale.ROOT))
                .replace("@", family.substring(0, 2))
                .replace("~", complex ? "un" : "or");
    }

    /** The argument that is workspace, null if there is none. */
    String workspace() {
        return arguments.stream().filter(WORKSPACE::contains).findFirst().orElse(null);
    }

    /** The function that says how much workspace another wants. */
    String querySymbol(String symbol) {
        return symbol + ("buffer".equals(workspace()) ? "_bufferSizeExt" : "_bufferSize");
    }

    /** What the query takes between its handle and the place for the size. */
    List<String> queryArguments() {
        return query != null ? query : arguments.subList(0, arguments.indexOf(workspace()));
    }

    /** What it takes behind that. */
    List<String> queryEnd() {
        return arguments.subList(arguments.indexOf(workspace()), arguments.size())
                .stream()
                .filter(BEHIND::contains)
                .toList();
    }

    /** How an argument is passed: a letter for each parameter, i of 32 bits, l of 64 or an address, b of 8. */
    String layout(String argument) {
        if (SIZES.contains(argument) || argument.matches("ld\\w+")) {
            return wide() ? "l" : "i";
        }
        if (OPTIONS.contains(argument) || argument.matches("\\d")) {
            return "i";
        }
        return switch (argument) {
            case "jobu", "jobvt" -> "b";
            case "work" -> "li";
            case "bytes" -> "ll";
            case "spaces" -> "llll";
            default -> "l";
        };
    }
}
