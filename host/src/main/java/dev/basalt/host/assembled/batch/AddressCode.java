package dev.basalt.host.assembled.batch;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Gp.RAX;

import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;

/**
 * Writes the table of a batch's addresses, which is where kernels find their problems. The last address comes again until
 * the lanes of a vector are full: lanes beyond the batch repeat its last problem, and write the same bits to the same place.
 */
final class AddressCode {
    /** Copies of the last address behind the table: one less than the most lanes that there are. */
    static final int REPEATS = 15;

    private AddressCode() {}

    /**
     * Arguments: table, problems, then the first address and the bytes from problem to problem, or a table of pointers and
     * the bytes to add to each.
     */
    static byte[] write(boolean pointers) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        Emitter code = new Emitter();
        Gp out = abi.integer(0);
        Gp count = abi.integer(1);
        Gp from = abi.integer(2);
        Gp step = abi.integer(3);
        Label top = new Label();
        code.align(32);
        code.bind(top);
        if (pointers) {
            code.load(RAX, Mem.at(from, 0));
            code.add(RAX, step);
            code.add(from, Long.BYTES);
        } else {
            code.mov(RAX, from);
            code.add(from, step);
        }
        code.store(Mem.at(out, 0), RAX);
        code.add(out, Long.BYTES);
        code.dec(count);
        code.jump(NOT_ZERO, top);
        for (int i = 0; i < REPEATS; i++) {
            code.store(Mem.at(out, i * Long.BYTES), RAX);
        }
        code.ret();
        return code.code();
    }
}
