package dev.basalt.host.assembled.batch;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RCX;
import static dev.basalt.host.assembled.x86.Gp.RDI;
import static dev.basalt.host.assembled.x86.Gp.RDX;
import static dev.basalt.host.assembled.x86.Gp.RSI;

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * Σ x·y for every problem of a table: the products of each problem in a vector of its own, then all vectors summed up
 * together, as many as a vector has lanes.
 */
final class BatchDotCode {
    // Arguments, in the slots of the frame.

    static final int X = 0;
    static final int Y = 1;
    static final int RESULTS = 2;
    /** Groups of as many problems as a vector has lanes. */
    static final int GROUPS = 3;

    static final int MASK = 4;

    private BatchDotCode() {}

    /**
     * Writes a kernel.
     *
     * @param shape registers
     * @param vectors vectors of x
     * @param masked whether the last is partial
     * @return code
     */
    static byte[] write(Shape shape, int vectors, boolean masked) {
        Emitter code = new Emitter();
        BatchLanes lanes = new BatchLanes(code, shape);
        Vectors v = lanes.v;
        boolean wide = shape.isa() == Isa.AVX512;
        int value = lanes.count;
        int other = value + 1;
        int mask = shape.isa().registers - 1;
        code.load(RSI, Mem.at(RDI, 8 * X));
        code.load(RDX, Mem.at(RDI, 8 * Y));
        code.load(RCX, Mem.at(RDI, 8 * RESULTS));
        code.load(R8, Mem.at(RDI, 8 * GROUPS));
        if (masked) {
            code.load(RAX, Mem.at(RDI, 8 * MASK));
            v.mask(RAX, mask);
        }
        Label top = new Label();
        code.align(32);
        code.bind(top);
        int[] sums = new int[lanes.count];
        for (int q = 0; q < lanes.count; q++) {
            sums[q] = q;
            code.load(R10, Mem.at(RSI, 8 * q));
            code.load(R11, Mem.at(RDX, 8 * q));
            for (int i = 0; i < vectors; i++) {
                Mem x = Mem.at(R10, i * lanes.bytes);
                Mem y = Mem.at(R11, i * lanes.bytes);
                // With sixteen lanes and AVX-512 there is room for more values in flight.
                int xi = wide ? value + 2 * (q + i & 3) : value;
                int yi = wide ? xi + 1 : other;
                boolean part = masked && i == vectors - 1;
                if (part) {
                    v.loadMasked(xi, x, mask);
                    v.loadMasked(yi, y, mask);
                } else {
                    v.load(xi, x);
                }
                if (i == 0 && part) {
                    v.mul(q, xi, yi);
                } else if (i == 0) {
                    v.mul(q, xi, y);
                } else if (part) {
                    v.fma(q, xi, yi);
                } else {
                    v.fma(q, xi, y);
                }
            }
        }
        lanes.sums(sums, lanes.count);
        Mem result = Mem.at(RDI, BatchFrame.vector(0));
        v.store(result, 0);
        for (int q = 0; q < lanes.count; q++) {
            code.load(RAX, Mem.at(RCX, 8 * q));
            v.loadOne(1, Mem.at(RDI, BatchFrame.vector(0) + q * v.precision.bytes));
            v.storeOne(Mem.at(RAX, 0), 1);
        }
        int step = 8 * lanes.count;
        code.add(RSI, step);
        code.add(RDX, step);
        code.add(RCX, step);
        code.dec(R8);
        code.jump(NOT_ZERO, top);
        code.finish();
        return code.code();
    }
}
