package dev.basalt.host.assembled.reflect;

import static dev.basalt.host.assembled.x86.Gp.RDI;

import dev.basalt.host.assembled.x86.Mem;

/**
 * What the kernels of reflectors find at their only argument: numbers of 8 bytes, the vectors that hold the first rows of two reflectors, sums of columns, and a
 * triangle T. A real number lies in the first bytes of its slot.
 */
final class ReflectFrame {
    /** The most reflectors of a panel, and its most columns. */
    static final int WIDEST = 32;

    // Slots. The matrix A holds the reflectors.

    static final int A = 0;
    /** Bytes between columns of A. */
    static final int LD = 1;
    /** The last vector of a column, counted from 0. */
    static final int LAST = 2;
    /** What makes the mask of that vector. */
    static final int MASK = 3;
    /** Columns of the panel, or of the matrix that reflectors are applied to. */
    static final int N = 4;
    /** Address of the factors. */
    static final int TAU = 5;
    /** The first reflector. */
    static final int FIRST = 6;
    /** Behind the last reflector. */
    static final int END = 7;
    /** Whether T is wanted. */
    static final int TRIANGLE = 8;
    /** The matrix that reflectors are applied to. */
    static final int C = 9;
    /** Bytes between its columns. */
    static final int LDC = 10;
    /** Behind the last reflector of all calls. */
    static final int LIMIT = 11;

    // Kernels keep these.

    /** What sums are multiplied by, and imaginary parts behind real ones, as in all of these. */
    static final int FACTOR = 12;
    static final int SCALE = 14;
    static final int NEXT_FACTOR = 16;
    static final int NEXT_SCALE = 18;
    static final int NEXT_BETA = 20;
    static final int NEXT_SQUARE = 21;
    /** The row below the reflector's, by its place in a vector. */
    static final int PLACE = 22;
    /** Bytes from the first vector of the pass to the row of the reflector. */
    static final int ROW = 23;
    /** Bytes from the first row to the first vector of the pass. */
    static final int DOWN = 24;
    /** Whether the sums are not there yet. */
    static final int START = 25;

    /** The first vectors of the reflector and of the next. */
    static final int V = 32 * 8;

    static final int Y = V + 64;
    /** Signs that, on exchanged parts, multiply by i. */
    static final int SIGNS = Y + 64;
    /** Sums of all columns, and of the panel's columns left of a reflector. */
    static final int SUMS = SIGNS + 64;

    private static final int SUMS_BYTES = (WIDEST + 16) * 16;
    static final int PRODUCTS = SUMS + SUMS_BYTES;
    /** Columns of T, {@link #WIDEST} elements each. */
    static final int T = PRODUCTS + SUMS_BYTES;

    static final int BYTES = T + WIDEST * WIDEST * 16;

    private ReflectFrame() {}

    static Mem slot(int index) {
        return Mem.at(RDI, 8 * index);
    }
}
