package dev.basalt.host.assembled.stream;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R14;
import static dev.basalt.host.assembled.x86.Gp.R15;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RBP;
import static dev.basalt.host.assembled.x86.Gp.RBX;

import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Vectors;
import java.util.List;

/**
 * Calls a kernel once for each problem of a batch. A call from Java costs as much as a short vector takes; this loop costs two
 * nanoseconds a problem. Arguments: the kernel, the problems, at least one, and a frame of slots of 8 bytes ({@link Slot}).
 */
final class EachCode {
    /** What changes from problem to problem; x always does, in integer register 1. */
    enum Kind {
        /** Nothing else. */
        ONE(0, 0),
        /** y, in register 2. */
        TWO(2, 0),
        /** y, in register 3. */
        TWO_APART(3, 0),
        /** What the kernel leaves in RAX goes to a table. */
        ONE_RESULT(0, RESULT),
        /** y in register 2, and the same. */
        TWO_RESULT(2, RESULT),
        /** y in register 3, and the same. */
        TWO_APART_RESULT(3, RESULT),
        /** y in register 2, and where the result goes in 4. */
        TWO_PLACE(2, 4),
        /** y in register 3, and where the result goes in 5. */
        TWO_APART_PLACE(3, 5);

        /** The register of y, 0 for none. */
        final int second;
        /** The register of the result's place, {@link #RESULT} for a table, 0 for none. */
        final int result;

        Kind(int second, int result) {
            this.second = second;
            this.result = result;
        }
    }

    /** How addresses change. */
    enum Mode {
        /** By a constant. */
        STRIDED,
        /** Each is read from a table, and an offset added. */
        TABLES;
    }

    /** Slots of the frame. */
    enum Slot {
        /** The kernel's integers as for the first problem; of a table its address. */
        INTEGER_0,
        INTEGER_1,
        INTEGER_2,
        INTEGER_3,
        INTEGER_4,
        INTEGER_5,
        /** Its numbers. */
        ALPHA,
        BETA,
        /** What is added to x, y and the result's place after each problem, or to what is read from a table. */
        STEP_X,
        STEP_Y,
        STEP_RESULT,
        /** Where the first result goes. */
        RESULT;

        int offset() {
            return 8 * ordinal();
        }
    }

    private static final int RESULT = -1;
    private static final List<Gp> KEPT = List.of(RBX, RBP, R12, R13, R14, R15);

    private final Emitter code = new Emitter();
    private final Vectors numbers = new Vectors(code, Isa.AVX2, Real.F64);
    private final CallingConvention abi = CallingConvention.SYSTEM_V;
    private final Kind kind;
    private final Mode mode;

    private EachCode(Kind kind, Mode mode) {
        this.kind = kind;
        this.mode = mode;
    }

    static byte[] write(Kind kind, Mode mode) {
        EachCode each = new EachCode(kind, mode);
        each.write();
        return each.code.code();
    }

    private static Mem slot(Slot slot) {
        return Mem.at(RBX, slot.offset());
    }

    private static Slot integer(int register) {
        return Slot.values()[register];
    }

    private void write() {
        KEPT.forEach(code::push);
        code.mov(R12, abi.integer(0));
        code.mov(RBP, abi.integer(1));
        code.mov(RBX, abi.integer(2));
        code.load(R13, slot(Slot.INTEGER_1));
        if (kind.second != 0) {
            code.load(R14, slot(integer(kind.second)));
        }
        if (kind.result != 0) {
            code.load(R15, slot(Slot.RESULT));
        }
        // The stack pointer is a multiple of 16 where a function is called; six registers and the return address make an odd number.
        code.sub(Gp.RSP, 8);
        Label top = new Label();
        code.align(32);
        code.bind(top);
        for (int i = 0; i < 6; i++) {
            if (i == 1) {
                next(R13, 1, Slot.STEP_X, mode == Mode.TABLES);
            } else if (i == kind.second && i != 0) {
                next(R14, i, Slot.STEP_Y, mode == Mode.TABLES);
            } else if (i == kind.result && i != 0) {
                next(R15, i, Slot.STEP_RESULT, false);
            } else {
                code.load(abi.integer(i), slot(integer(i)));
            }
        }
        numbers.loadOne(0, slot(Slot.ALPHA));
        numbers.loadOne(1, slot(Slot.BETA));
        code.call(R12);
        if (kind.result == RESULT) {
            code.store(Mem.at(R15, 0), RAX);
            code.add(R15, Long.BYTES);
        }
        code.dec(RBP);
        code.jump(NOT_ZERO, top);
        code.add(Gp.RSP, 8);
        KEPT.reversed().forEach(code::pop);
        code.finish();
    }

    /** Puts an argument of this problem into its register, and goes on to the next problem's. */
    private void next(Gp at, int register, Slot step, boolean table) {
        Gp to = abi.integer(register);
        code.load(RAX, slot(step));
        if (table) {
            code.load(to, Mem.at(at, 0));
            code.add(to, RAX);
            code.add(at, Long.BYTES);
        } else {
            code.mov(to, at);
            code.add(at, RAX);
        }
    }
}
