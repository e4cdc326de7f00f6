package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;

/** One problem's matrix or vector in a copy of device memory, read element by element as its routine would read it. */
final class DenseOperand {
    /** Which elements count, and what stands for the others. */
    enum Structure {
        FULL,
        /** Zero outside of the triangle. */
        TRIANGULAR,
        SYMMETRIC,
        HERMITIAN
    }

    private final MemorySegment memory;
    private final boolean single;
    private final int parts;
    private final long first;
    private final long ld;
    private final int rows;
    private final int cols;
    private final Structure structure;
    private final Uplo uplo;
    private final Diag diag;

    private DenseOperand(DenseOperand of, int rows, int cols, Structure structure, Uplo uplo, Diag diag) {
        this.memory = of.memory;
        this.single = of.single;
        this.parts = of.parts;
        this.first = of.first;
        this.ld = of.ld;
        this.rows = rows;
        this.cols = cols;
        this.structure = structure;
        this.uplo = uplo;
        this.diag = diag;
    }

    /** Problem p of an operand. */
    DenseOperand(Workload w, Slot slot, MemorySegment memory, long p) {
        this.memory = memory;
        this.single = w.type.real() == ElementType.F32;
        this.parts = w.type.isComplex() ? 2 : 1;
        this.rows = Math.toIntExact(slot.rows().applyAsLong(w));
        this.cols = Math.toIntExact(slot.cols().applyAsLong(w));
        this.ld = w.leading(slot.name());
        this.first = p * w.stride(slot.name());
        this.structure = Structure.FULL;
        this.uplo = Uplo.UPPER;
        this.diag = Diag.NON_UNIT;
    }

    DenseOperand triangle(Uplo uploA, Diag diagA) {
        return new DenseOperand(this, rows, cols, Structure.TRIANGULAR, uploA, diagA);
    }

    DenseOperand symmetric(Uplo uploA, boolean hermitian) {
        Structure kind = hermitian ? Structure.HERMITIAN : Structure.SYMMETRIC;
        return new DenseOperand(this, rows, cols, kind, uploA, Diag.NON_UNIT);
    }

    /** The first rows and columns. */
    DenseOperand block(int rowCount, int colCount) {
        return new DenseOperand(this, rowCount, colCount, structure, uplo, diag);
    }

    int rows() {
        return rows;
    }

    int cols() {
        return cols;
    }

    /** A vector's elements; a negative increment walks down from the highest address. */
    Quantity vector() {
        Quantity result = new Quantity(rows);
        Parts.each(rows, 1, (from, to) -> {
            for (int i = from; i < to; i++) {
                long at = first + (ld > 0 ? i * ld : (rows - 1 - i) * -ld);
                result.set(i, number(at * parts), parts == 2 ? number(at * parts + 1) : 0);
            }
        });
        return result;
    }

    /** op(self)·v. */
    Quantity times(Op op, Quantity v) {
        int n = op == Op.NONE ? rows : cols;
        Quantity[] sums = new Quantity[Parts.of(cols, rows)];
        Parts.numbered(cols, rows, (part, from, to) -> {
            Quantity sum = new Quantity(n);
            for (int j = from; j < to; j++) {
                for (int i = 0; i < rows; i++) {
                    add(i, j, op, v, sum);
                }
            }
            sums[part] = sum;
        });
        Quantity result = sums[0];
        for (int part = 1; part < sums.length; part++) {
            result = result.plus(sums[part]);
        }
        return result;
    }

    private void add(int i, int j, Op op, Quantity v, Quantity result) {
        boolean inside = uplo == Uplo.LOWER ? i >= j : i <= j;
        boolean mirrored = !inside && (structure == Structure.SYMMETRIC || structure == Structure.HERMITIAN);
        if (!inside && structure == Structure.TRIANGULAR) {
            return;
        }
        long at = (first + (mirrored ? i * ld + j : j * ld + i)) * parts;
        boolean unit = i == j && diag == Diag.UNIT;
        double re = unit ? 1 : number(at);
        double im = unit || parts == 1 || (structure == Structure.HERMITIAN && i == j) ? 0 : number(at + 1);
        boolean conjugated = (mirrored && structure == Structure.HERMITIAN) != (op == Op.CONJ_TRANS);
        im = conjugated ? -im : im;
        int to = op == Op.NONE ? i : j;
        int from = op == Op.NONE ? j : i;
        result.value[2 * to] += re * v.value[2 * from] - im * v.value[2 * from + 1];
        result.value[2 * to + 1] += re * v.value[2 * from + 1] + im * v.value[2 * from];
        result.bound[to] += (Math.abs(re) + Math.abs(im)) * v.bound[from];
    }

    /** Whether the elements outside of a triangle, and the gaps between columns, are what they are in another copy. */
    boolean sameOutside(Uplo inside, DenseOperand other) {
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                boolean skip = inside == null || (inside == Uplo.LOWER ? i >= j : i <= j);
                if (!skip && !same(j * ld + i, other)) {
                    return false;
                }
            }
            for (long i = rows; i < ld && j + 1 < cols; i++) {
                if (!same(j * ld + i, other)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean same(long element, DenseOperand other) {
        for (int part = 0; part < parts; part++) {
            long at = (first + element) * parts + part;
            if (Double.doubleToRawLongBits(number(at)) != Double.doubleToRawLongBits(other.number(at))) {
                return false;
            }
        }
        return true;
    }

    private double number(long at) {
        return single ? memory.getAtIndex(JAVA_FLOAT, at) : memory.getAtIndex(JAVA_DOUBLE, at);
    }
}
