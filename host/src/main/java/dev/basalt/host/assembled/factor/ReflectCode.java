package dev.basalt.host.assembled.factor;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.R9;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RCX;
import static dev.basalt.host.assembled.x86.Gp.RDI;
import static dev.basalt.host.assembled.x86.Gp.RDX;
import static dev.basalt.host.assembled.x86.Gp.RSI;

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * Copies a triangle of a matrix to the other triangle of another, element by element: for small ones, whose factorisation
 * takes longer. Arguments: order, at least 1; source, bytes between its columns; target, bytes between its columns.
 */
final class ReflectCode {
    private static final Gp ORDER = RDI;
    private static final Gp SOURCE = RSI;
    private static final Gp SOURCE_STEP = RDX;
    private static final Gp TARGET = RCX;
    private static final Gp TARGET_STEP = R8;
    private static final Gp COUNT = R9;
    private static final Gp FROM = R10;
    private static final Gp TO = R11;

    private ReflectCode() {}

    /**
     * Writes a kernel.
     *
     * @param precision of the elements
     * @param gather whether the upper triangle's rows become the lower one's columns, or else the other way round
     * @return code
     */
    static byte[] write(Real precision, boolean gather) {
        Emitter code = new Emitter();
        Vectors v = new Vectors(code, Isa.AVX2, precision);
        int size = precision.bytes;
        Label outer = new Label();
        Label inner = new Label();
        code.bind(outer);
        code.mov(COUNT, ORDER);
        code.mov(FROM, SOURCE);
        code.mov(TO, TARGET);
        code.bind(inner);
        v.loadOne(0, Mem.at(FROM, 0));
        v.storeOne(Mem.at(TO, 0), 0);
        advance(code, FROM, gather ? SOURCE_STEP : null, size);
        advance(code, TO, gather ? null : TARGET_STEP, size);
        code.dec(COUNT);
        code.jump(NOT_ZERO, inner);
        code.lea(RAX, Mem.at(SOURCE_STEP, size));
        code.add(SOURCE, RAX);
        code.lea(RAX, Mem.at(TARGET_STEP, size));
        code.add(TARGET, RAX);
        code.dec(ORDER);
        code.jump(NOT_ZERO, outer);
        code.finish();
        return code.code();
    }

    private static void advance(Emitter code, Gp register, Gp step, int size) {
        if (step != null) {
            code.add(register, step);
        } else {
            code.add(register, size);
        }
    }
}
