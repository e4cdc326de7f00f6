package dev.basalt.codegen;

/**
 * An option.
 *
 * @param name side, uplo, diag, evect, erange, eorder, trans, transA, transB, norm, direct, storev, fact, region, semiring, itype, leftSvect, rightSvect, leftEvect, rightEvect, balance, job, select, isgn or sense
 */
record ClassicOption(String name) implements ClassicArgument {
    @Override
    public void write(ClassicMethod method) {
        method.parameter(type(), name, meaning(method.family()));
        method.statement(framed());
        method.view(type());
    }

    /** The enum. */
    String type() {
        return switch (name) {
            case "side" -> "Side";
            case "uplo" -> "Uplo";
            case "diag" -> "Diag";
            case "semiring" -> "Semiring";
            case "evect", "leftEvect", "rightEvect" -> "Evect";
            case "balance" -> "Balance";
            case "job" -> "Schur";
            case "select" -> "Selection";
            case "isgn" -> "Sign";
            case "sense" -> "Sense";
            case "itype" -> "Eform";
            case "erange" -> "Erange";
            case "eorder" -> "Eorder";
            case "norm" -> "Norm";
            case "direct" -> "Direct";
            case "storev" -> "Storev";
            case "fact" -> "Fact";
            case "region" -> "Region";
            case "leftSvect", "rightSvect" -> "Svect";
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

    /** The statement that puts it into the launch of a frame. */
    String framed() {
        return switch (field()) {
            case "opA", "opB", "side", "uplo", "diag" -> "Frame." + field() + "(g, " + name + ");";
            default -> "g." + field() + " = " + name + ";";
        };
    }

    /** What it says for people. */
    String meaning(ClassicFamily family) {
        return switch (name) {
            case "side" -> "the side of the product that A stands on";
            case "uplo" -> "the triangle of " + family.triangle() + " that is stored";
            case "evect" -> "which eigenvectors are computed";
            case "erange" -> "which eigenvalues are computed";
            case "eorder" -> "in what order they come";
            case "itype" -> "which problem is solved, 1, 2 or 3 of LAPACK";
            case "norm" -> "which norm";
            case "direct" -> "in what order reflectors are multiplied, or rows exchanged";
            case "storev" -> "how the vectors of the reflectors are stored";
            case "fact" -> "whether the factors are given";
            case "region" -> "which elements are meant";
            case "leftSvect" -> "which left singular vectors are computed, and where they go";
            case "rightSvect" -> "which right singular vectors are computed, and where they go";
            case "leftEvect" -> "which left eigenvectors are computed";
            case "rightEvect" -> "which right eigenvectors are computed";
            case "balance" -> "how the matrix is balanced";
            case "job" -> "whether the Schur form is computed, or the eigenvalues alone";
            case "select" -> "which eigenvalues come first";
            case "isgn" -> "the sign between the products";
            case "sense" -> "which condition numbers are computed";
            case "semiring" -> "what stands for sum and product";
            case "diag" -> "whether the diagonal of A is taken as ones";
            case "transB" -> "how B is read";
            default -> "how A is read";
        };
    }
}
