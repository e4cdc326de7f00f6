package dev.basalt.host.assembled.factor;

import static dev.basalt.host.assembled.x86.Emitter.Condition.BELOW;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ABOVE;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Lanes;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * The part that the factorisations share: a tile of some block column is brought up to date with all columns left of it, and
 * is in registers from then on. Left-looking, so every tile is loaded and stored once however many columns there are.
 *
 * <p>A tile's columns are in registers {@code column·vectors} up. B, the other operand, is either packed or in columns as far apart
 * as those of A. Complex numbers stay in pairs: a step multiplies with the real part of an element of B, and A turned by i
 * with the imaginary part; where B is packed, with its conjugate.
 *
 * <p>Where there may be many columns left of it, which is where B is packed, a tile takes them in pieces of {@link #PIECE} at most: a
 * piece is summed up by itself and then added to the tile. In one long chain each product is rounded to the size of
 * the whole sum, and the error of an element is several times that of a factorisation by halves.
 */
final class FactorTile {
    /** Products of real numbers that are summed up before they meet the tile: a power of two. */
    private static final int PIECE = 64;

    /** How many columns are left of the tile. */
    static final Gp K = Gp.RDI;
    /** Bytes between columns. */
    static final Gp LDA = Gp.RDX;
    /** Rows that are left to do. */
    static final Gp ROWS = Gp.RCX;
    /** Three times {@link #LDA}, where B is not packed. */
    static final Gp LDA3 = Gp.R9;
    /** The tile. */
    static final Gp C = Gp.R12;
    /** The tile's rows in column 0. */
    static final Gp A = Gp.R13;
    /** B at step 0 of the inner dimension. */
    static final Gp B = Gp.R14;

    /** What {@link Vectors#mask} takes for a partial vector; AVX-512's mask register stays set. */
    static final Gp MASK = Gp.RBP;

    private static final Gp COUNT = Gp.R11;
    private static final Gp A_STEP = Gp.R10;
    private static final Gp B_STEP = Gp.RAX;
    private static final Gp B_FOURTH = Gp.RBX;
    private static final Gp[] SAVED = {Gp.RBX, Gp.RBP, Gp.R12, Gp.R13, Gp.R14, Gp.R15};

    /** What is done to a tile that is up to date. */
    interface Finish {
        /** Writes it for a tile of some vectors a column. */
        void finish(int vectors);
    }

    private final Emitter code;
    private final Vectors v;
    private final Lanes lanes;
    private final Shape shape;
    private final boolean packed;
    private final boolean complex;
    /** Columns of the tile. */
    private final int width;
    /** Vectors of a column. */
    private final int vectors;
    /** Where the constants of {@link Lanes} are. */
    private final Gp constants;

    FactorTile(Vectors v, Lanes lanes, Shape shape, int width, boolean packed, boolean complex, Gp constants) {
        this.code = v.code;
        this.v = v;
        this.lanes = lanes;
        this.shape = shape;
        this.width = width;
        this.packed = packed;
        this.complex = complex;
        this.vectors = complex && 3 * block(shape, true) + 8 > shape.isa().registers ? 2 : Shape.VECTORS;
        this.constants = constants;
    }

    /** Columns of a block: those of a tile, and no more than there are elements in a vector. */
    static int block(Shape shape, boolean complex) {
        return complex ? Math.min(shape.columns(), shape.lanes() / 2) : shape.columns();
    }

    /** Bytes of an element. */
    private int element() {
        return shape.precision().bytes * (complex ? 2 : 1);
    }

    /** Elements of a vector. */
    private int rows() {
        return shape.isa().bytes / element();
    }

    /** The register of a vector of A. */
    int a(int vector) {
        return vectors * block(shape, complex) + vector;
    }

    /** The register of a vector of complex A times ±i. */
    int turned(int vector) {
        return a(vectors) + vector;
    }

    /** The register of an element of B: two in turn where there is room, or for its real and imaginary part. */
    int b(int column) {
        return complex ? turned(vectors) + (column & 1) : shape.b(column);
    }

    void enter() {
        for (Gp register : SAVED) {
            code.push(register);
        }
    }

    void leave() {
        for (int i = SAVED.length - 1; i >= 0; i--) {
            code.pop(SAVED[i]);
        }
        code.finish();
    }

    /** Does {@link #ROWS} rows from {@link #A} and {@link #C} down, which may be none; without a finish, if that is null. */
    void down(Finish finish) {
        int full = vectors * rows();
        Label top = new Label();
        Label rest = new Label();
        Label end = new Label();
        code.bind(top);
        code.compare(ROWS, full);
        code.jump(BELOW, rest);
        tile(vectors, false, finish);
        code.add(A, full * element());
        code.add(C, full * element());
        code.sub(ROWS, full);
        code.jump(top);
        code.bind(rest);
        code.test(ROWS, ROWS);
        code.jump(ZERO, end);
        for (int last = 1; last <= vectors; last++) {
            Label more = new Label();
            if (last < vectors) {
                Label fits = new Label();
                code.compare(ROWS, last * rows());
                code.jump(NOT_ABOVE, fits);
                code.jump(more);
                code.bind(fits);
            }
            code.lea(MASK, Mem.at(ROWS, -(last - 1) * rows()));
            if (complex) {
                code.add(MASK, MASK);
            }
            lanes.first(MASK, COUNT, a(last - 1));
            tile(last, true, finish);
            if (last < vectors) {
                code.jump(end);
            }
            code.bind(more);
        }
        code.bind(end);
    }

    /** Does one vector of {@code count} rows. */
    void once(int count, Finish finish) {
        boolean masked = count < rows();
        if (masked) {
            code.mov(MASK, complex ? 2 * count : count);
            lanes.first(MASK, COUNT, a(0));
        }
        tile(1, masked, finish);
    }

    private void tile(int height, boolean masked, Finish finish) {
        if (packed) {
            zero(height);
        } else {
            columns(height, masked, true);
        }
        Label done = new Label();
        code.mov(COUNT, K);
        code.test(COUNT, COUNT);
        code.jump(ZERO, done);
        multiply(height, masked, done);
        code.bind(done);
        if (packed) {
            add(height, masked, false);
        }
        if (finish != null) {
            finish.finish(height);
        }
        columns(height, masked, false);
    }

    private void columns(int height, boolean masked, boolean load) {
        int bytes = shape.isa().bytes;
        int partial = a(height - 1);
        if (masked) {
            v.mask(MASK, partial);
        }
        code.mov(B_STEP, C);
        for (int q = 0; q < width; q++) {
            for (int i = 0; i < height; i++) {
                Mem m = Mem.at(B_STEP, i * bytes);
                int register = q * height + i;
                boolean part = masked && i == height - 1;
                if (load && part) {
                    v.loadMasked(register, m, partial);
                } else if (load) {
                    v.load(register, m);
                } else if (part) {
                    v.storeMasked(m, register, partial);
                } else {
                    v.store(m, register);
                }
            }
            if (q < width - 1) {
                code.add(B_STEP, LDA);
            }
        }
    }

    private void zero(int height) {
        for (int r = 0; r < width * height; r++) {
            v.zero(r);
        }
    }

    /** Adds the tile in memory to what is in registers; or that to the tile, and begins again with zeros. */
    private void add(int height, boolean masked, boolean store) {
        int bytes = shape.isa().bytes;
        int partial = a(height - 1);
        int old = a(height == 1 ? 1 : 0);
        if (masked) {
            v.mask(MASK, partial);
        }
        code.mov(B_STEP, C);
        for (int q = 0; q < width; q++) {
            for (int i = 0; i < height; i++) {
                Mem m = Mem.at(B_STEP, i * bytes);
                int register = q * height + i;
                boolean part = masked && i == height - 1;
                if (part) {
                    v.loadMasked(old, m, partial);
                } else {
                    v.load(old, m);
                }
                v.add(register, register, old);
                if (store && part) {
                    v.storeMasked(m, register, partial);
                } else if (store) {
                    v.store(m, register);
                }
                if (store) {
                    v.zero(register);
                }
            }
            if (q < width - 1) {
                code.add(B_STEP, LDA);
            }
        }
    }

    /** How many columns make a piece; each is two products of an element if that is complex. */
    static int piece(boolean complex) {
        return complex ? PIECE / 2 : PIECE;
    }

    private void multiply(int height, boolean masked, Label done) {
        int bytes = shape.isa().bytes;
        boolean reload = masked && shape.isa() == Isa.AVX2;
        code.mov(A_STEP, A);
        code.mov(B_STEP, B);
        if (!packed) {
            code.lea(B_FOURTH, Mem.at(B, LDA, 4, 0));
        }
        Label top = new Label();
        code.align(32);
        code.bind(top);
        for (int i = 0; i < height; i++) {
            Mem m = Mem.at(A_STEP, i * bytes);
            int last = a(i);
            if (masked && i == height - 1) {
                if (reload) {
                    v.mask(MASK, last);
                }
                v.loadMasked(last, m, last);
            } else {
                v.load(last, m);
            }
            if (complex) {
                lanes.turn(turned(i), last, packed, constants);
            }
        }
        for (int q = 0; q < width; q++) {
            int value = b(complex ? 0 : q);
            v.broadcast(value, element(q));
            for (int i = 0; i < height; i++) {
                v.fnma(q * height + i, a(i), value);
            }
            if (complex) {
                Mem re = element(q);
                v.broadcast(b(1), new Mem(re.base(), re.index(), re.scale(), re.disp() + shape.precision().bytes));
                for (int i = 0; i < height; i++) {
                    v.fnma(q * height + i, turned(i), b(1));
                }
            }
        }
        code.add(A_STEP, LDA);
        int step = packed ? block(shape, complex) * element() : element();
        code.add(B_STEP, step);
        if (!packed) {
            code.add(B_FOURTH, step);
        }
        code.dec(COUNT);
        if (!packed) {
            code.jump(NOT_ZERO, top);
            return;
        }
        code.jump(ZERO, done);
        code.test(COUNT, piece(complex) - 1);
        code.jump(NOT_ZERO, top);
        code.push(B_STEP);
        add(height, masked, true);
        code.pop(B_STEP);
        code.jump(top);
    }

    private Mem element(int column) {
        if (packed) {
            return Mem.at(B_STEP, column * element());
        }
        return across(column < 4 ? B_STEP : B_FOURTH, column & 3);
    }

    /** The element some columns right of a register, up to 3. */
    static Mem across(Gp base, int columns) {
        return switch (columns) {
            case 0 -> Mem.at(base, 0);
            case 1 -> Mem.at(base, LDA, 1, 0);
            case 2 -> Mem.at(base, LDA, 2, 0);
            default -> Mem.at(base, LDA3, 1, 0);
        };
    }
}
