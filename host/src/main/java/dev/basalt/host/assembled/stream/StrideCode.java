package dev.basalt.host.assembled.stream;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
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
import dev.basalt.host.assembled.x86.Vectors;

/**
 * Kernels over real vectors whose elements lie apart: one number at a time, four in flight. Arguments: n, x, bytes from one of
 * its elements to the next, y, the same; alpha in vector register 0, beta in 1; a sum comes back as the bits of a double in RAX. An address
 * is that of element 0, and the distance may be negative. A gather would take longer than the loads it stands for.
 */
final class StrideCode {
    private static final int UNROLL = 4;
    /** Holds alpha, or the mask of all bits but the sign. */
    private static final int CONSTANT = 15;
    /** Holds beta. */
    private static final int SECOND = 14;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final StreamCode.Kind kind;
    private final Gp n;
    private final Gp x;
    private final Gp dx;
    private final Gp y;
    private final Gp dy;

    private StrideCode(StreamCode.Kind kind, Real precision) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        this.v = new Vectors(code, Isa.AVX2, precision);
        this.kind = kind;
        this.n = abi.integer(0);
        this.x = abi.integer(1);
        this.dx = abi.integer(2);
        this.y = abi.integer(3);
        this.dy = abi.integer(4);
    }

    static byte[] write(StreamCode.Kind kind, Real precision) {
        StrideCode stride = new StrideCode(kind, precision);
        stride.write();
        return stride.code.code();
    }

    private void write() {
        if (kind == StreamCode.Kind.ROT) {
            v.narrow(1);
            v.broadcast(SECOND, 1);
        }
        if (kind == StreamCode.Kind.AXPY || kind == StreamCode.Kind.SCAL || kind == StreamCode.Kind.ROT) {
            v.narrow(0);
            v.broadcast(CONSTANT, 0);
        } else if (kind == StreamCode.Kind.ASUM) {
            code.mov(RAX, v.precision == Real.F64 ? Long.MAX_VALUE : 0x7fffffff_7fffffffL);
            v.bits(CONSTANT, RAX);
        }
        for (int i = 0; kind.sums && i < UNROLL; i++) {
            v.zero(i);
        }
        code.lea(R10, Mem.at(dx, dx, 2, 0));
        code.lea(RAX, Mem.at(dy, dy, 2, 0));
        code.mov(R11, n);
        code.shr(R11, 2);
        loop(UNROLL);
        code.mov(R11, n);
        code.and(R11, UNROLL - 1);
        loop(1);
        if (kind.sums) {
            v.add(0, 0, 1);
            v.add(2, 2, 3);
            v.add(0, 0, 2);
            v.widen(0);
            v.bits(RAX, 0);
        }
        code.finish();
    }

    /** Runs R11 times; the flags must tell whether R11 is 0. */
    private void loop(int elements) {
        Label end = new Label();
        Label top = new Label();
        code.jump(ZERO, end);
        code.align(32);
        code.bind(top);
        for (int i = 0; i < elements; i++) {
            element(i);
        }
        advance(x, dx, elements);
        advance(y, dy, elements);
        code.dec(R11);
        code.jump(NOT_ZERO, top);
        code.bind(end);
    }

    private void advance(Gp address, Gp distance, int elements) {
        code.lea(address, Mem.at(address, distance, elements, 0));
    }

    /** Element i from a base, for three times the distance in a register. */
    private static Mem at(Gp base, Gp distance, Gp triple, int i) {
        return i == 0 ? Mem.at(base, 0) : i == 3 ? Mem.at(base, triple, 1, 0) : Mem.at(base, distance, i, 0);
    }

    private void element(int i) {
        Mem xi = at(x, dx, R10, i);
        Mem yi = at(y, dy, RAX, i);
        int value = UNROLL + i;
        int other = 2 * UNROLL + i;
        v.loadOne(value, xi);
        switch (kind) {
            case DOT, DOT_L2 -> {
                v.loadOne(other, yi);
                v.fmaOne(i, value, other);
            }
            case ASUM -> {
                v.and(value, value, CONSTANT);
                v.add(i, i, value);
            }
            case SQUARES -> v.fmaOne(i, value, value);
            case AXPY -> {
                v.loadOne(other, yi);
                v.fmaOne(other, value, CONSTANT);
                v.storeOne(yi, other);
            }
            case SCAL -> {
                v.mulOne(value, value, CONSTANT);
                v.storeOne(xi, value);
            }
            case COPY, COPY_PAST -> v.storeOne(yi, value);
            case SWAP -> {
                v.loadOne(other, yi);
                v.storeOne(xi, other);
                v.storeOne(yi, value);
            }
            case ROT -> {
                v.loadOne(other, yi);
                v.rotateOne(xi, yi, value, other, CONSTANT, SECOND, i % 2, 2 + i % 2);
            }
            case ROTM ->
                throw new IllegalArgumentException("there are no registers for two distances and four factors");
        }
    }
}
