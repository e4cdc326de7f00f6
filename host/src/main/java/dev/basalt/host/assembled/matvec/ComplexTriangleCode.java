package dev.basalt.host.assembled.matvec;

import static dev.basalt.host.assembled.x86.Emitter.Condition.BELOW;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Gp.RAX;

import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/**
 * {@link TriangleCode} of complex numbers: an unknown is a pair in one register. Reciprocals are conj(d)/|d|², so the kernel also
 * stops where |d|² is too large or too small to be exact.
 */
final class ComplexTriangleCode extends TriangleCode {
    // Registers of a square, beside the unknowns in 0 to 3.
    private static final int INVERSES = 4;
    private static final int INVERSES_IM = 8;
    /** What the exchanged parts of x are multiplied by, in a product with the imaginary part of an element of op(A). */
    private static final int SIGN = 12;

    private static final int SWAPPED = 13;
    private static final int RE = 14;
    private static final int IM = 15;

    ComplexTriangleCode(Shape shape, Triangle what, boolean packed, int rest) {
        super(shape, true, what, packed, rest);
    }

    @Override
    void differences() {
        code.lea(RAX, constants);
        for (int j = 0; j < block; j++) {
            // As in DotsCode.
            int difference = what.conj() ? 2 * j + 1 : 2 * j;
            v.mul(difference, difference, Mem.at(RAX, PLUS_MINUS));
        }
    }

    @Override
    void panel(int columns) {
        code.lea(RAX, constants);
        for (int j = 0; j < columns; j++) {
            v.broadcast(j, Mem.at(OWN_X, j * element));
            v.broadcast(4 + j, Mem.at(OWN_X, j * element + size));
            v.mul(4 + j, 4 + j, Mem.at(RAX, 0));
        }
        mask();
        rows(columns);
    }

    @Override
    void step(int columns, int at, boolean masked) {
        if (what.transposed()) {
            load(X, row(at), masked);
            v.swapPairs(SWAPPED, X);
            for (int j = 0; j < columns; j++) {
                load(VALUE, column(j, at), masked);
                v.fma(2 * j, VALUE, X);
                v.fma(2 * j + 1, VALUE, SWAPPED);
            }
            return;
        }
        load(Y, row(at), masked);
        for (int j = 0; j < columns; j++) {
            load(VALUE, column(j, at), masked);
            add(Y, VALUE, j);
            v.swapPairs(VALUE, VALUE);
            add(Y, VALUE, 4 + j);
        }
        store(row(at), Y, masked);
    }

    /** Adds a product, or subtracts it in a solution. */
    private void add(int sum, int a, int b) {
        if (what.solves()) {
            v.fnma(sum, a, b);
        } else {
            v.fma(sum, a, b);
        }
    }

    /** Adds to an unknown the product of an element of op(A) and another, whose exchanged parts are ready. */
    private void add(int to, Mem a, int x) {
        v.broadcast(RE, a);
        add(to, RE, x);
        v.broadcast(IM, imaginary(a));
        add(to, IM, SWAPPED);
    }

    private Mem imaginary(Mem m) {
        return new Mem(m.base(), m.index(), m.scale(), m.disp() + size);
    }

    private void swap(int x) {
        v.swapPairs(SWAPPED, x);
        v.mul(SWAPPED, SWAPPED, SIGN);
    }

    private void loadSign() {
        code.lea(T, constants);
        v.load(SIGN, Mem.at(T, what.conj() ? PLUS_MINUS : 0));
    }

    @Override
    void solve(int order) {
        loadSign();
        for (int i = 0; !what.unit() && i < order; i++) {
            invert(i);
        }
        for (int i = 0; what.transposed() && order == block && i < order; i++) {
            v.loadPart(RE, scratch(i), element);
            v.sub(i, i, RE);
        }
        for (int r = 0; r < order; r++) {
            int i = what.opLower() ? r : order - 1 - r;
            if (!what.unit()) {
                v.swapPairs(SWAPPED, i);
                v.mul(i, i, INVERSES + i);
                v.fnma(i, SWAPPED, INVERSES_IM + i);
            }
            swap(i);
            for (int s = r + 1; s < order; s++) {
                int k = what.opLower() ? s : order - 1 - s;
                add(k, element(k, i), i);
            }
        }
        if (!what.unit()) {
            // As for real numbers; the parts' sums are added.
            v.zero(RE);
            v.zero(IM);
            for (int i = 0; i < order; i++) {
                v.fma(IM, i, RE);
            }
            v.swapPairs(RE, IM);
            v.add(IM, IM, RE);
            v.bits(T, IM);
            code.test(T, T);
            code.jump(NOT_ZERO, stop);
        }
    }

    /** The reciprocal of element i of the diagonal: re/|d|², and im/|d|² with the signs of products. */
    private void invert(int i) {
        boolean f64 = size == 8;
        long smallest = f64 ? Double.doubleToLongBits(0x1p-900) : Float.floatToIntBits(0x1p-100f);
        long largest = f64 ? Double.doubleToLongBits(0x1p900) : Float.floatToIntBits(0x1p100f);
        Label good = new Label();
        v.loadOne(SWAPPED, element(i, i));
        v.loadOne(RE, imaginary(element(i, i)));
        v.mulOne(IM, SWAPPED, SWAPPED);
        v.fmaOne(IM, RE, RE);
        // Bits of positive numbers have the order of the numbers, and NaN is above all.
        v.bits(T, IM);
        code.mov(COUNT, smallest);
        code.sub(T, COUNT);
        code.mov(COUNT, largest - smallest);
        code.sub(T, COUNT);
        code.jump(BELOW, good);
        code.jump(stop);
        code.bind(good);
        v.divOne(SWAPPED, SWAPPED, IM);
        v.divOne(RE, RE, IM);
        v.broadcast(INVERSES + i, SWAPPED);
        v.broadcast(INVERSES_IM + i, RE);
        v.mul(INVERSES_IM + i, INVERSES_IM + i, SIGN);
    }

    @Override
    void multiply(int order) {
        loadSign();
        for (int r = 0; r < order; r++) {
            int i = what.opLower() ? order - 1 - r : r;
            if (!what.unit()) {
                swap(i);
                v.broadcast(RE, element(i, i));
                v.mul(i, i, RE);
                v.broadcast(IM, imaginary(element(i, i)));
                v.fma(i, IM, SWAPPED);
            }
            for (int s = r + 1; s < order; s++) {
                int k = what.opLower() ? order - 1 - s : s;
                swap(k);
                add(i, element(i, k), k);
            }
            if (what.transposed() && order == block) {
                v.loadPart(RE, scratch(i), element);
                v.add(i, i, RE);
            }
        }
    }
}
