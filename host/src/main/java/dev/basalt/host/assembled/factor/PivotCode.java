package dev.basalt.host.assembled.factor;

import static dev.basalt.host.assembled.x86.Emitter.Condition.BELOW;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R14;
import static dev.basalt.host.assembled.x86.Gp.R15;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RBP;
import static dev.basalt.host.assembled.x86.Gp.RBX;
import static dev.basalt.host.assembled.x86.Gp.RCX;
import static dev.basalt.host.assembled.x86.Gp.RDI;
import static dev.basalt.host.assembled.x86.Gp.RSI;
import static dev.basalt.host.assembled.x86.Vectors.Relation.EQUAL;
import static dev.basalt.host.assembled.x86.Vectors.Relation.UNORDERED;

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Lanes;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;
import dev.basalt.host.assembled.x86.Vectors.Relation;

/**
 * LU factorisation with partial pivoting of a panel of few columns. Arguments: rows, at least as many as columns; the panel,
 * bytes between columns, where its pivots go, the number that is the first row's among them. Returns the 1-based column of
 * the first zero pivot, or 0.
 *
 * <p>Left-looking: a pass down the rows brings a column up to date and looks for the largest magnitude on the way; the columns
 * left of it are only read. A second look finds that value's first row. A NaN counts as larger than any number, and the first
 * as the largest.
 */
final class PivotCode {
    private static final Gp PANEL = RSI;
    private static final Gp LDA = FactorTile.LDA;
    private static final Gp LDA3 = FactorTile.LDA3;
    private static final Gp PIVOTS = RCX;
    private static final Gp BASE = R8;
    private static final Gp ROWS = RDI;
    private static final Gp INFO = R15;
    private static final Gp CONSTANTS = R14;
    /** The column's first element. */
    private static final Gp COLUMN = R13;
    /** What comes after the first vector: how many rows. */
    private static final Gp BELOW_HEAD = R12;

    private static final Gp X = RAX;
    private static final Gp FOURTH = RBX;
    private static final Gp COUNT = R11;
    private static final Gp Y = R10;
    private static final Gp BITS = RBP;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final Lanes lanes;
    private final Shape shape;
    private final FactorTile frame;
    private final boolean complex;
    /** Real numbers of an element. */
    private final int unit;

    private final int width;
    /** Bytes of an element. */
    private final int size;
    /** Rows of a vector. */
    private final int rows;
    /** Bytes of a vector. */
    private final int vector;
    /** Vectors that a pass works on at a time. */
    private final int unroll;

    /** The first register of multipliers of the columns left of this one. */
    private final int left;
    /** The first of vectors of the column. */
    private final int y;
    /** The first of vectors of another column, where it must be turned; then of those. */
    private final int other;
    /** The largest magnitudes so far, in two registers. */
    private final int largest = 8;
    /** NaN where a NaN or an infinity was seen, in two registers. */
    private final int suspect = 10;

    private final int magnitude = 12;
    private final int partial = 13;
    private final int scratch = 14;
    private final int zero = 15;

    private PivotCode(Shape shape, long constants, boolean complex, int width) {
        this.v = new Vectors(code, shape.isa(), shape.precision());
        this.lanes = new Lanes(v, shape, constants);
        this.shape = shape;
        this.frame = new FactorTile(v, lanes, shape, width, false, complex, CONSTANTS);
        this.complex = complex;
        this.unit = complex ? 2 : 1;
        this.width = width;
        this.size = shape.precision().bytes * unit;
        this.vector = shape.isa().bytes;
        this.rows = vector / size;
        boolean wide = shape.isa() == Isa.AVX512;
        // Instructions on single numbers want registers below 16.
        this.left = complex && wide ? 16 : 0;
        this.y = wide ? complex ? 4 : 16 : complex ? 6 : 4;
        this.other = wide ? 0 : scratch;
        this.unroll = complex ? wide ? 2 : 1 : 4;
    }

    /**
     * Writes a kernel.
     *
     * @param shape registers and their use
     * @param constants those of {@link Lanes}
     * @param complex whether elements are pairs of numbers
     * @param width columns, up to those of a block
     * @return code
     */
    static byte[] write(Shape shape, long constants, boolean complex, int width) {
        PivotCode pivot = new PivotCode(shape, constants, complex, width);
        pivot.write();
        return pivot.code.code();
    }

    private void write() {
        frame.enter();
        code.lea(LDA3, Mem.at(LDA, LDA, 2, 0));
        code.mov(INFO, 0);
        code.mov(COLUMN, PANEL);
        lanes.constants(CONSTANTS);
        v.broadcast(magnitude, lanes.magnitude(CONSTANTS));
        v.zero(zero);
        for (int c = 0; c < width; c++) {
            head(c);
            below(c);
            Label found = new Label();
            find(c, found);
            code.bind(found);
            exchange(c);
            code.add(COLUMN, LDA);
            code.add(PIVOTS, 8);
        }
        code.mov(RAX, INFO);
        frame.leave();
    }

    /** Sets the mask of the rows of the first vector that exist, and how many rows come after it. */
    private void split() {
        Label less = new Label();
        code.mov(COUNT, ROWS);
        code.mov(BELOW_HEAD, 0);
        code.compare(ROWS, rows);
        code.jump(BELOW, less);
        code.mov(COUNT, rows);
        code.mov(BELOW_HEAD, ROWS);
        code.sub(BELOW_HEAD, COUNT);
        code.bind(less);
        first(X);
    }

    /** The mask of the first COUNT rows of a vector. */
    private void first(Gp spare) {
        if (complex) {
            code.add(COUNT, COUNT);
        }
        lanes.first(COUNT, spare, partial);
    }

    /** The first vector: solve with the unit lower triangle there, whose right-hand sides multiply the columns below. */
    private void head(int c) {
        split();
        v.loadMasked(y, Mem.at(COLUMN, 0), partial);
        code.mov(X, PANEL);
        for (int p = 0; p < c; p++) {
            int from = (p + 1) * unit;
            for (int part = 0; part < unit; part++) {
                lanes.positions(scratch, p * unit + part, CONSTANTS);
                lanes.spread(left + p * unit + part, y, p * unit + part, scratch);
            }
            lanes.choose(from, shape.lanes(), COUNT);
            for (int part = 0; part < unit; part++) {
                v.loadMasked(scratch, Mem.at(X, 0), partial);
                if (part == 1) {
                    lanes.turn(scratch, scratch, false, CONSTANTS);
                }
                // The multiplier is wanted whole below.
                v.and(largest, left + p * unit + part, left + p * unit + part);
                lanes.subtractIn(from, shape.lanes(), y, scratch, largest, CONSTANTS);
            }
            code.add(X, LDA);
        }
        v.storeMasked(Mem.at(COLUMN, 0), y, partial);
        magnitudes(y);
        v.broadcast(largest, lanes.minusOne(CONSTANTS));
        v.broadcast(largest + 1, lanes.minusOne(CONSTANTS));
        v.zero(suspect);
        v.zero(suspect + 1);
        if (c > 0) {
            v.and(y, y, lanes.range(CONSTANTS, c * unit, shape.lanes()));
        }
        v.fma(suspect, y, zero);
        if (c > 0) {
            v.or(y, y, lanes.range(CONSTANTS, 0, c * unit));
        }
        v.max(largest, y, largest);
    }

    /** Registers come to address the second vector of the columns left of this one, and of this one. */
    private void walk(int c) {
        code.lea(Y, Mem.at(COLUMN, vector));
        code.lea(X, Mem.at(PANEL, vector));
        if (c > 4) {
            code.lea(FOURTH, Mem.at(X, LDA, 4, 0));
        }
    }

    private void advance(int c, int bytes) {
        code.add(Y, bytes);
        code.add(X, bytes);
        if (c > 4) {
            code.add(FOURTH, bytes);
        }
    }

    /** Each number becomes its magnitude, of a complex one |re| + |im| in both parts. */
    private void magnitudes(int register) {
        v.and(register, register, magnitude);
        if (complex) {
            v.swapPairs(scratch, register);
            v.add(register, register, scratch);
        }
    }

    /** y := y - l·u for column p; {@code i} of the vectors in work. */
    private void eliminate(int i, int p, boolean masked) {
        Mem l = left(p, i * vector);
        if (!complex && !masked) {
            v.fnma(y + i, left + p, l);
            return;
        }
        int register = masked ? scratch : other + i;
        if (masked) {
            v.loadMasked(register, l, partial);
        } else {
            v.load(register, l);
        }
        v.fnma(y + i, register, left + p * unit);
        if (complex) {
            lanes.turn(register, register, false, CONSTANTS);
            v.fnma(y + i, register, left + p * unit + 1);
        }
    }

    private Mem left(int p, int offset) {
        Mem m = FactorTile.across(p < 4 ? X : FOURTH, p & 3);
        return new Mem(m.base(), m.index(), m.scale(), offset);
    }

    private void below(int c) {
        int shift = Integer.numberOfTrailingZeros(rows);
        walk(c);
        code.mov(COUNT, BELOW_HEAD);
        if (unroll > 1) {
            code.shr(COUNT, shift + Integer.numberOfTrailingZeros(unroll));
            pass(c, unroll);
            code.mov(COUNT, BELOW_HEAD);
        }
        code.shr(COUNT, shift);
        if (unroll > 1) {
            code.and(COUNT, unroll - 1);
        }
        pass(c, 1);
        Label end = new Label();
        code.mov(COUNT, BELOW_HEAD);
        code.and(COUNT, rows - 1);
        code.jump(ZERO, end);
        first(BITS);
        v.loadMasked(y, Mem.at(Y, 0), partial);
        for (int p = 0; p < c; p++) {
            eliminate(0, p, true);
        }
        v.storeMasked(Mem.at(Y, 0), y, partial);
        rate(0);
        code.bind(end);
        v.max(largest, largest, largest + 1);
        v.add(suspect, suspect, suspect + 1);
    }

    /** Flags are those of COUNT. */
    private void pass(int c, int vectors) {
        Label end = new Label();
        Label top = new Label();
        code.jump(ZERO, end);
        code.align(32);
        code.bind(top);
        for (int i = 0; i < vectors; i++) {
            v.load(y + i, Mem.at(Y, i * vector));
        }
        for (int p = 0; p < c; p++) {
            for (int i = 0; i < vectors; i++) {
                eliminate(i, p, false);
            }
        }
        for (int i = 0; i < vectors; i++) {
            v.store(Mem.at(Y, i * vector), y + i);
            rate(i);
        }
        advance(c, vectors * vector);
        code.dec(COUNT);
        code.jump(NOT_ZERO, top);
        code.bind(end);
    }

    /** Takes note of the magnitudes in a vector of the column. A NaN, or infinity, leaves NaN in the sums of zeros. */
    private void rate(int i) {
        magnitudes(y + i);
        v.fma(suspect + i % 2, y + i, zero);
        v.max(largest + i % 2, y + i, largest + i % 2);
    }

    /** BITS becomes the pivot's row in this panel. */
    private void find(int c, Label found) {
        lanes.maxOne(largest, largest + 1);
        v.broadcast(largest, largest);
        Label numbers = new Label();
        lanes.compare(BITS, UNORDERED, suspect, suspect, scratch);
        code.test(BITS, BITS);
        code.jump(ZERO, numbers);
        search(c, UNORDERED, found);
        code.bind(numbers);
        search(c, EQUAL, found);
        code.mov(BITS, c);
    }

    /** Finds the first row for which the relation with the largest magnitude, or with itself, holds; goes on if none does. */
    private void search(int c, Relation relation, Label found) {
        int shift = Integer.numberOfTrailingZeros(rows);
        split();
        // Y counts the rows before the vector.
        code.mov(Y, 0);
        code.mov(X, COLUMN);
        v.loadMasked(y, Mem.at(X, 0), partial);
        test(c, relation);
        Label hit = new Label();
        code.jump(NOT_ZERO, hit);
        code.add(X, vector);
        code.add(Y, rows);
        code.mov(COUNT, BELOW_HEAD);
        code.shr(COUNT, shift);
        Label rest = new Label();
        Label top = new Label();
        code.jump(ZERO, rest);
        code.bind(top);
        v.load(y, Mem.at(X, 0));
        test(0, relation);
        code.jump(NOT_ZERO, hit);
        code.add(X, vector);
        code.add(Y, rows);
        code.dec(COUNT);
        code.jump(NOT_ZERO, top);
        code.bind(rest);
        Label none = new Label();
        code.mov(COUNT, BELOW_HEAD);
        code.and(COUNT, rows - 1);
        code.jump(ZERO, none);
        first(BITS);
        v.loadMasked(y, Mem.at(X, 0), partial);
        test(0, relation);
        code.jump(ZERO, none);
        code.bind(hit);
        code.tzcnt(BITS, BITS);
        if (complex) {
            code.shr(BITS, 1);
        }
        code.add(BITS, Y);
        code.jump(found);
        code.bind(none);
    }

    /** BITS and the flags: which elements of the vector stand in the relation, without the first {@code c}. */
    private void test(int c, Relation relation) {
        boolean equal = relation == EQUAL;
        magnitudes(y);
        lanes.compare(BITS, relation, y, equal ? largest : y, scratch);
        if (c > 0) {
            code.and(BITS, -(1 << c * unit));
        } else {
            code.test(BITS, BITS);
        }
    }

    private void exchange(int c) {
        Label next = new Label();
        Label zeroPivot = new Label();
        code.lea(X, Mem.at(BASE, BITS, 1, 0));
        code.store(Mem.at(PIVOTS, 0), X);
        code.mov(Y, BITS);
        code.shl(Y, Integer.numberOfTrailingZeros(size));
        code.mov(X, PANEL);
        for (int q = 0; q < width; q++) {
            code.lea(COUNT, Mem.at(X, Y, 1, 0));
            for (int part = 0; part < unit; part++) {
                int at = part * shape.precision().bytes;
                v.loadOne(largest, Mem.at(X, c * size + at));
                v.loadOne(partial, Mem.at(COUNT, at));
                v.storeOne(Mem.at(COUNT, at), largest);
                v.storeOne(Mem.at(X, c * size + at), partial);
            }
            code.add(X, LDA);
        }
        code.lea(X, Mem.at(COLUMN, (c + 1) * size));
        code.lea(COUNT, Mem.at(ROWS, -(c + 1)));
        new ScaleCode(v, lanes, shape, complex, CONSTANTS).write(Mem.at(COLUMN, c * size), X, COUNT, Y, zeroPivot);
        code.jump(next);
        code.bind(zeroPivot);
        code.test(INFO, INFO);
        code.jump(NOT_ZERO, next);
        code.mov(INFO, c + 1);
        code.bind(next);
    }
}
