package dev.basalt.host.assembled.x86;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_BELOW;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RSP;

import dev.basalt.portable.HeapOperands;

/** The code before a kernel that is called on arrays of Java: it puts their addresses in the place of the numbers that stand for them ({@link HeapOperands}). */
final class HeapAddresses {
    /** Integers that a kernel may take. */
    private static final int INTEGERS = 10;
    private static final int IN_REGISTERS = 6;

    private HeapAddresses() {}

    static byte[] code() {
        CallingConvention abi = CallingConvention.current();
        Emitter code = new Emitter();
        code.mov(R11, -HeapOperands.BIAS);
        for (int i = 0; i < IN_REGISTERS; i++) {
            resolve(code, abi, abi.integer(i), null);
        }
        for (int i = IN_REGISTERS; i < INTEGERS; i++) {
            code.load(RAX, abi.stacked(i));
            resolve(code, abi, RAX, abi.stacked(i));
        }
        code.load(R10, abi.stacked(INTEGERS + HeapOperands.MOST));
        code.jump(R10);
        return code.code();
    }

    private static void resolve(Emitter code, CallingConvention abi, Gp number, Mem home) {
        Label address = new Label();
        int above = Long.SIZE - HeapOperands.SHIFT;
        code.mov(R10, number);
        code.shr(R10, HeapOperands.SHIFT);
        code.sub(R10, 1 << above - 1);
        code.compare(R10, HeapOperands.MOST);
        code.jump(NOT_BELOW, address);
        code.load(R10, Mem.at(RSP, R10, 8, abi.stacked(INTEGERS).disp()));
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
