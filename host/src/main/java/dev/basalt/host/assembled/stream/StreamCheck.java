package dev.basalt.host.assembled.stream;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.VectorCall;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Runs a new kernel of {@link StreamTable} once and compares with scalar Java, exactly: operands are small whole numbers. */
final class StreamCheck {
    /** Real numbers: all loops run, and something is left over for the last vector. */
    static final int COUNT = 4 * 16 + 16 + 6;

    /** Less than four vectors: a whole one of the widest, and a rest. */
    private static final int FEW = 16 + 6;

    /** Numbers of a stream: the loops of every width run, and each kind of rest is left over; less than two vectors; less than one. */
    private static final int[] STREAMS = {16 * 16 + 4 * 16 + 16 + 7, 16 + 7, 8 + 5};

    /** Elements apart: three groups, and a rest. */
    private static final int APART = 14;

    /** Where the extreme element is in turn: in the long loop, in the short one, in the last vector. */
    private static final int[] PLACES = {0, 38, 70, COUNT - 2};

    private final boolean complex;
    private final int size;
    /** Whether rests of a vector have masks, so that vectors may be shorter. */
    private final boolean rests;

    StreamCheck(Shape shape, boolean complex) {
        this.complex = complex;
        this.size = shape.precision().bytes;
        this.rests = shape.isa() == Isa.AVX512;
    }

    private double get(long at, int i) {
        return size == 8 ? f64(at + 8L * i) : f32(at + 4L * i);
    }

    private void set(long at, int i, double value) {
        if (size == 8) {
            f64(at + 8L * i, value);
        } else {
            f32(at + 4L * i, (float) value);
        }
    }

    private long bits(double value) {
        return size == 8 ? Double.doubleToRawLongBits(value) : Float.floatToRawIntBits((float) value);
    }

    boolean extreme(MemorySegment code, ExtremeCode.Kind kind) {
        boolean largest = kind == ExtremeCode.Kind.PLACE_OF_LARGEST;
        boolean shorter = rests && (largest || kind == ExtremeCode.Kind.PLACE_OF_SMALLEST);
        if (!extreme(code, kind, COUNT, PLACES)) {
            return false;
        }
        for (int count = 6; shorter && count < 4 * 16; count += 6) {
            if (!extreme(code, kind, count, new int[] {0, count / 2 & -2, count - 2})) {
                return false;
            }
        }
        return true;
    }

    private boolean extreme(MemorySegment code, ExtremeCode.Kind kind, int count, int[] places) {
        try (Arena arena = Arena.ofConfined()) {
            long x = arena.allocate((long) COUNT * size, 64).address();
            boolean good = true;
            for (int place : places) {
                for (int i = 0; i < COUNT; i++) {
                    set(x, i, (i & 1) == 0 ? -4 - i % 3 : 4 + i % 5);
                }
                boolean smallest = kind == ExtremeCode.Kind.SMALLEST || kind == ExtremeCode.Kind.PLACE_OF_SMALLEST;
                double value = smallest ? -1 : -100;
                set(x, place, value);
                set(x, place + 1, complex ? 0 : 5);
                if (count < COUNT) {
                    // Behind the vector would be the best.
                    set(x, count, smallest ? 0 : 1000);
                    set(x, count + 1, 0);
                }
                boolean valued = kind == ExtremeCode.Kind.LARGEST || kind == ExtremeCode.Kind.SMALLEST;
                long expected = valued ? bits(-value) : place;
                long found = NativeCall.code(code, count, x, bits(-value), 0, 0, 0);
                good &= found == expected || (size == 4 && (int) found == (int) expected);
            }
            return good;
        }
    }

    /** A kernel of {@link StrideExtremeCode}, over whole groups of elements and over rests; the last element is as good as the one to be found. */
    boolean stridedExtreme(MemorySegment code, boolean largest) {
        int parts = complex ? 2 : 1;
        int step = 3 * parts;
        try (Arena arena = Arena.ofConfined()) {
            long x = arena.allocate((long) step * APART * size, 64).address();
            boolean good = true;
            for (int n = StrideExtremeCode.GROUP; n <= APART; n += 5) {
                for (int place = 0; place < n; place++) {
                    for (int i = 0; i < step * n; i++) {
                        int part = i % step;
                        // What lies between elements would win.
                        set(x, i, part >= parts ? largest ? 1000 : 0 : part == 1 ? -1 : i % 2 == 0 ? -4 : 5);
                    }
                    extreme(x, step * place, largest);
                    extreme(x, step * (n - 1), largest);
                    good &= NativeCall.code(code, n, x, (long) step * size, 0, 0, 0) == place;
                }
            }
            return good;
        }
    }

    private void extreme(long x, int at, boolean largest) {
        set(x, at, largest ? -100 : -1);
        if (complex) {
            set(x, at + 1, 0);
        }
    }

    boolean pair(MemorySegment code, PairCode.Kind kind, Shape shape) {
        return pair(code, kind, shape, COUNT) && pair(code, kind, shape, FEW);
    }

    private boolean pair(MemorySegment code, PairCode.Kind kind, Shape shape, int count) {
        long mask = shape.mask(count % shape.lanes());
        try (Arena arena = Arena.ofConfined()) {
            long x = arena.allocate((long) (count + 2) * size, 64).address();
            long y = arena.allocate((long) (count + 2) * size, 64).address();
            long result = arena.allocate(2L * size, 16).address();
            for (int i = 0; i < count + 2; i++) {
                set(x, i, i * 7 % 11 - 5);
                set(y, i, i * 5 % 13 - 6);
            }
            double[] expected = new double[count + 2];
            double[] newX = new double[count + 2];
            double sumRe = 0;
            double sumIm = 0;
            boolean scal = kind == PairCode.Kind.SCAL;
            boolean rot = kind == PairCode.Kind.ROT;
            for (int i = 0; i < count + 2; i += 2) {
                boolean in = i < count;
                double xr = get(x, i);
                double xi = get(x, i + 1);
                double yr = get(y, i);
                double yi = get(y, i + 1);
                boolean changes = in && !kind.sums();
                expected[i] = changes ? 3 * xr + 2 * xi + (scal ? 0 : yr) : scal ? xr : yr;
                expected[i + 1] = changes ? 3 * xi - 2 * xr + (scal ? 0 : yi) : scal ? xi : yi;
                newX[i] = in && rot ? 7 * xr + 3 * yr + 2 * yi : xr;
                newX[i + 1] = in && rot ? 7 * xi + 3 * yi - 2 * yr : xi;
                if (in && rot) {
                    expected[i] = 7 * yr - 3 * xr + 2 * xi;
                    expected[i + 1] = 7 * yi - 3 * xi - 2 * xr;
                }
                double conj = kind == PairCode.Kind.DOTC ? -1 : 1;
                sumRe += in ? xr * yr - conj * xi * yi : 0;
                sumIm += in ? xr * yi + conj * xi * yr : 0;
            }
            VectorCall.pairs(code, count, x, y, mask, rot ? Double.doubleToRawLongBits(7) : result, 3, -2);
            boolean good = !kind.sums() || (get(result, 0) == sumRe && get(result, 1) == sumIm);
            for (int i = 0; i < count + 2; i++) {
                good &= get(scal ? x : y, i) == expected[i] && (!rot || get(x, i) == newX[i]);
            }
            return good;
        }
    }

    /** A kernel of {@link StreamCode}. */
    boolean stream(MemorySegment code, StreamCode.Kind kind) {
        for (int count : STREAMS) {
            if (!stream(code, kind, count)) {
                return false;
            }
        }
        return true;
    }

    private boolean stream(MemorySegment code, StreamCode.Kind kind, int count) {
        try (Arena arena = Arena.ofConfined()) {
            long x = numbers(arena, count + 1, 1);
            long y = numbers(arena, count + 1, 2);
            double[] newX = new double[count + 1];
            double[] newY = new double[count + 1];
            double sum = 0;
            for (int i = 0; i <= count; i++) {
                double xi = get(x, i);
                double yi = get(y, i);
                boolean in = i < count;
                boolean swap = in && kind == StreamCode.Kind.SWAP;
                boolean copy = in && (kind == StreamCode.Kind.COPY || kind == StreamCode.Kind.COPY_PAST);
                boolean rot = in && kind == StreamCode.Kind.ROT;
                boolean scal = in && kind == StreamCode.Kind.SCAL;
                boolean rotm = in && kind == StreamCode.Kind.ROTM;
                newX[i] = rot || rotm ? 3 * xi + 2 * yi : scal ? 3 * xi : swap ? yi : xi;
                boolean axpy = in && kind == StreamCode.Kind.AXPY;
                newY[i] = rotm ? 5 * yi - 4 * xi : rot ? 3 * yi - 2 * xi : axpy ? 3 * xi + yi : copy || swap ? xi : yi;
                double term = switch (kind) {
                    case DOT, DOT_L2 -> xi * yi;
                    case ASUM -> Math.abs(xi);
                    case SQUARES -> xi * xi;
                    default -> 0;
                };
                sum += in ? term : 0;
            }
            double found = kind == StreamCode.Kind.ROTM
                    ? VectorCall.rotm(code, count, x, y, bits(-4), bits(5), 3, 2)
                    : NativeCall.stream(code, count, x, y, 3, 2);
            return (!kind.sums || found == sum) && same(newX, x) && same(newY, y);
        }
    }

    /** Numbers of a fixed pattern. */
    private long numbers(Arena arena, int count, int seed) {
        long at = arena.allocate((long) count * size, 64).address();
        for (int i = 0; i < count; i++) {
            set(at, i, (i * 7 + seed * 5) % 11 - 5);
        }
        return at;
    }

    private boolean same(double[] expected, long at) {
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != get(at, i)) {
                return false;
            }
        }
        return true;
    }

    /** A kernel of {@link StrideCode}, forwards in x and backwards in y. */
    boolean stride(MemorySegment code, StreamCode.Kind kind) {
        int n = 11;
        try (Arena arena = Arena.ofConfined()) {
            long x = arena.allocate(2L * n * size, 64).address();
            long y = arena.allocate(3L * n * size, 64).address();
            double[] newX = new double[2 * n];
            double[] newY = new double[3 * n];
            for (int i = 0; i < 3 * n; i++) {
                newY[i] = i * 5 % 13 - 6;
                set(y, i, newY[i]);
                if (i < 2 * n) {
                    newX[i] = i * 7 % 11 - 5;
                    set(x, i, newX[i]);
                }
            }
            double sum = 0;
            for (int i = 0; i < n; i++) {
                int j = 3 * (n - 1 - i);
                double xi = newX[2 * i];
                double yi = newY[j];
                switch (kind) {
                    case DOT, DOT_L2 -> sum += xi * yi;
                    case ASUM -> sum += Math.abs(xi);
                    case SQUARES -> sum += xi * xi;
                    case AXPY -> newY[j] = 3 * xi + yi;
                    case SCAL -> newX[2 * i] = 3 * xi;
                    case COPY, COPY_PAST -> newY[j] = xi;
                    case SWAP -> {
                        newX[2 * i] = yi;
                        newY[j] = xi;
                    }
                    case ROTM -> throw new IllegalArgumentException("there is none of elements apart");
                    case ROT -> {
                        newX[2 * i] = 3 * xi + 2 * yi;
                        newY[j] = 3 * yi - 2 * xi;
                    }
                }
            }
            long last = y + 3L * (n - 1) * size;
            long found = VectorCall.strides(code, n, x, 2L * size, last, -3L * size, 3, 2);
            boolean good = !kind.sums || Double.longBitsToDouble(found) == sum;
            for (int i = 0; i < 3 * n; i++) {
                good &= get(y, i) == newY[i] && (i >= 2 * n || get(x, i) == newX[i]);
            }
            return good;
        }
    }

    /** A kernel of {@link StridePairCode}, forwards in x and backwards in y. */
    boolean stridedPair(MemorySegment code, StridePairCode.Kind kind) {
        int n = 11;
        try (Arena arena = Arena.ofConfined()) {
            long x = numbers(arena, 4 * n, 1);
            long y = numbers(arena, 6 * n, 2);
            long result = arena.allocate(2L * size, 16).address();
            double[] newX = new double[4 * n];
            double[] newY = new double[6 * n];
            for (int i = 0; i < 6 * n; i++) {
                newY[i] = get(y, i);
                if (i < 4 * n) {
                    newX[i] = get(x, i);
                }
            }
            double re = 0;
            double im = 0;
            for (int i = 0; i < n; i++) {
                int j = 6 * (n - 1 - i);
                double xr = newX[4 * i];
                double xi = newX[4 * i + 1];
                double yr = newY[j];
                double yi = newY[j + 1];
                switch (kind) {
                    case COPY -> put(newY, j, xr, xi);
                    case SWAP -> {
                        put(newY, j, xr, xi);
                        put(newX, 4 * i, yr, yi);
                    }
                    case AXPY -> put(newY, j, 3 * xr + 2 * xi + yr, 3 * xi - 2 * xr + yi);
                    case SCAL -> put(newX, 4 * i, 3 * xr + 2 * xi, 3 * xi - 2 * xr);
                    case SCAL_REAL -> put(newX, 4 * i, 3 * xr, 3 * xi);
                    case ROT -> {
                        put(newX, 4 * i, 7 * xr + 3 * yr + 2 * yi, 7 * xi + 3 * yi - 2 * yr);
                        put(newY, j, 7 * yr - 3 * xr + 2 * xi, 7 * yi - 3 * xi - 2 * xr);
                    }
                    case ROT_REAL -> {
                        put(newX, 4 * i, 7 * xr + 3 * yr, 7 * xi + 3 * yi);
                        put(newY, j, 7 * yr - 3 * xr, 7 * yi - 3 * xi);
                    }
                    case DOTU, DOTC -> {
                        double conj = kind == StridePairCode.Kind.DOTC ? -1 : 1;
                        re += xr * yr - conj * xi * yi;
                        im += xr * yi + conj * xi * yr;
                    }
                    case ASUM -> re += Math.abs(xr) + Math.abs(xi);
                    case SQUARES -> re += xr * xr + xi * xi;
                }
            }
            long last = y + 6L * (n - 1) * size;
            boolean rot = kind == StridePairCode.Kind.ROT || kind == StridePairCode.Kind.ROT_REAL;
            long extra = rot ? Double.doubleToRawLongBits(7) : result;
            long found = VectorCall.stridedPairs(code, n, x, 4L * size, last, -6L * size, extra, 3, -2);
            boolean good = !kind.dots() || (get(result, 0) == re && get(result, 1) == im);
            return good && (!kind.sums() || Double.longBitsToDouble(found) == re) && same(newX, x) && same(newY, y);
        }
    }

    private static void put(double[] to, int i, double re, double im) {
        to[i] = re;
        to[i + 1] = im;
    }
}
