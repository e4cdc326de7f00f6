package dev.basalt.host.assembled.batch;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R11;

import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;

/**
 * Asks for the cache lines of a triangle that is wanted soon. A small triangle of a long batch is read column by column, each shorter
 * than the one before: no pattern that the hardware's prefetchers know, so each column would be waited for.
 */
final class TouchCode {
    private static final int LINE = 64;

    private TouchCode() {}

    /**
     * Arguments: the triangle, bytes between its columns, how many columns, up to {@link BatchFrame#ORDER}.
     *
     * @param size bytes of an element
     * @param lower whether it is the lower triangle
     * @return code
     */
    static byte[] write(int size, boolean lower) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        Emitter code = new Emitter();
        Gp a = abi.integer(0);
        Gp ld = abi.integer(1);
        Gp n = abi.integer(2);
        int lines = BatchFrame.ORDER * size / LINE;
        Label end = new Label();
        for (int group = 0; group < lines; group++) {
            Label top = new Label();
            code.mov(R11, LINE / size);
            code.bind(top);
            for (int line = lower ? group : 0; line < (lower ? lines : group + 1); line++) {
                code.prefetch(Mem.at(a, line * LINE));
            }
            code.add(a, ld);
            code.dec(n);
            code.jump(ZERO, end);
            code.dec(R11);
            code.jump(NOT_ZERO, top);
        }
        code.bind(end);
        code.ret();
        return code.code();
    }
}
