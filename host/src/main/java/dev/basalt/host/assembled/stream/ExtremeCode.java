package dev.basalt.host.assembled.stream;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_BELOW;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.R9;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RCX;

import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;
import dev.basalt.host.assembled.x86.Vectors.Relation;
import dev.basalt.host.assembled.x86.X86Op;

/**
 * Kernels that look for the largest or smallest magnitude of a contiguous vector: some give its value, one the place where
 * a value is, others both steps at once. Arguments: n real numbers, at least a vector of them (for both steps at once with AVX-512 any number), x, and the value's bits; the result is in RAX. The last vector
 * overlaps the one before it, since to see an element twice does no harm.
 *
 * <p>Magnitudes are compared as the integers that their bits are: that is the order of the numbers, with NaN above them all. Only
 * doubles with AVX2, which has no such instruction, are compared as numbers, with NaN noted apart.
 */
final class ExtremeCode {
    /** What a kernel looks for. */
    public enum Kind {
        /** The bits of the largest magnitude; above those of infinity for NaN. */
        LARGEST,
        /** The bits of the smallest magnitude; infinity or above if there is no finite one. */
        SMALLEST,
        /** The index of the first real number whose magnitude has a value; n if there is none. */
        PLACE,
        /** The index of the first number of the largest magnitude; n if there is a NaN. */
        PLACE_OF_LARGEST,
        /** The index of the first number of the smallest magnitude; n if none is a number. */
        PLACE_OF_SMALLEST
    }

    /** Vectors of the long loop. */
    private static final int UNROLL = 4;

    private static final int NAN = 13;
    private static final int TARGET = 14;
    /** All bits but the sign. */
    private static final int MAGNITUDE = 15;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final boolean largest;
    private final boolean complex;
    private final boolean integers;
    private final boolean wide;
    private final Gp n;
    private final Gp x;

    /** Whether the place follows the value. */
    private final boolean placed;

    private ExtremeCode(Kind kind, Shape shape, boolean complex) {
        this.v = new Vectors(code, shape.isa(), shape.precision());
        this.largest = kind == Kind.LARGEST || kind == Kind.PLACE_OF_LARGEST;
        this.placed = kind == Kind.PLACE_OF_LARGEST || kind == Kind.PLACE_OF_SMALLEST;
        this.complex = complex;
        this.wide = shape.isa() == Isa.AVX512;
        this.integers = wide || shape.precision() == Real.F32;
        CallingConvention abi = CallingConvention.SYSTEM_V;
        this.n = abi.integer(0);
        this.x = abi.integer(1);
    }

    /**
     * Writes a kernel.
     *
     * @param kind what it looks for
     * @param shape instruction set and precision
     * @param complex whether the magnitude is |re| + |im| of each pair
     * @return code
     */
    static byte[] write(Kind kind, Shape shape, boolean complex) {
        ExtremeCode extreme = new ExtremeCode(kind, shape, complex);
        extreme.constant(MAGNITUDE, shape.precision() == Real.F64 ? Long.MAX_VALUE : 0x7fffffff_7fffffffL);
        if (kind == Kind.PLACE) {
            extreme.place(CallingConvention.SYSTEM_V.integer(2));
        } else if (kind == Kind.LARGEST || kind == Kind.SMALLEST) {
            extreme.value();
            extreme.code.finish();
        } else {
            for (int vectors = 1; extreme.wide && vectors <= UNROLL; vectors++) {
                extreme.few(vectors);
            }
            extreme.code.mov(R9, extreme.x);
            extreme.value();
            extreme.code.mov(extreme.x, R9);
            extreme.place(RAX);
        }
        return extreme.code.code();
    }

    private void constant(int register, long bits) {
        code.mov(RAX, bits);
        v.bits(register, RAX);
        // As doubles: floats come twice in the bits.
        new Vectors(code, v.isa, Real.F64).broadcast(register, register);
    }

    /** A register becomes the magnitudes of the vector in memory. */
    private void magnitude(int to, int scratch, Mem m) {
        v.load(to, m);
        magnitude(to, scratch);
    }

    private void magnitude(int to, int scratch) {
        v.and(to, to, MAGNITUDE);
        if (complex) {
            v.swapPairs(scratch, to);
            v.add(to, to, scratch);
        }
    }

    /** So many vectors at most, and more than one less, stay in registers: the value and its place; what is longer goes on. */
    private void few(int vectors) {
        int lanes = v.isa.lanes(v.precision);
        int last = vectors - 1;
        Label longer = new Label();
        Label found = new Label();
        code.compare(n, vectors * lanes + 1);
        code.jump(NOT_BELOW, longer);
        code.lea(RCX, Mem.at(n, -last * lanes));
        code.mov(RAX, -1);
        code.bzhi(RAX, RAX, RCX);
        v.mask(RAX, 0);
        int kept = UNROLL;
        for (int i = 0; i < last; i++) {
            magnitude(kept + i, 2 * UNROLL + i, Mem.at(x, i * v.isa.bytes));
        }
        // What the mask leaves out is no better than any number.
        if (largest) {
            v.zero(kept + last);
        } else {
            v.and(kept + last, MAGNITUDE, MAGNITUDE);
        }
        v.loadOver(kept + last, Mem.at(x, last * v.isa.bytes));
        magnitude(kept + last, 2 * UNROLL + last);
        v.and(0, kept, MAGNITUDE);
        for (int i = 1; i < vectors; i++) {
            extreme(v.isa.bytes, 0, kept + i, 0);
        }
        reduce();
        v.broadcast(TARGET, 0);
        for (int i = 0; i < vectors; i++) {
            compare(Relation.EQUAL, i, kept + i, TARGET);
        }
        places(vectors);
        code.test(RAX, RAX);
        code.jump(NOT_ZERO, found);
        code.mov(RAX, n);
        code.finish();
        code.bind(found);
        code.tzcnt(RAX, RAX);
        code.finish();
        code.bind(longer);
    }

    /** RAX becomes the bits of the elements found in vectors from the first on. */
    private void places(int vectors) {
        for (int i = vectors - 1; i >= 0; i--) {
            found(R8, i);
            if (i < vectors - 1) {
                code.shl(RAX, v.isa.lanes(v.precision));
                code.add(RAX, R8);
            } else {
                code.mov(RAX, R8);
            }
        }
    }

    // The value.

    private void value() {
        if (!largest && !integers) {
            constant(0, Double.doubleToRawLongBits(Double.POSITIVE_INFINITY));
        }
        for (int i = largest || integers ? 0 : 1; i < UNROLL; i++) {
            if (largest) {
                v.zero(i);
            } else {
                v.and(i, integers ? MAGNITUDE : 0, integers ? MAGNITUDE : 0);
            }
        }
        if (!integers) {
            v.zero(NAN);
        }
        int shift = Integer.numberOfTrailingZeros(v.isa.lanes(v.precision));
        code.mov(R11, n);
        code.shr(R11, shift + 2);
        loop(UNROLL);
        code.mov(R11, n);
        code.shr(R11, shift);
        code.and(R11, UNROLL - 1);
        loop(1);
        last();
        step(0);
        for (int half = UNROLL / 2; half > 0; half /= 2) {
            for (int i = 0; i < half; i++) {
                extreme(v.isa.bytes, i, i, i + half);
            }
        }
        reduce();
    }

    private void loop(int vectors) {
        Label end = new Label();
        Label top = new Label();
        code.jump(ZERO, end);
        code.align(32);
        code.bind(top);
        for (int i = 0; i < vectors; i++) {
            step(i);
        }
        code.add(x, vectors * v.isa.bytes);
        code.dec(R11);
        code.jump(NOT_ZERO, top);
        code.bind(end);
    }

    private void step(int i) {
        int value = UNROLL + i;
        magnitude(value, 2 * UNROLL + i, Mem.at(x, i * v.isa.bytes));
        if (!integers) {
            compare(Relation.UNORDERED, 2 * UNROLL + i, value, value);
            v.or(NAN, NAN, 2 * UNROLL + i);
        }
        extreme(v.isa.bytes, i, value, i);
    }

    /** x := the address of the last whole vector, for an x behind all whole vectors from the first on. */
    private void last() {
        int bytes = v.isa.bytes;
        code.mov(RAX, n);
        code.and(RAX, v.isa.lanes(v.precision) - 1);
        code.lea(x, Mem.at(x, RAX, v.precision.bytes, -bytes));
    }

    /** The larger or smaller elements; numbers that are NaN in {@code a} lose. */
    private void extreme(int bytes, int to, int a, int b) {
        X86Op op;
        if (!integers) {
            op = largest ? X86Op.MAXP : X86Op.MINP;
        } else if (v.precision == Real.F64) {
            op = largest ? X86Op.PMAXSQ : X86Op.PMINSQ;
        } else {
            op = largest ? X86Op.PMAXSD : X86Op.PMINSD;
        }
        v.op(op, v.precision, bytes, to, a, b);
    }

    /** RAX := the extreme of the elements of register 0; where the place follows at once, it stays in element 0. */
    private void reduce() {
        for (int bytes = v.isa.bytes; bytes > v.precision.bytes; bytes /= 2) {
            v.upper(1, 0, bytes);
            extreme(Math.max(16, bytes / 2), 0, 1, 0);
        }
        if (!integers || !placed) {
            v.bits(RAX, 0);
        }
        if (!integers && largest) {
            Label end = new Label();
            v.compared(R11, NAN);
            code.test(R11, R11);
            code.jump(ZERO, end);
            code.mov(RAX, Long.MAX_VALUE);
            code.bind(end);
        }
    }

    // The place.

    /** @param bits where the value's bits are; of integers that were found by {@link #value} they are in element 0 of register 0 */
    private void place(Gp bits) {
        if (placed && integers) {
            v.broadcast(TARGET, 0);
        } else {
            v.bits(TARGET, bits);
            v.broadcast(TARGET, TARGET);
        }
        int lanes = v.isa.lanes(v.precision);
        int shift = Integer.numberOfTrailingZeros(lanes);
        Label end = new Label();
        code.mov(RCX, 0);
        code.mov(R11, n);
        code.shr(R11, shift + 2);
        search(UNROLL, end);
        code.mov(R11, n);
        code.shr(R11, shift);
        code.and(R11, UNROLL - 1);
        search(1, end);
        last();
        code.lea(RCX, Mem.at(n, -lanes));
        code.mov(R11, 1);
        code.test(R11, R11);
        search(1, end);
        code.mov(RAX, n);
        code.bind(end);
        code.finish();
    }

    /** Looks at R11 groups of vectors; the flags must tell whether R11 is 0. */
    private void search(int vectors, Label end) {
        int lanes = v.isa.lanes(v.precision);
        Label over = new Label();
        Label top = new Label();
        Label on = new Label();
        code.jump(ZERO, over);
        code.align(32);
        code.bind(top);
        for (int i = 0; i < vectors; i++) {
            magnitude(i, UNROLL + i, Mem.at(x, i * v.isa.bytes));
            compare(Relation.EQUAL, i, i, TARGET);
        }
        none(vectors);
        code.jump(ZERO, on);
        places(vectors);
        code.tzcnt(RAX, RAX);
        code.add(RAX, RCX);
        code.jump(end);
        code.bind(on);
        code.add(x, vectors * v.isa.bytes);
        code.add(RCX, vectors * lanes);
        code.dec(R11);
        code.jump(NOT_ZERO, top);
        code.bind(over);
    }

    /** The mask, a vector or register {@code to + 1} of the masks, of the elements for which a comparison holds. */
    private void compare(Relation relation, int to, int a, int b) {
        v.compare(wide ? to + 1 : to, a, b, relation);
    }

    /** Sets the zero flag if no element was found. */
    private void none(int vectors) {
        if (wide) {
            if (vectors > 1) {
                v.low(X86Op.KORW, 32, 5, 1, 2);
                v.low(X86Op.KORW, 32, 6, 3, 4);
                v.low(X86Op.KORTESTW, 16, 5, 0, 6);
            } else {
                v.low(X86Op.KORTESTW, 16, 1, 0, 1);
            }
            return;
        }
        int all = 0;
        if (vectors > 1) {
            all = UNROLL;
            v.or(UNROLL + 1, 0, 1);
            v.or(UNROLL, 2, 3);
            v.or(all, UNROLL, UNROLL + 1);
        }
        v.compared(RAX, all);
        code.test(RAX, RAX);
    }

    /** A register becomes the bits of the elements found in vector i. */
    private void found(Gp to, int i) {
        if (wide) {
            // 16 bits are enough for either precision.
            code.vex(X86Op.KMOV_TO_GP, Real.F32, 16, to.number(), 0, i + 1);
        } else {
            v.compared(to, i);
        }
    }
}
