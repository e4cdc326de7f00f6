package dev.basalt.host.assembled.x86;

import static dev.basalt.host.assembled.x86.Isa.AVX512;

/**
 * Vector instructions of one instruction set and one precision, by name: EVEX encodings for AVX-512, VEX encodings for
 * AVX2. Registers are numbers; three-operand instructions name the target first, as Intel does.
 */
public final class Vectors {
    /** How {@link #compare} compares. */
    public enum Relation {
        EQUAL(0),
        UNORDERED(3),
        /** Larger, or unordered. */
        NOT_AT_MOST(6);

        private final int code;

        Relation(int code) {
            this.code = code;
        }

        /** The immediate that asks for it. */
        public int code() {
            return code;
        }
    }

    /** The mask register in use. */
    private static final int MASK = 1;

    public final Emitter code;
    public final Isa isa;
    public final Real precision;
    /** Bytes of a vector. */
    private final int bytes;

    public Vectors(Emitter code, Isa isa, Real precision) {
        this(code, isa, precision, isa.bytes);
    }

    /** Vectors of an instruction set that has shorter ones, too: of AVX-512, whose masks and registers stay. */
    public Vectors(Emitter code, Isa isa, Real precision, int bytes) {
        this.code = code;
        this.isa = isa;
        this.precision = precision;
        this.bytes = bytes;
    }

    // Rows of the table in this instruction set and precision; where a row has two operands, {@code a} is 0.

    /** An instruction on whole vectors. */
    public void op(X86Op op, int to, int a, int b) {
        op(op, precision, bytes, to, a, b);
    }

    /** With an operand in memory. */
    public void op(X86Op op, int to, int a, Mem b) {
        op(op, to, a, b, false, false);
    }

    /** On the first bytes of vectors, or of another precision. */
    public void op(X86Op op, Real by, int bytes, int to, int a, int b) {
        if (isa == AVX512 && !(this.bytes < isa.bytes && to < 16 && a < 16 && b < 16 && op.vex(bytes))) {
            code.evex(op, by, bytes, to, a, b, 0);
        } else {
            code.vex(op, by, bytes, to, a, b);
        }
    }

    private void op(X86Op op, int to, int a, Mem b, boolean masked, boolean zeroing) {
        if (isa == AVX512 && !(this.bytes < isa.bytes && to < 16 && a < 16 && !masked && op.vex(bytes))) {
            code.evex(op, precision, bytes, to, a, b, masked ? MASK : 0, zeroing);
        } else {
            code.vex(op, precision, bytes, to, a, b);
        }
    }

    /** A shift of every element by bits. */
    public void shift(X86Op op, int to, int from, int bits) {
        op(op, op.digit(), to, from);
        code.immediate8(bits);
    }

    /** An instruction on the first 16 or 32 bytes of registers below 16, or on one number, with VEX in both instruction sets. */
    public void low(X86Op op, int bytes, int to, int a, int b) {
        code.vex(op, precision, bytes, to, a, b);
    }

    public void low(X86Op op, int bytes, int to, int a, Mem b) {
        code.vex(op, precision, bytes, to, a, b);
    }

    public void load(int to, Mem m) {
        op(X86Op.MOVUP_LOAD, to, 0, m);
    }

    public void store(Mem m, int from) {
        op(X86Op.MOVUP_STORE, from, 0, m);
    }

    /** Stores past the caches, to an address that is a multiple of the vector's bytes. */
    public void storePast(Mem m, int from) {
        op(X86Op.MOVNTP, from, 0, m);
    }

    /** Loads the elements of the mask, zeros elsewhere; touches no other memory. {@code mask} is AVX2's mask vector. */
    public void loadMasked(int to, Mem m, int mask) {
        if (isa == AVX512) {
            op(X86Op.MOVUP_LOAD, to, 0, m, true, true);
        } else {
            op(X86Op.MASKMOVP_LOAD, to, mask, m);
        }
    }

    /** Loads the elements of the mask, and keeps the others; AVX-512. */
    public void loadOver(int to, Mem m) {
        op(X86Op.MOVUP_LOAD, to, 0, m, true, false);
    }

    /** Stores the elements of the mask. */
    public void storeMasked(Mem m, int from, int mask) {
        if (isa == AVX512) {
            op(X86Op.MOVUP_STORE, from, 0, m, true, false);
        } else {
            op(X86Op.MASKMOVP_STORE, from, mask, m);
        }
    }

    /**
     * Sets the mask from a register: the bits of AVX-512, or the address of AVX2's mask vector, which is loaded.
     *
     * @param vector register for AVX2's mask
     */
    public void mask(Gp from, int vector) {
        if (isa == AVX512) {
            low(X86Op.KMOV_FROM_GP, 16, MASK, 0, from.number());
        } else {
            load(vector, Mem.at(from, 0));
        }
    }

    /** Sets the mask to the elements of a vector whose highest bit is set; AVX2 uses the vector itself. */
    public void mask(int from) {
        if (isa == AVX512) {
            op(X86Op.PMOV2M, MASK, 0, from);
        }
    }

    /** All elements become the one in memory. */
    public void broadcast(int to, Mem m) {
        op(X86Op.BROADCASTS, to, 0, m);
    }

    /** All elements become element 0 of a register. */
    public void broadcast(int to, int from) {
        op(X86Op.BROADCASTS, to, 0, from);
    }

    /** The halves of each pair exchange: real and imaginary parts. */
    public void swapPairs(int to, int from) {
        op(X86Op.PERMILP, to, 0, from);
        code.immediate8(precision == Real.F64 ? 0x55 : 0xb1);
    }

    /** Both halves of each pair become the first, or the second. */
    public void ownParts(int to, int from, boolean second) {
        op(X86Op.PERMILP, to, 0, from);
        code.immediate8(precision == Real.F64 ? second ? 0xff : 0 : second ? 0xf5 : 0xa0);
    }

    /** sum := a·b + sum. */
    public void fma(int sum, int a, int b) {
        op(X86Op.FMADD231P, sum, a, b);
    }

    public void fma(int sum, int a, Mem b) {
        op(X86Op.FMADD231P, sum, a, b);
    }

    /** sum := sum - a·b. */
    public void fnma(int sum, int a, int b) {
        op(X86Op.FNMADD231P, sum, a, b);
    }

    /** sum := sum - a·b. */
    public void fnma(int sum, int a, Mem b) {
        op(X86Op.FNMADD231P, sum, a, b);
    }

    /** sum := a·b - sum. */
    public void fms(int sum, int a, Mem b) {
        op(X86Op.FMSUB231P, sum, a, b);
    }

    public void mul(int to, int a, int b) {
        op(X86Op.MULP, to, a, b);
    }

    public void mul(int to, int a, Mem b) {
        op(X86Op.MULP, to, a, b);
    }

    public void add(int to, int a, int b) {
        op(X86Op.ADDP, to, a, b);
    }

    public void add(int to, int a, Mem b) {
        op(X86Op.ADDP, to, a, b);
    }

    public void div(int to, int a, int b) {
        op(X86Op.DIVP, to, a, b);
    }

    public void sqrt(int to, int a) {
        op(X86Op.SQRTP, to, 0, a);
    }

    public void and(int to, int a, int b) {
        op(X86Op.ANDP, to, a, b);
    }

    public void and(int to, int a, Mem b) {
        op(X86Op.ANDP, to, a, b);
    }

    /** to := b without the bits of a. */
    public void andNot(int to, int a, int b) {
        op(X86Op.ANDNP, to, a, b);
    }

    public void or(int to, int a, int b) {
        op(X86Op.ORP, to, a, b);
    }

    public void or(int to, int a, Mem b) {
        op(X86Op.ORP, to, a, b);
    }

    /** The larger of two; {@code b} where one is NaN. */
    public void max(int to, int a, int b) {
        op(X86Op.MAXP, to, a, b);
    }

    public void xor(int to, int a, Mem b) {
        op(X86Op.XORP, to, a, b);
    }

    public void zero(int to) {
        op(X86Op.XORP, to, to, to);
    }

    /** Where a relation holds: in a mask register with AVX-512, else all bits of the elements of a vector. */
    public void compare(int to, int a, int b, Relation relation) {
        op(isa == AVX512 ? X86Op.CMPP_MASK : X86Op.CMPP, to, a, b);
        code.immediate8(relation.code);
    }

    /** Bits, one an element, of what {@link #compare} left in a register. */
    public void compared(Gp to, int from) {
        low(isa == AVX512 ? X86Op.KMOV_TO_GP : X86Op.MOVMSKP, isa == AVX512 ? 16 : 32, to.number(), 0, from);
    }

    // One number, in element 0; the rest of the register becomes 0 or is of no use.

    public void loadOne(int to, Mem m) {
        low(X86Op.MOVS_LOAD, 16, to, 0, m);
    }

    public void storeOne(Mem m, int from) {
        low(X86Op.MOVS_STORE, 16, from, 0, m);
    }

    public void fmaOne(int sum, int a, int b) {
        low(X86Op.FMADD231S, 16, sum, a, b);
    }

    /** sum := sum - a·b. */
    public void fnmaOne(int sum, int a, int b) {
        low(X86Op.FNMADD231S, 16, sum, a, b);
    }

    public void mulOne(int to, int a, int b) {
        low(X86Op.MULS, 16, to, a, b);
    }

    /** One step of a plane rotation: the numbers at {@code x} and {@code y} become c·u + s·v and c·v - s·u; overwrites t and w. */
    public void rotateOne(Mem x, Mem y, int u, int v, int c, int s, int t, int w) {
        mulOne(t, u, c);
        mulOne(w, v, c);
        fmaOne(t, v, s);
        fnmaOne(w, u, s);
        storeOne(x, t);
        storeOne(y, w);
    }

    /** Makes of the double in element 0 a number of this precision. */
    public void narrow(int register) {
        if (precision == Real.F32) {
            code.vex(X86Op.CVTS, Real.F64, 16, register, register, register);
        }
    }

    /** Makes of the number in element 0 a double. */
    public void widen(int register) {
        if (precision == Real.F32) {
            code.vex(X86Op.CVTS, Real.F32, 16, register, register, register);
        }
    }

    /** Element 0 of {@code to} becomes the 64 bits of a register. */
    public void bits(int to, Gp from) {
        low(X86Op.MOVQ_FROM_GP, 16, to, 0, from.number());
    }

    /** A register becomes the lower 64 bits of a vector. */
    public void bits(Gp to, int from) {
        low(X86Op.MOVQ_TO_GP, 16, from, 0, to.number());
    }

    /** Element 0 of register 0 becomes the sum of all its elements; overwrites register 1. Both must be below 16. */
    public void sum() {
        reduce(X86Op.ADDP, 0, 1);
    }

    /** Element 0 of a register becomes the sum, or whatever an instruction makes of two, of all its elements; both registers must be below 16. */
    void reduce(X86Op op, int register, int other) {
        for (int left = bytes; left > precision.bytes; left /= 2) {
            upper(other, register, left);
            low(op, Math.max(16, left / 2), register, register, other);
        }
    }

    /** The lower half becomes the upper half of the first 64, 32, 16 or 8 bytes of a register; both must be below 16. */
    public void upper(int to, int from, int bytes) {
        switch (bytes) {
            case 64 -> code.evex(X86Op.EXTRACTF64X4, Real.F64, 64, from, 0, to, 0);
            case 32 -> low(X86Op.EXTRACTF128, 32, from, 0, to);
            case 16 -> code.vex(X86Op.PERMILP, Real.F64, 16, to, 0, from);
            default -> low(X86Op.MOVSHDUP, 16, to, 0, from);
        }
        if (bytes > 8) {
            code.immediate8(1);
        }
    }

    // Transposition works on 128-bit lanes of VEX registers in both instruction sets.

    /** Loads 128 bits. */
    public void loadQuarter(int to, Mem m) {
        low(X86Op.MOVUP_LOAD, 16, to, 0, m);
    }

    /** The upper half of a 256-bit register becomes the 128 bits in memory. */
    public void insertUpper(int to, int lower, Mem m) {
        low(X86Op.INSERTF128, 32, to, lower, m);
        code.immediate8(1);
    }

    /** Interleaves the lower or upper halves of 128-bit lanes by numbers of {@code by}; {@code halves} 1 for 128 bits, 2 for 256. */
    public void unpack(Real by, boolean upper, int halves, int to, int a, int b) {
        code.vex(upper ? X86Op.UNPCKHP : X86Op.UNPCKLP, by, 16 * halves, to, a, b);
    }

    /** Stores 128 or 256 bits. */
    public void storeHalves(Mem m, int halves, int from) {
        low(X86Op.MOVUP_STORE, 16 * halves, from, 0, m);
    }

    // What panels of columns need: narrow loads and stores, and sums of several registers at once.

    /** Loads 4, 8, 16, 32 or 64 bytes into the lower elements. */
    public void loadPart(int to, Mem m, int bytes) {
        if (bytes == 64) {
            load(to, m);
        } else if (bytes >= 16) {
            low(X86Op.MOVUP_LOAD, bytes, to, 0, m);
        } else {
            code.vex(X86Op.MOVS_LOAD, bytes == 8 ? Real.F64 : Real.F32, 16, to, 0, m);
        }
    }

    /** Stores 4, 8, 16, 32 or 64 bytes of the lower elements. */
    public void storePart(Mem m, int from, int bytes) {
        if (bytes == 64) {
            store(m, from);
        } else if (bytes >= 16) {
            low(X86Op.MOVUP_STORE, bytes, from, 0, m);
        } else {
            code.vex(X86Op.MOVS_STORE, bytes == 8 ? Real.F64 : Real.F32, 16, from, 0, m);
        }
    }

    /** Interleaves the lower or upper halves of all 128-bit lanes by numbers of {@code by}. */
    public void unpackLanes(Real by, boolean upper, int to, int a, int b) {
        op(upper ? X86Op.UNPCKHP : X86Op.UNPCKLP, by, bytes, to, a, b);
    }

    /** The even or the odd 128-bit lanes of a, then those of b. */
    public void lanes(boolean odd, int to, int a, int b) {
        if (isa == AVX512) {
            op(X86Op.SHUFF64X2, to, a, b);
            code.immediate8(odd ? 0xdd : 0x88);
        } else {
            op(X86Op.PERM2F128, to, a, b);
            code.immediate8(odd ? 0x31 : 0x20);
        }
    }

    public void sub(int to, int a, int b) {
        op(X86Op.SUBP, to, a, b);
    }

    public void subOne(int to, int a, int b) {
        low(X86Op.SUBS, 16, to, a, b);
    }

    public void sqrtOne(int to, int from) {
        low(X86Op.SQRTS, 16, to, from, from);
    }

    public void divOne(int to, int a, int b) {
        low(X86Op.DIVS, 16, to, a, b);
    }

    // One number and one in memory.

    public void addOne(int to, int a, Mem b) {
        low(X86Op.ADDS, 16, to, a, b);
    }

    public void mulOne(int to, int a, Mem b) {
        low(X86Op.MULS, 16, to, a, b);
    }

    public void subOne(int to, int a, Mem b) {
        low(X86Op.SUBS, 16, to, a, b);
    }

    public void divOne(int to, int a, Mem b) {
        low(X86Op.DIVS, 16, to, a, b);
    }

    /** sum := a·b + sum. */
    public void fmaOne(int sum, int a, Mem b) {
        low(X86Op.FMADD231S, 16, sum, a, b);
    }

    /** sum := sum - a·b. */
    public void fnmaOne(int sum, int a, Mem b) {
        low(X86Op.FNMADD231S, 16, sum, a, b);
    }
}
