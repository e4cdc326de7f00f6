package dev.basalt.host.assembled.reflect;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Gp.RAX;

import dev.basalt.host.assembled.batch.BatchLanes;
import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;
import dev.basalt.host.assembled.x86.X86Op;

/**
 * Products of a few columns with a few others, all sums in registers: a tile of AᴴA over some rows, added to what there is. Of complex columns each product has
 * two sums: its real part, and its imaginary part with the sign changed.
 */
final class GramCode {
    /** Bytes of a column of a block of rows: the columns of a tile are in the first cache. */
    static final int BLOCK = 4096;

    private final Emitter code = new Emitter();
    private final Shape shape;
    private final boolean complex;
    private final Vectors v;
    private final int side;
    private final int bytes;

    private GramCode(Shape shape, boolean complex) {
        this.shape = shape;
        this.complex = complex;
        this.v = new Vectors(code, shape.isa(), shape.precision());
        this.side = side(shape, complex);
        this.bytes = shape.isa().bytes;
    }

    /** Columns of a tile and rows. */
    static int side(Shape shape, boolean complex) {
        return (shape.isa() == Isa.AVX512 ? 5 : 3) - (complex ? shape.isa() == Isa.AVX512 ? 2 : 1 : 0);
    }

    /** Sums of a tile. */
    static int sums(Shape shape, boolean complex) {
        int side = side(shape, complex);
        return side * side * (complex ? 2 : 1);
    }

    /** Bytes of the sums: whole vectors. */
    static int tileBytes(Shape shape, boolean complex) {
        return (sums(shape, complex) + shape.lanes() - 1) / shape.lanes() * shape.isa().bytes;
    }

    /**
     * Writes a kernel. Arguments: the first columns, the second, the bytes between columns, vectors of a column, and the sums.
     *
     * @param shape registers
     * @param complex whether elements are complex
     * @param ahead whether the second columns of the next block are fetched
     * @return code
     */
    static byte[] write(Shape shape, boolean complex, boolean ahead) {
        GramCode gram = new GramCode(shape, complex);
        gram.write(ahead);
        return gram.code.code();
    }

    private void write(boolean ahead) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        Gp x = abi.integer(0);
        Gp y = abi.integer(1);
        Gp step = abi.integer(2);
        Gp count = abi.integer(3);
        Gp out = abi.integer(4);
        int sums = sums(shape, complex);
        int first = sums;
        int second = first + side;
        int turned = second + 1;
        int signs = second + 2;
        code.lea(RAX, Mem.at(step, step, 2, 0));
        for (int i = 0; i < sums; i++) {
            v.zero(i);
        }
        Label constants = new Label();
        if (complex) {
            // The last argument's register is free.
            Gp at = abi.integer(5);
            code.lea(at, constants);
            v.load(signs, Mem.at(at, 0));
        }
        Label top = new Label();
        code.align(32);
        code.bind(top);
        for (int i = 0; i < side; i++) {
            v.load(first + i, column(x, step, i));
        }
        for (int j = 0; j < side; j++) {
            Mem m = column(y, step, j);
            v.load(second, m);
            if (ahead) {
                code.prefetchFar(new Mem(m.base(), m.index(), m.scale(), BLOCK));
            }
            for (int i = 0; i < side && !complex; i++) {
                v.fma(i * side + j, first + i, second);
            }
            if (complex) {
                v.swapPairs(turned, second);
                v.op(X86Op.XORP, turned, turned, signs);
            }
            for (int i = 0; i < side && complex; i++) {
                v.fma(2 * (i * side + j), first + i, second);
                v.fma(2 * (i * side + j) + 1, first + i, turned);
            }
        }
        code.add(x, bytes);
        code.add(y, bytes);
        code.dec(count);
        code.jump(NOT_ZERO, top);
        reduce(out, sums);
        code.finish();
        code.align(64);
        code.bind(constants);
        for (int at = 0; complex && at < bytes; at += 8) {
            code.data(shape.precision() == Real.F64 ? at % 16 == 0 ? Long.MIN_VALUE : 0 : 1L << 31);
        }
    }

    private static Mem column(Gp base, Gp step, int i) {
        return switch (i) {
            case 0 -> Mem.at(base, 0);
            case 3 -> Mem.at(base, RAX, 1, 0);
            default -> Mem.at(base, step, i, 0);
        };
    }

    /** Each sum becomes one number, as many as a vector has lanes at a time. */
    private void reduce(Gp out, int sums) {
        BatchLanes lanes = new BatchLanes(code, shape);
        int registers = shape.isa().registers;
        for (int i = sums; i < registers - 2 && i % lanes.count != 0; i++) {
            v.zero(i);
        }
        for (int from = 0; from < sums; from += lanes.count) {
            int[] r = new int[lanes.count];
            for (int i = 0; i < r.length; i++) {
                r[i] = from + i;
                if (r[i] >= registers - 2) {
                    v.zero(r[i]);
                }
            }
            int last = from + lanes.count;
            lanes.sums(r, last > registers - 2 ? 0 : registers - 2);
            Mem m = Mem.at(out, from / lanes.count * bytes);
            v.add(from, from, m);
            v.store(m, from);
        }
    }
}
