package dev.basalt.cli;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.Plan;
import dev.basalt.bench.TableSweep;
import dev.basalt.type.ElementType;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code basalt plan routine}: any routine that the table of routines has. */
@Command(name = "routine", description = {
        "The plan of calls of one routine of BLAS or LAPACK, by its name without the type letter.",
        "Of several sizes and options each is combined with every other: the plan is for one call after another."})
final class PlanRoutineCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FAMILY", completionCandidates = Families.class,
            description = "Such as getrf, gels or gemm.")
    private String family;

    @Option(names = "-m", paramLabel = "M", split = ",", description = "Rows (default: n).")
    private List<Long> m = new ArrayList<>();

    @Option(names = "-n", paramLabel = "N", split = ",", required = true, description = "Columns, order or length.")
    private List<Long> n;

    @Option(names = "-k", paramLabel = "K", split = ",",
            description = "Inner dimension, right-hand sides or diagonals (default: n).")
    private List<Long> k = new ArrayList<>();

    @Option(names = "--side", paramLabel = "L|R", split = ",", defaultValue = "L", description = "Side (default: L).")
    private List<String> side;

    @Option(names = "--uplo", paramLabel = "U|L", split = ",", defaultValue = "U",
            description = "Triangle (default: U).")
    private List<String> uplo;

    @Option(names = "--trans", paramLabel = "N|T|C", split = ",", defaultValue = "N",
            description = "How A is read (default: N).")
    private List<String> trans;

    @Option(names = "--type", paramLabel = "s|d|c|z", defaultValue = "d", converter = TypeOption.class,
            completionCandidates = TypeOption.class, description = "Element type (default: ${DEFAULT-VALUE}).")
    private ElementType type;

    @Mixin
    private DeviceOption device;

    @Mixin
    private Output output;

    PlanRoutineCommand() {}

    @Override
    public void run() {
        TableSweep sweep = new TableSweep(List.of(family), String.valueOf(type.letter()), m, n, k, List.of(), List.of(),
                side, uplo, List.of("N"), trans, List.of("N"), List.of("V"), List.of(0L));
        PrintWriter out = spec.commandLine().getOut();
        try (Device opened = device.open(); Handle handle = opened.handleBuilder().deviceMemorySize(0).create()) {
            Plan plan = sweep.plan(handle);
            out.println(output.json() ? plan.toJson() : plan.toString());
        } catch (IllegalArgumentException | BlasException e) {
            throw Failure.usage(e.getMessage(), e);
        }
        out.flush();
    }
}
