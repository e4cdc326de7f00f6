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
import dev.basalt.host.assembled.x86.X86Op;

/**
 * Kernels over complex vectors whose elements lie apart: one element at a time, both parts in one register, four in flight. Arguments: n, x, bytes from one
 * of its elements to the next, y, the same, where a complex sum goes (of a rotation: the bits of the cosine, a double); alpha's parts (the sine's) in vector
 * registers 0 and 1. A real sum comes back as the bits of a double in RAX. Roundings are those of {@link PairCode}.
 */
public final class StridePairCode {
    /** What a kernel does. */
    public enum Kind {
        /** y := x. */
        COPY,
        /** x and y exchange their elements. */
        SWAP,
        /** y := alpha·x + y. */
        AXPY,
        /** x := alpha·x. */
        SCAL,
        /** x := alpha·x with a real alpha. */
        SCAL_REAL,
        /** x := c·x + s·y and y := c·y - conj(s)·x with a real c. */
        ROT,
        /** The same with a real sine. */
        ROT_REAL,
        /** Σ x·y. */
        DOTU,
        /** Σ conj(x)·y. */
        DOTC,
        /** Σ |re| + |im|. */
        ASUM,
        /** Σ re² + im². */
        SQUARES;

        /** Whether the result is a complex number. */
        boolean dots() {
            return this == DOTU || this == DOTC;
        }

        /** Whether the result is a real number. */
        boolean sums() {
            return this == ASUM || this == SQUARES;
        }
    }

    private static final int UNROLL = 4;
    private static final int COSINE = 13;
    /** The real part, or the mask of all bits but the sign. */
    private static final int RE = 14;
    /** The imaginary part, negative for real parts. */
    private static final int IM = 15;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final Kind kind;
    private final int element;
    private final Gp n;
    private final Gp x;
    private final Gp dx;
    private final Gp y;
    private final Gp dy;
    private final Gp result;

    private StridePairCode(Kind kind, Real precision) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        this.v = new Vectors(code, Isa.AVX2, precision);
        this.kind = kind;
        this.element = 2 * precision.bytes;
        this.n = abi.integer(0);
        this.x = abi.integer(1);
        this.dx = abi.integer(2);
        this.y = abi.integer(3);
        this.dy = abi.integer(4);
        this.result = abi.integer(5);
    }

    static byte[] write(Kind kind, Real precision) {
        StridePairCode stride = new StridePairCode(kind, precision);
        stride.write();
        return stride.code.code();
    }

    private void write() {
        constants();
        for (int i = 0; i < 2 * UNROLL && (kind.dots() || kind.sums()); i++) {
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
        if (kind.dots()) {
            part(0, kind == Kind.DOTU);
            part(UNROLL, kind != Kind.DOTU);
            v.storeOne(Mem.at(result, 0), 0);
            v.storeOne(Mem.at(result, v.precision.bytes), UNROLL);
        } else if (kind.sums()) {
            part(0, false);
            v.widen(0);
            v.bits(RAX, 0);
        }
        code.finish();
    }

    /** 0 - im and 0 + im in turn are what vfmaddsub makes of zeros. */
    private void constants() {
        switch (kind) {
            case AXPY, SCAL, ROT, ROT_REAL -> {
                v.narrow(0);
                v.narrow(1);
                v.broadcast(RE, 0);
                v.broadcast(1, 1);
                v.zero(IM);
                v.op(X86Op.FMADDSUB213P, IM, IM, 1);
                if (kind == Kind.ROT || kind == Kind.ROT_REAL) {
                    v.bits(2, result);
                    v.narrow(2);
                    v.broadcast(COSINE, 2);
                }
            }
            case SCAL_REAL -> {
                v.narrow(0);
                v.broadcast(RE, 0);
            }
            case ASUM -> {
                code.mov(RAX, v.precision == Real.F64 ? Long.MAX_VALUE : 0x7fffffff_7fffffffL);
                v.bits(RE, RAX);
                v.op(X86Op.BROADCASTS, Real.F64, v.isa.bytes, RE, 0, RE);
            }
            default -> {
                // Nothing is multiplied by a constant.
            }
        }
    }

    /** Element 0 of the first of four registers becomes the sum of all their first elements with, or without, the second ones. */
    private void part(int first, boolean difference) {
        v.add(first, first, first + 1);
        v.add(first + 2, first + 2, first + 3);
        v.add(first, first, first + 2);
        v.low(difference ? X86Op.HSUBP : X86Op.HADDP, 16, first, first, first);
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
        code.lea(x, Mem.at(x, dx, elements, 0));
        code.lea(y, Mem.at(y, dy, elements, 0));
        code.dec(R11);
        code.jump(NOT_ZERO, top);
        code.bind(end);
    }

    /** Element i from a base, for three times the distance in a register. */
    private static Mem at(Gp base, Gp distance, Gp triple, int i) {
        return i == 0 ? Mem.at(base, 0) : i == 3 ? Mem.at(base, triple, 1, 0) : Mem.at(base, distance, i, 0);
    }

    private void element(int i) {
        Mem xi = at(x, dx, R10, i);
        Mem yi = at(y, dy, RAX, i);
        int a = 8 + i % 2;
        int b = 10 + i % 2;
        v.loadPart(a, xi, element);
        switch (kind) {
            case COPY -> v.storePart(yi, a, element);
            case SWAP -> {
                v.loadPart(b, yi, element);
                v.storePart(xi, b, element);
                v.storePart(yi, a, element);
            }
            case AXPY -> {
                v.loadPart(b, yi, element);
                v.fma(b, a, RE);
                v.swapPairs(a, a);
                v.fma(b, a, IM);
                v.storePart(yi, b, element);
            }
            case SCAL -> {
                v.swapPairs(b, a);
                v.mul(b, b, IM);
                v.fma(b, a, RE);
                v.storePart(xi, b, element);
            }
            case SCAL_REAL -> {
                v.mul(b, a, RE);
                v.storePart(xi, b, element);
            }
            case ROT, ROT_REAL -> rotate(i % 2, a, b, xi, yi);
            case ASUM -> {
                v.and(a, a, RE);
                v.add(i, i, a);
            }
            case SQUARES -> v.fma(i, a, a);
            default -> {
                v.loadPart(b, yi, element);
                v.fma(i, a, b);
                v.swapPairs(b, b);
                v.fma(UNROLL + i, a, b);
            }
        }
    }

    private void rotate(int set, int a, int b, Mem xi, Mem yi) {
        int newX = set;
        int newY = 2 + set;
        v.loadPart(b, yi, element);
        v.mul(newX, a, COSINE);
        v.mul(newY, b, COSINE);
        v.fma(newX, b, RE);
        v.fnma(newY, a, RE);
        if (kind == Kind.ROT) {
            v.swapPairs(a, a);
            v.swapPairs(b, b);
            v.fma(newX, b, IM);
            v.fma(newY, a, IM);
        }
        v.storePart(xi, newX, element);
        v.storePart(yi, newY, element);
    }
}
