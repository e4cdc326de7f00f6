package dev.basalt.benchmarks;

import static java.lang.foreign.ValueLayout.ADDRESS;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.PackedView;
import dev.basalt.VectorView;
import dev.basalt.bench.NativeLibrary;
import dev.basalt.foreign.NativeAccess;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Tridiagonal and packed systems in double precision with one right-hand side beside those of a native LAPACK, and dsgesv beside Basalt's own dgesv, in turns on one
 * thread as {@link QrPairs} measures.
 */
final class SolvePairs {
    private static final long WARM = 2_000_000_000L;

    private final Device device = Device.open("host:threads=1");
    private final Handle handle = device.createHandle();
    private final SymbolLookup peer;

    private SolvePairs(SymbolLookup peer) {
        this.peer = peer;
    }

    /**
     * Measures.
     *
     * @param args the peer (openblas or mkl), its library or "-", the file of results or "-", then workloads: routine, n and, if there are more, how many problems,
     *     as in {@code gtsv:2048x100} or {@code dsgesv:1024}
     * @throws IOException if the results cannot be written
     */
    public static void main(String[] args) throws IOException {
        Path library = args[1].equals("-") ? null : Path.of(args[1]);
        NativeLibrary from = NativeLibrary.of(args[0], library, args[0].equals("openblas") ? "SkylakeX" : "");
        SolvePairs pairs = new SolvePairs(from.load(1));
        System.out.println("# " + Machine.processor() + "; " + pairs.device.description() + "; " + Machine.load());
        for (String workload : Arrays.copyOfRange(args, 3, args.length)) {
            String[] parts = workload.split("[:x]");
            int n = Integer.parseInt(parts[1]);
            int count = parts.length > 2 ? Integer.parseInt(parts[2]) : 1;
            double[] line = pairs.measure(parts[0], n, count);
            String name = parts[0].equals("dsgesv") ? "own" : args[0];
            String text = String.format("%s,%d,%d,%d,%s,%.3f,%.3f,%.2f", parts[0], n, n, count, name, line[0] / 1e3,
                    line[1] / 1e3, line[2]);
            System.out.println(text);
            if (!args[2].equals("-")) {
                Files.writeString(Path.of(args[2]), text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        }
    }

    private double[] measure(String routine, int n, int count) {
        try (DeviceArena arena = device.arena(); Arena memory = Arena.ofConfined()) {
            Operands o = new Operands(arena, memory, n, count);
            return switch (routine) {
                case "gtsv" -> gtsv(o, memory);
                case "ppsv" -> ppsv(o, memory);
                case "dsgesv" -> gesv(o);
                default -> throw new IllegalArgumentException(routine);
            };
        }
    }

    /** Vectors and matrices that a call overwrites, and what they are before each call. */
    private static final class Operands {
        final DeviceArena arena;
        private final Arena memory;
        final int n;
        final int count;
        final VectorView info;
        private final List<MemorySegment> now = new ArrayList<>();
        private final List<MemorySegment> before = new ArrayList<>();
        private final SplittableRandom random = new SplittableRandom(7);

        Operands(DeviceArena arena, Arena memory, int n, int count) {
            this.arena = arena;
            this.memory = memory;
            this.n = n;
            this.count = count;
            this.info = arena.vector(ElementType.I32, 1, count);
        }

        /** Random numbers, and larger ones at some places. */
        private MemorySegment fill(long address, int length, int[] large) {
            MemorySegment x = NativeAccess.memory().asSlice(address, 8L * length * count);
            for (long i = 0; i < (long) length * count; i++) {
                x.setAtIndex(ValueLayout.JAVA_DOUBLE, i, 2 * random.nextDouble() - 1);
            }
            for (int p = 0; p < count; p++) {
                for (int at : large) {
                    long i = (long) p * length + at;
                    x.setAtIndex(ValueLayout.JAVA_DOUBLE, i, x.getAtIndex(ValueLayout.JAVA_DOUBLE, i) + n);
                }
            }
            now.add(x);
            before.add(memory.allocate(x.byteSize(), 64).copyFrom(x));
            return x;
        }

        VectorView vector(int length, int... large) {
            VectorView v = arena.vector(ElementType.F64, length, count);
            fill(v.pointer().address(), length, large);
            return v;
        }

        MatrixView matrix(int columns) {
            MatrixView v = arena.matrix(ElementType.F64, n, columns, count);
            fill(v.pointer().address(), n * columns, new int[0]);
            return v;
        }

        void copy() {
            for (int i = 0; i < now.size(); i++) {
                MemorySegment.copy(before.get(i), 0, now.get(i), 0, now.get(i).byteSize());
            }
        }
    }

    private double[] gtsv(Operands o, Arena memory) {
        VectorView dl = o.vector(o.n - 1);
        VectorView d = o.vector(o.n);
        VectorView du = o.vector(o.n - 1);
        MatrixView b = o.matrix(1);
        Theirs theirs = new Theirs("dgtsv_",
                new MemorySegment[] {
                        memory.allocateFrom(ValueLayout.JAVA_INT, o.n),
                        memory.allocateFrom(ValueLayout.JAVA_INT, 1),
                        at(dl.pointer().address()),
                        at(d.pointer().address()),
                        at(du.pointer().address()),
                        at(b.pointer().address()),
                        memory.allocateFrom(ValueLayout.JAVA_INT, o.n),
                        memory.allocateFrom(ValueLayout.JAVA_INT, 0)});
        long[] steps = {0, 0, 8L * (o.n - 1), 8L * o.n, 8L * (o.n - 1), 8L * o.n, 0, 0};
        return compare(() -> {
            o.copy();
            Lapack.gtsv(handle, dl, d, du, b, o.info);
        }, () -> {
            o.copy();
            theirs.calls(o.count, steps);
        }, o::copy);
    }

    private double[] ppsv(Operands o, Arena memory) {
        int n = o.n;
        int[] diagonal = new int[n];
        for (int j = 0; j < n; j++) {
            diagonal[j] = j * (j + 3) / 2;
        }
        VectorView ap = o.vector(n * (n + 1) / 2, diagonal);
        MatrixView b = o.matrix(1);
        PackedView a = PackedView.of(ap, n);
        Theirs theirs = new Theirs("dppsv_",
                new MemorySegment[] {
                        memory.allocateFrom("U"),
                        memory.allocateFrom(ValueLayout.JAVA_INT, n),
                        memory.allocateFrom(ValueLayout.JAVA_INT, 1),
                        at(ap.pointer().address()),
                        at(b.pointer().address()),
                        memory.allocateFrom(ValueLayout.JAVA_INT, n),
                        memory.allocateFrom(ValueLayout.JAVA_INT, 0)});
        long[] steps = {0, 0, 0, 4L * n * (n + 1), 8L * n, 0, 0};
        return compare(() -> {
            o.copy();
            Lapack.ppsv(handle, Uplo.UPPER, a, b, o.info);
        }, () -> {
            o.copy();
            theirs.calls(o.count, steps);
        }, o::copy);
    }

    private double[] gesv(Operands o) {
        MatrixView a = o.matrix(o.n);
        MatrixView b = o.matrix(1);
        MatrixView x = o.arena.matrix(ElementType.F64, o.n, 1, o.count);
        VectorView ipiv = o.arena.vector(ElementType.I64, o.n, o.count);
        VectorView iter = o.arena.vector(ElementType.I64, 1, o.count);
        return compare(() -> {
            o.copy();
            Lapack.gesvMixed(handle, a, ipiv, b, x, iter, o.info);
        }, () -> {
            o.copy();
            Lapack.gesv(handle, a, ipiv, b, o.info);
        }, o::copy);
    }

    /** As {@link QrPairs}, after the compiler has seen what it may take a second to compile: kernels of the Vector API. */
    private static double[] compare(Runnable ours, Runnable theirs, Runnable copy) {
        for (long start = Clock.CPU.nanos(); Clock.CPU.nanos() - start < WARM;) {
            ours.run();
        }
        return QrPairs.compare(ours, theirs, copy);
    }

    private static MemorySegment at(long address) {
        return MemorySegment.ofAddress(address);
    }

    /** A native function, called for one problem after the other. */
    private final class Theirs {
        private final MethodHandle call;
        private final MemorySegment[] first;
        private final MemorySegment[] arguments;

        Theirs(String symbol, MemorySegment[] first) {
            MemoryLayout[] layouts = new MemoryLayout[first.length];
            Arrays.fill(layouts, ADDRESS);
            this.first = first;
            this.arguments = first.clone();
            this.call = NativeAccess.downcall(FunctionDescriptor.ofVoid(layouts))
                    .bindTo(peer.find(symbol).orElseThrow())
                    .asSpreader(MemorySegment[].class, first.length);
        }

        void calls(int count, long[] steps) {
            try {
                for (int p = 0; p < count; p++) {
                    for (int i = 0; i < steps.length && count > 1; i++) {
                        if (steps[i] != 0) {
                            arguments[i] = at(first[i].address() + p * steps[i]);
                        }
                    }
                    call.invokeExact(arguments);
                }
            } catch (Throwable t) {
                throw NativeAccess.failure(t);
            }
        }
    }
}
