package dev.basalt.codegen;

/** Sizes that the table writes as expressions: {@code n-1}, {@code min(m,n)}, {@code kl+ku}, {@code nb*nblocks}. */
final class Expression {
    private Expression() {}

    /** The sides of matrices of singular vectors and of eigenvectors, by which of them are asked for. */
    private static final String VECTORS = "[uv](?:rows|cols)|[lr]rows|most|[uv]chosen";

    /** Whether it is more than a name or a number. */
    static boolean is(String text) {
        return text.matches(".*\\W.*|" + VECTORS);
    }

    /** Java for it. What is taken off leaves at least 0; products of names are the largest number there is where they have more bits. */
    static String java(String text) {
        return vectors(
                text.replace(" ", "").replaceAll("^order-(\\d+)$", "Math.max(0, (side == Side.LEFT ? m : n) - $1)"))
                .replaceAll("\\border\\b", "(side == Side.LEFT ? m : n)")
                .replaceAll("(min|max)\\((\\w+|\\(.*\\)),(\\w+)\\)", "Math.$1($2, $3)")
                .replaceAll("([a-z]\\w*)\\*([a-z]\\w*)", "Frame.times($1, $2)")
                .replaceAll("(\\d+)\\*([a-z]\\w*)", "$1 * $2")
                .replaceAll("^(\\w+|Math\\.min\\(\\w+, \\w+\\))-(\\w+)$", "Math.max(0, $1 - $2)")
                .replaceAll("\\+", " + ");
    }

    /** Java for it, where the names of dimensions are fields of a launch: {@code g.} before them. */
    static String fields(String text, ClassicFamily family, String prefix) {
        String java = java(text);
        for (ClassicDimension dimension : family.of(ClassicDimension.class)) {
            String value = dimension.inOperand() ? dimension.value(family, prefix) : prefix + dimension.field();
            java = java.replaceAll("(?<![\\w.])" + dimension.name() + "(?!\\w)", value.replace("$", "\\$"));
        }
        return java;
    }

    private static String vectors(String text) {
        return switch (text) {
            case "urows" -> "Svect.elements(leftSvect, m)";
            case "ucols" -> "Svect.vectors(leftSvect, m, n)";
            case "vrows" -> "Svect.vectors(rightSvect, n, m)";
            case "vcols" -> "Svect.elements(rightSvect, n)";
            case "most" -> "Erange.most(erange, n, il, iu)";
            case "uchosen" -> "(leftSvect == Svect.NONE ? 0 : Erange.most(erange, Math.min(m, n), il, iu))";
            case "vchosen" -> "(rightSvect == Svect.NONE ? 0 : Erange.most(erange, Math.min(m, n), il, iu))";
            case "lrows" -> "(leftEvect == Evect.NONE ? 0 : n)";
            case "rrows" -> "(rightEvect == Evect.NONE ? 0 : n)";
            default -> text;
        };
    }

    /** For people. */
    static String words(String text) {
        return text.replace("urows", "m")
                .replace("ucols", "(m or min(m,n))")
                .replace("vrows", "(n or min(m,n))")
                .replace("vcols", "n")
                .replace("most", "(n or iu - il + 1)")
                .replace("uchosen", "(min(m,n) or iu - il + 1)")
                .replace("vchosen", "(min(m,n) or iu - il + 1)")
                .replace("lrows", "n")
                .replace("rrows", "n")
                .replace(",", ", ")
                .replace(",  ", ", ")
                .replaceAll("(?<=\\w)([+-])(?=\\w)", " $1 ")
                .replace("*", "·");
    }
}
