package dev.basalt.codegen;

/** How the problems of a call are given. */
enum ClassicForm {
    /** One problem. */
    PLAIN("", ""),
    /** A table of addresses for every vector and matrix. */
    BATCHED("Batched", ", for a batch given by tables of addresses"),
    /** Every operand of the batch at equal distances. */
    STRIDED("StridedBatched", ", for a batch at equal distances");

    /** What the method's name ends in. */
    final String suffix;

    /** What the first sentence of the documentation ends in. */
    final String words;

    ClassicForm(String suffix, String words) {
        this.suffix = suffix;
        this.words = words;
    }
}
