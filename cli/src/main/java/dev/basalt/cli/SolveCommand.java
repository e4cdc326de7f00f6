package dev.basalt.cli;

import dev.basalt.Device;
import dev.basalt.type.ElementType;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code basalt solve}. */
@Command(name = "solve", description = {
        "Solves A X = B for a matrix from a file and says how well and how fast.",
        "With more equations than unknowns the solution is that of least squares, with fewer that of least norm.",
        "Without B the right-hand side is made from a random solution, so that the error is known.",
        "The condition number is estimated; a matrix that is singular to working precision is a warning and exit code"
                + " 3, unless --force accepts it. The solution is printed and written all the same."})
final class SolveCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Output output;

    @Parameters(index = "0", paramLabel = "A.mtx",
            description = "The matrix: Matrix Market, NPY, NPZ, MAT, HDF5, CSV or TSV, also packed (gz, bz2, xz, zst); - is standard"
                    + " input, FILE#NAME one of several in a file.")
    private Path matrix;

    @Parameters(index = "1", arity = "0..1", paramLabel = "B.mtx", description = "Right-hand sides, as many rows as A.")
    private Path rightHandSides;

    @Option(names = "--type", paramLabel = "s|d|c|z", converter = TypeOption.class,
            completionCandidates = TypeOption.class,
            description = "Compute in this type (default: d for real matrices, z for complex ones).")
    private ElementType type;

    @Option(names = "--method", paramLabel = "auto|lu|cholesky|ldl|banded|qr|mixed[-tf32|-f16|-bf16]",
            converter = Method.Converter.class, completionCandidates = Method.Converter.class, defaultValue = "auto",
            description = "How to solve (default: ${DEFAULT-VALUE}: QR if A is not square, banded if it is a narrow band, Cholesky if A is"
                    + " Hermitian and positive definite, LDL if it is Hermitian, else LU). mixed: LU in single precision, refined to double;"
                    + " with -tf32, -f16 or -bf16: with rounded products, refined by GMRES.")
    private Method method;

    @Mixin
    private DeviceOption device;

    @Option(names = "--workspace", paramLabel = "SIZE",
            description = "Fix the workspace, such as 64m; 0: let the library manage it (default: see basalt doctor).")
    private String workspace;

    @Option(names = "--nrhs", paramLabel = "COUNT", defaultValue = "1", converter = CountOption.class,
            description = "Random right-hand sides, if there is no B (default: ${DEFAULT-VALUE}).")
    private long nrhs;

    @Option(names = "--seed", paramLabel = "NUMBER", defaultValue = "42",
            description = "Where random numbers start (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = {"-o", "--out"}, paramLabel = "X.mtx",
            description = "Write the solution as .mtx, .npy, .npz, .mat, .h5, .csv or .tsv, packed with .gz, .bz2, .xz or .zst behind; - is"
                    + " standard output.")
    private Path out;

    @Option(names = "--cond",
            description = "Estimate the condition number where the method leaves no factors too, by LU (mixed).")
    private boolean cond;

    @Option(names = "--det", description = "Print the determinant too.")
    private boolean det;

    @Option(names = "--inverse", paramLabel = "INV.mtx", description = "Write the inverse of A too.")
    private Path inverse;

    @Option(names = "--force",
            description = "Accept a matrix that is singular to working precision: exit code 0, and a warning in the report.")
    private boolean force;

    SolveCommand() {}

    @Override
    public void run() {
        if (nrhs > MarketHeader.MOST) {
            throw new ParameterException(spec.commandLine(),
                    "--nrhs is " + nrhs + "; at most " + MarketHeader.MOST + " are possible");
        }
        long fixed = Workbench.workspace(spec, workspace);
        for (Path file : new Path[] {out, inverse}) {
            if (file != null) {
                MarketWriter.check(file);
            }
        }
        SolveReport report;
        try (Progress progress = output.progress(); Device opened = device.open()) {
            Problem.RandomSides random = new Problem.RandomSides((int) nrhs, seed);
            Problem problem = Problem.read(matrix, rightHandSides, type, method, random, opened, progress);
            for (Path file : new Path[] {out, inverse}) {
                if (file != null) {
                    MatrixWriter.check(file, problem.type().isComplex());
                }
            }
            Choice choice = new Choice(method, problem, det, inverse != null);
            try (DirectSolver solver =
                    new DirectSolver(opened, problem, fixed, choice.band(), method.isMixed(), cond, progress)) {
                report = choice.solve(solver, seed);
                DenseMatrix x = solver.solution();
                progress.phase("measuring the error");
                report.measure(x, progress);
                if (out != null) {
                    progress.phase("writing " + out.getFileName());
                    String comment = "solution of " + matrix.getFileName() + " by basalt, " + report.method();
                    output.write(out, x, problem.type().real() == ElementType.F32, comment);
                }
                if (inverse != null) {
                    progress.phase("writing " + inverse.getFileName());
                    String comment = "inverse of " + matrix.getFileName() + " by basalt, " + report.method();
                    output.write(inverse, report.inverse(), problem.type().real() == ElementType.F32, comment);
                }
            }
        }
        output.print(report.all(out, inverse));
        if (report.isSingular() && !force) {
            throw Failure.singular(report.singular());
        }
    }
}
