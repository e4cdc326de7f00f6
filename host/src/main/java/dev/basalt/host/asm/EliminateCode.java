package dev.basalt.host.asm;

import static dev.basalt.host.asm.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.asm.Gp.R15;
import static dev.basalt.host.asm.Gp.R8;
import static dev.basalt.host.asm.Gp.RBX;
import static dev.basalt.host.asm.Gp.RSI;

/**
 * Brings a block column of a left-looking LU factorisation up to date, its rows being interchanged already: a solve with the
 * unit lower triangle of the columns left of it, then a product for the rows below. Arguments: how many columns are left of
 * it, which fill whole blocks; the first element of the matrix, bytes between columns, rows of the matrix, the first element
 * of the block column.
 */
final class EliminateCode {
    private static final Gp MATRIX = RSI;
    private static final Gp COLUMN = R8;
    private static final Gp CONSTANTS = RBX;
    private static final Gp LEFT = R15;
    private static final Gp DIAGONAL = Gp.RAX;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final Lanes lanes;
    private final Shape shape;
    private final FactorTile tile;
    private final int width;

    private EliminateCode(Shape shape, long constants, int width) {
        this.v = new Vectors(code, shape.isa(), shape.precision());
        this.lanes = new Lanes(v, shape, constants);
        this.shape = shape;
        this.tile = new FactorTile(v, lanes, shape, width, false);
        this.width = width;
    }

    /**
     * Writes a kernel.
     *
     * @param shape registers and their use
     * @param constants those of {@link Lanes}
     * @param width columns, up to the shape's
     * @return code
     */
    static byte[] write(Shape shape, long constants, int width) {
        EliminateCode eliminate = new EliminateCode(shape, constants, width);
        eliminate.write();
        return eliminate.code.code();
    }

    private void write() {
        int step = shape.columns() * shape.precision().bytes;
        tile.enter();
        code.lea(FactorTile.LDA3, Mem.at(FactorTile.LDA, FactorTile.LDA, 2, 0));
        code.mov(FactorTile.A, MATRIX);
        code.mov(FactorTile.B, COLUMN);
        code.mov(FactorTile.C, COLUMN);
        code.mov(LEFT, FactorTile.K);
        code.sub(FactorTile.ROWS, FactorTile.K);
        code.mov(FactorTile.K, 0);
        Label top = new Label();
        code.bind(top);
        tile.once(shape.columns(), this::solve);
        code.add(FactorTile.A, step);
        code.add(FactorTile.C, step);
        code.add(FactorTile.K, shape.columns());
        code.sub(LEFT, shape.columns());
        code.jump(NOT_ZERO, top);
        tile.down(vectors -> {});
        tile.leave();
    }

    /** One block of rows, in one vector a column, is solved with the block on the diagonal. */
    private void solve(int vectors) {
        int block = shape.columns();
        int low = shape.a(0);
        int positions = shape.a(1);
        int value = shape.a(2);
        lanes.constants(CONSTANTS);
        code.mov(DIAGONAL, FactorTile.LDA);
        code.multiply(DIAGONAL, FactorTile.K);
        code.add(DIAGONAL, FactorTile.A);
        for (int r = 0; r < block - 1; r++) {
            if (block < shape.lanes()) {
                if (shape.isa() == Isa.AVX2) {
                    v.mask(FactorTile.MASK, low);
                }
                v.loadMasked(low, Mem.at(DIAGONAL, 0), low);
            } else {
                v.load(low, Mem.at(DIAGONAL, 0));
            }
            lanes.choose(r + 1, block, Gp.R10);
            lanes.positions(positions, r, CONSTANTS);
            for (int q = 0; q < width; q++) {
                int element = q % 2 == 0 ? value : shape.b(q);
                lanes.spread(element, q, r, positions);
                lanes.subtractIn(r + 1, block, q, low, element, CONSTANTS);
            }
            code.add(DIAGONAL, FactorTile.LDA);
        }
    }
}
