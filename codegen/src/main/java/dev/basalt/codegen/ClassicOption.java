package dev.basalt.codegen;

/**
 * An option.
 *
 * @param name side, uplo, diag, trans, transA or transB
 */
record ClassicOption(String name) implements ClassicArgument {
    @Override
    public void write(ClassicMethod method) {
        method.parameter(type(), name, meaning(method.family()));
        method.statement("g." + field() + " = " + name + ";");
        method.view(type());
    }

    /** The enum. */
    String type() {
        return switch (name) {
            case "side" -> "Side";
            case "uplo" -> "Uplo";
            case "diag" -> "Diag";
            case "semiring" -> "Semiring";
            default -> "Op";
        };
    }

    /** The field of a launch that holds it. */
    String field() {
        return switch (name) {
            case "trans", "transA" -> "opA";
            case "transB" -> "opB";
            default -> name;
        };
    }

    /** What it says for people. */
    String meaning(ClassicFamily family) {
        return switch (name) {
            case "side" -> "the side of the product that A stands on";
            case "uplo" -> "the triangle of " + family.triangle() + " that is stored";
            case "semiring" -> "what stands for sum and product";
            case "diag" -> "whether the diagonal of A is taken as ones";
            case "transB" -> "how B is read";
            default -> "how A is read";
        };
    }
}
