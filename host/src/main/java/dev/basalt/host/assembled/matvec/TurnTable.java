package dev.basalt.host.assembled.matvec;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The kernels of {@link LineTurnCode}, or of {@link TurnCode} with AVX2, of one element type. */
public final class TurnTable extends Variants<TurnKind> {
    private static final int DOWN = 2;
    private static final int PANELS = 2;

    /** The factors, and what lies behind them. */
    static final long FACTOR_BYTES = LineTurnCode.ROOM_BYTES;

    /** Variants of a kind by whole lines, the last of which joins lines. */
    private static final int BY_LINES = 5;

    private static final int BY_HALVES = 2;

    private final Real precision;
    private final boolean complex;
    /** Whether blocks are of whole lines. */
    private final boolean lines;

    /**
     * A table.
     *
     * @param shape whose precision counts, and the instruction set
     * @param complex whether elements are pairs of numbers
     */
    public TurnTable(Shape shape, boolean complex) {
        super(TurnKind.values());
        this.precision = shape.precision();
        this.complex = complex;
        this.lines = shape.isa() == Isa.AVX512;
        for (TurnKind kind : TurnKind.values()) {
            count(kind, lines ? BY_LINES : BY_HALVES);
        }
    }

    /** Bytes of an element. */
    int unit() {
        return precision.bytes * (complex ? 2 : 1);
    }

    /** Rows of a block. */
    int rows() {
        return lines ? LineTurnCode.LINE / unit() : TurnCode.rows(unit());
    }

    /** Columns of a block. */
    int columns() {
        return lines ? rows() : TurnCode.WIDTH;
    }

    /** Whether blocks are of whole lines, and can fetch the next tile. */
    boolean lines() {
        return lines;
    }

    MemorySegment kernel(TurnKind kind, boolean past, boolean runs) {
        return kernel((lines ? BY_LINES : BY_HALVES) * kind.ordinal() + (past ? 1 : 0) + (runs ? 2 : 0));
    }

    /** What joins lines of C, whose {@link #positions} are set, past the caches. */
    MemorySegment joining(TurnKind kind) {
        return kernel(BY_LINES * kind.ordinal() + BY_LINES - 1);
    }

    /** Sets the positions that make lines of the columns of C. */
    void positions(long factors, long c, long ldc) {
        int lanes = LineTurnCode.LINE / precision.bytes;
        for (int j = 0; j < columns(); j++) {
            long within = (c + j * ldc * unit() & LineTurnCode.LINE - 1) / precision.bytes;
            long at = factors + LineTurnCode.POSITIONS + (long) j * LineTurnCode.LINE;
            for (int lane = 0; lane < lanes; lane++) {
                long position = lanes + lane - within;
                if (precision == Real.F64) {
                    i64(at + lane * 8L, position);
                } else {
                    i32(at + lane * 4L, (int) position);
                }
            }
        }
    }

    @Override
    protected byte[] write(TurnKind kind, int variant) {
        boolean past = variant % 2 == 1;
        if (!lines) {
            return TurnCode.write(precision, complex, kind, past);
        }
        boolean joins = variant == BY_LINES - 1;
        return LineTurnCode.write(precision, complex, kind, past || joins, variant > 1, joins);
    }

    /** Small whole numbers, whose sums are exact. */
    private static double number(int i, int seed) {
        return (i * 7 + seed * 5) % 11 - 5;
    }

    private void put(long at, int i, double value) {
        if (precision == Real.F64) {
            f64(at + i * 8L, value);
        } else {
            f32(at + i * 4L, (float) value);
        }
    }

    private double get(long at, int i) {
        return precision == Real.F64 ? f64(at + i * 8L) : f32(at + i * 4L);
    }

    @Override
    protected boolean agrees(TurnKind kind, int variant, MemorySegment code) {
        int parts = complex ? 2 : 1;
        int unit = unit();
        int m = DOWN * rows();
        int n = PANELS * columns();
        // Columns of C have room behind their end, and begin at multiples of a vector.
        boolean joins = lines && variant == BY_LINES - 1;
        int ld = joins ? 49 : 48;
        int reals = ld * ld * parts;
        try (Arena arena = Arena.ofConfined()) {
            long a = arena.allocate((long) reals * precision.bytes, 64).address();
            long b = arena.allocate((long) reals * precision.bytes, 64).address();
            long c = arena.allocate((long) reals * precision.bytes, 64).address();
            long factors = arena.allocate(FACTOR_BYTES, 64).address();
            for (int i = 0; i < reals; i++) {
                put(a, i, number(i, 1));
                put(b, i, number(i, 2));
                put(c, i, number(i, 3));
            }
            int lanes = MapCode.FACTOR_BYTES / precision.bytes;
            for (int i = 0; i < 4 * lanes; i++) {
                put(factors, i, number(i % parts + i / lanes * 3, 4));
            }
            boolean second = kind == TurnKind.SECOND;
            if (joins) {
                positions(factors, c, ld);
            }
            NativeCall.direct(code, joins ? DOWN - 1 : DOWN, PANELS, c, (long) ld * unit, second ? b : a,
                    (long) ld * unit, second ? a : b, (long) ld * unit, factors, n * unit, 0, 0);
            boolean turnsA = kind != TurnKind.SECOND;
            boolean turnsB = kind == TurnKind.SECOND || kind == TurnKind.BOTH;
            for (int i = 0; i < reals; i++) {
                int row = i / parts % ld;
                int column = i / parts / ld;
                double expected = number(i, 3);
                int within = joins ? ld * unit * column % LineTurnCode.LINE / unit : 0;
                if (row < m - within && row >= (joins ? rows() - within : 0) && column < n) {
                    expected = term(a, turnsA, row, column, ld, i % parts, factors, 0);
                    if (kind != TurnKind.ALONE) {
                        expected += term(b, turnsB, row, column, ld, i % parts, factors, 2);
                    }
                }
                if (get(c, i) != expected) {
                    return false;
                }
            }
            return true;
        }
    }

    private double term(long x, boolean turned, int row, int column, int ld, int part, long factors, int factor) {
        int parts = complex ? 2 : 1;
        int lanes = MapCode.FACTOR_BYTES / precision.bytes;
        int at = (turned ? column + row * ld : row + column * ld) * parts;
        double own = get(x, at + part) * get(factors, factor * lanes + part);
        return complex ? own + get(x, at + 1 - part) * get(factors, (factor + 1) * lanes + part) : own;
    }
}
