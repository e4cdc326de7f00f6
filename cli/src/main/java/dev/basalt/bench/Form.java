package dev.basalt.bench;

/** One problem a call, or a batch of them. */
public enum Form {
    /** One problem. */
    SINGLE(""),
    /** A batch by tables of addresses. */
    BATCHED("_batched"),
    /** A batch at equal distances. */
    STRIDED_BATCHED("_strided_batched");

    private final String suffix;

    Form(String suffix) {
        this.suffix = suffix;
    }

    /**
     * What a function's name ends in.
     *
     * @return {@code ""}, {@code _batched} or {@code _strided_batched}
     */
    public String suffix() {
        return suffix;
    }

    /**
     * The form that a function's name ends in.
     *
     * @param function such as {@code gemm_batched}
     * @return the form
     */
    static Form of(String function) {
        if (function.endsWith(STRIDED_BATCHED.suffix)) {
            return STRIDED_BATCHED;
        }
        return function.endsWith(BATCHED.suffix) ? BATCHED : SINGLE;
    }
}
