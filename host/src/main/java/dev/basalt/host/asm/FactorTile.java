package dev.basalt.host.asm;

import static dev.basalt.host.asm.Emitter.Condition.BELOW;
import static dev.basalt.host.asm.Emitter.Condition.NOT_ABOVE;
import static dev.basalt.host.asm.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.asm.Emitter.Condition.ZERO;

/**
 * The part that the factorisations share: a tile of some block column is brought up to date with all columns left of it, and
 * is in registers from then on. Left-looking, so every tile is loaded and stored once however many columns there are.
 *
 * <p>A tile's columns are in registers {@code column·vectors} up. B, the other operand, is either packed or in columns as far apart
 * as those of A.
 */
final class FactorTile {
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
        void write(int vectors);
    }

    private final Emitter code;
    private final Vectors v;
    private final Lanes lanes;
    private final Shape shape;
    private final boolean packed;
    /** Columns of the tile. */
    private final int width;

    FactorTile(Vectors v, Lanes lanes, Shape shape, int width, boolean packed) {
        this.code = v.code;
        this.v = v;
        this.lanes = lanes;
        this.shape = shape;
        this.width = width;
        this.packed = packed;
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

    /** Does {@link #ROWS} rows from {@link #A} and {@link #C} down, which may be none. */
    void down(Finish finish) {
        int full = Shape.VECTORS * shape.lanes();
        Label top = new Label();
        Label rest = new Label();
        Label end = new Label();
        code.bind(top);
        code.compare(ROWS, full);
        code.jump(BELOW, rest);
        tile(Shape.VECTORS, false, finish);
        code.add(A, full * shape.precision().bytes);
        code.add(C, full * shape.precision().bytes);
        code.sub(ROWS, full);
        code.jump(top);
        code.bind(rest);
        code.test(ROWS, ROWS);
        code.jump(ZERO, end);
        for (int vectors = 1; vectors <= Shape.VECTORS; vectors++) {
            Label more = new Label();
            if (vectors < Shape.VECTORS) {
                code.compare(ROWS, vectors * shape.lanes());
                Label fits = new Label();
                code.jump(NOT_ABOVE, fits);
                code.jump(more);
                code.bind(fits);
            }
            code.lea(MASK, Mem.at(ROWS, -(vectors - 1) * shape.lanes()));
            lanes.first(MASK, COUNT, shape.a(vectors - 1));
            tile(vectors, true, finish);
            if (vectors < Shape.VECTORS) {
                code.jump(end);
            }
            code.bind(more);
        }
        code.bind(end);
    }

    /** Does one vector of {@code rows} rows. */
    void once(int rows, Finish finish) {
        boolean masked = rows < shape.lanes();
        if (masked) {
            code.mov(MASK, rows);
            lanes.first(MASK, COUNT, shape.a(0));
        }
        tile(1, masked, finish);
    }

    private void tile(int vectors, boolean masked, Finish finish) {
        columns(vectors, masked, true);
        Label done = new Label();
        code.mov(COUNT, K);
        code.test(COUNT, COUNT);
        code.jump(ZERO, done);
        multiply(vectors, masked);
        code.bind(done);
        finish.write(vectors);
        columns(vectors, masked, false);
    }

    private void columns(int vectors, boolean masked, boolean load) {
        int bytes = shape.isa().bytes;
        int partial = shape.a(vectors - 1);
        if (masked) {
            v.mask(MASK, partial);
        }
        code.mov(B_STEP, C);
        for (int q = 0; q < width; q++) {
            for (int i = 0; i < vectors; i++) {
                Mem m = Mem.at(B_STEP, i * bytes);
                int register = q * vectors + i;
                boolean part = masked && i == vectors - 1;
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

    private void multiply(int vectors, boolean masked) {
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
        for (int i = 0; i < vectors; i++) {
            Mem m = Mem.at(A_STEP, i * bytes);
            int last = shape.a(i);
            if (masked && i == vectors - 1) {
                if (reload) {
                    v.mask(MASK, last);
                }
                v.loadMasked(last, m, last);
            } else {
                v.load(last, m);
            }
        }
        for (int q = 0; q < width; q++) {
            v.broadcast(shape.b(q), b(q));
            for (int i = 0; i < vectors; i++) {
                lanes.subtract(q * vectors + i, shape.a(i), shape.b(q));
            }
        }
        code.add(A_STEP, LDA);
        int step = packed ? shape.columns() * shape.precision().bytes : shape.precision().bytes;
        code.add(B_STEP, step);
        if (!packed) {
            code.add(B_FOURTH, step);
        }
        code.dec(COUNT);
        code.jump(NOT_ZERO, top);
    }

    private Mem b(int column) {
        if (packed) {
            return Mem.at(B_STEP, column * shape.precision().bytes);
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
