package dev.basalt.host.assembled.stream;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_BELOW;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R11;

import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;
import dev.basalt.host.assembled.x86.X86Op;

/**
 * Kernels over contiguous complex vectors. Arguments: real numbers n, x, y, the mask of the last vector, where a result goes (of a
 * rotation: the bits of the cosine, a double); alpha's parts (the sine's) in vector registers 0 and 1. A product takes a vector once as it is and once with the parts of each number
 * exchanged.
 */
public final class PairCode {
    /** What a kernel does. */
    public enum Kind {
        /** y := alpha·x + y. */
        AXPY,
        /** x := alpha·x. */
        SCAL,
        /** x := c·x + s·y and y := c·y - conj(s)·x with a real c. */
        ROT,
        /** Σ x·y. */
        DOTU,
        /** Σ conj(x)·y. */
        DOTC;

        boolean sums() {
            return this == DOTU || this == DOTC;
        }
    }

    /** Vectors of the long loop; a sum has as many registers for the products as they are, and for the exchanged ones. */
    private static final int UNROLL = 4;

    private static final int RE = 14;
    /** The imaginary part, negative for real parts. */
    private static final int IM = 15;
    /** AVX2's mask. */
    private static final int MASK = 13;
    /** The cosine. */
    private static final int COSINE = 12;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final Kind kind;
    private final Gp n;
    private final Gp x;
    private final Gp y;
    private final Gp mask;
    private final Gp result;
    /** As in {@link StreamCode}. */
    private final boolean ahead;

    private PairCode(Kind kind, Shape shape, boolean ahead) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        this.v = new Vectors(code, shape.isa(), shape.precision());
        this.kind = kind;
        this.n = abi.integer(0);
        this.x = abi.integer(1);
        this.y = abi.integer(2);
        this.mask = abi.integer(3);
        this.result = abi.integer(4);
        this.ahead = ahead;
    }

    static byte[] write(Kind kind, Shape shape, boolean ahead) {
        PairCode pair = new PairCode(kind, shape, ahead);
        pair.write();
        return pair.code.code();
    }

    private void write() {
        int lanes = v.isa.lanes(v.precision);
        int shift = Integer.numberOfTrailingZeros(lanes);
        if (kind.sums()) {
            Label longer = new Label();
            code.compare(n, UNROLL * lanes);
            code.jump(NOT_BELOW, longer);
            // All but the first sums would be 0.
            v.zero(0);
            v.zero(UNROLL);
            rest(lanes, shift);
            sum(0);
            sum(UNROLL);
            code.finish();
            code.bind(longer);
            for (int i = 0; i < 2 * UNROLL; i++) {
                v.zero(i);
            }
        } else {
            scalar();
        }
        code.mov(R11, n);
        code.shr(R11, shift + 2);
        loop(UNROLL);
        rest(lanes, shift);
        if (kind.sums()) {
            for (int first = 0; first <= UNROLL; first += UNROLL) {
                v.add(first, first, first + 1);
                v.add(first + 2, first + 2, first + 3);
                v.add(first, first, first + 2);
                sum(first);
            }
        }
        code.finish();
    }

    /** What is left of less than four vectors. */
    private void rest(int lanes, int shift) {
        code.mov(R11, n);
        code.shr(R11, shift);
        code.and(R11, UNROLL - 1);
        loop(1);
        Label end = new Label();
        code.and(n, lanes - 1);
        code.jump(ZERO, end);
        v.mask(mask, MASK);
        step(0, true);
        code.bind(end);
    }

    /** RE and IM from alpha; 0 - im and 0 + im in turn are what vfmaddsub makes of zeros. */
    private void scalar() {
        v.narrow(0);
        v.narrow(1);
        v.broadcast(RE, 0);
        v.broadcast(1, 1);
        v.zero(IM);
        if (kind == Kind.ROT) {
            v.bits(2, result);
            v.narrow(2);
            v.broadcast(COSINE, 2);
        }
        v.op(X86Op.FMADDSUB213P, IM, IM, 1);
    }

    /** Runs R11 times; the flags must tell whether R11 is 0. */
    private void loop(int vectors) {
        Label end = new Label();
        Label top = new Label();
        code.jump(ZERO, end);
        code.align(32);
        code.bind(top);
        for (int i = 0; i < vectors; i++) {
            int at = i * v.isa.bytes;
            if (ahead && at % 64 == 0) {
                code.prefetch(Mem.at(x, at + StreamCode.AHEAD));
                code.prefetch(Mem.at(y, at + StreamCode.AHEAD));
            }
            step(i, false);
        }
        code.add(x, vectors * v.isa.bytes);
        code.add(y, vectors * v.isa.bytes);
        code.dec(R11);
        code.jump(NOT_ZERO, top);
        code.bind(end);
    }

    private void step(int i, boolean masked) {
        Mem xi = Mem.at(x, i * v.isa.bytes);
        Mem yi = Mem.at(y, i * v.isa.bytes);
        if (kind.sums()) {
            int a = 2 * UNROLL + i % 2;
            int b = 2 * UNROLL + 2 + i % 2;
            load(a, xi, masked);
            load(b, yi, masked);
            v.fma(i, a, b);
            v.swapPairs(b, b);
            v.fma(UNROLL + i, a, b);
            return;
        }
        if (kind == Kind.ROT) {
            rotate(i % 2, xi, yi, masked);
            return;
        }
        int a = i % 4;
        int swapped = 4 + i % 4;
        int old = 8 + i % 4;
        load(a, xi, masked);
        v.swapPairs(swapped, a);
        if (kind == Kind.SCAL) {
            v.mul(swapped, swapped, IM);
            v.fma(swapped, a, RE);
            store(xi, swapped, masked);
        } else {
            load(old, yi, masked);
            v.fma(old, a, RE);
            v.fma(old, swapped, IM);
            store(yi, old, masked);
        }
    }

    /** s·y has -im·im and im·re where conj(s)·x has im·im and -im·re: one vector of the imaginary part serves both. */
    private void rotate(int set, Mem xi, Mem yi, boolean masked) {
        int a = set;
        int b = 2 + set;
        int swappedA = 4 + set;
        int swappedB = 6 + set;
        int newX = 8 + set;
        int newY = 10 + set;
        load(a, xi, masked);
        load(b, yi, masked);
        v.swapPairs(swappedA, a);
        v.swapPairs(swappedB, b);
        v.mul(newX, a, COSINE);
        v.mul(newY, b, COSINE);
        v.fma(newX, b, RE);
        v.fnma(newY, a, RE);
        v.fma(newX, swappedB, IM);
        v.fma(newY, swappedA, IM);
        store(xi, newX, masked);
        store(yi, newY, masked);
    }

    private void load(int to, Mem m, boolean masked) {
        if (masked) {
            v.loadMasked(to, m, MASK);
        } else {
            v.load(to, m);
        }
    }

    private void store(Mem m, int from, boolean masked) {
        if (masked) {
            v.storeMasked(m, from, MASK);
        } else {
            v.store(m, from);
        }
    }

    /** Stores a part of the result. Register 0 has re·re and im·im in turn, register 4 re·im and im·re: their differences and sums are the result. */
    private void sum(int first) {
        int scratch = first + 1;
        for (int bytes = v.isa.bytes; bytes > 2 * v.precision.bytes; bytes /= 2) {
            v.upper(scratch, first, bytes);
            v.low(X86Op.ADDP, Math.max(16, bytes / 2), first, first, scratch);
        }
        boolean difference = (first == 0) == (kind == Kind.DOTU);
        v.low(difference ? X86Op.HSUBP : X86Op.HADDP, 16, first, first, first);
        v.storeOne(Mem.at(result, first == 0 ? 0 : v.precision.bytes), first);
    }
}
