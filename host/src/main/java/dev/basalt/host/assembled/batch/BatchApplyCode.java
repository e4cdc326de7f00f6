package dev.basalt.host.assembled.batch;

import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R14;
import static dev.basalt.host.assembled.x86.Gp.R15;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RBP;

import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/** Applies the reflectors of one problem a lane to some columns, from the first to the last or the other way round. */
final class BatchApplyCode extends ReflectLanes {
    // Arguments, in the slots of the frame.

    /** The one of the reflector that is applied first. */
    static final int V = 0;

    /** Rows below it, and how many more the next one has. */
    static final int BELOW = 1;
    static final int BELOW_STEP = 9;

    static final int COLUMNS = 2;
    /** Reflectors, at least 1. */
    static final int STEPS = 3;
    /** The factor of the first. */
    static final int TAU = 4;
    /** The row of its one in the columns. */
    static final int C = 6;
    /** Bytes to the one of the next reflector. */
    static final int V_STEP = 7;
    /** Bytes to its row, and to its factor. */
    static final int C_STEP = 8;

    private BatchApplyCode(Shape shape, boolean complex) {
        super(shape, complex);
    }

    /**
     * Writes the kernel. The imaginary parts of the factors are multiplied by the vector of signs of {@link ComplexSubstitutionCode}.
     *
     * @param shape registers
     * @param complex whether elements are complex
     * @return code
     */
    static byte[] write(Shape shape, boolean complex) {
        BatchApplyCode apply = new BatchApplyCode(shape, complex);
        apply.write();
        return apply.code.code();
    }

    private void write() {
        enter();
        count(R14, V);
        count(RBP, BELOW);
        count(R15, C);
        Label top = new Label();
        code.bind(top);
        code.load(RAX, slot(TAU));
        v.load(0, Mem.at(RAX, 0));
        v.store(vector(FACTOR), 0);
        if (complex) {
            v.load(0, Mem.at(RAX, bytes));
            v.xor(0, 0, vector(ComplexSubstitutionCode.SIGNS));
            v.store(vector(FACTOR + 1), 0);
        }
        code.mov(R12, R15);
        count(R13, COLUMNS);
        columns();
        step(R14, V_STEP);
        step(RBP, BELOW_STEP);
        step(R15, C_STEP);
        code.load(R12, slot(TAU));
        step(R12, C_STEP);
        code.store(slot(TAU), R12);
        again(STEPS, top);
        leave();
    }

    private void step(Gp register, int slot) {
        code.load(RAX, slot(slot));
        code.add(register, RAX);
    }
}
