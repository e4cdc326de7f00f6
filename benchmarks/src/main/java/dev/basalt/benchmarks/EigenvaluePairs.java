package dev.basalt.benchmarks;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.PlannedCall;
import dev.basalt.VectorView;
import dev.basalt.bench.NativeLibrary;
import dev.basalt.foreign.NativeAccess;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** Eigenvalues without eigenvectors, in the first two tiers of syevd and by OpenBLAS, in turns on one thread, by processor time. */
final class EigenvaluePairs {
    private static final int TURNS = 5;

    private interface Run {
        void call();
    }

    private final Device device = Device.open("host:threads=1");
    private final Handle handle = device.createHandle();
    private final SymbolLookup peer = NativeLibrary.of("openblas", null, "").load(1);

    private EigenvaluePairs() {}

    /**
     * Measures.
     *
     * @param args workloads: a letter of s d c z and an order, as in {@code d:2048}
     */
    public static void main(String[] args) {
        EigenvaluePairs pairs = new EigenvaluePairs();
        System.out.println("# " + Machine.processor() + "; " + pairs.device.description() + "; " + Machine.load());
        System.out.println("type,n,best tier,ms,second tier,ms,OpenBLAS ms,second / best,OpenBLAS / best");
        for (String workload : args) {
            pairs.measure(workload.charAt(0), Integer.parseInt(workload.substring(2)));
        }
    }

    private static MemorySegment memory(MatrixView a, int n) {
        return NativeAccess.memory().asSlice(a.pointer().address(), (long) n * n * a.type().bytes());
    }

    private static void fill(MemorySegment a, boolean single) {
        SplittableRandom random = new SplittableRandom(7);
        for (long i = 0; i < a.byteSize() / (single ? 4 : 8); i++) {
            double x = random.nextDouble() - 0.5;
            if (single) {
                a.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) x);
            } else {
                a.setAtIndex(ValueLayout.JAVA_DOUBLE, i, x);
            }
        }
    }

    private void measure(char letter, int n) {
        ElementType type = TypeLetter.type(letter);
        try (DeviceArena arena = device.arena(); Arena off = Arena.ofConfined()) {
            MatrixView view = arena.matrix(type, n, n);
            MemorySegment a = memory(view, n);
            MemorySegment before = off.allocate(a.byteSize(), 64);
            fill(before, type.real() == ElementType.F32);
            VectorView d = arena.vector(type.real(), n);
            VectorView e = arena.vector(type.real(), n);
            VectorView info = arena.vector(ElementType.I32, 1);
            List<PlannedCall.Tier> tiers =
                    handle.plan(h -> Lapack.syevd(h, Evect.NONE, Uplo.LOWER, view, d, e, info)).calls().get(0).tiers();
            List<Run> runs = new ArrayList<>();
            for (PlannedCall.Tier tier : tiers.subList(0, 2)) {
                runs.add(() -> {
                    handle.setDeviceMemorySize(tier.bytes());
                    Lapack.syevd(handle, Evect.NONE, Uplo.LOWER, view, d, e, info);
                });
            }
            runs.add(theirs(letter, n, a, off));
            double[][] times = new double[runs.size()][TURNS];
            for (int turn = -1; turn < TURNS; turn++) {
                for (int i = 0; i < runs.size(); i++) {
                    a.copyFrom(before);
                    long start = Clock.cpuNanos();
                    runs.get(i).call();
                    times[i][Math.max(0, turn)] = (Clock.cpuNanos() - start) / 1e6;
                }
            }
            System.out.printf("%s,%d,%s,%.1f,%s,%.1f,%.1f,%.2f,%.2f%n", letter, n, tiers.get(0).name(),
                    median(times[0]), tiers.get(1).name(), median(times[1]), median(times[2]),
                    ratio(times[1], times[0]), ratio(times[2], times[0]));
        }
    }

    /** The peer's call; areas are as large as it may ask for. */
    private Run theirs(char letter, int n, MemorySegment a, Arena memory) {
        boolean complex = letter == 'c' || letter == 'z';
        int room = 64 * n + 1000;
        MemorySegment size = memory.allocateFrom(ValueLayout.JAVA_INT, room);
        MemorySegment order = memory.allocateFrom(ValueLayout.JAVA_INT, n);
        List<MemorySegment> arguments = new ArrayList<>(
                List.of(memory.allocateFrom("N"), memory.allocateFrom("L"), order, a, order, memory.allocate(8L * n)));
        for (int area = 0; area < (complex ? 3 : 2); area++) {
            arguments.add(memory.allocate(16L * room, 64));
            arguments.add(size);
        }
        arguments.add(memory.allocate(8));
        MemoryLayout[] layouts =
                Collections.nCopies(arguments.size(), ValueLayout.ADDRESS).toArray(MemoryLayout[]::new);
        MethodHandle function = NativeAccess.downcall(peer.find(letter + (complex ? "heevd_" : "syevd_")).orElseThrow(),
                FunctionDescriptor.ofVoid(layouts));
        return () -> {
            try {
                function.invokeWithArguments(arguments);
            } catch (Throwable t) {
                throw NativeAccess.failure(t);
            }
        };
    }

    private static double median(double[] times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double ratio(double[] over, double[] under) {
        double[] ratios = new double[over.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = over[i] / under[i];
        }
        return median(ratios);
    }
}
