package dev.basalt.host.assembled.factor;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ABOVE;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R15;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.R9;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RBX;
import static dev.basalt.host.assembled.x86.Gp.RSI;
import static dev.basalt.host.assembled.x86.Gp.RSP;

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Lanes;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * One block column of a left-looking Cholesky factorisation of a lower triangle. Arguments: how many columns are left of it,
 * the first of its rows in column 0, bytes between columns, rows below its diagonal block. Returns 0, or the 1-based column of the block whose pivot is not positive.
 *
 * <p>The diagonal block stays in registers from its update to its last column. Its rows, which every tile below needs, are
 * packed on the way, on the stack: native code may use 80 KiB of it. A column is multiplied with the reciprocal of its
 * diagonal element, as in LAPACK's potf2.
 */
final class CholeskyCode implements FactorTile.Finish {
    /** Columns that there may be left of a block. */
    static final int ORDER = 256;

    private static final Gp PANEL = RSI;
    private static final Gp SCRATCH = R8;
    private static final Gp CONSTANTS = R9;
    private static final Gp DIAGONAL = R15;
    private static final Gp FRAME = RBX;

    // Registers below 16 that a diagonal block leaves free, even of AVX2.
    private static final int ROW = 12;
    private static final int PIVOT = 13;
    private static final int OTHER = 14;
    private static final int ZERO_REGISTER = 15;
    private static final int TURNED = 15;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final Lanes lanes;
    private final Shape shape;
    private final FactorTile tile;
    private final int width;
    private final boolean complex;
    private final int unit;
    /** Bytes of an element. */
    private final int size;

    private final int block;

    private CholeskyCode(Shape shape, long constants, boolean complex, int width) {
        this.v = new Vectors(code, shape.isa(), shape.precision());
        this.lanes = new Lanes(v, shape, constants);
        this.shape = shape;
        this.tile = new FactorTile(v, lanes, shape, width, true, complex, CONSTANTS);
        this.complex = complex;
        this.unit = complex ? 2 : 1;
        this.width = width;
        this.size = shape.precision().bytes * unit;
        this.block = FactorTile.block(shape, complex);
    }

    /**
     * Writes a kernel.
     *
     * @param shape registers and their use
     * @param constants those of {@link Lanes}
     * @param complex whether elements are pairs of numbers
     * @param width columns, up to those of a block; only with all of them may there be rows below
     * @return code
     */
    static byte[] write(Shape shape, long constants, boolean complex, int width) {
        CholeskyCode cholesky = new CholeskyCode(shape, constants, complex, width);
        cholesky.write();
        return cholesky.code.code();
    }

    /** Bytes on the stack: the factored block, reciprocals, packed rows. */
    private int scratchBytes() {
        return (block + 1 + ORDER) * block * size;
    }

    private Mem factored(int row, int column) {
        return Mem.at(SCRATCH, (column * block + row) * size);
    }

    private Mem imaginary(int row, int column) {
        return Mem.at(SCRATCH, (column * block + row) * size + size / 2);
    }

    private Mem reciprocal(int column) {
        return Mem.at(SCRATCH, (block * block + column) * size);
    }

    private void write() {
        tile.enter();
        code.mov(FRAME, RSP);
        code.sub(RSP, scratchBytes());
        code.and(RSP, -64);
        code.mov(SCRATCH, RSP);
        lanes.constants(CONSTANTS);
        code.mov(DIAGONAL, FactorTile.K);
        code.multiply(DIAGONAL, FactorTile.LDA);
        code.add(DIAGONAL, PANEL);
        code.lea(FactorTile.B, Mem.at(SCRATCH, (block + 1) * block * size));
        load();
        update();
        Label failed = new Label();
        factor(failed);
        if (width == block) {
            code.lea(FactorTile.A, Mem.at(PANEL, block * size));
            code.lea(FactorTile.C, Mem.at(DIAGONAL, block * size));
            tile.down(this);
        }
        code.mov(RAX, 0);
        code.bind(failed);
        code.mov(RSP, FRAME);
        tile.leave();
    }

    /** The diagonal block, its upper triangle too, of which nothing depends. */
    private void load() {
        boolean masked = width * unit < shape.lanes();
        if (masked) {
            lanes.mask(0, width * unit, R10, ROW);
        }
        code.mov(RAX, DIAGONAL);
        for (int q = 0; q < width; q++) {
            if (masked) {
                v.loadMasked(q, Mem.at(RAX, 0), ROW);
            } else {
                v.load(q, Mem.at(RAX, 0));
            }
            if (q < width - 1) {
                code.add(RAX, FactorTile.LDA);
            }
        }
    }

    /** As {@link FactorTile} does it, with the block beside the packed rows in place of the matrix. */
    private void update() {
        boolean masked = width * unit < shape.lanes();
        Label done = new Label();
        code.mov(R11, FactorTile.K);
        code.test(R11, R11);
        code.jump(ZERO, done);
        setAside();
        code.mov(R10, PANEL);
        code.mov(RAX, FactorTile.B);
        if (masked) {
            lanes.mask(0, width * unit, FactorTile.C, PIVOT);
        }
        Label top = new Label();
        Label last = new Label();
        code.align(32);
        code.bind(top);
        if (masked) {
            v.loadMasked(ROW, Mem.at(R10, 0), PIVOT);
        } else {
            v.load(ROW, Mem.at(R10, 0));
        }
        keep(Mem.at(RAX, 0), ROW);
        if (complex) {
            lanes.turn(TURNED, ROW, true, CONSTANTS);
        }
        for (int q = 0; q < width; q++) {
            v.broadcast(OTHER, Mem.at(RAX, q * size));
            v.fnma(q, ROW, OTHER);
            if (complex) {
                v.broadcast(OTHER, Mem.at(RAX, q * size + size / 2));
                v.fnma(q, TURNED, OTHER);
            }
        }
        code.add(R10, FactorTile.LDA);
        code.add(RAX, block * size);
        code.dec(R11);
        code.jump(ZERO, last);
        code.test(R11, FactorTile.piece(complex) - 1);
        code.jump(NOT_ZERO, top);
        fetch();
        setAside();
        code.jump(top);
        code.bind(last);
        fetch();
        code.bind(done);
    }

    /** The block goes to the stack, and the registers are zeros. */
    private void setAside() {
        for (int q = 0; q < width; q++) {
            keep(factored(0, q), q);
            v.zero(q);
        }
    }

    /** Adds the block on the stack. What lies in other lanes than the block's is nothing that it depends on. */
    private void fetch() {
        for (int q = 0; q < width; q++) {
            v.load(OTHER, factored(0, q));
            v.add(q, q, OTHER);
        }
    }

    /** Stores as many elements as a block has columns. */
    private void keep(Mem m, int register) {
        int bytes = block * size;
        if (bytes == 64) {
            v.store(m, register);
        } else {
            v.storeHalves(m, bytes / 16, register);
        }
    }

    private void factor(Label failed) {
        code.mov(R11, DIAGONAL);
        v.zero(ZERO_REGISTER);
        for (int p = 0; p < width; p++) {
            Label positive = new Label();
            Label negative = new Label();
            keep(factored(0, p), p);
            v.loadOne(PIVOT, factored(p, p));
            lanes.compareOne(PIVOT, ZERO_REGISTER);
            code.jump(NOT_ABOVE, negative);
            v.sqrtOne(OTHER, PIVOT);
            v.loadOne(PIVOT, lanes.one(CONSTANTS));
            v.divOne(PIVOT, PIVOT, OTHER);
            v.storeOne(reciprocal(p), PIVOT);
            v.broadcast(PIVOT, PIVOT);
            v.mul(p, p, PIVOT);
            keep(factored(0, p), p);
            boolean partial = (width - p) * unit < shape.lanes();
            if (partial) {
                lanes.mask(p * unit, width * unit, R10, ROW);
                v.storeMasked(Mem.at(R11, 0), p, ROW);
            } else {
                v.store(Mem.at(R11, 0), p);
            }
            diagonal(p, OTHER);
            if (complex) {
                lanes.turn(ROW, p, true, CONSTANTS);
            }
            for (int q = p + 1; q < width; q++) {
                v.broadcast(PIVOT, factored(q, p));
                v.fnma(q, p, PIVOT);
                if (complex) {
                    v.broadcast(PIVOT, imaginary(q, p));
                    v.fnma(q, ROW, PIVOT);
                }
            }
            code.jump(positive);
            code.bind(negative);
            diagonal(p, PIVOT);
            code.mov(RAX, p + 1);
            code.jump(failed);
            code.bind(positive);
            code.add(R11, FactorTile.LDA);
        }
    }

    /** Stores a real number on the diagonal. */
    private void diagonal(int p, int register) {
        v.storeOne(Mem.at(R11, p * size), register);
        if (complex) {
            v.storeOne(Mem.at(R11, p * size + size / 2), ZERO_REGISTER);
        }
    }

    /** Solves with the diagonal block. */
    @Override
    public void finish(int vectors) {
        for (int p = 0; p < width; p++) {
            v.broadcast(tile.b(0), reciprocal(p));
            for (int i = 0; i < vectors; i++) {
                v.mul(p * vectors + i, p * vectors + i, tile.b(0));
                if (complex) {
                    lanes.turn(tile.turned(i), p * vectors + i, true, CONSTANTS);
                }
            }
            for (int q = p + 1; q < width; q++) {
                int value = tile.b(complex ? 0 : q);
                v.broadcast(value, factored(q, p));
                for (int i = 0; i < vectors; i++) {
                    v.fnma(q * vectors + i, p * vectors + i, value);
                }
                if (complex) {
                    v.broadcast(tile.b(1), imaginary(q, p));
                    for (int i = 0; i < vectors; i++) {
                        v.fnma(q * vectors + i, tile.turned(i), tile.b(1));
                    }
                }
            }
        }
    }
}
