package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.DevicePointer;
import dev.basalt.VectorView;
import dev.basalt.internal.call.Argument;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * The operands of a case in device memory, as its arguments describe them: random numbers, with triangles that neither make
 * solutions grow nor vanish. What calls overwrite is put back from a copy.
 */
final class TableOperands implements AutoCloseable {
    /** Columns of the inverses that trsm_ex takes, and their leading dimension. */
    static final long INVERSE = 128;

    private static final long SEED = 42;

    /** The modified rotation that turns as {@link #scalar} says: a flag, then h11, h21, h12 and h22. */
    private static final double[] ROTATION = {-1, 0.6, -0.8, 0.8, 0.6};

    private final TableCase c;
    private final Site site;
    private final DeviceArena arena;
    private final Arena host = Arena.ofShared();
    private final Map<Argument.Array, VectorView> views = new LinkedHashMap<>();
    private final Map<Argument, VectorView> pristine = new LinkedHashMap<>();
    private final Map<Argument.Array, MemorySegment> originals = new LinkedHashMap<>();
    private final Map<Argument.Pivots, VectorView> beside = new LinkedHashMap<>();

    /** What is put back before a call. */
    private final Set<Argument.Array> spoiled = new HashSet<>();

    private final VectorView result;
    private final VectorView index;
    private final VectorView info;

    TableOperands(Device device, TableCase c, Site site) {
        this.c = c;
        this.site = site;
        arena = device.arena();
        boolean done = false;
        try {
            SplittableRandom random = new SplittableRandom(SEED);
            for (Argument.Array a : c.arrays()) {
                MemorySegment original = filled(a, random);
                originals.put(a, original);
                views.put(a, arena.vector(c.type(a), c.problems() * c.elements(a)));
                views.get(a).upload(original);
                if (a.written() || !site.isAsynchronous() && LapackFortran.spoils(c, a)) {
                    spoiled.add(a);
                }
                if (a.written() && site.isAsynchronous()) {
                    pristine.put(a, arena.vector(c.type(a), c.problems() * c.elements(a)));
                    pristine.get(a).upload(original);
                }
            }
            for (Argument.Pivots p : c.pivots()) {
                beside.put(p, beside(p));
                if (isDiagonal(p) && site.isAsynchronous()) {
                    pristine.put(p, beside(p));
                }
            }
            info = arena.vector(ElementType.I32, c.problems());
            ElementType outcome = outcomeType();
            result = outcome == null ? null : arena.vector(outcome, c.problems());
            index = outcome == ElementType.I64 ? arena.vector(ElementType.I32, c.problems()) : null;
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    private ElementType outcomeType() {
        Argument.Outcome outcome = c.outcome();
        if (outcome == null) {
            return null;
        }
        if ("index".equals(outcome.kind())) {
            return ElementType.I64;
        }
        return "real".equals(outcome.kind()) ? c.type().real() : c.type();
    }

    /**
     * A scalar: of absolute value 1 or less, so that some thousand calls on their own results stay in range.
     *
     * @param c the case
     * @param s which one
     */
    static Complex scalar(TableCase c, Argument.Scalar s) {
        boolean complex = c.type().isComplex() && !s.real();
        return switch (s.name()) {
            case "beta" -> complex ? new Complex(0.5, 0.25) : Complex.of(0.5);
            case "abstol" -> Complex.ZERO;
            case "vu" -> Complex.of(1);
            case "c" -> Complex.of(0.6);
            case "s" -> complex ? new Complex(0.48, 0.64) : Complex.of(0.8);
            default -> complex ? new Complex(-0.6, 0.8) : Complex.of(-1);
        };
    }

    DevicePointer pointer(Argument.Array a) {
        return views.get(a).pointer();
    }

    DevicePointer pointer(Argument.Pivots p) {
        return beside.get(p).pointer();
    }

    /** A table of where the problems of an operand lie. */
    DevicePointer table(Argument.Array a) {
        return table(pointer(a), bytes(a) / c.problems());
    }

    /** The same for what is beside the problem. */
    DevicePointer table(Argument.Pivots p) {
        return table(pointer(p), c.size(p.size()) * c.type(p).bytes());
    }

    /** A table of where as many problems lie, one after the other. */
    DevicePointer table(DevicePointer first, long bytes) {
        VectorView table = arena.vector(ElementType.I64, c.problems());
        table.upload(LongStream.range(0, c.problems()).map(p -> first.address() + p * bytes).toArray());
        return table.pointer();
    }

    /** More memory, which is freed with the operands. */
    VectorView memory(ElementType type, long elements) {
        return arena.vector(type, Math.max(1, elements));
    }

    /** The same in bytes. */
    DevicePointer memory(long bytes) {
        return arena.allocate(Math.max(8, bytes)).pointer();
    }

    /** What an operand holds before a call, on the host. */
    MemorySegment original(Argument.Array a) {
        return originals.get(a);
    }

    /** Where the routine says how it went. */
    DevicePointer info() {
        return info.pointer();
    }

    /** Whether it is a diagonal of a tridiagonal matrix that a routine works on; an iteration on what is left of it has nothing to do. */
    private boolean isDiagonal(Argument.Pivots p) {
        return p.written() && (p.name().equals("d") || p.name().equals("e"));
    }

    /** Nothing is exchanged by the pivots that are read, the reflectors are short, and diagonals are random. */
    private VectorView beside(Argument.Pivots p) {
        ElementType type = c.type(p);
        long own = c.size(p.size());
        long size = own * c.problems();
        VectorView view = arena.vector(type, size);
        fill(p, view);
        return view;
    }

    private void fill(Argument.Pivots p, VectorView view) {
        ElementType type = view.type();
        long own = c.size(p.size());
        long size = view.size();
        int parts = type.isComplex() ? 2 : 1;
        if (type == ElementType.I64) {
            view.upload(LongStream.range(0, size).map(i -> i % own + 1).toArray());
        } else if (type.real() == ElementType.F32) {
            double[] values = values(p, Math.toIntExact(size) * parts);
            float[] tau = new float[values.length];
            for (int i = 0; i < tau.length; i++) {
                tau[i] = (float) values[i];
            }
            view.upload(tau);
        } else {
            view.upload(values(p, Math.toIntExact(size) * parts));
        }
    }

    private double[] values(Argument.Pivots p, int count) {
        if (isDiagonal(p)) {
            return new SplittableRandom(SEED + p.slot()).doubles(count, -1, 1).toArray();
        }
        double[] values = new double[count];
        Arrays.fill(values, 1 / c.terms());
        return values;
    }

    /** Whether the routine leaves a number beside its operands. */
    boolean reduces() {
        return result != null;
    }

    /** Where the result of a reduction goes. */
    DevicePointer result() {
        return result.pointer();
    }

    /** Where cuBLAS's goes: its index has 32 bits. */
    DevicePointer peerResult() {
        return index == null ? result() : index.pointer();
    }

    /** Puts back what calls overwrite, ours or the peer's. */
    void restore() {
        for (Argument.Array a : views.keySet()) {
            if (!spoiled.contains(a)) {
                continue;
            }
            if (site.isAsynchronous()) {
                site.copy(pristine.get(a).pointer(), pointer(a), bytes(a));
            } else {
                views.get(a).upload(originals.get(a));
            }
        }
        beside.forEach((p, view) -> {
            if (pristine.containsKey(p)) {
                site.copy(pristine.get(p).pointer(), view.pointer(), view.size() * view.type().bytes());
            } else if (isDiagonal(p)) {
                fill(p, view);
            }
        });
    }

    private long bytes(Argument.Array a) {
        return c.problems() * c.elements(a) * c.type(a).bytes();
    }

    /**
     * What a call left in the operands it overwrites.
     *
     * @param to where copies go
     * @param elsewhere memory that stands for some of the operands
     */
    Map<Argument, MemorySegment> written(Arena to, Map<Argument.Array, VectorView> elsewhere) {
        Map<Argument, MemorySegment> all = new LinkedHashMap<>();
        views.forEach((a, view) -> {
            if (a.written()) {
                all.put(a, downloaded(elsewhere.getOrDefault(a, view), to, bytes(a)));
            }
        });
        beside.forEach((p, view) -> {
            if (p.written() && c.type(p) != ElementType.I64) {
                all.put(p, downloaded(view, to, view.size() * view.type().bytes()));
            }
        });
        return all;
    }

    private static MemorySegment downloaded(VectorView view, Arena to, long bytes) {
        MemorySegment copy = to.allocate(bytes, 64);
        view.download(copy);
        return copy;
    }

    /** Forgets what calls left beside the problem, so that it cannot be taken for what the next one leaves. */
    void forget() {
        beside.forEach((p, view) -> {
            if (p.written()) {
                fill(p, view);
            }
        });
    }

    /** The number that Basalt left. */
    Complex outcome() {
        return number(result);
    }

    /** The number that cuBLAS left. */
    Complex peerOutcome() {
        return number(index == null ? result : index);
    }

    /** That of the first problem. */
    private Complex number(VectorView from) {
        int parts = from.type().isComplex() ? 2 : 1;
        int all = Math.toIntExact(c.problems());
        return switch (from.type()) {
            case I64 -> {
                long[] one = new long[all];
                from.download(one);
                yield Complex.of(one[0]);
            }
            case I32 -> {
                int[] one = new int[all];
                from.download(one);
                yield Complex.of(one[0]);
            }
            case F32, C32 -> {
                float[] one = new float[parts * all];
                from.download(one);
                yield new Complex(one[0], parts == 2 ? one[1] : 0);
            }
            default -> {
                double[] one = new double[parts * all];
                from.download(one);
                yield new Complex(one[0], parts == 2 ? one[1] : 0);
            }
        };
    }

    // ---- what is in them

    private MemorySegment filled(Argument.Array a, SplittableRandom random) {
        MemorySegment to = host.allocate(Math.max(bytes(a), 8), 64).asSlice(0, bytes(a));
        long own = bytes(a) / c.problems();
        for (long p = 0; p < c.problems(); p++) {
            fill(a, to.asSlice(p * own, own), random);
        }
        return to;
    }

    /** One problem's. */
    private void fill(Argument.Array a, MemorySegment to, SplittableRandom random) {
        ElementType type = c.type(a);
        int parts = type.isComplex() ? 2 : 1;
        long count = c.elements(a) * parts;
        boolean triangular = a.matrix() && c.has("diag") && c.triangle(a) && !a.written();
        long order = a.below() != null ? c.size(a.below()) + 1 : c.rows(a);
        boolean dominant = isDominant(a);
        double scale = dominant ? 1.0 / c.step(a) : triangular || a.first().equals("sizeInv") ? 1.0 / order : 1;
        for (long i = 0; i < count; i++) {
            double value = random.nextDouble(-1, 1) * scale;
            if (c.isReflectorTriangle(a)) {
                value = 0;
            } else if (a.first().equals("5")) {
                value = a.written() ? 0 : ROTATION[(int) i];
            } else if (a.first().equals("1") && i % parts == 0) {
                value = 1 + 0.5 * value;
            }
            put(to, type, i, c.isTridiagonal(a) && i % parts == 0 ? value + 4 : value);
        }
        if (c.triangle(a)) {
            diagonal(a, to, type, triangular && c.choices().diag() == Diag.NON_UNIT);
        }
        if (dominant) {
            dominant(a, to, type);
        }
    }

    /** Makes the diagonal real, and ±1 where a triangle is to be solved with. */
    private void diagonal(Argument.Array a, MemorySegment to, ElementType type, boolean ones) {
        int parts = type.isComplex() ? 2 : 1;
        for (long j = 0; j < c.rows(a); j++) {
            long at = parts * diagonal(a, j);
            if (ones) {
                put(to, type, at, j % 3 == 0 ? -1 : 1);
            }
            if (parts == 2) {
                put(to, type, at + 1, 0);
            }
        }
    }

    /** Whether a matrix of LAPACK's is square or factored without interchanges, and its eigenvalues are not what the routine works on. */
    private boolean isDominant(Argument.Array a) {
        boolean square = a.matrix() && (a.packed() || c.triangle(a) || c.rows(a) == c.cols(a) || c.isUnpivoted());
        return square && c.isLapack() && (!c.isSpectral() || a.name().equals("B"));
    }

    /**
     * Makes a matrix positive definite or at least far from singular: its diagonal is larger than the rest of a row together. The rest is
     * small, so that such a matrix is also good for factors: unit triangles of large elements make solutions grow until they overflow.
     */
    private void dominant(Argument.Array a, MemorySegment to, ElementType type) {
        long order = a.packed() || c.triangle(a) || a.below() != null ? c.rows(a) : Math.min(c.rows(a), c.cols(a));
        for (long j = 0; j < order; j++) {
            long inside = a.below() != null && a.above() != null ? c.size(a.above()) : j;
            long at = a.packed() || c.triangle(a) ? diagonal(a, j) : j * c.step(a) + inside;
            put(to, type, (type.isComplex() ? 2 : 1) * at, 2);
        }
    }

    private long diagonal(Argument.Array a, long j) {
        boolean upper = c.choices().uplo() == Uplo.UPPER;
        if (a.packed()) {
            return upper ? j * (j + 3) / 2 : j * c.rows(a) - j * (j - 1) / 2;
        }
        long above = upper ? c.step(a) - 1 : 0;
        return j * c.step(a) + (a.below() != null ? above : j);
    }

    static double get(MemorySegment from, ElementType type, long at) {
        return type.real() == ElementType.F32 ? from.getAtIndex(JAVA_FLOAT, at) : from.getAtIndex(JAVA_DOUBLE, at);
    }

    private static void put(MemorySegment to, ElementType type, long at, double value) {
        if (type.real() == ElementType.F32) {
            to.setAtIndex(JAVA_FLOAT, at, (float) value);
        } else {
            to.setAtIndex(JAVA_DOUBLE, at, value);
        }
    }

    @Override
    public void close() {
        arena.close();
        host.close();
    }
}
