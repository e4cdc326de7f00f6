package dev.basalt.host.assembled.x86;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_BELOW;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RSP;

import dev.basalt.portable.HeapOperands;

/** The code before a kernel. Where that is called on arrays of Java it puts their addresses in the place of the numbers that stand for them ({@link HeapOperands}). */
final class HeapAddresses {
    private static final int IN_REGISTERS = 6;

    private HeapAddresses() {}

    /** The code for kernels that take so many integers, six at least. */
    static byte[] code(int integers) {
        CallingConvention abi = CallingConvention.current();
        Emitter code = new Emitter();
        code.mov(R11, -HeapOperands.BIAS);
        for (int i = 0; i < IN_REGISTERS; i++) {
            resolve(code, abi.stacked(integers), abi.integer(i), null);
        }
        for (int i = IN_REGISTERS; i < integers; i++) {
            code.load(RAX, abi.stacked(i));
            resolve(code, abi.stacked(integers), RAX, abi.stacked(i));
        }
        code.load(R10, abi.stacked(integers + HeapOperands.MOST));
        code.jump(R10);
        return code.code();
    }

    /** The code before a kernel of three integers whose address is the fourth. */
    static byte[] jump() {
        Emitter code = new Emitter();
        code.jump(CallingConvention.current().integer(3));
        return code.code();
    }

    private static void resolve(Emitter code, Mem arrays, Gp number, Mem home) {
        Label address = new Label();
        int above = Long.SIZE - HeapOperands.SHIFT;
        code.mov(R10, number);
        code.shr(R10, HeapOperands.SHIFT);
        code.sub(R10, 1 << above - 1);
        code.compare(R10, HeapOperands.MOST);
        code.jump(NOT_BELOW, address);
        code.load(R10, Mem.at(RSP, R10, 8, arrays.disp()));
        code.shl(number, above);
        code.shr(number, above);
        code.add(number, R11);
        code.add(number, R10);
        if (home != null) {
            code.store(home, number);
        }
        code.bind(address);
    }
}
