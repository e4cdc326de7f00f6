package dev.basalt.host.assembled.stream;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_BELOW;
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
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * Kernels over contiguous vectors (BLAS level 1). Arguments: n, x, y, alpha in vector register 0, beta in 1; a sum comes back as
 * the bits of a double in RAX. A loop over several vectors hides the latency of additions; half as many follow, a quarter and so on, as
 * the bits of n say, each with sums of its own, then the rest by a mask (AVX-512) or by element (AVX2).
 */
public final class StreamCode {
    /** What a kernel does. */
    public enum Kind {
        /** Σ x·y. */
        DOT(true),
        /**
         * Σ x·y of vectors that lie in the second-level cache. Half as wide and half as deep, it reads one line a cycle at most, and
         * the hardware's prefetchers keep ahead of that: 220 GB/s where DOT of 512 bits has 190 (n = 10 000, Zen 5).
         */
        DOT_L2(true),
        /** Σ |x|. */
        ASUM(true),
        /** Σ x². */
        SQUARES(true),
        /** y := alpha·x + y. */
        AXPY(false),
        /** x := alpha·x. */
        SCAL(false),
        /** y := x. */
        COPY(false),
        /** y := x past the caches; the stores are at whole vectors. */
        COPY_PAST(false),
        /** x and y exchange their elements. */
        SWAP(false),
        /** x := alpha·x + beta·y and y := alpha·y - beta·x. */
        ROT(false),
        /** x := alpha·x + beta·y and y := gamma·x + delta·y, rounded as Java does; gamma and delta are the fourth and fifth argument, bits of the precision. */
        ROTM(false);

        final boolean sums;

        Kind(boolean sums) {
            this.sums = sums;
        }
    }

    /**
     * How far ahead vectors in the third-level cache are fetched. There the hardware's prefetchers reach 95 to 105 GB/s alone, and 120 to
     * 125 with this or twice as much; in memory they are 5 to 20 % slower for it (Zen 5).
     */
    public static final int AHEAD = 1024;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final Kind kind;
    /** Vectors at a time that the long loop works on. */
    private final int unroll;
    /** Sums side by side: registers 0 up. */
    private final int sums;

    private final Gp n;
    private final Gp x;
    private final Gp y;
    private final int bytes;
    /** Whether the long loop fetches lines {@link #AHEAD} bytes before it comes to them. */
    private final boolean ahead;
    /** Holds alpha, or the mask of all bits but the sign. */
    private final int constant = 15;
    /** Holds beta. */
    private final int second = 14;
    /** Holds gamma, and delta. */
    private final int third = 11;
    private final int fourth = 10;

    private StreamCode(Kind kind, Isa isa, Real precision, boolean ahead) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        this.v = new Vectors(code, isa, precision);
        this.kind = kind;
        // The ports are busier than the loop control with 8 vectors of 32 bytes; of 64 bytes, 16 are better by 5 to 10
        // %.
        // Of a rotation, which stores to both vectors, 4 are better by 15 to 20 % in the second-level cache (n = 10
        // 000,
        // Zen 5).
        this.unroll = kind == Kind.DOT_L2 || turns() ? 4 : isa == Isa.AVX512 && kind != Kind.DOT ? 16 : 8;
        this.sums = Math.min(unroll, 8);
        this.n = abi.integer(0);
        this.x = abi.integer(1);
        this.y = abi.integer(2);
        this.bytes = v.isa.bytes;
        this.ahead = ahead;
    }

    private boolean turns() {
        return kind == Kind.ROT || kind == Kind.ROTM;
    }

    /** Writes a kernel; ahead says whether it fetches lines before it reads them. */
    static byte[] write(Kind kind, Shape shape, boolean ahead) {
        Isa isa = kind == Kind.DOT_L2 ? Isa.AVX2 : shape.isa();
        StreamCode stream = new StreamCode(kind, isa, shape.precision(), ahead);
        stream.write();
        return stream.code.code();
    }

    private void write() {
        if (turns()) {
            v.narrow(1);
            v.broadcast(second, 1);
        }
        if (kind == Kind.ROTM) {
            v.bits(third, CallingConvention.SYSTEM_V.integer(3));
            v.broadcast(third, third);
            v.bits(fourth, CallingConvention.SYSTEM_V.integer(4));
            v.broadcast(fourth, fourth);
        }
        if (kind == Kind.AXPY || kind == Kind.SCAL || turns()) {
            v.narrow(0);
            v.broadcast(constant, 0);
        } else if (kind == Kind.ASUM) {
            code.mov(RAX, v.precision == Real.F64 ? Long.MAX_VALUE : 0x7fffffff_7fffffffL);
            v.bits(constant, RAX);
            v.broadcast(constant, constant);
        }
        int lanes = v.isa.lanes(v.precision);
        int shift = Integer.numberOfTrailingZeros(lanes);
        if (v.isa == Isa.AVX512 && kind != Kind.COPY_PAST) {
            Label longer = new Label();
            code.compare(n, 2 * lanes);
            code.jump(NOT_BELOW, longer);
            small(lanes);
            code.bind(longer);
        }
        for (int i = 0; kind.sums && i < sums; i++) {
            v.zero(i);
        }
        code.mov(R11, n);
        code.shr(R11, shift + Integer.numberOfTrailingZeros(unroll));
        if (kind == Kind.DOT_L2) {
            pacedLoop();
        } else {
            loop(unroll);
        }
        tail(shift);
        if (v.isa == Isa.AVX512) {
            rest(lanes);
        } else {
            code.and(n, lanes - 1);
            code.mov(R11, n);
            code.test(R11, R11);
            Label end = new Label();
            Label top = new Label();
            code.jump(ZERO, end);
            if (kind.sums) {
                // A sum by element starts in a register of its own, since it clears the rest of its vector.
                v.zero(sums);
            }
            code.bind(top);
            single();
            code.add(x, v.precision.bytes);
            code.add(y, v.precision.bytes);
            code.dec(R11);
            code.jump(NOT_ZERO, top);
            if (kind.sums) {
                v.add(1, 1, sums);
            }
            code.bind(end);
        }
        if (kind == Kind.COPY_PAST) {
            code.fence();
        }
        if (kind.sums) {
            for (int half = sums / 2; half > 0; half /= 2) {
                for (int i = 0; i < half; i++) {
                    v.add(i, i, i + half);
                }
            }
            result();
        }
        code.finish();
    }

    private void result() {
        v.sum();
        v.widen(0);
        v.bits(RAX, 0);
    }

    /** Less than two vectors, in the order of sums of longer ones: most of these are 0 here, and are left out. */
    private void small(int lanes) {
        for (int i = 0; kind.sums && i < 2; i++) {
            v.zero(i);
        }
        Label part = new Label();
        code.test(n, lanes);
        code.jump(ZERO, part);
        body(0, 1, false);
        code.add(x, bytes);
        code.add(y, bytes);
        code.bind(part);
        rest(lanes);
        if (kind.sums) {
            v.add(0, 0, 1);
            result();
        }
        code.finish();
    }

    /** What is left of numbers behind whole vectors, by a mask. */
    private void rest(int lanes) {
        Label end = new Label();
        code.and(n, lanes - 1);
        code.jump(ZERO, end);
        code.mov(RAX, -1);
        code.bzhi(RAX, RAX, n);
        v.mask(RAX, 0);
        body(0, 0, true);
        code.bind(end);
    }

    /** What is left of whole vectors: no loops, whose ends the processor would have to guess, and no long chain of additions. */
    private void tail(int shift) {
        for (int vectors = unroll / 2; vectors > 0; vectors /= 2) {
            Label end = new Label();
            code.mov(R11, n);
            code.and(R11, vectors << shift);
            code.jump(ZERO, end);
            for (int i = 0; i < vectors; i++) {
                // A short vector takes all sums in turn, the rest that follows the first.
                body(i, (vectors + i) % sums, false);
            }
            code.add(x, vectors * bytes);
            code.add(y, vectors * bytes);
            code.bind(end);
        }
    }

    /** Runs R11 times; the flags must tell whether R11 is 0. */
    private void loop(int vectors) {
        Label end = new Label();
        Label top = new Label();
        code.jump(ZERO, end);
        code.align(32);
        code.bind(top);
        for (int i = 0; i < vectors; i++) {
            if (ahead && i * bytes % 64 == 0) {
                fetch(Mem.at(x, i * bytes + AHEAD), Mem.at(y, i * bytes + AHEAD));
            }
            body(i, i % sums, false);
        }
        code.add(x, vectors * bytes);
        code.add(y, vectors * bytes);
        code.dec(R11);
        code.jump(NOT_ZERO, top);
        code.bind(end);
    }

    private void fetch(Mem xi, Mem yi) {
        code.prefetch(xi);
        if (kind != Kind.ASUM && kind != Kind.SQUARES && kind != Kind.SCAL) {
            code.prefetch(yi);
        }
    }

    /**
     * The long loop of {@link Kind#DOT_L2}: first the lines of x, then those of y, by an index. In turns and by pointers it is 3 %
     * slower, which is the last of what keeps the prefetchers ahead.
     */
    private void pacedLoop() {
        Label end = new Label();
        Label top = new Label();
        code.jump(ZERO, end);
        code.mov(R10, 0);
        code.align(32);
        code.bind(top);
        for (int at = 0; ahead && at < unroll * bytes; at += 64) {
            fetch(Mem.at(x, R10, 1, at + AHEAD), Mem.at(y, R10, 1, at + AHEAD));
        }
        for (int i = 0; i < unroll; i++) {
            v.load(unroll + 1 + i, Mem.at(x, R10, 1, i * bytes));
        }
        for (int i = 0; i < unroll; i++) {
            v.fma(i, unroll + 1 + i, Mem.at(y, R10, 1, i * bytes));
        }
        code.add(R10, unroll * bytes);
        code.dec(R11);
        code.jump(NOT_ZERO, top);
        code.add(x, R10);
        code.add(y, R10);
        code.bind(end);
    }

    private void body(int i, int sum, boolean masked) {
        Mem xi = Mem.at(x, i * bytes);
        Mem yi = Mem.at(y, i * bytes);
        // Of AVX2's 16 registers, eight are sums and one is the constant; six are left for vectors in flight.
        int value = kind.sums ? sums + 1 + i % 3 : sum;
        int other = kind.sums ? sums + 4 + i % 3 : sums + i % 4;
        load(value, xi, masked);
        switch (kind) {
            case DOT, DOT_L2 -> {
                if (masked) {
                    load(other, yi, true);
                    v.fma(sum, value, other);
                } else {
                    v.fma(sum, value, yi);
                }
            }
            case ASUM -> {
                v.and(value, value, constant);
                v.add(sum, sum, value);
            }
            case SQUARES -> v.fma(sum, value, value);
            case AXPY -> {
                load(other, yi, masked);
                v.fma(other, value, constant);
                store(yi, other, masked);
            }
            case SCAL -> {
                v.mul(value, value, constant);
                store(xi, value, masked);
            }
            case COPY -> store(yi, value, masked);
            case COPY_PAST -> {
                if (masked) {
                    store(yi, value, true);
                } else {
                    v.storePast(yi, value);
                }
            }
            case SWAP -> {
                load(other, yi, masked);
                store(xi, other, masked);
                store(yi, value, masked);
            }
            case ROT -> {
                int turnedX = 12;
                int turnedY = 13;
                load(other, yi, masked);
                v.mul(turnedX, value, constant);
                v.mul(turnedY, other, constant);
                v.fma(turnedX, other, second);
                v.fnma(turnedY, value, second);
                store(xi, turnedX, masked);
                store(yi, turnedY, masked);
            }
            case ROTM -> {
                load(other, yi, masked);
                modified(value, other);
                store(xi, 12, masked);
                store(yi, 13, masked);
            }
        }
    }

    /** Registers 12 and 13 become the rotated ones; whole vectors, of which one element may count. */
    private void modified(int value, int other) {
        v.mul(12, value, constant);
        v.mul(9, other, second);
        v.add(12, 12, 9);
        v.mul(13, value, third);
        v.mul(9, other, fourth);
        v.add(13, 13, 9);
    }

    private void load(int to, Mem m, boolean masked) {
        if (masked) {
            v.loadMasked(to, m, 0);
        } else {
            v.load(to, m);
        }
    }

    private void store(Mem m, int from, boolean masked) {
        if (masked) {
            v.storeMasked(m, from, 0);
        } else {
            v.store(m, from);
        }
    }

    private void single() {
        Mem xi = Mem.at(x, 0);
        Mem yi = Mem.at(y, 0);
        int value = sums + 1;
        int other = sums + 2;
        v.loadOne(value, xi);
        switch (kind) {
            case DOT, DOT_L2 -> {
                v.loadOne(other, yi);
                v.fmaOne(sums, value, other);
            }
            case ASUM -> {
                v.and(value, value, constant);
                v.add(sums, sums, value);
            }
            case SQUARES -> v.fmaOne(sums, value, value);
            case AXPY -> {
                v.loadOne(other, yi);
                v.fmaOne(other, value, constant);
                v.storeOne(yi, other);
            }
            case SCAL -> {
                v.mulOne(value, value, constant);
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
                v.rotateOne(xi, yi, value, other, constant, second, 12, 13);
            }
            case ROTM -> {
                v.loadOne(other, yi);
                modified(value, other);
                v.storeOne(xi, 12);
                v.storeOne(yi, 13);
            }
        }
    }
}
