package dev.basalt.cli;

import dev.basalt.BlasException;
import dev.basalt.ByteSize;
import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.bench.Arguments;
import dev.basalt.bench.Bench;
import dev.basalt.bench.Csv;
import dev.basalt.bench.CublasPeer;
import dev.basalt.bench.CudaSite;
import dev.basalt.bench.HostSite;
import dev.basalt.bench.NativeLibrary;
import dev.basalt.bench.NativePeer;
import dev.basalt.bench.Peer;
import dev.basalt.bench.RandomCases;
import dev.basalt.bench.Settings;
import dev.basalt.bench.Site;
import dev.basalt.bench.Sweep;
import dev.basalt.bench.SweepBench;
import dev.basalt.bench.SweepCase;
import dev.basalt.bench.TableBench;
import dev.basalt.bench.TableCase;
import dev.basalt.bench.TableLine;
import dev.basalt.bench.TableSweep;
import dev.basalt.bench.Workload;
import dev.basalt.type.MathMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code basalt bench}, in the manner of rocblas-bench. */
@Command(name = "bench", subcommands = BenchTableCommand.class, description = {
        "Measures a routine, one line of comma-separated values a case; checks the results in the same run.",
        "Options are those of rocblas-bench. A size may be a list (8,16,32) or a range (64:512:64, 64:4096:*2)."})
final class BenchCommand implements Callable<Integer> {
    /** OpenBLAS keeps buffers on the stack and crashes on a thread of Java's usual size. */
    private static final long STACK = 64L << 20;

    /** Time for the samples of a case of a sweep, beside that for warming up. */
    private static final long SWEEP_NANOS = 300_000_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private CaseOptions cases;

    @Mixin
    private DeviceOption device;

    @Mixin
    private Output output;

    @Option(names = {"-i", "--iters"}, paramLabel = "COUNT", defaultValue = "10", converter = CountOption.class,
            description = "Timed samples (default: ${DEFAULT-VALUE}); short calls are repeated within a sample.")
    private long iters;

    @Option(names = {"-j", "--cold_iters"}, paramLabel = "COUNT", defaultValue = "2", converter = CountOption.class,
            description = "Samples before the timed ones, at least (default: ${DEFAULT-VALUE}).")
    private long coldIters;

    @Option(names = "--warmup", paramLabel = "MS", defaultValue = "300", converter = CountOption.class,
            description = "Milliseconds of warming up, at least (default: ${DEFAULT-VALUE}).")
    private long warmUp;

    @Option(names = {"-v", "--verify"}, paramLabel = "0|1", defaultValue = "1", converter = SwitchOption.class,
            description = "Check the results (default: ${DEFAULT-VALUE}).")
    private int verify;

    @Option(names = "--workspace", paramLabel = "SIZE",
            description = "Workspace of the handle, fixed, such as 64m (default: the library manages it).")
    private String workspace;

    @Option(names = "--math_mode", paramLabel = "MODE", defaultValue = "default", converter = MathModeOption.class,
            completionCandidates = MathModeOption.class,
            description = "How exactly products take their factors: default, tf32, f16, bf16 (of -r s) or emulated (of -r d)"
                    + " (default: ${DEFAULT-VALUE}).")
    private MathMode mathMode;

    @Option(names = "--flush_memory_size", paramLabel = "SIZE",
            description = "Rotate over copies of the operands that take that much memory, so that the caches are cold.")
    private String flushMemory;

    @Option(names = "--flush_batch_count", paramLabel = "COUNT", defaultValue = "1", converter = CountOption.class,
            description = "Rotate over that many copies of the operands (default: ${DEFAULT-VALUE}).")
    private long flushCount;

    @Option(names = "--threads", paramLabel = "COUNT", converter = CountOption.class,
            description = "Threads at work in a call, of the peer too (default: all processors; peer: 1).")
    private Long threads;

    @Option(names = "--peer", paramLabel = "openblas|mkl|cublas",
            description = "Measure another library in turns with Basalt, on the same operands; cublas (with cuSOLVER and cuSPARSE)"
                    + " on a cuda device, the others on the host.")
    private String peerName;

    @Option(names = "--peer-library", paramLabel = "PATH",
            description = "The peer's shared library, the folder with it, or its jar for linux-x86_64 from"
                    + " org.bytedeco (default: the class path, then the system's libraries).")
    private Path peerLibrary;

    @Option(names = "--peer-core", paramLabel = "NAME", defaultValue = "",
            description = "OpenBLAS's kernels, such as SkylakeX or Haswell (default: its own choice).")
    private String peerCore;

    @Option(names = "--limits",
            description = "Measure what the machine can do at most, too: bandwidth of a copy or speed of a product.")
    private boolean limits;

    @Option(names = "--yaml", paramLabel = "FILE", description = "Run the cases of a file: a list of mappings.")
    private Path yaml;

    @Option(names = "--plot", paramLabel = "FILE",
            description = "Draw the speeds over n as .png or .svg, with the limits of the machine as measured.")
    private Path plot;

    @Option(names = "--processor_time",
            description = "Count the time for which the calling thread has a processor, not the wall's: for a busy machine, with"
                    + " --threads 1 on the host.")
    private boolean processorTime;

    @Option(names = "--sweep", paramLabel = "SEED",
            description = "Draw cases at random over all routines (or those of -f, -r), types, options and awkward sizes, and print"
                    + " how Basalt stands to the peer by class, and the worst cases.")
    private Long seed;

    @Option(names = "--count", paramLabel = "COUNT", defaultValue = "500", converter = CountOption.class,
            description = "Cases of a sweep (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(names = {"-o", "--out"}, paramLabel = "FILE",
            description = "Write every case of a sweep to a file, as comma-separated values.")
    private Path file;

    BenchCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (seed != null) {
            return onLargeStack(this::sweep);
        }
        if (yaml == null && TableSweep.othersAndLapack().contains(cases.arguments().get("function"))) {
            List<TableCase> all = tableCases();
            return onLargeStack(() -> measureTable(all));
        }
        List<Workload> workloads = workloads();
        SpeedPlot picture = plot == null ? null : new SpeedPlot(plot, workloads);
        return onLargeStack(() -> measure(workloads, picture));
    }

    /** Runs on a thread whose stack is large enough for a peer. */
    static int onLargeStack(Callable<Integer> work) throws InterruptedException {
        FutureTask<Integer> task = new FutureTask<>(work);
        Thread thread = new Thread(null, task, "bench", STACK);
        thread.start();
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private List<Workload> workloads() {
        if (yaml != null) {
            return new Cases(yaml, cases.arguments()).read();
        }
        try {
            List<Workload> all = new ArrayList<>();
            for (Arguments one : Sweep.of(cases.arguments())) {
                all.add(one.workload());
            }
            return all;
        } catch (IllegalArgumentException e) {
            throw Failure.usage(e.getMessage(), e);
        }
    }

    private List<TableCase> tableCases() {
        String function = cases.arguments().get("function");
        if (plot != null || flushMemory != null || flushCount != 1) {
            throw Failure.usage(
                    "--plot and --flush_* are not for " + function + ", which the table of routines alone has", null);
        }
        try {
            return TableSweep.of(cases.arguments()).cases();
        } catch (IllegalArgumentException e) {
            throw Failure.usage(e.getMessage(), e);
        }
    }

    /** A family that only the table of routines has: its lines are those of {@code bench table}. */
    private int measureTable(List<TableCase> all) throws IOException {
        try (Device opened = device.open(threads);
                Handle handle = handle(opened);
                Site site = clock(opened, handle, threads, processorTime);
                Peer peer = peer(opened, site)) {
            BenchLines lines = new BenchLines(output, TableLine.HEAD);
            BenchTableCommand.measure(new TableBench(opened, handle, peer, settings(limits), site), all, lines::print);
        }
        return 0;
    }

    /** Random cases: a line each goes to the file, the report to standard output. */
    private int sweep() throws IOException {
        Map<String, String> given = cases.arguments().given();
        if (!Set.of("function", "precision").containsAll(given.keySet())) {
            throw Failure.usage("--sweep draws all sizes and options; only -f and -r narrow it", null);
        }
        try (Device opened = device.open(threads);
                Handle handle = handle(opened);
                Site site = clock(opened, handle, threads, processorTime);
                Peer peer = peer(opened, site)) {
            SweepBench bench = new SweepBench(opened, handle, peer, settings(false).within(SWEEP_NANOS), site);
            return new SweepRun(output, file).run(drawn(given, peer), bench,
                    opened.description() + (peer == null ? "" : "; " + peer.name() + ": " + peer.description()),
                    again(opened));
        }
    }

    private List<SweepCase> drawn(Map<String, String> given, Peer peer) {
        List<String> families = given.containsKey("function") ? List.of(given.get("function").split(",")) : List.of();
        String types = given.getOrDefault("precision", "").replace(",", "");
        try {
            return new RandomCases(seed, families, types, c -> peer == null || peer.knows(c))
                    .next(Math.toIntExact(Math.min(count, 1 << 20)));
        } catch (IllegalArgumentException e) {
            throw Failure.usage(e.getMessage(), e);
        }
    }

    /** What runs one case of a sweep again, but for its options. */
    private String again(Device opened) {
        return "basalt bench" + (isCuda(opened) ? " --device " + opened.name() : "")
                + (threads == null ? "" : " --threads " + threads) + (processorTime ? " --processor_time" : "")
                + (peerName == null ? "" : " --peer " + peerName)
                + (peerCore.isEmpty() ? "" : " --peer-core " + peerCore);
    }

    private Settings settings(boolean measureLimits) {
        return new Settings(Math.toIntExact(Math.min(iters, 1 << 20)), Math.toIntExact(Math.min(coldIters, 1 << 20)),
                Math.min(warmUp, 1 << 20) * 1_000_000, size("--flush_memory_size", flushMemory, 0),
                Math.toIntExact(Math.min(flushCount, 1 << 16)), verify == 1, measureLimits);
    }

    private Handle handle(Device opened) {
        long fixed = size("--workspace", workspace, -1);
        Handle handle = fixed < 0 ? opened.createHandle() : opened.handleBuilder().deviceMemorySize(fixed).create();
        handle.setMathMode(mathMode);
        return handle;
    }

    /** Checks and peers count in 32 bits; the routines do not. */
    private void requireCheckable(Workload w) {
        long longest = Math.max(Math.max(w.m, w.n), Math.max(w.k, w.nrhs));
        if (longest > Integer.MAX_VALUE && (verify == 1 || peerName != null)) {
            throw Failure
                    .usage("a size of " + longest + " is beyond 2^31-1, where results are not checked and no peer is"
                            + " called: add -v 0 and leave out --peer", null);
        }
    }

    private int measure(List<Workload> workloads, SpeedPlot picture) {
        Settings settings = settings(picture != null || limits);
        workloads.forEach(this::requireCheckable);
        try (Device opened = device.open(threads); Handle handle = handle(opened)) {
            workloads.forEach(workload -> requireRoom(workload, opened));
            return measure(workloads, picture, settings, opened, handle);
        }
    }

    private int measure(List<Workload> workloads, SpeedPlot picture, Settings settings, Device opened, Handle handle) {
        boolean wrong = false;
        try (Site site = clock(opened, handle, threads, processorTime); Peer peer = peer(opened, site)) {
            Bench bench = new Bench(opened, handle, peer, settings, site);
            int shown = threads == null ? 0 : Math.toIntExact(threads);
            if (peer != null && isCuda(opened) && !output.quiet()) {
                spec.commandLine().getErr().println(opened + "; " + peer.description());
            }
            Csv csv = new Csv(settings, opened.name(), shown, peer == null ? "" : peer.name());
            BenchLines lines = new BenchLines(output, csv.head());
            for (Workload workload : workloads) {
                Bench.Line line = bench.run(workload);
                lines.print(csv.line(line));
                wrong |= line.wrong();
                if (picture != null) {
                    picture.add(line, peer == null ? "" : peer.name());
                }
            }
            if (picture != null) {
                picture.draw(opened.description(), shown);
            }
        }
        if (wrong) {
            throw new Failure("wrong results: see the lines with verified = WRONG");
        }
        return 0;
    }

    static boolean isCuda(Device opened) {
        return opened.name().startsWith("cuda");
    }

    /** The site that counts what a user asks for. */
    static Site clock(Device opened, Handle handle, Long threads, boolean processorTime) {
        if (!processorTime) {
            return site(opened, handle);
        }
        if (isCuda(opened) || threads == null || threads != 1) {
            throw Failure.usage("--processor_time needs the host and --threads 1: other threads' time does not count",
                    null);
        }
        return new HostSite(handle, true);
    }

    static Site site(Device opened, Handle handle) {
        try {
            return isCuda(opened) ? new CudaSite(opened, handle) : new HostSite(handle);
        } catch (IllegalStateException e) {
            throw new Failure(opened.name() + " cannot be timed: " + e.getMessage(), e);
        }
    }

    private Peer peer(Device opened, Site site) {
        if (peerName == null) {
            if (peerLibrary != null || !peerCore.isEmpty()) {
                throw Failure.usage("--peer-library and --peer-core need --peer", null);
            }
            return null;
        }
        return peer(peerName, peerLibrary, peerCore, threads == null ? 1 : Math.toIntExact(threads), opened, site);
    }

    /** Loads a peer that computes where the device does. */
    static Peer peer(String name, Path path, String core, int threads, Device opened, Site site) {
        boolean onGpu = name.equals("cublas");
        if (onGpu != isCuda(opened)) {
            throw Failure.usage("--peer: " + name + " computes on " + (onGpu ? "a cuda device" : "the host")
                    + ", not on " + opened.name() + (onGpu ? "; add --device cuda:0" : ""), null);
        }
        try {
            if (onGpu) {
                return new CublasPeer(opened, (CudaSite) site, path);
            }
            NativeLibrary library = NativeLibrary.of(name, path, core);
            return new NativePeer(library, threads);
        } catch (IllegalArgumentException e) {
            throw Failure.usage("--peer: " + e.getMessage(), e);
        } catch (IllegalStateException e) {
            throw new Failure("--peer: " + e.getMessage(), e);
        }
    }

    private static long size(String option, String text, long otherwise) {
        try {
            return text == null ? otherwise : ByteSize.parse(option, text);
        } catch (BlasException e) {
            throw Failure.usage(e.getMessage(), e);
        }
    }

    /** Refuses operands that the device has no memory for, before any is taken: what a system promises it may take back by ending the process. */
    private static void requireRoom(Workload workload, Device device) {
        long free = device.freeMemory();
        if (workload.operandBytes() > free) {
            throw new Failure("not enough memory: the operands take " + ByteSize.format((long) workload.operandBytes())
                    + ", " + device.name() + " has " + ByteSize.format(free) + " free");
        }
    }
}
