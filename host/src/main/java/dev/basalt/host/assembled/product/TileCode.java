package dev.basalt.host.assembled.product;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.RAX;

import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Dots;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * The micro-kernel of the matrix product on packed operands: a tile of C in registers, one step of the inner dimension after
 * the other. Arguments: kc, packed A, packed B, C, bytes between C's columns, and either how many tiles to do down the
 * rows, A's panels being packed one after the other, or the mask of the last vector; alpha and beta in vector registers.
 *
 * <p>C := alpha·sum + beta·C is rounded twice, the same in every kernel, so an element's bits do not depend on the tile that it
 * falls in. With beta = 0, C is not read.
 */
public final class TileCode {
    /** Steps of the inner dimension in the loop's body: the loop's own instructions then cost nothing. */
    private static final int UNROLL = 4;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final Shape shape;
    private final int rows;
    private final int columns;
    private final boolean masked;
    private final boolean complex;
    private final Lane lane;
    private final Dots dots;
    private final Label raise = new Label();

    private final Gp kc;
    private final Gp a;
    private final Gp b;
    private final Gp c;
    private final Gp ldc;
    private final Gp extra;

    private TileCode(Shape shape, int rows, int columns, boolean masked, boolean complex, Lane lane) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        this.v = new Vectors(code, shape.isa(), shape.precision());
        this.shape = shape;
        this.rows = rows;
        this.columns = columns;
        this.masked = masked;
        this.complex = complex;
        this.lane = lane;
        this.dots = new Dots(v);
        this.kc = abi.integer(0);
        this.a = abi.integer(1);
        this.b = abi.integer(2);
        this.c = abi.integer(3);
        this.ldc = abi.integer(4);
        this.extra = abi.integer(5);
    }

    /**
     * Writes a micro-kernel.
     *
     * @param shape registers and their use
     * @param rows vectors of a column of the tile, up to the shape's
     * @param columns columns, up to the shape's; packed B keeps the shape's width
     * @param masked whether the last vector is partial
     * @param complex whether pairs of columns are a complex product's halves, see {@link ComplexUpdate}
     * @return code
     */
    static byte[] write(Shape shape, int rows, int columns, boolean masked, boolean complex) {
        TileCode tile = new TileCode(shape, rows, columns, masked, complex, Lane.NUMBER);
        tile.write();
        return tile.code.code();
    }

    /**
     * Writes a micro-kernel on lanes of several numbers, of a shape of single precision; kc and the bytes of panels count lanes.
     *
     * @param lane what lies in a lane
     */
    public static byte[] write(Shape shape, int rows, int columns, boolean masked, Lane lane) {
        TileCode tile = new TileCode(shape, rows, columns, masked, false, lane);
        tile.write();
        return tile.code.code();
    }

    private void write() {
        if (!complex) {
            Update.spill(v, lane.integers());
        }
        Label top = new Label();
        code.bind(top);
        fetchC();
        if (lane == Lane.BYTES) {
            code.lea(RAX, raise);
        }
        for (int i = 0; i < rows * columns; i++) {
            v.zero(i);
        }
        code.mov(R10, b);
        code.mov(R11, kc);
        code.shr(R11, 2);
        Label rest = new Label();
        Label done = new Label();
        code.jump(ZERO, rest);
        loop(UNROLL);
        code.bind(rest);
        code.mov(R11, kc);
        code.and(R11, UNROLL - 1);
        code.jump(ZERO, done);
        loop(1);
        code.bind(done);
        for (int j = 0; lane == Lane.BYTES && j < columns; j++) {
            v.broadcast(shape.b(j), Mem.at(R10, 4 * j));
            for (int i = 0; i < rows; i++) {
                dots.add(j * rows + i, j * rows + i, shape.b(j));
            }
        }
        if (complex) {
            new ComplexUpdate(v, shape, rows, columns, masked).write(c, ldc, extra);
        } else {
            new Update(v, shape, rows, columns, masked, lane.integers()).write(c, ldc, extra, R11);
        }
        if (!masked && !complex) {
            code.add(c, rows * shape.isa().bytes);
            code.dec(extra);
            code.jump(NOT_ZERO, top);
        }
        code.finish();
        if (lane == Lane.BYTES) {
            code.align(64);
            code.bind(raise);
            for (int i = 0; i < shape.isa().bytes; i += 8) {
                code.data(0x80808080_80808080L);
            }
        }
    }

    /** C is needed only after the loop, and then at once. */
    private void fetchC() {
        code.mov(RAX, c);
        for (int j = 0; j < (complex ? columns / 2 : columns); j++) {
            int bytes = rows * shape.isa().bytes;
            for (int at = 0; at < bytes; at += 64) {
                code.prefetch(Mem.at(RAX, at));
            }
            code.prefetch(Mem.at(RAX, bytes - 1));
            code.add(RAX, ldc);
        }
    }

    private void loop(int steps) {
        Label top = new Label();
        code.align(32);
        code.bind(top);
        int width = rows * shape.isa().bytes;
        int depth = shape.columns() * shape.precision().bytes;
        for (int s = 0; s < steps; s++) {
            for (int i = 0; i < rows && lane != Lane.WORDS; i++) {
                v.load(shape.a(i), Mem.at(a, s * width + i * shape.isa().bytes));
                if (lane == Lane.BYTES) {
                    v.xor(shape.a(i), shape.a(i), Mem.at(RAX, 0));
                }
            }
            for (int j = 0; j < columns; j++) {
                v.broadcast(shape.b(j), Mem.at(R10, s * depth + j * shape.precision().bytes));
                for (int i = 0; i < rows; i++) {
                    multiply(j * rows + i, i, j, Mem.at(a, s * width + i * shape.isa().bytes));
                }
            }
        }
        code.add(a, steps * width);
        code.add(R10, steps * depth);
        code.dec(R11);
        code.jump(NOT_ZERO, top);
    }

    private void multiply(int sum, int i, int j, Mem ai) {
        switch (lane) {
            case NUMBER -> v.fma(sum, shape.a(i), shape.b(j));
            case HALVES -> dots.halves(sum, shape.a(i), shape.b(j));
            case BYTES -> dots.bytes(sum, shape.a(i), shape.b(j));
            case WORDS -> {
                // A's registers take the products, as AVX2 has no others; A is read from the L1 cache again for each column.
                dots.words(shape.a(i), shape.b(j), ai);
                dots.add(sum, sum, shape.a(i));
            }
        }
    }
}
