package dev.basalt.host.assembled.matvec;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R14;
import static dev.basalt.host.assembled.x86.Gp.RAX;

import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/**
 * y := alpha·A·x + y for a symmetric or Hermitian A, of which one triangle is read, once: each element serves A and its transpose. A
 * block of columns has a square on the diagonal and a panel beside it, below in the lower triangle and above in the upper. Columns
 * of the square are cut to the triangle by masks; products are masked, not factors, for 0·∞ is not 0.
 *
 * <p>Arguments: real numbers of a column of the first block's panel, number of blocks, address of the panel, bytes between
 * columns, y and x at the panel's rows. Without squares, a seventh: y at the columns.
 */
final class SymvCode extends PanelCode {
    /** What a kernel does. */
    enum Part {
        /** Blocks of the lower triangle, from left to right. */
        LOWER,
        /** Blocks of the upper triangle, from left to right. */
        UPPER,
        /** Panels without squares. */
        BESIDE,
        /** A square at the end of the triangle, narrower than a block; the first argument counts its rows. */
        CORNER_LOWER,
        /** The same in the upper triangle. */
        CORNER_UPPER
    }

    private static final int X = 8;
    private static final int SWAPPED = 9;
    private static final int VALUE = 10;
    private static final int Y = 11;
    /** Where the signs are else. */
    private static final int PRODUCT = SIGNS;

    /** Of each column of a square. */
    private static final int MASKS = 3;

    /** From y to x. */
    private static final Gp TO_X = R12;
    /** y at the columns of the block. */
    private static final Gp OWN_Y = R13;

    private static final Gp SQUARE = R14;

    private final Part part;
    private final boolean hermitian;
    private final int width;
    /** Where alpha·x is: its real parts; imaginary ones lie as many further as there are columns. */
    private final int factors;

    private SymvCode(Shape shape, boolean complex, Part part, boolean hermitian, int width) {
        super(shape, complex, false);
        this.part = part;
        this.hermitian = hermitian;
        this.width = width;
        this.factors = isa == Isa.AVX512 ? 16 : 4;
    }

    /** Columns of a block. */
    static int block(Isa isa, boolean complex) {
        return (isa == Isa.AVX512 ? 8 : 4) / (complex ? 2 : 1);
    }

    /**
     * Writes a kernel.
     *
     * @param hermitian whether A is Hermitian; the imaginary parts of its diagonal are not used
     * @param width columns of a block, or of a corner
     */
    static byte[] write(Shape shape, boolean complex, Part part, boolean hermitian, int width) {
        SymvCode symv = new SymvCode(shape, complex, part, hermitian, width);
        symv.write();
        return symv.code.code();
    }

    private boolean lower() {
        return part == Part.LOWER || part == Part.CORNER_LOWER;
    }

    private boolean corner() {
        return part == Part.CORNER_LOWER || part == Part.CORNER_UPPER;
    }

    private void write() {
        if (part == Part.BESIDE) {
            code.load(RAX, CallingConvention.SYSTEM_V.stacked(6));
        }
        enter(R12, R13, R14);
        code.mov(TO_X, COLUMNS);
        code.sub(TO_X, ROWS);
        switch (part) {
            case BESIDE -> code.mov(OWN_Y, RAX);
            case UPPER -> {
                code.lea(SQUARE, Mem.at(A, M, size, 0));
                code.lea(OWN_Y, Mem.at(ROWS, M, size, 0));
            }
            case LOWER -> {
                code.lea(SQUARE, Mem.at(A, -width * element));
                code.lea(OWN_Y, Mem.at(ROWS, -width * element));
            }
            default -> {
                code.mov(SQUARE, A);
                code.mov(OWN_Y, ROWS);
            }
        }
        scalars();
        code.lea(LDA3, Mem.at(LDA, LDA, 2, 0));
        if (corner()) {
            block();
        } else {
            blocks();
        }
        leave();
    }

    private void blocks() {
        Label top = new Label();
        int reals = width * element / size;
        code.bind(top);
        block();
        code.add(OWN_Y, width * element);
        code.lea(A, Mem.at(A, LDA, width, part == Part.LOWER ? width * element : 0));
        code.lea(SQUARE, Mem.at(SQUARE, LDA, width, width * element));
        if (part == Part.LOWER) {
            code.add(ROWS, width * element);
            code.add(M, -reals);
        } else if (part == Part.UPPER) {
            code.add(M, reals);
        }
        code.dec(N);
        code.jump(NOT_ZERO, top);
    }

    private void block() {
        int sums = complex ? 2 * width : width;
        code.lea(COLUMNS, Mem.at(OWN_Y, TO_X, 1, 0));
        mask();
        // A corner may have a number of columns that is no power of two: the others' sums are 0.
        int all = Integer.highestOneBit(2 * sums - 1);
        for (int i = 0; i < all; i++) {
            v.zero(i);
        }
        for (int j = 0; j < width; j++) {
            factor(re(j), im(j), j * element, false);
        }
        if (part != Part.BESIDE) {
            square();
        }
        if (!corner()) {
            panel(width);
        }
        code.lea(RAX, constants);
        for (int j = 0; complex && j < width; j++) {
            // As in DotsCode.
            int difference = hermitian ? 2 * j + 1 : 2 * j;
            v.mul(difference, difference, Mem.at(RAX, PLUS_MINUS));
        }
        sums(all, VALUE);
        addSums();
    }

    private int re(int j) {
        return factors + j;
    }

    private int im(int j) {
        return factors + width + j;
    }

    /** A part of a vector at the square. */
    private void load(int to, Mem m) {
        if (corner()) {
            v.loadMasked(to, m, MASK);
        } else {
            v.loadPart(to, m, width * element);
        }
    }

    private void store(Mem m, int from) {
        if (corner()) {
            v.storeMasked(m, from, MASK);
        } else {
            v.storePart(m, from, width * element);
        }
    }

    private void addSums() {
        Mem y = Mem.at(OWN_Y, 0);
        load(Y, y);
        v.fma(Y, 0, ALPHA);
        if (complex) {
            v.swapPairs(SWAPPED, 0);
            v.mul(SWAPPED, SWAPPED, SIGNS);
            v.fma(Y, SWAPPED, ALPHA_IM);
        }
        store(y, Y);
    }

    private void square() {
        Mem y = Mem.at(OWN_Y, 0);
        code.lea(T, constants);
        code.mov(RAX, SQUARE);
        load(Y, y);
        load(X, Mem.at(COLUMNS, 0));
        if (complex) {
            v.swapPairs(SWAPPED, X);
        }
        for (int j = 0; j < width; j++) {
            int masks = OWN + MASKS * j * bytes;
            load(VALUE, Mem.at(RAX, 0));
            if (complex) {
                masked(2 * j, X, masks);
                masked(2 * j + 1, SWAPPED, masks);
            } else {
                masked(j, X, masks);
            }
            masked(Y, re(j), masks + bytes);
            if (complex) {
                v.swapPairs(VALUE, VALUE);
                masked(Y, im(j), masks + 2 * bytes);
            }
            if (j < width - 1) {
                code.add(RAX, LDA);
            }
        }
        store(y, Y);
        if (complex) {
            v.load(SIGNS, Mem.at(T, 0));
        }
    }

    /** Adds a product of some elements only. What is not there was no factor, or infinity would make it NaN. */
    private void masked(int sum, int factor, int mask) {
        v.mul(PRODUCT, VALUE, factor);
        v.and(PRODUCT, PRODUCT, Mem.at(T, mask));
        v.add(sum, sum, PRODUCT);
    }

    /** The masks of the square's columns: without the diagonal; with it; and for imaginary parts of x. */
    @Override
    public void more() {
        for (int j = 0; part != Part.BESIDE && j < width; j++) {
            for (int mask = 0; mask < MASKS; mask++) {
                long data = 0;
                for (int lane = 0; lane < lanes; lane++) {
                    long ones = in(mask, lane, j) ? -1 : 0;
                    if (size == 8) {
                        code.data(ones);
                    } else if (lane % 2 == 0) {
                        data = ones & 0xffffffffL;
                    } else {
                        code.data(data | ones << 32);
                    }
                }
            }
        }
    }

    private boolean in(int mask, int lane, int column) {
        int row = complex ? lane / 2 : lane;
        if (row == column) {
            // Of a real diagonal, the product with re(x) is in real parts and that with im(x) in imaginary ones.
            return mask > 0 && (!hermitian || !complex || lane % 2 == mask - 1);
        }
        return row < width && (row > column) == lower();
    }

    @Override
    public void panel(int columns) {
        rows(columns);
    }

    @Override
    public void step(int columns, int at, boolean masked) {
        load(Y, row(at), masked);
        load(X, Mem.at(T, TO_X, 1, at * bytes), masked);
        if (complex) {
            v.swapPairs(SWAPPED, X);
        }
        for (int j = 0; j < columns; j++) {
            load(VALUE, column(j, at), masked);
            v.fma(Y, VALUE, re(j));
            if (complex) {
                v.fma(2 * j, VALUE, X);
                v.fma(2 * j + 1, VALUE, SWAPPED);
                v.swapPairs(VALUE, VALUE);
                v.fma(Y, VALUE, im(j));
            } else {
                v.fma(j, VALUE, X);
            }
        }
        store(row(at), Y, masked);
    }
}
