package dev.basalt.host.asm;

import static dev.basalt.host.asm.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.asm.Gp.R10;
import static dev.basalt.host.asm.Gp.R11;
import static dev.basalt.host.asm.Gp.RAX;

/**
 * The micro-kernel of the matrix product on operands where they are. Arguments: k, A, bytes between A's columns, B, bytes
 * to B's next step and to its next column (packed, plain or transposed), C, bytes between C's columns, the mask of the
 * last vector; alpha and beta in vector registers. Rounds as {@link TileCode} does.
 */
final class DirectCode {
    private static final int C = 6;
    private static final int LDC = 7;
    private static final int MASK = 8;

    private DirectCode() {}

    /**
     * Writes a micro-kernel.
     *
     * @param shape registers and their use
     * @param rows vectors of a column of the tile
     * @param columns columns of the tile
     * @param masked whether the last vector is partial; what lies beyond it is not touched
     * @return code
     */
    static byte[] write(Shape shape, int rows, int columns, boolean masked) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        Emitter code = new Emitter();
        Vectors v = new Vectors(code, shape.isa(), shape.precision());
        Gp k = abi.integer(0);
        Gp a = abi.integer(1);
        Gp lda = abi.integer(2);
        Gp b = abi.integer(3);
        Gp step = abi.integer(4);
        Gp next = abi.integer(5);
        boolean reload = masked && shape.isa() == Isa.AVX2;
        int last = shape.a(rows - 1);
        Update.spill(v);
        if (masked) {
            code.load(R11, abi.stacked(MASK));
            if (!reload) {
                v.mask(R11, last);
            }
        }
        for (int i = 0; i < rows * columns; i++) {
            v.zero(i);
        }
        // Columns 0 to 3 are b + {0, 1, 2, 3}·next, columns 4 to 7 the same from RAX.
        code.lea(R10, Mem.at(next, next, 2, 0));
        code.lea(RAX, Mem.at(b, next, 4, 0));
        Label top = new Label();
        code.align(32);
        code.bind(top);
        for (int i = 0; i < rows; i++) {
            Mem m = Mem.at(a, i * shape.isa().bytes);
            if (masked && i == rows - 1) {
                // All registers of AVX2 are in use, so the mask comes again and again where the vector then goes.
                if (reload) {
                    v.mask(R11, last);
                }
                v.loadMasked(last, m, last);
            } else {
                v.load(shape.a(i), m);
            }
        }
        for (int j = 0; j < columns; j++) {
            Gp base = j < 4 ? b : RAX;
            Mem m = switch (j & 3) {
                case 0 -> Mem.at(base, 0);
                case 1 -> Mem.at(base, next, 1, 0);
                case 2 -> Mem.at(base, next, 2, 0);
                default -> Mem.at(base, R10, 1, 0);
            };
            v.broadcast(shape.b(j), m);
            for (int i = 0; i < rows; i++) {
                v.fma(j * rows + i, shape.a(i), shape.b(j));
            }
        }
        code.add(a, lda);
        code.add(b, step);
        code.add(RAX, step);
        code.dec(k);
        code.jump(NOT_ZERO, top);
        code.load(b, abi.stacked(C));
        code.load(step, abi.stacked(LDC));
        new Update(v, shape, rows, columns, masked).write(b, step, R11);
        code.finish();
        return code.code();
    }
}
