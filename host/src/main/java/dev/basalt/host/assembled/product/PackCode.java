package dev.basalt.host.assembled.product;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.RAX;

import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * Kernels that pack micro-panels: one group of elements a step of the inner dimension. Arguments: steps, source, bytes between
 * the source's columns, target, bytes between groups, and a mask where there is one.
 */
final class PackCode {
    /** Steps that a transposition does at a time. */
    static final int BLOCK = 4;

    private PackCode() {}

    /**
     * Groups that are contiguous in the source.
     *
     * @param vectors vectors of a group
     * @param masked whether the last is partial
     * @param padded whether a partial vector is filled up with zeros, or else only the part is stored
     */
    static byte[] copy(Shape shape, int vectors, boolean masked, boolean padded) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        Emitter code = new Emitter();
        Vectors v = new Vectors(code, shape.isa(), shape.precision());
        int mask = vectors;
        if (masked) {
            v.mask(abi.integer(5), mask);
        }
        Label top = new Label();
        code.align(32);
        code.bind(top);
        for (int i = 0; i < vectors; i++) {
            Mem m = Mem.at(abi.integer(1), i * shape.isa().bytes);
            if (masked && i == vectors - 1) {
                v.loadMasked(i, m, mask);
            } else {
                v.load(i, m);
            }
        }
        for (int i = 0; i < vectors; i++) {
            Mem m = Mem.at(abi.integer(3), i * shape.isa().bytes);
            if (masked && !padded && i == vectors - 1) {
                v.storeMasked(m, i, mask);
            } else {
                v.store(m, i);
            }
        }
        code.add(abi.integer(1), abi.integer(2));
        code.add(abi.integer(3), abi.integer(4));
        code.dec(abi.integer(0));
        code.jump(NOT_ZERO, top);
        code.finish();
        return code.code();
    }

    /** Columns of a group that one transposition takes: those that fill 128 bits, times {@code halves}. */
    static int columns(int unit, int halves) {
        return halves * (16 / unit);
    }

    /**
     * Groups that take one element of each of several columns: a transposition, {@link #BLOCK} steps at a time. In place of a mask is how many times: for the next columns, or
     * the next steps if it unpacks.
     *
     * @param unit bytes of an element, 4, 8 or 16; a complex element moves as one
     * @param halves 1 for 128-bit registers, 2 for 256
     * @param unpack whether the columns advance from round to round, to the next place in the groups; or else the groups do
     */
    static byte[] transpose(int unit, int halves, boolean unpack) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        Emitter code = new Emitter();
        Vectors v = new Vectors(code, Isa.AVX2, unit == 4 ? Real.F32 : Real.F64);
        Gp rounds = abi.integer(0);
        Gp from = abi.integer(1);
        Gp stride = abi.integer(2);
        Gp to = abi.integer(3);
        Gp group = abi.integer(4);
        Gp times = abi.integer(5);
        Gp[] kept = {rounds, from, to};
        code.lea(R10, Mem.at(stride, stride, 2, 0));
        code.lea(RAX, Mem.at(group, group, 2, 0));
        Label next = new Label();
        code.bind(next);
        for (int i = 0; i < kept.length; i++) {
            code.store(CallingConvention.spill(i), kept[i]);
        }
        if (unit == 4) {
            code.lea(R11, Mem.at(from, stride, 4, 0));
        }
        Label top = new Label();
        code.align(32);
        code.bind(top);
        int columns = 16 / unit;
        Mem[] source =
                {Mem.at(from, 0), Mem.at(from, stride, 1, 0), Mem.at(from, stride, 2, 0), Mem.at(from, R10, 1, 0)};
        Mem[] target = {Mem.at(to, 0), Mem.at(to, group, 1, 0), Mem.at(to, group, 2, 0), Mem.at(to, RAX, 1, 0)};
        int round = BLOCK / columns;
        for (int s = 0; s < round; s++) {
            for (int j = 0; j < columns; j++) {
                v.loadQuarter(j, moved(source[j], s * 16));
                if (halves == 2) {
                    Mem upper = unit == 4 ? new Mem(R11, source[j].index(), source[j].scale(), 0) : source[j + columns];
                    v.insertUpper(j, j, moved(upper, s * 16));
                }
            }
            if (unit == 4) {
                transposeFour(v, halves);
            } else if (unit == 8) {
                v.unpack(Real.F64, false, halves, 4, 0, 1);
                v.unpack(Real.F64, true, halves, 5, 0, 1);
            }
            for (int j = 0; j < columns; j++) {
                v.storeHalves(target[s * columns + j], halves, unit == 16 ? 0 : 4 + j);
            }
        }
        if (unpack) {
            int taken = columns(unit, halves);
            code.lea(from, Mem.at(from, stride, taken, 0));
            if (unit == 4) {
                code.lea(R11, Mem.at(R11, stride, taken, 0));
            }
            code.add(to, taken * unit);
        } else {
            code.add(from, BLOCK * unit);
            if (unit == 4) {
                code.add(R11, BLOCK * unit);
            }
            code.lea(to, Mem.at(to, group, 4, 0));
        }
        code.dec(rounds);
        code.jump(NOT_ZERO, top);
        for (int i = 0; i < kept.length; i++) {
            code.load(kept[i], CallingConvention.spill(i));
        }
        if (unpack) {
            code.add(from, BLOCK * unit);
            code.lea(to, Mem.at(to, group, BLOCK, 0));
        } else {
            code.lea(from, Mem.at(from, stride, columns(unit, halves), 0));
            code.add(to, columns(unit, halves) * unit);
        }
        code.dec(times);
        code.jump(NOT_ZERO, next);
        code.finish();
        return code.code();
    }

    /** Registers 0 to 3, four floats a lane, to registers 4 to 7. */
    private static void transposeFour(Vectors v, int halves) {
        v.unpack(Real.F32, false, halves, 8, 0, 1);
        v.unpack(Real.F32, true, halves, 9, 0, 1);
        v.unpack(Real.F32, false, halves, 10, 2, 3);
        v.unpack(Real.F32, true, halves, 11, 2, 3);
        v.unpack(Real.F64, false, halves, 4, 8, 10);
        v.unpack(Real.F64, true, halves, 5, 8, 10);
        v.unpack(Real.F64, false, halves, 6, 9, 11);
        v.unpack(Real.F64, true, halves, 7, 9, 11);
    }

    private static Mem moved(Mem m, int bytes) {
        return new Mem(m.base(), m.index(), m.scale(), m.disp() + bytes);
    }
}
