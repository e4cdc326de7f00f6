package dev.basalt.host.assembled.stream;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
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
 * Kernels that look for the first element of the largest or smallest magnitude of a vector whose elements lie apart, or that is shorter than
 * a vector register. Arguments: n elements, at least {@link #GROUP}, x, and the bytes from one to the next. RAX becomes the index from 0; n if
 * there is a NaN, or of smallest ones no number.
 *
 * <p>Four elements come into a register at a time, once for the value and once more, up to the place, for the place: their lines are near then. The
 * last four overlap those before. Magnitudes are compared as {@link ExtremeCode} does.
 */
final class StrideExtremeCode {
    /** Elements of a register. */
    static final int GROUP = 4;

    private static final int BEST = 0;
    private static final int VALUE = 1;
    private static final int OTHER = 2;
    private static final int NAN = 13;
    /** All bits but the sign. */
    private static final int MAGNITUDE = 15;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final boolean largest;
    private final boolean complex;
    private final boolean integers;
    /** Bytes of the magnitudes of a group. */
    private final int bytes;
    private final Gp n;
    private final Gp x;
    private final Gp dx;
    /** Three times the distance. */
    private final Gp triple = R10;

    private StrideExtremeCode(boolean largest, Shape shape, boolean complex) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        this.v = new Vectors(code, shape.isa(), shape.precision());
        this.largest = largest;
        this.complex = complex;
        this.integers = shape.isa() == Isa.AVX512 || shape.precision() == Real.F32;
        this.bytes = GROUP * shape.precision().bytes;
        this.n = abi.integer(0);
        this.x = abi.integer(1);
        this.dx = abi.integer(2);
    }

    /**
     * Writes a kernel.
     *
     * @param largest whether it looks for the largest magnitude
     * @param shape instruction set and precision
     * @param complex whether the magnitude is |re| + |im| of each element
     * @return code
     */
    static byte[] write(boolean largest, Shape shape, boolean complex) {
        StrideExtremeCode extreme = new StrideExtremeCode(largest, shape, complex);
        extreme.write();
        return extreme.code.code();
    }

    private void write() {
        constant(MAGNITUDE, v.precision == Real.F64 ? Long.MAX_VALUE : 0x7fffffff_7fffffffL);
        code.lea(triple, Mem.at(dx, dx, 2, 0));
        code.mov(R9, x);
        value();
        Label none = new Label();
        if (!integers && largest) {
            low(X86Op.MOVMSKP, RAX.number(), 0, NAN);
            code.test(RAX, RAX);
            code.jump(NOT_ZERO, none);
        }
        place(none);
    }

    private void constant(int register, long bits) {
        code.mov(RAX, bits);
        v.bits(register, RAX);
        // As doubles: floats come twice in the bits.
        code.vex(X86Op.BROADCASTS, Real.F64, 32, register, 0, register);
    }

    private void low(X86Op op, int to, int a, int b) {
        v.low(op, bytes, to, a, b);
    }

    private Mem at(int i) {
        return i == 0 ? Mem.at(x, 0) : i == 3 ? Mem.at(x, triple, 1, 0) : Mem.at(x, dx, i, 0);
    }

    /** VALUE becomes the magnitudes of four elements from x on. */
    private void magnitudes() {
        if (!complex) {
            reals();
            low(X86Op.ANDP, VALUE, VALUE, MAGNITUDE);
            return;
        }
        if (v.precision == Real.F64) {
            // The halves of each sum stay in their 128 bits.
            v.loadQuarter(VALUE, at(0));
            v.insertUpper(VALUE, VALUE, at(2));
            v.loadQuarter(OTHER, at(1));
            v.insertUpper(OTHER, OTHER, at(3));
        } else {
            pair(VALUE, 0);
            pair(OTHER, 2);
        }
        low(X86Op.ANDP, VALUE, VALUE, MAGNITUDE);
        low(X86Op.ANDP, OTHER, OTHER, MAGNITUDE);
        low(X86Op.HADDP, VALUE, VALUE, OTHER);
    }

    private void reals() {
        if (v.precision == Real.F32) {
            v.loadOne(VALUE, at(0));
            for (int i = 1; i < GROUP; i++) {
                v.low(X86Op.INSERTPS, 16, VALUE, VALUE, at(i));
                code.immediate8(i << 4);
            }
            return;
        }
        pair(VALUE, 0);
        pair(OTHER, 2);
        code.vex(X86Op.INSERTF128, Real.F64, 32, VALUE, VALUE, OTHER);
        code.immediate8(1);
    }

    /** The lower 128 bits become elements i and i + 1 of eight bytes. */
    private void pair(int to, int i) {
        v.loadPart(to, at(i), 8);
        code.vex(X86Op.MOVHP_LOAD, Real.F64, 16, to, to, at(i + 1));
    }

    // The value.

    private void value() {
        if (largest) {
            low(X86Op.XORP, BEST, BEST, BEST);
        } else if (integers) {
            low(X86Op.ANDP, BEST, MAGNITUDE, MAGNITUDE);
        } else {
            constant(BEST, Double.doubleToRawLongBits(Double.POSITIVE_INFINITY));
        }
        if (!integers) {
            low(X86Op.XORP, NAN, NAN, NAN);
        }
        code.mov(R11, n);
        code.shr(R11, 2);
        Label top = new Label();
        code.align(32);
        code.bind(top);
        step();
        code.lea(x, Mem.at(x, dx, GROUP, 0));
        code.dec(R11);
        code.jump(NOT_ZERO, top);
        Label whole = new Label();
        last(whole);
        step();
        code.bind(whole);
        // All elements become the extreme one.
        for (int distance = bytes / 2; distance >= v.precision.bytes; distance /= 2) {
            turned(VALUE, BEST, distance);
            extreme(BEST, VALUE, BEST);
        }
    }

    /** Moves x, which lies behind all whole groups, to the last four elements; jumps if nothing is left. */
    private void last(Label whole) {
        code.mov(RAX, n);
        code.and(RAX, GROUP - 1);
        code.jump(ZERO, whole);
        code.sub(RAX, GROUP);
        code.multiply(RAX, dx);
        code.add(x, RAX);
    }

    private void step() {
        magnitudes();
        if (!integers) {
            low(X86Op.CMPP, OTHER, VALUE, VALUE);
            code.immediate8(Relation.UNORDERED.code());
            low(X86Op.ORP, NAN, NAN, OTHER);
        }
        extreme(BEST, VALUE, BEST);
    }

    /** Elements so many bytes apart change places. */
    private void turned(int to, int from, int distance) {
        if (distance == 16) {
            low(X86Op.PERM2F128, to, from, from);
            code.immediate8(1);
        } else if (distance == 8) {
            code.vex(X86Op.PERMILP, Real.F64, bytes, to, 0, from);
            code.immediate8(5);
        } else {
            low(X86Op.PERMILP, to, 0, from);
            code.immediate8(0xb1);
        }
    }

    /** The larger or smaller elements; numbers that are NaN in {@code a} lose. */
    private void extreme(int to, int a, int b) {
        if (!integers) {
            low(largest ? X86Op.MAXP : X86Op.MINP, to, a, b);
        } else if (v.precision == Real.F64) {
            code.evex(largest ? X86Op.PMAXSQ : X86Op.PMINSQ, Real.F64, bytes, to, a, b, 0);
        } else {
            low(largest ? X86Op.PMAXSD : X86Op.PMINSD, to, a, b);
        }
    }

    // The place.

    private void place(Label none) {
        Label found = new Label();
        code.mov(x, R9);
        code.mov(RCX, 0);
        code.mov(R11, n);
        code.shr(R11, 2);
        Label top = new Label();
        code.align(32);
        code.bind(top);
        search(found);
        code.lea(x, Mem.at(x, dx, GROUP, 0));
        code.add(RCX, GROUP);
        code.dec(R11);
        code.jump(NOT_ZERO, top);
        last(none);
        code.lea(RCX, Mem.at(n, -GROUP));
        search(found);
        code.bind(none);
        code.mov(RAX, n);
        code.finish();
        code.bind(found);
        code.tzcnt(RAX, R8);
        code.add(RAX, RCX);
        code.finish();
    }

    private void search(Label found) {
        magnitudes();
        low(X86Op.CMPP, VALUE, VALUE, BEST);
        code.immediate8(Relation.EQUAL.code());
        low(X86Op.MOVMSKP, R8.number(), 0, VALUE);
        code.test(R8, R8);
        code.jump(NOT_ZERO, found);
    }
}
