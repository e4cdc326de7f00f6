package dev.basalt.benchmarks;

import static java.lang.foreign.ValueLayout.ADDRESS;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.bench.NativeLibrary;
import dev.basalt.foreign.NativeAccess;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
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
 * QR, its products and least squares beside the functions of a native LAPACK, in turns on one thread. Every call begins with a copy of its operands; the time
 * of the copies alone is taken off. Batches are loops of the native function. A line of the output has both times of a call in microseconds and the median of
 * their ratios.
 */
final class QrPairs {
    private static final int PAIRS = 9;
    /** Nanoseconds of a sample. */
    private static final double SAMPLE = 2e6;
    /** A figure of one pair is dropped if the core changed its speed meanwhile. */
    private static final double DRIFT = 0.05;

    private final Device device = Device.open("host:threads=1");
    private final Handle handle = device.createHandle();
    private final SymbolLookup peer;
    private final String name;
    private final Path csv;

    private QrPairs(String name, SymbolLookup peer, Path csv) {
        this.name = name;
        this.peer = peer;
        this.csv = csv;
    }

    /**
     * Measures.
     *
     * @param args the peer (openblas or mkl), its library or "-", the file of results or "-", then workloads: type, routine, m, n and, if there are more, how many
     *     problems, as in {@code dgeqrf:100x50} or {@code sgels:8x8x1000}
     * @throws IOException if the results cannot be written
     */
    public static void main(String[] args) throws IOException {
        Path library = args[1].equals("-") ? null : Path.of(args[1]);
        NativeLibrary from = NativeLibrary.of(args[0], library, args[0].equals("openblas") ? "SkylakeX" : "");
        QrPairs pairs = new QrPairs(args[0], from.load(1), args[2].equals("-") ? null : Path.of(args[2]));
        System.out.println("# " + Machine.processor() + "; " + pairs.device.description() + "; " + Machine.load());
        for (String workload : Arrays.copyOfRange(args, 3, args.length)) {
            pairs.measure(workload);
        }
    }

    private void measure(String workload) throws IOException {
        String[] parts = workload.split(":");
        ElementType type = TypeLetter.type(parts[0].charAt(0));
        int[] sizes = Arrays.stream(parts[1].split("x")).mapToInt(Integer::parseInt).toArray();
        int m = sizes[0];
        int n = sizes.length > 1 ? sizes[1] : m;
        int count = sizes.length > 2 ? sizes[2] : 1;
        try (DeviceArena arena = device.arena(); Arena memory = Arena.ofConfined()) {
            Work work = new Work(arena, memory, type, parts[0].substring(1), m, n, count);
            work.check(workload);
            double[] line = compare(work);
            String text = String.format("%s,%d,%d,%d,%s,%.3f,%.3f,%.2f", parts[0], m, n, count, name, line[0] / 1e3,
                    line[1] / 1e3, line[2]);
            System.out.println(text);
            if (csv != null) {
                Files.writeString(csv, text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        }
    }

    /** One routine and its operands, ours and the peer's. */
    private final class Work {
        private final String routine;
        private final ElementType type;
        private final int m;
        private final int n;
        private final int count;
        private final boolean square;
        private final MatrixView a;
        private final MatrixView b;
        private final VectorView tau;
        private final VectorView info;
        private final MemorySegment a0;
        private final MemorySegment b0;
        private final MemorySegment atA;
        private final MemorySegment atB;
        private final MemorySegment[] arguments;
        private final MethodHandle call;
        private final long one;

        Work(DeviceArena arena, Arena memory, ElementType type, String routine, int m, int n, int count) {
            this.routine = routine;
            this.type = type;
            this.m = m;
            this.n = n;
            this.count = count;
            // A second operand as wide as the first, or one right-hand side.
            this.square = routine.startsWith("orm") || routine.startsWith("unm");
            boolean rows = routine.contains("lq") || routine.contains("rq");
            int k = Math.min(m, n);
            int columns = square ? n : 1;
            a = arena.matrix(type, m, n, count);
            b = arena.matrix(type, Math.max(m, n), columns, count);
            tau = arena.vector(type, k, count);
            info = arena.vector(ElementType.I32, 1, count);
            long bytes = type.bytes();
            one = (long) m * n * bytes;
            atA = segment(a.pointer().address(), one * count);
            atB = segment(b.pointer().address(), (long) Math.max(m, n) * columns * bytes * count);
            fill(atA);
            fill(atB);
            if (square || routine.startsWith("or") || routine.startsWith("un")) {
                if (rows) {
                    Lapack.gelqf(handle, a, tau);
                } else {
                    Lapack.geqrf(handle, a, tau);
                }
            }
            a0 = memory.allocate(atA.byteSize(), 64).copyFrom(atA);
            b0 = memory.allocate(atB.byteSize(), 64).copyFrom(atB);
            arguments = arguments(memory, rows ? n : m, k, columns);
            MemoryLayout[] layouts = new MemoryLayout[arguments.length];
            Arrays.fill(layouts, ADDRESS);
            call = NativeAccess.downcall(FunctionDescriptor.ofVoid(layouts))
                    .bindTo(peer.find(symbol()).orElseThrow())
                    .asSpreader(MemorySegment[].class, arguments.length);
        }

        private String symbol() {
            String prefix = switch (type) {
                case F32 -> "s";
                case F64 -> "d";
                case C32 -> "c";
                default -> "z";
            };
            return prefix + routine + "_";
        }

        private void fill(MemorySegment x) {
            SplittableRandom random = new SplittableRandom(7);
            boolean f64 = type.real() == ElementType.F64;
            for (long at = 0; at < x.byteSize(); at += f64 ? 8 : 4) {
                double v = 2 * random.nextDouble() - 1;
                if (f64) {
                    x.set(ValueLayout.JAVA_DOUBLE, at, v);
                } else {
                    x.set(ValueLayout.JAVA_FLOAT, at, (float) v);
                }
            }
        }

        private MemorySegment[] arguments(Arena memory, int order, int k, int columns) {
            MemorySegment mm = number(memory, m);
            MemorySegment nn = number(memory, n);
            MemorySegment kk = number(memory, k);
            MemorySegment pa = MemorySegment.ofAddress(a.pointer().address());
            MemorySegment pb = MemorySegment.ofAddress(b.pointer().address());
            MemorySegment pt = MemorySegment.ofAddress(tau.pointer().address());
            MemorySegment cc = number(memory, columns);
            MemorySegment ldb = number(memory, Math.max(m, n));
            int size = 64 * (Math.max(m, n) + 64) * 4;
            MemorySegment work = memory.allocate((long) size * type.bytes(), 64);
            MemorySegment lwork = number(memory, size);
            MemorySegment out = number(memory, 0);
            MemorySegment plain = memory.allocateFrom("N");
            MemorySegment side = memory.allocateFrom("L");
            MemorySegment turned = memory.allocateFrom(type.isComplex() ? "C" : "T");
            if (routine.equals("gels")) {
                return new MemorySegment[] {plain, mm, nn, cc, pa, mm, pb, ldb, work, lwork, out};
            }
            if (square) {
                MemorySegment oo = number(memory, order);
                return new MemorySegment[] {side, turned, oo, cc, kk, pa, mm, pt, pb, ldb, work, lwork, out};
            }
            return routine.startsWith("ge")
                    ? new MemorySegment[] {mm, nn, pa, mm, pt, work, lwork, out}
                    : new MemorySegment[] {mm, nn, kk, pa, mm, pt, work, lwork, out};
        }

        void copy() {
            if (!square) {
                MemorySegment.copy(a0, 0, atA, 0, a0.byteSize());
            }
            if (square || routine.equals("gels")) {
                MemorySegment.copy(b0, 0, atB, 0, b0.byteSize());
            }
        }

        void ours() {
            copy();
            switch (routine) {
                case "geqrf" -> Lapack.geqrf(handle, a, tau);
                case "gelqf" -> Lapack.gelqf(handle, a, tau);
                case "geqlf" -> Lapack.geqlf(handle, a, tau);
                case "gerqf" -> Lapack.gerqf(handle, a, tau);
                case "gels" -> Lapack.gels(handle, Op.NONE, a, b, info);
                case "orgqr" -> Lapack.orgqr(handle, a, tau);
                case "ungqr" -> Lapack.ungqr(handle, a, tau);
                case "orglq" -> Lapack.orglq(handle, a, tau);
                case "unglq" -> Lapack.unglq(handle, a, tau);
                case "ormqr" -> Lapack.ormqr(handle, Side.LEFT, Op.TRANS, a, tau, b);
                case "unmqr" -> Lapack.unmqr(handle, Side.LEFT, Op.CONJ_TRANS, a, tau, b);
                case "ormlq" -> Lapack.ormlq(handle, Side.LEFT, Op.TRANS, a, tau, b);
                case "unmlq" -> Lapack.unmlq(handle, Side.LEFT, Op.CONJ_TRANS, a, tau, b);
                default -> throw new IllegalArgumentException(routine);
            }
        }

        void theirs() {
            copy();
            long pa = a.pointer().address();
            long pb = b.pointer().address();
            long pt = tau.pointer().address();
            int first = routine.equals("gels") ? 4 : square ? 5 : routine.startsWith("ge") ? 2 : 3;
            try {
                for (int i = 0; i < count; i++) {
                    if (count > 1) {
                        arguments[first] = MemorySegment.ofAddress(pa + i * one);
                        arguments[first + 2] = routine.equals("gels")
                                ? MemorySegment.ofAddress(pb + (long) i * Math.max(m, n) * type.bytes())
                                : MemorySegment.ofAddress(pt + (long) i * Math.min(m, n) * type.bytes());
                    }
                    call.invokeExact(arguments);
                }
            } catch (Throwable t) {
                throw NativeAccess.failure(t);
            }
        }

        /** Both results are the same but for rounding: all of these routines have one result only. */
        void check(String workload) {
            ours();
            MemorySegment of = square || routine.equals("gels") ? atB : atA;
            MemorySegment mine = Arena.ofAuto().allocate(of.byteSize(), 64).copyFrom(of);
            theirs();
            boolean f64 = type.real() == ElementType.F64;
            double worst = 0;
            double largest = 0;
            for (long at = 0; at < of.byteSize(); at += f64 ? 8 : 4) {
                double x = f64 ? of.get(ValueLayout.JAVA_DOUBLE, at) : of.get(ValueLayout.JAVA_FLOAT, at);
                double y = f64 ? mine.get(ValueLayout.JAVA_DOUBLE, at) : mine.get(ValueLayout.JAVA_FLOAT, at);
                worst = Math.max(worst, Math.abs(x - y));
                largest = Math.max(largest, Math.abs(x));
            }
            double bound = (f64 ? 1e-9 : 2e-2) * largest;
            if (!(worst <= bound)) {
                System.out.println("# " + workload + " differs from " + name + " by " + worst + " of " + largest);
            }
        }
    }

    private static MemorySegment segment(long address, long bytes) {
        return NativeAccess.memory().asSlice(address, bytes);
    }

    private static MemorySegment number(Arena memory, int value) {
        return memory.allocateFrom(ValueLayout.JAVA_INT, value);
    }

    /** Nanoseconds of a call of ours and of theirs, and the median of the ratios. */
    private static double[] compare(Work work) {
        return compare(work::ours, work::theirs, work::copy);
    }

    /** The same of any two that begin with a copy of their operands. */
    static double[] compare(Runnable ours, Runnable theirs, Runnable copy) {
        double once = Math.max(nanos(ours, 1), nanos(theirs, 1));
        // The compiler has seen the calls before they are timed.
        double warm = Math.min(3e8, 2e4 * once);
        for (double spent = 0; spent < warm;) {
            spent += nanos(ours, 8) * 8 + nanos(theirs, 8) * 8 + nanos(copy, 8) * 8;
            if (once > 5e7) {
                break;
            }
        }
        int calls = (int) Math.max(1, SAMPLE / Math.max(100, nanos(theirs, 3)));
        List<double[]> kept = new ArrayList<>();
        List<double[]> disturbed = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            long before = Reference.nanos(Clock.CPU);
            double copies = nanos(copy, calls);
            double a = 0;
            double b = 0;
            for (int turn = 0; turn < 2; turn++) {
                if (turn == i % 2) {
                    a = nanos(ours, calls) - copies;
                } else {
                    b = nanos(theirs, calls) - copies;
                }
            }
            long after = Reference.nanos(Clock.CPU);
            boolean steady = Math.abs(before - after) <= DRIFT * Math.min(before, after);
            (steady ? kept : disturbed).add(new double[] {a, b, b / a});
        }
        List<double[]> used = kept.size() >= 3 ? kept : disturbed;
        double[] medians = new double[3];
        for (int i = 0; i < 3; i++) {
            int field = i;
            double[] sorted = used.stream().mapToDouble(x -> x[field]).sorted().toArray();
            medians[i] = sorted[sorted.length / 2];
        }
        return medians;
    }

    private static double nanos(Runnable work, int calls) {
        long start = Clock.CPU.nanos();
        for (int i = 0; i < calls; i++) {
            work.run();
        }
        return (Clock.CPU.nanos() - start) / (double) calls;
    }
}
