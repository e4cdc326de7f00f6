package dev.basalt.host.assembled.product;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.RAX;

import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * The micro-kernel of the matrix product on operands where they are. Arguments: k, A, bytes between A's columns, B, bytes
 * to B's next step and to its next column (packed, plain or transposed), C, bytes between C's columns, the mask of the
 * last vector, how many tiles to do along the columns if the tile is as wide as can be; alpha and beta in vector registers. Rounds as
 * {@link TileCode} does.
 *
 * <p>Of a complex product the tile's columns are pairs for the parts of an element of B, and in place of the mask are the constants of
 * {@link ComplexUpdate}.
 */
final class DirectCode {
    private static final int C = 6;
    private static final int LDC = 7;
    private static final int MASK = 8;
    private static final int PANELS = 9;

    /** Slots of the red zone behind those of alpha and beta: arguments that a tile uses up. */
    private static final int KEEP = 2;

    /** Steps of the inner dimension in the loop's body: the end of a short loop is foreseen then. */
    private static final int UNROLL = 4;

    private final CallingConvention abi = CallingConvention.SYSTEM_V;
    private final Emitter code = new Emitter();
    private final Vectors v;
    private final Shape shape;
    private final int rows;
    private final int columns;
    private final boolean masked;
    private final boolean complex;
    /** Columns of the tile to a column of B and C. */
    private final int parts;
    /** All registers of AVX2 are in use, so the mask comes again and again where the vector then goes. */
    private final boolean reload;

    private final Gp k = abi.integer(0);
    private final Gp a = abi.integer(1);
    private final Gp lda = abi.integer(2);
    private final Gp b = abi.integer(3);
    private final Gp step = abi.integer(4);
    private final Gp next = abi.integer(5);
    private final Gp[] used = {k, a, step, b};

    private DirectCode(Shape shape, int rows, int columns, boolean masked, boolean complex) {
        this.v = new Vectors(code, shape.isa(), shape.precision());
        this.shape = shape;
        this.rows = rows;
        this.columns = columns;
        this.masked = masked;
        this.complex = complex;
        this.parts = complex ? 2 : 1;
        this.reload = masked && shape.isa() == Isa.AVX2;
    }

    /**
     * Writes a micro-kernel.
     *
     * @param shape registers and their use
     * @param rows vectors of a column of the tile
     * @param columns columns of the tile
     * @param masked whether the last vector is partial; what lies beyond it is not touched
     * @param complex whether pairs of columns are a complex product's halves, see {@link ComplexUpdate}
     * @return code
     */
    static byte[] write(Shape shape, int rows, int columns, boolean masked, boolean complex) {
        DirectCode direct = new DirectCode(shape, rows, columns, masked, complex);
        direct.write();
        return direct.code.code();
    }

    private void write() {
        if (!complex) {
            Update.spill(v, false);
        }
        for (int i = 0; i < used.length; i++) {
            code.store(CallingConvention.spill(KEEP + i), used[i]);
        }
        if (!complex) {
            prepare();
        }
        Label tile = new Label();
        code.bind(tile);
        if (complex) {
            prepare();
        }
        tile();
        code.load(b, abi.stacked(C));
        code.load(step, abi.stacked(LDC));
        if (complex) {
            code.load(k, abi.stacked(MASK));
            new ComplexUpdate(v, shape, rows, columns, masked).write(b, step, k);
        } else {
            new Update(v, shape, rows, columns, masked, false).write(b, step, R11, k);
        }
        if (columns == shape.columns()) {
            again(tile);
        }
        code.finish();
    }

    /** The mask in R11, or set from there, and three times the step to B's next column in R10, which the end of a complex tile uses. */
    private void prepare() {
        if (masked) {
            code.load(R11, abi.stacked(MASK));
            if (complex) {
                code.load(R11, Mem.at(R11, ComplexUpdate.maskAt(shape)));
            }
            if (!reload) {
                v.mask(R11, shape.a(rows - 1));
            }
        }
        code.lea(R10, Mem.at(next, next, 2, 0));
    }

    private void tile() {
        for (int i = 0; i < rows * columns; i++) {
            v.zero(i);
        }
        // Columns 0 to 3 of B are b + {0, 1, 2, 3}·next, columns 4 to 7 the same from RAX.
        code.lea(RAX, Mem.at(b, next, 4, 0));
        Label rest = new Label();
        Label done = new Label();
        code.shr(k, 2);
        code.jump(ZERO, rest);
        loop(UNROLL);
        code.bind(rest);
        code.load(k, CallingConvention.spill(KEEP));
        code.and(k, UNROLL - 1);
        code.jump(ZERO, done);
        loop(1);
        code.bind(done);
    }

    private void loop(int steps) {
        Label top = new Label();
        code.align(32);
        code.bind(top);
        for (int s = 0; s < steps; s++) {
            step();
        }
        code.dec(k);
        code.jump(NOT_ZERO, top);
    }

    private void step() {
        for (int i = 0; i < rows; i++) {
            Mem m = Mem.at(a, i * shape.isa().bytes);
            int to = shape.a(i);
            if (masked && i == rows - 1) {
                if (reload) {
                    v.mask(R11, to);
                }
                v.loadMasked(to, m, to);
            } else {
                v.load(to, m);
            }
        }
        for (int j = 0; j < columns; j++) {
            int column = j / parts;
            int part = j % parts * shape.precision().bytes;
            Gp base = column < 4 ? b : RAX;
            Mem m = switch (column & 3) {
                case 0 -> Mem.at(base, part);
                case 1 -> Mem.at(base, next, 1, part);
                case 2 -> Mem.at(base, next, 2, part);
                default -> Mem.at(base, R10, 1, part);
            };
            v.broadcast(shape.b(j), m);
            for (int i = 0; i < rows; i++) {
                v.fma(j * rows + i, shape.a(i), shape.b(j));
            }
        }
        code.add(a, lda);
        code.add(b, step);
        code.add(RAX, step);
    }

    /** On to the next tile along the columns, if there is one; C is in B's register, the bytes between its columns in those of B's step. */
    private void again(Label tile) {
        Label end = new Label();
        code.load(k, abi.stacked(PANELS));
        code.dec(k);
        code.jump(ZERO, end);
        code.store(abi.stacked(PANELS), k);
        code.shl(step, Integer.numberOfTrailingZeros(columns / parts));
        code.add(b, step);
        code.store(abi.stacked(C), b);
        for (int i = 0; i < used.length; i++) {
            code.load(used[i], CallingConvention.spill(KEEP + i));
        }
        code.lea(b, Mem.at(b, next, columns / parts, 0));
        code.store(CallingConvention.spill(KEEP + used.length - 1), b);
        code.jump(tile);
        code.bind(end);
    }
}
