package dev.basalt.host.assembled.mixed;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.RAX;

import dev.basalt.host.assembled.x86.CallingConvention;
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
 * Kernels over contiguous vectors of two formats, in single precision: each number is loaded once, converted in registers and, where it changes, rounded
 * once. Arguments: n, x, y, alpha in vector register 0, beta in 1; a sum comes back as the bits of a double in RAX.
 */
final class MixedStreamCode {
    /** What a kernel does. */
    enum Kind {
        /** y := alpha·x. */
        SET(false),
        /** y := alpha·x + beta·y. */
        COMBINE(false),
        /** x := alpha·x + beta·y and y := alpha·y - beta·x. */
        ROT(false),
        /** Σ x·y. */
        DOT(true),
        /** Σ x². */
        SQUARES(true);

        final boolean sums;

        Kind(boolean sums) {
            this.sums = sums;
        }
    }

    /** Vectors at a time: as many sums hide the latency of additions, beside conversions that take as long. */
    private static final int UNROLL = 4;

    private static final int X = 4;
    private static final int Y = 5;
    private static final int TURNED_X = 6;
    private static final int TURNED_Y = 7;
    private static final int T = 8;
    private static final int U = 9;
    /** First of three. */
    private static final int CONSTANTS = 10;
    private static final int BETA = 14;
    private static final int ALPHA = 15;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final Narrow narrow;
    private final Kind kind;
    private final Format fx;
    private final Format fy;

    private final Gp n = CallingConvention.SYSTEM_V.integer(0);
    private final Gp x = CallingConvention.SYSTEM_V.integer(1);
    private final Gp y = CallingConvention.SYSTEM_V.integer(2);

    private MixedStreamCode(Kind kind, Isa isa, Format fx, Format fy) {
        this.v = new Vectors(code, isa, Real.F32);
        // What is loaded from bytes is stored as BF16 at most by kernels that turn nothing: no constants meet.
        this.narrow = new Narrow(v, CONSTANTS);
        this.kind = kind;
        this.fx = fx;
        this.fy = fy;
    }

    /** Writes a kernel; of 8-bit numbers x may be, and only {@link Kind#SET} to floats loads those. */
    static byte[] write(Kind kind, Isa isa, Format fx, Format fy) {
        MixedStreamCode stream = new MixedStreamCode(kind, isa, fx, fy);
        stream.write();
        return stream.code.code();
    }

    private void write() {
        if (!kind.sums) {
            scalar(ALPHA, 0);
        }
        if (kind == Kind.COMBINE || kind == Kind.ROT) {
            scalar(BETA, 1);
        }
        narrow.prepareLoad(fx);
        if (!kind.sums) {
            narrow.prepareStore(fy);
        }
        if (kind == Kind.ROT) {
            narrow.prepareStore(fx);
        }
        for (int i = 0; kind.sums && i < UNROLL; i++) {
            v.zero(i);
        }
        int shift = Integer.numberOfTrailingZeros(v.isa.lanes(Real.F32));
        Label rest = new Label();
        code.mov(R11, n);
        code.shr(R11, shift + Integer.numberOfTrailingZeros(UNROLL));
        code.jump(ZERO, rest);
        Label top = new Label();
        code.align(32);
        code.bind(top);
        stretch(UNROLL);
        code.dec(R11);
        code.jump(NOT_ZERO, top);
        code.bind(rest);
        for (int vectors = UNROLL / 2; vectors > 0; vectors /= 2) {
            Label end = new Label();
            code.mov(R11, n);
            code.and(R11, vectors << shift);
            code.jump(ZERO, end);
            stretch(vectors);
            code.bind(end);
        }
        last((1 << shift) - 1);
        if (kind.sums) {
            v.add(0, 0, 1);
            v.add(2, 2, 3);
            v.add(0, 0, 2);
            v.sum();
            v.widen(0);
            v.bits(RAX, 0);
        }
        code.finish();
    }

    private void scalar(int to, int from) {
        v.narrow(from);
        v.broadcast(to, from);
    }

    private void stretch(int vectors) {
        int lanes = v.isa.lanes(Real.F32);
        for (int i = 0; i < vectors; i++) {
            body(i, Part.WHOLE);
        }
        code.add(x, vectors * lanes * fx.bytes);
        code.add(y, vectors * lanes * fy.bytes);
    }

    /** What is less than a vector: by a mask, or by element. */
    private void last(int lanes) {
        Label end = new Label();
        code.and(n, lanes);
        code.jump(ZERO, end);
        if (v.isa == Isa.AVX512) {
            code.mov(RAX, -1);
            code.bzhi(RAX, RAX, n);
            v.mask(RAX, 0);
            body(0, Part.MASKED);
        } else {
            Label top = new Label();
            code.bind(top);
            body(0, Part.ONE);
            code.add(x, fx.bytes);
            code.add(y, fy.bytes);
            code.dec(n);
            code.jump(NOT_ZERO, top);
        }
        code.bind(end);
    }

    private void body(int i, Part part) {
        int lanes = v.isa.lanes(Real.F32);
        Mem xi = Mem.at(x, i * lanes * fx.bytes);
        Mem yi = Mem.at(y, i * lanes * fy.bytes);
        narrow.load(fx, X, xi, part, T, U);
        if (kind == Kind.SQUARES) {
            v.fma(i, X, X);
            return;
        }
        if (kind == Kind.SET) {
            v.mul(X, X, ALPHA);
            narrow.store(fy, yi, X, part, T, U);
            return;
        }
        narrow.load(fy, Y, yi, part, T, U);
        switch (kind) {
            case DOT -> v.fma(i, X, Y);
            case COMBINE -> {
                v.mul(Y, Y, BETA);
                v.fma(Y, X, ALPHA);
                narrow.store(fy, yi, Y, part, T, U);
            }
            default -> {
                v.mul(TURNED_X, X, ALPHA);
                v.mul(TURNED_Y, Y, ALPHA);
                v.fma(TURNED_X, Y, BETA);
                v.fnma(TURNED_Y, X, BETA);
                narrow.store(fx, xi, TURNED_X, part, T, U);
                narrow.store(fy, yi, TURNED_Y, part, T, U);
            }
        }
    }
}
