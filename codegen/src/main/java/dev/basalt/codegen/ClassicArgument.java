package dev.basalt.codegen;

/** One argument of a routine as the table of routines describes it. */
sealed interface ClassicArgument
        permits ClassicDimension, ClassicOption, ClassicScalar, ClassicPivots, ClassicOutcome, ClassicOperand {
    /** Its name in BLAS. */
    String name();

    /**
     * Adds its parameters, their documentation and the statements that put them into the call's frame.
     *
     * @param method the method being written
     */
    void write(ClassicMethod method);

    /**
     * Reads one argument.
     *
     * @param text such as {@code A:a[m,k]^transA}
     * @return the argument
     */
    static ClassicArgument of(String text) {
        String name = text.split(":", 2)[0];
        boolean pivots = name.equals("ipiv") || name.equals("tau");
        if (text.endsWith("]") && !pivots || text.contains("]:")) {
            return ClassicOperand.of(text);
        }
        return switch (name) {
            case "m", "n", "k", "nrhs", "kl", "ku", ClassicDimension.INVERSES -> new ClassicDimension(name);
            case "semiring", "side", "uplo", "diag", "trans", "transA", "transB" -> new ClassicOption(name);
            case "alpha", "beta", "c", "s" -> new ClassicScalar(name, text.endsWith(":real"));
            case "ipiv", "tau" -> ClassicPivots.of(text);
            case "info", "result" -> ClassicOutcome.of(text);
            default -> ClassicOperand.of(text);
        };
    }
}
