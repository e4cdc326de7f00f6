package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/**
 * alpha·Aᵀ·x or alpha·Aᴴ·x: each column of a panel keeps a vector of sums while x passes by; a single column keeps several, which
 * are added up at its end. Of complex numbers there are two sums: a·x by real numbers, and a times x with its parts exchanged.
 */
final class DotsCode extends PanelCode {
    private static final int X = 8;
    private static final int SWAPPED = 9;
    private static final int VALUE = 10;
    private static final int Y = 11;

    // Single columns have their sums in 8 to 11.
    private static final int PARTIAL = 8;

    private final boolean conj;
    private final boolean set;

    private DotsCode(Shape shape, boolean complex, boolean single, boolean conj, boolean set) {
        super(shape, complex, single);
        this.conj = conj;
        this.set = set;
    }

    /** Whether there is a kernel of single columns: complex numbers need more registers than AVX2 has. */
    static boolean single(Isa isa, boolean complex) {
        return isa == Isa.AVX512 || !complex;
    }

    /**
     * Writes a kernel; x lies along the rows, y along the columns.
     *
     * @param fetching whether panels are fetched ahead, of panels of real numbers
     * @param conj whether A's elements are conjugated
     * @param set whether y is overwritten, or else added to
     */
    static byte[] write(Shape shape, boolean complex, boolean single, boolean fetching, boolean conj, boolean set) {
        DotsCode dots = new DotsCode(shape, complex, single, conj, set);
        dots.write(fetching);
        return dots.code.code();
    }

    private void write(boolean fetching) {
        enter(fetching);
        scalars();
        if (complex) {
            // What alpha's imaginary part is multiplied by is the sum with its parts exchanged.
            v.mul(ALPHA_IM, ALPHA_IM, SIGNS);
            v.swapPairs(SIGNS, SIGNS);
        }
        prepare();
        panels();
        leave();
    }

    @Override
    public int columns() {
        return complex ? 4 : 8;
    }

    @Override
    public void panel(int columns) {
        int count = complex ? 2 * columns : columns;
        if (single) {
            code.push(A);
            for (int j = 0; j < columns; j++) {
                one(j);
            }
            code.pop(A);
        } else {
            clear(0, count);
            rows(columns);
        }
        for (int j = 0; complex && j < columns; j++) {
            // re·re - im·im in the first; or, of the conjugate, re·im - im·re in the second.
            int difference = conj ? 2 * j + 1 : 2 * j;
            v.mul(difference, difference, SIGNS);
        }
        int registers = sums(count, VALUE);
        for (int i = 0; i < registers; i++) {
            update(Mem.at(COLUMNS, i * bytes), 4 * i, Math.min(bytes, count * size));
        }
    }

    private void clear(int from, int count) {
        for (int i = 0; i < count; i++) {
            v.zero(from + i);
        }
    }

    /** The sums of a column go to the register, or pair of registers, {@code j}. */
    private void one(int j) {
        clear(PARTIAL, 4);
        rows(1);
        code.add(A, LDA);
        if (complex) {
            v.add(2 * j, PARTIAL, PARTIAL + 2);
            v.add(2 * j + 1, PARTIAL + 1, PARTIAL + 3);
        } else {
            v.add(PARTIAL, PARTIAL, PARTIAL + 2);
            v.add(PARTIAL + 1, PARTIAL + 1, PARTIAL + 3);
            v.add(j, PARTIAL, PARTIAL + 1);
        }
    }

    private void update(Mem y, int sum, int width) {
        if (set) {
            v.mul(Y, sum, ALPHA);
        } else {
            v.loadPart(Y, y, width);
            v.fma(Y, sum, ALPHA);
        }
        if (complex) {
            v.swapPairs(SWAPPED, sum);
            v.fma(Y, SWAPPED, ALPHA_IM);
        }
        v.storePart(y, Y, width);
    }

    @Override
    public void step(int columns, int at, boolean masked) {
        if (complex) {
            stepComplex(columns, at, masked);
            return;
        }
        // Registers 13 and 14 are free, as there are no imaginary parts.
        int x = single ? 13 : X;
        int value = single ? 14 : VALUE;
        load(x, row(at), masked);
        for (int j = 0; j < columns; j++) {
            int sum = single ? PARTIAL + at : j;
            if (masked) {
                load(value, column(j, at), true);
                v.fma(sum, value, x);
            } else {
                v.fma(sum, x, column(j, at));
            }
        }
    }

    private void stepComplex(int columns, int at, boolean masked) {
        int x = single ? 16 : X;
        int swapped = single ? 17 : SWAPPED;
        int value = single ? 18 : VALUE;
        load(x, row(at), masked);
        v.swapPairs(swapped, x);
        for (int j = 0; j < columns; j++) {
            int sum = single ? PARTIAL + 2 * (at & 1) : 2 * j;
            load(value, column(j, at), masked);
            v.fma(sum, value, x);
            v.fma(sum + 1, value, swapped);
        }
    }
}
