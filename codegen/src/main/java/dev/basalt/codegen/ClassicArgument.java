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
        if (ClassicPivots.is(text)) {
            return ClassicPivots.of(text);
        }
        if (text.matches(".*[\\]>}].*")) {
            return ClassicOperand.of(text);
        }
        return switch (name) {
            case "semiring", "side", "uplo", "diag", "evect", "erange", "eorder", "itype", "trans", "transA", "transB",
                    "norm", "direct", "storev", "fact", "region", "leftSvect", "rightSvect", "leftEvect", "rightEvect",
                    "balance", "job", "select", "isgn", "sense" ->
                new ClassicOption(name);
            case "alpha", "beta", "c", "s", "tol", "vl", "vu", "abstol", "cfrom", "cto" ->
                new ClassicScalar(name, text.endsWith(":real"));
            case "info", "result" -> ClassicOutcome.of(text);
            default -> {
                if (!ClassicDimension.NAMES.contains(text)) {
                    throw new IllegalArgumentException("not an argument: " + text);
                }
                yield new ClassicDimension(name);
            }
        };
    }
}
