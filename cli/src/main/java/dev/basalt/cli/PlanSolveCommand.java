package dev.basalt.cli;

import dev.basalt.ByteSize;
import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.Plan;
import dev.basalt.type.ElementType;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Iterator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code basalt plan solve}. */
@Command(name = "solve", description = "The plan of solving A X = B for an n x n matrix A, or an m x n one.")
final class PlanSolveCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** The methods that no matrix is looked at for. */
    static final class Planned implements Iterable<String> {
        Planned() {}

        @Override
        public Iterator<String> iterator() {
            return Method.names(Method.AUTO, Method.BANDED).iterator();
        }
    }

    @Option(names = {"-n", "--n"}, required = true, paramLabel = "N", converter = CountOption.class,
            description = "Order of the matrix, or its columns.")
    private long n;

    @Option(names = {"-m", "--m"}, paramLabel = "M", converter = CountOption.class,
            description = "Rows of the matrix, for qr (default: N).")
    private Long m;

    @Option(names = "--nrhs", paramLabel = "COUNT", defaultValue = "1", converter = CountOption.class,
            description = "Right-hand sides (default: ${DEFAULT-VALUE}).")
    private long nrhs;

    @Option(names = "--batch", paramLabel = "COUNT", defaultValue = "1", converter = CountOption.class,
            description = "Systems solved at once (default: ${DEFAULT-VALUE}).")
    private long batch;

    @Option(names = "--type", paramLabel = "s|d|c|z", defaultValue = "d", converter = TypeOption.class,
            completionCandidates = TypeOption.class, description = "Element type (default: ${DEFAULT-VALUE}).")
    private ElementType type;

    @Option(names = "--method", paramLabel = "lu|cholesky|ldl|qr|mixed[-tf32|-f16|-bf16]", defaultValue = "lu",
            converter = Method.Converter.class, completionCandidates = Planned.class,
            description = "How to solve (default: ${DEFAULT-VALUE}).")
    private Method method;

    @Mixin
    private DeviceOption device;

    @Mixin
    private Output output;

    @Option(names = "--svg", paramLabel = "FILE", description = "Draw the plan.")
    private Path svg;

    PlanSolveCommand() {}

    @Override
    public void run() {
        long operands = operands();
        if (method == Method.AUTO || method == Method.BANDED) {
            throw new ParameterException(spec.commandLine(),
                    "--method "
                            + (method == Method.AUTO ? "auto depends on the matrix" : "banded depends on its diagonals")
                            + "; accepted are " + Method.accepted(Method.AUTO, Method.BANDED));
        }
        if (method.isSquare() && rows() != n) {
            throw new ParameterException(spec.commandLine(),
                    method + " needs as many rows as columns; use --method qr");
        }
        if (method.isMixed() && type.real() == ElementType.F32) {
            throw new ParameterException(spec.commandLine(), Choice.NEEDS_DOUBLE);
        }
        if (svg != null) {
            MarketWriter.check(svg);
        }
        Plan plan;
        String where;
        try (Device opened = device.open(); Handle handle = opened.handleBuilder().deviceMemorySize(0).create()) {
            plan = plan(handle);
            where = opened.toString();
        }
        if (svg != null) {
            MarketWriter.write(svg, plan.toSvg());
        }
        print(plan, where, operands);
    }

    private Plan plan(Handle handle) {
        Operands operands = Operands.shapes(type, rows(), n, nrhs, batch);
        return handle.plan(h -> method.calls(h, operands));
    }

    private void print(Plan plan, String where, long operands) {
        PrintWriter out = spec.commandLine().getOut();
        if (output.json()) {
            out.println(plan.toJson());
        } else {
            out.println("solve by " + method + ": " + (rows() == n ? "" : "m = " + rows() + ", ") + "n = " + n
                    + ", nrhs = " + nrhs + ", type " + type.letter() + (batch == 1 ? "" : ", batch of " + batch)
                    + ", on " + where);
            out.println("operands: " + ByteSize.format(operands) + "; the plan is for the workspace beside them");
            if (method.leavesFactors()) {
                out.println("the last "
                        + (method == Method.CHOLESKY || method == Method.LDL ? "call estimates" : "two calls estimate")
                        + " the condition number, as basalt solve does");
            }
            out.println();
            out.println(plan);
            if (svg != null) {
                out.println("picture: " + svg);
            }
        }
        out.flush();
    }

    private long rows() {
        return m == null ? n : m;
    }

    /** Bytes of A, B and pivots; and of X, where that is apart. */
    private long operands() {
        try {
            long sides = Math.multiplyExact(Math.max(rows(), n), nrhs);
            long apart = method.isMixed() ? sides : 0;
            long elements = Math.addExact(Math.multiplyExact(rows(), n), Math.addExact(sides, apart));
            long pivots = method != Method.CHOLESKY && method != Method.QR
                    ? Math.multiplyExact(n, (long) ElementType.I64.bytes())
                    : 0;
            long one = Math.addExact(Math.multiplyExact(elements, (long) type.bytes()), pivots);
            return Math.multiplyExact(batch, one);
        } catch (ArithmeticException e) {
            throw new ParameterException(spec.commandLine(),
                    "the sizes overflow: the operands would take more than 2^63-1 bytes", e);
        }
    }
}
