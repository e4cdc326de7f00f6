package dev.basalt.host.assembled.product;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.RAX;

import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * The micro-kernel of triangular solves: X·T = alpha·B for a packed panel of rows of B, which becomes X in place. Blocks of
 * columns, as many as a micro-tile has, are solved one after the other: the product with the columns already known is a
 * micro-tile's, and the triangle on the diagonal is solved while the tile is still in registers (the fused kernel of BLIS:
 * Van Zee and van de Geijn, ACM TOMS 41, 2015). Rows are independent of one another, so all vectors are full.
 *
 * <p>Arguments: blocks, the panel's first column (unknown by unknown, a group of vectors each), packed T, the tile to begin with,
 * unknowns in the first block to be solved, constants of a complex solve; alpha in vector register 0. T is packed in
 * groups of a tile's width: forward (T upper) a block has the groups of the known columns, then the square on the diagonal, which
 * holds reciprocals on its diagonal; backward (T lower) the square comes first.
 */
final class SolveCode {
    private static final int UNROLL = 4;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final Shape shape;
    private final int rows;
    private final int columns;
    private final boolean backward;
    private final boolean complex;
    /** Unknowns of a block. */
    private final int unknowns;
    /** Bytes of an unknown in the panel, and of one group of T. */
    private final int width;

    private final int depth;

    private SolveCode(Shape shape, int rows, boolean backward, boolean complex) {
        this.v = new Vectors(code, shape.isa(), shape.precision());
        this.shape = shape;
        this.rows = rows;
        this.columns = shape.columns();
        this.backward = backward;
        this.complex = complex;
        this.unknowns = complex ? columns / 2 : columns;
        this.width = rows * shape.isa().bytes;
        this.depth = columns * shape.precision().bytes;
    }

    /**
     * Writes a micro-kernel.
     *
     * @param rows vectors of the panel
     * @param backward whether the last unknowns are found first
     * @param complex whether pairs of a group's numbers are complex
     */
    static byte[] write(Shape shape, int rows, boolean backward, boolean complex) {
        SolveCode solve = new SolveCode(shape, rows, backward, complex);
        solve.write();
        return solve.code.code();
    }

    private void write() {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        Gp blocks = abi.integer(0);
        Gp panel = abi.integer(1);
        Gp t = abi.integer(2);
        Gp tile = abi.integer(3);
        Gp first = abi.integer(4);
        Gp constants = abi.integer(5);
        v.narrow(0);
        v.storeOne(CallingConvention.spill(0), 0);
        // The unknowns found so far; at first those that the first block adds are kept beside it.
        code.mov(RAX, 0);
        code.store(CallingConvention.spill(1), RAX);
        Label top = new Label();
        code.bind(top);
        for (int i = 0; i < rows * columns; i++) {
            v.zero(i);
        }
        if (backward) {
            code.lea(R10, Mem.at(t, unknowns * depth));
            code.lea(RAX, Mem.at(tile, unknowns * width));
        } else {
            code.mov(R10, t);
            code.mov(RAX, panel);
        }
        Label rest = new Label();
        Label done = new Label();
        code.load(R11, CallingConvention.spill(1));
        code.shr(R11, 2);
        code.jump(ZERO, rest);
        loop(UNROLL);
        code.bind(rest);
        code.load(R11, CallingConvention.spill(1));
        code.and(R11, UNROLL - 1);
        code.jump(ZERO, done);
        loop(1);
        code.bind(done);
        Gp square = backward ? t : R10;
        if (complex) {
            complexTriangle(square, tile, constants);
        } else {
            triangle(square, tile);
        }
        code.load(RAX, CallingConvention.spill(1));
        code.add(RAX, first);
        code.store(CallingConvention.spill(1), RAX);
        code.mov(first, unknowns);
        code.add(tile, backward ? -unknowns * width : unknowns * width);
        if (backward) {
            code.mov(t, R10);
        } else {
            code.lea(t, Mem.at(R10, unknowns * depth));
        }
        code.dec(blocks);
        code.jump(NOT_ZERO, top);
        code.finish();
    }

    /** Products with known columns: from RAX on in the panel, from R10 on in T. */
    private void loop(int steps) {
        Label top = new Label();
        code.align(32);
        code.bind(top);
        for (int s = 0; s < steps; s++) {
            for (int i = 0; i < rows; i++) {
                v.load(shape.a(i), Mem.at(RAX, s * width + i * shape.isa().bytes));
            }
            for (int j = 0; j < columns; j++) {
                v.broadcast(shape.b(j), Mem.at(R10, s * depth + j * shape.precision().bytes));
                for (int i = 0; i < rows; i++) {
                    v.fma(j * rows + i, shape.a(i), shape.b(j));
                }
            }
        }
        code.add(RAX, steps * width);
        code.add(R10, steps * depth);
        code.dec(R11);
        code.jump(NOT_ZERO, top);
    }

    private Mem element(Gp square, int row, int column) {
        return Mem.at(square, row * depth + column * shape.precision().bytes);
    }

    private Mem vector(Gp tile, int unknown, int i) {
        return Mem.at(tile, unknown * width + i * shape.isa().bytes);
    }

    private void triangle(Gp square, Gp tile) {
        int alpha = shape.a(0);
        v.broadcast(alpha, CallingConvention.spill(0));
        for (int j = 0; j < columns; j++) {
            for (int i = 0; i < rows; i++) {
                v.fms(j * rows + i, alpha, vector(tile, j, i));
            }
        }
        for (int r = 0; r < columns; r++) {
            int j = backward ? columns - 1 - r : r;
            v.broadcast(shape.b(0), element(square, j, j));
            for (int i = 0; i < rows; i++) {
                v.mul(j * rows + i, j * rows + i, shape.b(0));
                v.store(vector(tile, j, i), j * rows + i);
            }
            for (int s = r + 1; s < columns; s++) {
                int l = backward ? columns - 1 - s : s;
                v.broadcast(shape.b(s), element(square, j, l));
                for (int i = 0; i < rows; i++) {
                    v.fnma(l * rows + i, j * rows + i, shape.b(s));
                }
            }
        }
    }

    /**
     * Column 2c of the tile has the product with real parts of T, column 2c + 1 that with imaginary parts. Multiplication by i, or by
     * -i for a conjugate T, exchanges the halves of pairs and multiplies by the vector of signs in the constants.
     */
    private void complexTriangle(Gp square, Gp tile, Gp constants) {
        int alpha = shape.a(0);
        int turned = shape.a(1);
        int signs = shape.a(2);
        int scalar = shape.b(0);
        v.broadcast(alpha, CallingConvention.spill(0));
        v.load(signs, Mem.at(constants, 0));
        for (int c = 0; c < unknowns; c++) {
            for (int i = 0; i < rows; i++) {
                int x = 2 * c * rows + i;
                v.fms(x, alpha, vector(tile, c, i));
                v.swapPairs(turned, x + rows);
                v.fnma(x, turned, signs);
            }
        }
        for (int r = 0; r < unknowns; r++) {
            int c = backward ? unknowns - 1 - r : r;
            for (int i = 0; i < rows; i++) {
                int x = 2 * c * rows + i;
                turn(x + rows, x, signs);
                v.broadcast(scalar, element(square, c, 2 * c));
                v.mul(x, x, scalar);
                v.broadcast(scalar, element(square, c, 2 * c + 1));
                v.fma(x, x + rows, scalar);
                v.store(vector(tile, c, i), x);
                turn(x + rows, x, signs);
            }
            for (int s = r + 1; s < unknowns; s++) {
                int l = backward ? unknowns - 1 - s : s;
                for (int part = 0; part < 2; part++) {
                    v.broadcast(scalar, element(square, c, 2 * l + part));
                    for (int i = 0; i < rows; i++) {
                        v.fnma(2 * l * rows + i, (2 * c + part) * rows + i, scalar);
                    }
                }
            }
        }
    }

    private void turn(int to, int from, int signs) {
        v.swapPairs(to, from);
        v.mul(to, to, signs);
    }
}
