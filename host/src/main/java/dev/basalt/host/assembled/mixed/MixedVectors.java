package dev.basalt.host.assembled.mixed;

import static dev.basalt.spi.Memory.f32;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Format;
import dev.basalt.spi.Conversion;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Level 1 and matrix-vector products on narrow numbers: in one pass where elements follow each other; others are converted by stretches. For one thread at a
 * time.
 */
final class MixedVectors {
    /** Elements of a call: some microseconds; sums of so many are added up in double. */
    static final long PIECE = 1 << 14;
    /** Elements that are converted at a time: two stretches and the sums of columns pass the L1 cache. */
    private static final int STRETCH = 1024;
    /** A sum of squares from here on has lost nothing that counts to underflow; the numbers of a smaller one are below its root. */
    private static final double SAFE = 0x1p-80;
    /** What makes squares of the smallest numbers normal, those of {@link #SAFE} still being far from infinite. */
    private static final double UP = 0x1p70;
    /** What keeps the sum of a piece of the largest numbers' squares finite. */
    private static final double DOWN = 0x1p-80;

    private final MixedTable table;
    private final Arena memory = Arena.ofAuto();
    private final long x = memory.allocate(4L * STRETCH, 64).address();
    private final long y = memory.allocate(4L * STRETCH, 64).address();
    private final long sums = memory.allocate((long) MixedPanelCode.SUM * MixedPanelCode.COLUMNS, 64).address();

    MixedVectors(MixedTable table) {
        this.table = table;
    }

    private static boolean contiguous(Operand v) {
        return v.ld == 1 && Format.of(v.type).stored();
    }

    /** AXPY, SCAL, ROT of one problem. */
    void map(Launch l, long i) {
        long n = l.n(i);
        double alpha = l.alpha.re();
        if (n <= 0 || l.kernel == Kernel.AXPY && alpha == 0) {
            return;
        }
        MixedStreamCode.Kind kind = switch (l.kernel) {
            case AXPY -> MixedStreamCode.Kind.COMBINE;
            case SCAL -> MixedStreamCode.Kind.SET;
            default -> MixedStreamCode.Kind.ROT;
        };
        double beta = l.kernel == Kernel.AXPY ? 1 : l.beta.re();
        Operand from = l.kernel == Kernel.SCAL ? l.c : l.a;
        if (contiguous(from) && contiguous(l.c)) {
            MemorySegment code = table.stream(kind, Format.of(from.type), Format.of(l.c.type));
            long dx = from.type.bytes();
            long dy = l.c.type.bytes();
            for (long p = 0; p < n; p += PIECE) {
                NativeCall.stream(code, Math.min(PIECE, n - p), from.first(i) + p * dx, l.c.first(i) + p * dy, alpha,
                        beta);
            }
            return;
        }
        MemorySegment code = table.stream(kind, Format.F32, Format.F32);
        for (long p = 0; p < n; p += STRETCH) {
            long count = Math.min(STRETCH, n - p);
            load(from, i, p, count, x);
            if (l.kernel == Kernel.SCAL) {
                NativeCall.stream(code, count, x, x, alpha, beta);
                store(l.c, i, p, count, x);
                continue;
            }
            load(l.c, i, p, count, y);
            NativeCall.stream(code, count, x, y, alpha, beta);
            if (l.kernel.writes(0)) {
                store(l.a, i, p, count, x);
            }
            store(l.c, i, p, count, y);
        }
    }

    /** DOT or NRM2 of one problem. */
    void reduce(Launch l, long i) {
        double sum = 0;
        for (long p = 0; p < l.n(i); p += PIECE) {
            sum += partial(l, i, p, 1);
        }
        finish(l, i, sum);
    }

    /** The sum of a piece, from an element on; squares are those of numbers times a scale. */
    double partial(Launch l, long i, long from, double scale) {
        boolean norm = l.kernel == Kernel.NRM2;
        Operand other = norm ? l.a : l.b;
        long count = Math.min(PIECE, l.n(i) - from);
        MixedStreamCode.Kind kind = norm ? MixedStreamCode.Kind.SQUARES : MixedStreamCode.Kind.DOT;
        if (scale == 1 && contiguous(l.a) && contiguous(other)) {
            return NativeCall.stream(table.stream(kind, Format.of(l.a.type), Format.of(other.type)), count,
                    l.a.first(i) + from * l.a.type.bytes(), other.first(i) + from * other.type.bytes(), 0);
        }
        MemorySegment code = table.stream(kind, Format.F32, Format.F32);
        double sum = 0;
        for (long p = 0; p < count; p += STRETCH) {
            long some = Math.min(STRETCH, count - p);
            load(l.a, i, from + p, some, x);
            if (!norm) {
                load(l.b, i, from + p, some, y);
            } else if (scale != 1) {
                NativeCall.stream(table.widen(Format.F32), some, x, x, scale);
            }
            sum += NativeCall.stream(code, some, x, y, 0);
        }
        return sum;
    }

    /** The result, from the sum of all pieces. Where squares left the range of single precision they are summed up again, scaled. */
    void finish(Launch l, long i, double sum) {
        double result = sum;
        if (l.kernel == Kernel.NRM2) {
            double scale = sum < SAFE ? UP : sum < Double.POSITIVE_INFINITY ? 1 : DOWN;
            double squares = scale == 1 ? sum : 0;
            for (long p = 0; scale != 1 && p < l.n(i); p += PIECE) {
                squares += partial(l, i, p, scale);
            }
            result = Math.sqrt(squares) / scale;
        }
        Conversion.store(l.d.type, l.d.at(i), result);
    }

    /** c := alpha·op(A)·b + beta·c of one problem. */
    void gemv(Launch l, long i) {
        boolean trans = l.opA != Op.NONE;
        long m = l.m(i);
        long n = l.n(i);
        long size = trans ? n : m;
        long depth = l.alpha.re() == 0 ? 0 : trans ? m : n;
        for (long p = 0; p < size; p += STRETCH) {
            long count = Math.min(STRETCH, size - p);
            Memory.fill(y, 4 * count, (byte) 0);
            for (long q = 0; q < depth; q += STRETCH) {
                long inner = Math.min(STRETCH, depth - q);
                load(l.b, i, q, inner, x);
                if (trans) {
                    columns(l, i, q, inner, p, count);
                } else {
                    rows(l, i, p, count, q, inner);
                }
            }
            round(l, i, p, count);
        }
    }

    private long element(Launch l, long i, long row, long column) {
        return l.a.at(i) + (row + column * l.a.ld) * l.a.type.bytes();
    }

    private void rows(Launch l, long i, long row, long rows, long column, long columns) {
        Format format = Format.of(l.a.type);
        long lda = l.a.ld * format.bytes;
        for (long j = 0; j < columns; j += MixedPanelCode.COLUMNS) {
            int some = (int) Math.min(MixedPanelCode.COLUMNS, columns - j);
            NativeCall.code(table.panel(format, false, some), rows, element(l, i, row, column + j), lda, x + 4 * j, y,
                    0);
        }
    }

    private void columns(Launch l, long i, long row, long rows, long column, long columns) {
        Format format = Format.of(l.a.type);
        long lda = l.a.ld * format.bytes;
        for (long j = 0; j < columns; j += MixedPanelCode.COLUMNS) {
            int some = (int) Math.min(MixedPanelCode.COLUMNS, columns - j);
            NativeCall.code(table.panel(format, true, some), rows, element(l, i, row, column + j), lda, x, sums, 0);
            for (int s = 0; s < some; s++) {
                long at = y + 4 * (j + s);
                f32(at, f32(at) + f32(sums + (long) MixedPanelCode.SUM * s));
            }
        }
    }

    /** A stretch of c := alpha·y + beta·c. */
    private void round(Launch l, long i, long from, long count) {
        double alpha = l.alpha.re();
        double beta = l.beta.re();
        MixedStreamCode.Kind kind = beta == 0 ? MixedStreamCode.Kind.SET : MixedStreamCode.Kind.COMBINE;
        if (contiguous(l.c)) {
            NativeCall.stream(table.stream(kind, Format.F32, Format.of(l.c.type)), count, y,
                    l.c.first(i) + from * l.c.type.bytes(), alpha, beta);
            return;
        }
        if (beta != 0) {
            load(l.c, i, from, count, x);
        }
        NativeCall.stream(table.stream(kind, Format.F32, Format.F32), count, y, x, alpha, beta);
        store(l.c, i, from, count, x);
    }

    private void load(Operand v, long i, long from, long count, long to) {
        long step = v.ld * v.type.bytes();
        long first = v.first(i) + from * step;
        if (v.ld == 1) {
            NativeCall.stream(table.widen(Format.of(v.type)), count, first, to, 1);
        } else {
            Conversion.load(v.type, count, first, step, ElementType.F32, to);
        }
    }

    private static void store(Operand v, long i, long from, long count, long in) {
        long step = v.ld * v.type.bytes();
        Conversion.store(ElementType.F32, count, in, v.type, v.first(i) + from * step, step);
    }
}
