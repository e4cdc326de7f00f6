package dev.basalt.host.assembled.factor;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Gp.R15;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.RSI;

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Lanes;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * Brings a block column of a left-looking LU factorisation up to date, its rows being interchanged already: a solve with the
 * unit lower triangle of the columns left of it, then a product for the rows below. Arguments: how many columns are left of
 * it, which fill whole blocks; the first element of the matrix, bytes between columns, rows of the matrix, the first element
 * of the block column.
 */
final class EliminateCode implements FactorTile.Finish {
    private static final Gp MATRIX = RSI;
    private static final Gp COLUMN = R8;
    private static final Gp CONSTANTS = R8;
    private static final Gp LEFT = R15;
    private static final Gp DIAGONAL = Gp.RAX;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final Lanes lanes;
    private final Shape shape;
    private final FactorTile tile;
    private final boolean complex;
    private final int unit;
    private final int block;
    private final int width;

    private EliminateCode(Shape shape, long constants, boolean complex, int width) {
        this.v = new Vectors(code, shape.isa(), shape.precision());
        this.lanes = new Lanes(v, shape, constants);
        this.shape = shape;
        this.tile = new FactorTile(v, lanes, shape, width, false, complex, CONSTANTS);
        this.complex = complex;
        this.unit = complex ? 2 : 1;
        this.block = FactorTile.block(shape, complex);
        this.width = width;
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
        EliminateCode eliminate = new EliminateCode(shape, constants, complex, width);
        eliminate.write();
        return eliminate.code.code();
    }

    private void write() {
        int step = block * unit * shape.precision().bytes;
        tile.enter();
        code.lea(FactorTile.LDA3, Mem.at(FactorTile.LDA, FactorTile.LDA, 2, 0));
        code.mov(FactorTile.A, MATRIX);
        code.mov(FactorTile.B, COLUMN);
        code.mov(FactorTile.C, COLUMN);
        lanes.constants(CONSTANTS);
        code.mov(LEFT, FactorTile.K);
        code.sub(FactorTile.ROWS, FactorTile.K);
        code.mov(FactorTile.K, 0);
        Label top = new Label();
        code.bind(top);
        tile.once(block, this);
        code.add(FactorTile.A, step);
        code.add(FactorTile.C, step);
        code.add(FactorTile.K, block);
        code.sub(LEFT, block);
        code.jump(NOT_ZERO, top);
        tile.down(null);
        tile.leave();
    }

    /** One block of rows, in one vector a column, is solved with the block on the diagonal. */
    @Override
    public void finish(int vectors) {
        boolean masked = block * unit < shape.lanes();
        int low = tile.a(0);
        int positions = tile.a(1);
        code.mov(DIAGONAL, FactorTile.LDA);
        code.multiply(DIAGONAL, FactorTile.K);
        code.add(DIAGONAL, FactorTile.A);
        for (int r = 0; r < block - 1; r++) {
            if (masked) {
                if (shape.isa() == Isa.AVX2) {
                    v.mask(FactorTile.MASK, low);
                }
                v.loadMasked(low, Mem.at(DIAGONAL, 0), low);
            } else {
                v.load(low, Mem.at(DIAGONAL, 0));
            }
            lanes.choose((r + 1) * unit, block * unit, Gp.R10);
            lanes.positions(positions, r * unit, CONSTANTS);
            if (complex) {
                lanes.turn(tile.turned(0), low, false, CONSTANTS);
                lanes.positions(tile.turned(1), r * unit + 1, CONSTANTS);
            }
            for (int q = 0; q < width; q++) {
                if (complex) {
                    // Both parts before either changes.
                    lanes.spread(tile.b(0), q, r * unit, positions);
                    lanes.spread(tile.b(1), q, r * unit + 1, tile.turned(1));
                    subtract(r, q, low, tile.b(0));
                    subtract(r, q, tile.turned(0), tile.b(1));
                } else {
                    int value = q % 2 == 0 ? tile.a(2) : tile.b(q);
                    lanes.spread(value, q, r, positions);
                    subtract(r, q, low, value);
                }
            }
            code.add(DIAGONAL, FactorTile.LDA);
        }
    }

    /** From the rows below row r. */
    private void subtract(int r, int q, int low, int value) {
        lanes.subtractIn((r + 1) * unit, block * unit, q, low, value, CONSTANTS);
    }
}
