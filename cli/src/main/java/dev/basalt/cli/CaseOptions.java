package dev.basalt.cli;

import dev.basalt.bench.Arguments;
import picocli.CommandLine.Option;

/** What is called: the options of rocblas-bench, under their names there. */
@SuppressWarnings("UnusedMethod") // picocli calls them
final class CaseOptions {
    private final Arguments arguments = new Arguments();

    CaseOptions() {}

    /** What was given. */
    Arguments arguments() {
        return arguments;
    }

    @Option(names = {"-f", "--function"}, paramLabel = "NAME", completionCandidates = Families.class,
            description = "Routine without type letter, such as gemm, gemm_batched or gemm_strided_batched.")
    private void function(String text) {
        arguments.set("function", text);
    }

    @Option(names = {"-r", "--precision"}, paramLabel = "s|d|c|z",
            description = "Type, also as f32_r f64_r f32_c f64_c (default: s).")
    private void precision(String text) {
        arguments.set("precision", text);
    }

    @Option(names = "-m", paramLabel = "M", description = "Rows (default: n, else 128).")
    private void m(String text) {
        arguments.set("m", text);
    }

    @Option(names = "-n", paramLabel = "N", description = "Columns, order or length (default: m, else 128).")
    private void n(String text) {
        arguments.set("n", text);
    }

    @Option(names = "-k", paramLabel = "K", description = "Inner dimension (default: n, else 128).")
    private void k(String text) {
        arguments.set("k", text);
    }

    @Option(names = "--nrhs", paramLabel = "COUNT", description = "Right-hand sides (default: 1).")
    private void nrhs(String text) {
        arguments.set("nrhs", text);
    }

    @Option(names = "--lda", paramLabel = "LD", description = "Leading dimension of A (default: the least).")
    private void lda(String text) {
        arguments.set("lda", text);
    }

    @Option(names = "--ldb", paramLabel = "LD", description = "Leading dimension of B (default: the least).")
    private void ldb(String text) {
        arguments.set("ldb", text);
    }

    @Option(names = "--ldc", paramLabel = "LD", description = "Leading dimension of C (default: the least).")
    private void ldc(String text) {
        arguments.set("ldc", text);
    }

    @Option(names = "--incx", paramLabel = "INC", description = "Increment of x (default: 1).")
    private void incx(String text) {
        arguments.set("incx", text);
    }

    @Option(names = "--incy", paramLabel = "INC", description = "Increment of y (default: 1).")
    private void incy(String text) {
        arguments.set("incy", text);
    }

    @Option(names = "--stride_a", paramLabel = "S",
            description = "From one A of a batch to the next (default: the least).")
    private void strideA(String text) {
        arguments.set("stride_a", text);
    }

    @Option(names = "--stride_b", paramLabel = "S", description = "The same of B.")
    private void strideB(String text) {
        arguments.set("stride_b", text);
    }

    @Option(names = "--stride_c", paramLabel = "S", description = "The same of C.")
    private void strideC(String text) {
        arguments.set("stride_c", text);
    }

    @Option(names = "--stride_x", paramLabel = "S", description = "The same of x.")
    private void strideX(String text) {
        arguments.set("stride_x", text);
    }

    @Option(names = "--stride_y", paramLabel = "S", description = "The same of y.")
    private void strideY(String text) {
        arguments.set("stride_y", text);
    }

    @Option(names = "--alpha", paramLabel = "A", description = "Factor (default: 1; of scal -1, since 1 does nothing).")
    private void alpha(String text) {
        arguments.set("alpha", text);
    }

    @Option(names = "--alphai", paramLabel = "A", description = "Its imaginary part (default: 0).")
    private void alphai(String text) {
        arguments.set("alphai", text);
    }

    @Option(names = "--beta", paramLabel = "B", description = "Factor of the old value (default: 0).")
    private void beta(String text) {
        arguments.set("beta", text);
    }

    @Option(names = "--betai", paramLabel = "B", description = "Its imaginary part (default: 0).")
    private void betai(String text) {
        arguments.set("betai", text);
    }

    @Option(names = "--transposeA", paramLabel = "N|T|C", description = "How A is read (default: N).")
    private void transposeA(String text) {
        arguments.set("transposeA", text);
    }

    @Option(names = "--transposeB", paramLabel = "N|T|C", description = "How B is read (default: N).")
    private void transposeB(String text) {
        arguments.set("transposeB", text);
    }

    @Option(names = "--side", paramLabel = "L|R", description = "Side of the triangular or symmetric A (default: L).")
    private void side(String text) {
        arguments.set("side", text);
    }

    @Option(names = "--uplo", paramLabel = "U|L", description = "Stored triangle (default: U).")
    private void uplo(String text) {
        arguments.set("uplo", text);
    }

    @Option(names = "--diag", paramLabel = "N|U", description = "Whether the diagonal is unit (default: N).")
    private void diag(String text) {
        arguments.set("diag", text);
    }

    @Option(names = "--promised", paramLabel = "RATIO",
            description = "Ratio to the peer that is promised, for the column of that name.")
    private void promised(String text) {
        arguments.set("promised", text);
    }

    @Option(names = "--batch_count", paramLabel = "COUNT", description = "Problems of a batch (default: 1).")
    private void batchCount(String text) {
        arguments.set("batch_count", text);
    }
}
