package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a double-precision source becomes its single-precision twin, line by line.
 *
 * <ul>
 *   <li>A file takes part if its name has D or Z as a word of its camel case: {@code DLeaf}, {@code VectorD},
 *       {@code VectorZGemm}. In names of types, everywhere, D becomes S and Z becomes C.
 *   <li>{@code double}, {@code Double}, {@code DoubleVector}, {@code JAVA_DOUBLE}, {@code f64}, {@code F64} and {@code C64}
 *       become their single counterparts; decimal literals get an f; {@code Math.sqrt} is cast to float.
 *   <li>An integer literal with the suffix L is a number of bytes and is halved: write {@code n * 8L} for addresses of
 *       elements, and no suffix for anything else (pivots: {@code j * 8}).
 *   <li>{@code double alphaRe} and its kin ({@code alphaIm betaRe betaIm}) stay double, since scalars come as doubles in every
 *       precision. A local variable of one line that is made from one is cast: {@code double alpha = alphaRe;}.
 *   <li>{@code // keep double} at the end of a line: only names, bytes and {@code f64} change in it.
 *   <li>{@code // float: text} at the end of a line: the text takes the line's place; without text the line goes.
 *   <li>In comments, only names of types change.
 * </ul>
 */
final class Precision {
    private static final String SCALAR = "(?:alpha|beta)(?:Re|Im)\\b";

    private static final Pattern TYPE = Pattern.compile("\\b[A-Z]\\w+");
    private static final Pattern LETTER = Pattern.compile("(?<=^|[a-z0-9])[DZ](?=[A-Z][a-z]|$)");
    private static final Pattern REPLACED = Pattern.compile("^(\\s*).*?\\s*// float:\\s*(.*)$");
    private static final Pattern KEPT = Pattern.compile("\\s*// keep double$");
    private static final Pattern COMMENT = Pattern.compile("^\\s*(?://|/?\\*).*");
    private static final Pattern BYTES = Pattern.compile("\\b(\\d+)L\\b");
    private static final Pattern LOCAL = Pattern.compile("\\bdouble (\\w+) = ([^;]*\\b" + SCALAR + "[^;]*);");
    private static final Pattern DECIMAL =
            Pattern.compile("(?<![\\w.])(?:\\d+\\.\\d+(?:[eE][-+]?\\d+)?|0x[0-9a-fA-F.]+p[-+]?\\d+)(?![\\w.])");

    private Precision() {}

    /**
     * The name of a file's twin.
     *
     * @param file name of a file, without folder
     * @return name, or null if the file has no twin
     */
    static String singleFile(String file) {
        if (!file.endsWith(".java")) {
            return null;
        }
        String type = file.substring(0, file.length() - ".java".length());
        String single = types(type);
        return single.equals(type) ? null : single + ".java";
    }

    /**
     * The lines of a file's twin.
     *
     * @param lines lines in double precision
     * @return lines in single precision
     */
    static List<String> single(List<String> lines) {
        List<String> result = new ArrayList<>();
        for (String line : lines) {
            Matcher replaced = REPLACED.matcher(line);
            if (!replaced.matches()) {
                result.add(single(line));
            } else if (!replaced.group(2).isEmpty()) {
                result.add(replaced.group(1) + replaced.group(2));
            }
        }
        return result;
    }

    private static String single(String line) {
        if (COMMENT.matcher(line).matches()) {
            return types(line);
        }
        Matcher kept = KEPT.matcher(line);
        String text = types(line).replaceAll("\\bf64\\b", "f32");
        text = BYTES.matcher(text).replaceAll(match -> half(match.group(1)) + "L");
        return kept.find() ? KEPT.matcher(text).replaceFirst("") : arithmetic(text);
    }

    private static String arithmetic(String line) {
        String text = LOCAL.matcher(line).replaceAll("float $1 = (float) ($2);");
        text = text.replaceAll("\\bdouble\\b(?! " + SCALAR + ")", "float");
        text = text.replaceAll("\\bDouble(?=[A-Z]|\\b)", "Float");
        text = text.replace("JAVA_DOUBLE", "JAVA_FLOAT");
        text = text.replaceAll("\\bF64\\b", "F32").replaceAll("\\bC64\\b", "C32");
        text = text.replace("Math.sqrt(", "(float) Math.sqrt(");
        return DECIMAL.matcher(text).replaceAll("$0f");
    }

    /** A single letter is no type of ours: it may stand for anything. */
    private static String types(String text) {
        return TYPE.matcher(text)
                .replaceAll(match -> LETTER.matcher(match.group())
                        .replaceAll(letter -> letter.group().equals("D") ? "S" : "C"));
    }

    private static String half(String bytes) {
        long count = Long.parseLong(bytes);
        if (count % 2 != 0) {
            throw new IllegalArgumentException("not a number of bytes: " + bytes + "L");
        }
        return Long.toString(count / 2);
    }
}
