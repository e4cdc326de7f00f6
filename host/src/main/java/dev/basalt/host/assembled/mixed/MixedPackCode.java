package dev.basalt.host.assembled.mixed;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;

import dev.basalt.host.assembled.product.Lane;
import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Dots;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Format;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Narrow;
import dev.basalt.host.assembled.x86.Narrow.Part;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * Kernels that pack micro-panels of {@link Lane lanes}. Arguments of a copy: groups, the first column, bytes between columns, target, bytes between groups, and
 * a mask where there is one. A group is a lane of each row: as many columns as a lane has numbers, or fewer, and zeros.
 */
final class MixedPackCode {
    private static final int LANE = 0;
    private static final int NEXT = 1;
    private static final int T = 2;
    private static final int U = 3;
    private static final int CONSTANTS = 4;

    private MixedPackCode() {}

    /**
     * Groups whose rows follow each other in the source.
     *
     * @param lane what a lane becomes
     * @param format what is read where a lane is a number
     * @param columns columns of a group that there are
     * @param vectors vectors of a group
     * @param masked whether the last is partial; it is filled up with zeros
     */
    static byte[] rows(Isa isa, Lane lane, Format format, int columns, int vectors, boolean masked) {
        Emitter code = new Emitter();
        Vectors v = new Vectors(code, isa, Real.F32);
        Narrow narrow = new Narrow(v, CONSTANTS);
        Dots dots = new Dots(v);
        CallingConvention abi = CallingConvention.SYSTEM_V;
        Gp from = abi.integer(1);
        Gp stride = abi.integer(2);
        Gp to = abi.integer(3);
        int lanes = isa.lanes(Real.F32);
        if (lane == Lane.NUMBER) {
            narrow.prepareLoad(format);
        } else if (columns > 3) {
            code.lea(R10, Mem.at(stride, stride, 2, 0));
        }
        if (masked) {
            v.mask(abi.integer(5), 0);
        }
        Label top = new Label();
        code.align(32);
        code.bind(top);
        for (int i = 0; i < vectors; i++) {
            Part part = masked && i == vectors - 1 ? Part.MASKED : Part.WHOLE;
            int bytes = lane == Lane.NUMBER ? format.bytes : lane == Lane.HALVES ? 2 : 1;
            for (int j = 0; j < columns; j++) {
                int disp = i * lanes * bytes;
                Mem m = j == 0 ? Mem.at(from, disp)
                        : j == 3 ? Mem.at(from, R10, 1, disp)
                        : Mem.at(from, stride, j, disp);
                int register = j == 0 ? LANE : NEXT;
                switch (lane) {
                    case NUMBER -> narrow.load(format, LANE, m, part, T, U);
                    case HALVES -> narrow.words(register, m, part);
                    case WORDS -> {
                        narrow.bytes(register, m, part, true);
                        dots.shiftLeft(register, register, 16);
                    }
                    case BYTES -> narrow.bytes(register, m, part, false);
                }
                if (lane == Lane.WORDS && j == 0) {
                    dots.shiftRight(LANE, LANE, 16);
                } else if (j > 0) {
                    if (lane != Lane.WORDS) {
                        dots.shiftLeft(NEXT, NEXT, 32 / lane.numbers * j);
                    }
                    v.or(LANE, LANE, NEXT);
                }
            }
            v.store(Mem.at(to, i * isa.bytes), LANE);
        }
        code.lea(from, Mem.at(from, stride, lane.numbers, 0));
        code.add(to, abi.integer(4));
        code.dec(abi.integer(0));
        code.jump(NOT_ZERO, top);
        code.finish();
        return code.code();
    }

    /** Bytes become 16-bit integers: vectors, source, target. */
    static byte[] extend(Isa isa) {
        Emitter code = new Emitter();
        Vectors v = new Vectors(code, isa, Real.F32);
        CallingConvention abi = CallingConvention.SYSTEM_V;
        Label top = new Label();
        code.align(32);
        code.bind(top);
        new Narrow(v, CONSTANTS).extend(LANE, Mem.at(abi.integer(1), 0));
        v.store(Mem.at(abi.integer(2), 0), LANE);
        code.add(abi.integer(1), isa.bytes / 2);
        code.add(abi.integer(2), isa.bytes);
        code.dec(abi.integer(0));
        code.jump(NOT_ZERO, top);
        code.finish();
        return code.code();
    }

    /** Behind a micro-panel of {@link Lane#BYTES}: what each column's raised sum is too large by, negative. Groups, panel. */
    static byte[] lower(Isa isa) {
        Emitter code = new Emitter();
        Vectors v = new Vectors(code, isa, Real.F32);
        Dots dots = new Dots(v);
        Gp panel = CallingConvention.SYSTEM_V.integer(1);
        int bytes = isa.bytes / 2;
        code.mov(Gp.RAX, 0x01010101);
        v.bits(NEXT, Gp.RAX);
        v.broadcast(NEXT, NEXT);
        v.zero(LANE);
        v.zero(T);
        Label top = new Label();
        code.align(32);
        code.bind(top);
        v.loadPart(U, Mem.at(panel, 0), bytes);
        dots.bytes(LANE, NEXT, U);
        code.add(panel, bytes);
        code.dec(CallingConvention.SYSTEM_V.integer(0));
        code.jump(NOT_ZERO, top);
        dots.shiftLeft(LANE, LANE, 7);
        dots.subtract(LANE, T, LANE);
        v.storePart(Mem.at(panel, 0), LANE, bytes);
        code.finish();
        return code.code();
    }
}
