package dev.basalt.portable;

import dev.basalt.spi.Conversion;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Storage;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.Set;

/**
 * A batch of vectors or matrices in native memory, for tests. Every element that was not set, padding too, has the value of
 * the filler: NaN shows what is read although it must not be, a number what is written.
 */
final class Batch {
    private final ElementType type;
    private final int rows;
    private final int cols;
    private final long ld;
    private final boolean vector;
    private final int count;
    private final long span;
    private final long base;
    private final long table;
    private final double filler;
    private Storage storage = Storage.DENSE;
    private int kl;
    private int ku;
    private Uplo uplo = Uplo.UPPER;

    private Batch(Arena arena, ElementType type, int rows, int cols, long ld, boolean vector, int count,
            boolean pointers, double filler) {
        this.type = type;
        this.rows = rows;
        this.cols = cols;
        this.ld = ld;
        this.vector = vector;
        this.count = count;
        this.span = vector ? Math.max(0, rows - 1) * Math.abs(ld) + 2 : ld * cols + 1;
        this.base = arena.allocate(span * count * type.bytes(), 64).address();
        this.table = pointers ? arena.allocate(8L * count, 8).address() : 0;
        for (long i = 0; i < span * count; i++) {
            set(base + i * type.bytes(), filler, filler);
        }
        // As the type has it.
        this.filler = re(base);
        for (int p = 0; p < count && pointers; p++) {
            Memory.i64(table + 8L * p, base + p * span * type.bytes());
        }
    }

    static Batch matrix(Arena arena, ElementType type, int count, boolean pointers, double filler, int m, int n,
            int ld) {
        return new Batch(arena, type, m, n, ld, false, count, pointers, filler);
    }

    static Batch vector(Arena arena, ElementType type, int count, boolean pointers, double filler, int n, long inc) {
        return new Batch(arena, type, n, 1, inc, true, count, pointers, filler);
    }

    static Batch band(Arena arena, ElementType type, int count, boolean pointers, double filler, int m, int n, int kl,
            int ku) {
        Batch r = new Batch(arena, type, m, n, kl + ku + 2, false, count, pointers, filler);
        r.storage = Storage.BAND;
        r.kl = kl;
        r.ku = ku;
        return r;
    }

    static Batch packed(Arena arena, ElementType type, int count, boolean pointers, double filler, int n, Uplo uplo) {
        Batch r = new Batch(arena, type, n, n, n, false, count, pointers, filler);
        r.storage = Storage.PACKED;
        r.uplo = uplo;
        return r;
    }

    Batch into(Operand operand) {
        long at = table == 0 ? base : table;
        switch (storage) {
            case DENSE -> operand.matrix(type, at, rows, cols, ld, span);
            case BAND -> operand.band(type, at, rows, cols, kl, ku, ld, span);
            case PACKED -> operand.packed(type, at, rows, span);
        }
        operand.vector = vector;
        operand.pointers = table != 0;
        return this;
    }

    private long address(int problem, int i, int j) {
        if (storage != Storage.DENSE) {
            return base + (problem * span + index(i, j)) * type.bytes();
        }
        long first = vector && ld < 0 ? (rows - 1) * -ld : 0;
        return base + (problem * span + first + (vector ? i * ld : i + j * ld)) * type.bytes();
    }

    private long index(int i, int j) {
        if (storage == Storage.BAND) {
            return ku + i - j + j * ld;
        }
        // Counted by the book.
        long before = 0;
        for (int c = 0; c < j; c++) {
            before += uplo == Uplo.UPPER ? c + 1 : rows - c;
        }
        return before + (uplo == Uplo.UPPER ? i : i - j);
    }

    /** Whether there is room for an element. */
    private boolean stored(int i, int j) {
        return switch (storage) {
            case DENSE -> true;
            case BAND -> i - j <= kl && j - i <= ku;
            case PACKED -> Mat.in(uplo, i, j);
        };
    }

    void put(int problem, Mat values) {
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                if (!stored(i, j)) {
                    continue;
                }
                set(address(problem, i, j), values.re(i, j), values.im(i, j));
            }
        }
    }

    /** Puts a triangle; the other one, and a unit diagonal, stay filler. */
    void putTriangle(int problem, Mat full, Uplo uplo, Diag diag) {
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                if (stored(i, j) && (i == j ? diag == Diag.NON_UNIT : Mat.in(uplo, i, j))) {
                    set(address(problem, i, j), full.re(i, j), full.im(i, j));
                }
            }
        }
    }

    Mat get(int problem) {
        return Mat.of(rows, cols, (i, j) -> stored(i, j) ? re(address(problem, i, j)) : 0,
                (i, j) -> stored(i, j) ? im(address(problem, i, j)) : 0);
    }

    Mat filler() {
        return Mat.of(rows, cols, (i, j) -> filler, (i, j) -> type.isComplex() ? filler : 0);
    }

    /** Whether all that lies between and behind the elements still is filler. */
    boolean paddingIntact() {
        Set<Long> used = new HashSet<>();
        for (int p = 0; p < count; p++) {
            for (int j = 0; j < cols; j++) {
                for (int i = 0; i < rows; i++) {
                    used.add(stored(i, j) ? address(p, i, j) : 0);
                }
            }
        }
        for (long i = 0; i < span * count; i++) {
            long address = base + i * type.bytes();
            if (!used.contains(address) && Double.compare(re(address), filler) != 0) {
                return false;
            }
        }
        return true;
    }

    private double re(long address) {
        return Conversion.load(type, address);
    }

    private double im(long address) {
        return type.isComplex() ? Conversion.load(type.real(), address + type.bytes() / 2) : 0;
    }

    private void set(long address, double re, double im) {
        Conversion.store(type, address, re);
        if (type.isComplex()) {
            Conversion.store(type.real(), address + type.bytes() / 2, im);
        }
    }
}
