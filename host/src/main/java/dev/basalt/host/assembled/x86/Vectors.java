package dev.basalt.host.assembled.x86;

import static dev.basalt.host.assembled.x86.Isa.AVX512;

/**
 * Vector instructions of one instruction set and one precision, by name: EVEX encodings for AVX-512, VEX encodings for
 * AVX2. Registers are numbers; three-operand instructions name the target first, as Intel does.
 */
public final class Vectors {
    /** The mask register in use. */
    private static final int MASK = 1;

    public final Emitter code;
    public final Isa isa;
    public final Real precision;
    /** 0, 1, 2 for 128, 256, 512 bits. */
    private final int length;

    public Vectors(Emitter code, Isa isa, Real precision) {
        this.code = code;
        this.isa = isa;
        this.precision = precision;
        this.length = isa == AVX512 ? 2 : 1;
    }

    /** An instruction of map 1 (0F) on packed numbers. */
    private void packed(int opcode, int to, int a, int b) {
        if (isa == AVX512) {
            code.evex(1, precision.packed(), precision.w(), length, opcode, to, a, b);
        } else {
            code.vex(1, precision.packed(), 0, length, opcode, to, a, b);
        }
    }

    private void packed(int opcode, int to, int a, Mem m, boolean masked, boolean zeroing) {
        if (isa == AVX512) {
            int mask = masked ? MASK : 0;
            code.evex(1, precision.packed(), precision.w(), length, opcode, to, a, m, isa.bytes, mask, zeroing);
        } else {
            code.vex(1, precision.packed(), 0, length, opcode, to, a, m);
        }
    }

    public void load(int to, Mem m) {
        packed(0x10, to, 0, m, false, false);
    }

    public void store(Mem m, int from) {
        packed(0x11, from, 0, m, false, false);
    }

    /** Stores past the caches, to an address that is a multiple of the vector's bytes. */
    public void storePast(Mem m, int from) {
        packed(0x2b, from, 0, m, false, false);
    }

    /** Loads the elements of the mask, zeros elsewhere; touches no other memory. {@code mask} is AVX2's mask vector. */
    public void loadMasked(int to, Mem m, int mask) {
        if (isa == AVX512) {
            packed(0x10, to, 0, m, true, true);
        } else {
            code.vex(2, 1, 0, length, 0x2c + precision.w(), to, mask, m);
        }
    }

    /** Stores the elements of the mask. */
    public void storeMasked(Mem m, int from, int mask) {
        if (isa == AVX512) {
            packed(0x11, from, 0, m, true, false);
        } else {
            code.vex(2, 1, 0, length, 0x2e + precision.w(), from, mask, m);
        }
    }

    /**
     * Sets the mask from a register: the bits of AVX-512, or the address of AVX2's mask vector, which is loaded.
     *
     * @param vector register for AVX2's mask
     */
    public void mask(Gp from, int vector) {
        if (isa == AVX512) {
            if (precision == Real.F64) {
                // kmovb k1, r32
                code.vex(1, 1, 0, 0, 0x92, MASK, 0, from.number());
            } else {
                // kmovw k1, r32
                code.vex(1, 0, 0, 0, 0x92, MASK, 0, from.number());
            }
        } else {
            load(vector, Mem.at(from, 0));
        }
    }

    /** Sets the mask to the elements of a vector whose highest bit is set; AVX2 uses the vector itself. */
    public void mask(int from) {
        if (isa == AVX512) {
            // vpmovq2m or vpmovd2m k1, zmm
            code.evex(2, 2, precision.w(), length, 0x39, MASK, 0, from);
        }
    }

    /** All elements become the one in memory. */
    public void broadcast(int to, Mem m) {
        int opcode = 0x18 + precision.w();
        if (isa == AVX512) {
            code.evex(2, 1, precision.w(), length, opcode, to, 0, m, precision.bytes, 0, false);
        } else {
            code.vex(2, 1, 0, length, opcode, to, 0, m);
        }
    }

    /** All elements become element 0 of a register. */
    public void broadcast(int to, int from) {
        int opcode = 0x18 + precision.w();
        if (isa == AVX512) {
            code.evex(2, 1, precision.w(), length, opcode, to, 0, from);
        } else {
            code.vex(2, 1, 0, length, opcode, to, 0, from);
        }
    }

    /** The halves of each pair exchange: real and imaginary parts. */
    public void swapPairs(int to, int from) {
        boolean f64 = precision == Real.F64;
        int opcode = f64 ? 0x05 : 0x04;
        if (isa == AVX512) {
            code.evex(3, 1, precision.w(), length, opcode, to, 0, from);
        } else {
            code.vex(3, 1, 0, length, opcode, to, 0, from);
        }
        code.immediate8(f64 ? 0x55 : 0xb1);
    }

    /** sum := a·b + sum. */
    public void fma(int sum, int a, int b) {
        if (isa == AVX512) {
            code.evex(2, 1, precision.w(), length, 0xb8, sum, a, b);
        } else {
            code.vex(2, 1, precision.w(), length, 0xb8, sum, a, b);
        }
    }

    public void fma(int sum, int a, Mem b) {
        if (isa == AVX512) {
            code.evex(2, 1, precision.w(), length, 0xb8, sum, a, b, isa.bytes, 0, false);
        } else {
            code.vex(2, 1, precision.w(), length, 0xb8, sum, a, b);
        }
    }

    /** sum := sum - a·b. */
    public void fnma(int sum, int a, int b) {
        if (isa == AVX512) {
            code.evex(2, 1, precision.w(), length, 0xbc, sum, a, b);
        } else {
            code.vex(2, 1, precision.w(), length, 0xbc, sum, a, b);
        }
    }

    /** sum := a·b - sum. */
    public void fms(int sum, int a, Mem b) {
        if (isa == AVX512) {
            code.evex(2, 1, precision.w(), length, 0xba, sum, a, b, isa.bytes, 0, false);
        } else {
            code.vex(2, 1, precision.w(), length, 0xba, sum, a, b);
        }
    }

    public void mul(int to, int a, int b) {
        packed(0x59, to, a, b);
    }

    public void mul(int to, int a, Mem b) {
        packed(0x59, to, a, b, false, false);
    }

    public void add(int to, int a, int b) {
        packed(0x58, to, a, b);
    }

    public void and(int to, int a, int b) {
        packed(0x54, to, a, b);
    }

    public void and(int to, int a, Mem b) {
        packed(0x54, to, a, b, false, false);
    }

    /** to := b without the bits of a. */
    public void andNot(int to, int a, int b) {
        packed(0x55, to, a, b);
    }

    public void or(int to, int a, int b) {
        packed(0x56, to, a, b);
    }

    public void xor(int to, int a, Mem b) {
        packed(0x57, to, a, b, false, false);
    }

    public void zero(int to) {
        packed(0x57, to, to, to);
    }

    // One number, in element 0; the rest of the register becomes 0 or is of no use.

    public void loadOne(int to, Mem m) {
        code.vex(1, precision.scalar(), 0, 0, 0x10, to, 0, m);
    }

    public void storeOne(Mem m, int from) {
        code.vex(1, precision.scalar(), 0, 0, 0x11, from, 0, m);
    }

    public void fmaOne(int sum, int a, int b) {
        code.vex(2, 1, precision.w(), 0, 0xb9, sum, a, b);
    }

    /** sum := sum - a·b. */
    public void fnmaOne(int sum, int a, int b) {
        code.vex(2, 1, precision.w(), 0, 0xbd, sum, a, b);
    }

    public void mulOne(int to, int a, int b) {
        code.vex(1, precision.scalar(), 0, 0, 0x59, to, a, b);
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
            code.vex(1, 3, 0, 0, 0x5a, register, register, register);
        }
    }

    /** Makes of the number in element 0 a double. */
    public void widen(int register) {
        if (precision == Real.F32) {
            code.vex(1, 2, 0, 0, 0x5a, register, register, register);
        }
    }

    /** Element 0 of {@code to} becomes the 64 bits of a register. */
    public void bits(int to, Gp from) {
        code.vex(1, 1, 1, 0, 0x6e, to, 0, from.number());
    }

    /** A register becomes the lower 64 bits of a vector. */
    public void bits(Gp to, int from) {
        code.vex(1, 1, 1, 0, 0x7e, from, 0, to.number());
    }

    /** Element 0 of register 0 becomes the sum of all its elements; overwrites register 1. Both must be below 16. */
    public void sum() {
        if (isa == AVX512) {
            // vextractf64x4 ymm1, zmm0, 1
            code.evex(3, 1, 1, 2, 0x1b, 0, 0, 1);
            code.immediate8(1);
            code.vex(1, precision.packed(), 0, 1, 0x58, 0, 0, 1);
        }
        // vextractf128 xmm1, ymm0, 1
        code.vex(3, 1, 0, 1, 0x19, 0, 0, 1);
        code.immediate8(1);
        code.vex(1, precision.packed(), 0, 0, 0x58, 0, 0, 1);
        // vpermilpd xmm1, xmm0, 1: the upper 64 bits
        code.vex(3, 1, 0, 0, 0x05, 1, 0, 0);
        code.immediate8(1);
        code.vex(1, precision.packed(), 0, 0, 0x58, 0, 0, 1);
        if (precision == Real.F32) {
            // vmovshdup xmm1, xmm0
            code.vex(1, 2, 0, 0, 0x16, 1, 0, 0);
            code.vex(1, precision.packed(), 0, 0, 0x58, 0, 0, 1);
        }
    }

    // Transposition works on 128-bit lanes of VEX registers in both instruction sets.

    /** Loads 128 bits. */
    public void loadQuarter(int to, Mem m) {
        code.vex(1, precision.packed(), 0, 0, 0x10, to, 0, m);
    }

    /** The upper half of a 256-bit register becomes the 128 bits in memory. */
    public void insertUpper(int to, int lower, Mem m) {
        code.vex(3, 1, 0, 1, 0x18, to, lower, m);
        code.immediate8(1);
    }

    /** Interleaves the lower or upper halves of 128-bit lanes by numbers of {@code by}; {@code halves} 1 for 128 bits, 2 for 256. */
    public void unpack(Real by, boolean upper, int halves, int to, int a, int b) {
        code.vex(1, by.packed(), 0, halves - 1, upper ? 0x15 : 0x14, to, a, b);
    }

    /** Stores 128 or 256 bits. */
    public void storeHalves(Mem m, int halves, int from) {
        code.vex(1, precision.packed(), 0, halves - 1, 0x11, from, 0, m);
    }

    // What panels of columns need: narrow loads and stores, and sums of several registers at once.

    /** Loads 4, 8, 16, 32 or 64 bytes into the lower elements. */
    public void loadPart(int to, Mem m, int bytes) {
        if (bytes == 64) {
            load(to, m);
        } else if (bytes >= 16) {
            code.vex(1, precision.packed(), 0, bytes / 32, 0x10, to, 0, m);
        } else {
            code.vex(1, bytes == 8 ? 3 : 2, 0, 0, 0x10, to, 0, m);
        }
    }

    /** Stores 4, 8, 16, 32 or 64 bytes of the lower elements. */
    public void storePart(Mem m, int from, int bytes) {
        if (bytes == 64) {
            store(m, from);
        } else if (bytes >= 16) {
            code.vex(1, precision.packed(), 0, bytes / 32, 0x11, from, 0, m);
        } else {
            code.vex(1, bytes == 8 ? 3 : 2, 0, 0, 0x11, from, 0, m);
        }
    }

    /** Interleaves the lower or upper halves of all 128-bit lanes by numbers of {@code by}. */
    public void unpackLanes(Real by, boolean upper, int to, int a, int b) {
        if (isa == AVX512) {
            code.evex(1, by.packed(), by.w(), length, upper ? 0x15 : 0x14, to, a, b);
        } else {
            unpack(by, upper, 2, to, a, b);
        }
    }

    /** The even or the odd 128-bit lanes of a, then those of b. */
    public void lanes(boolean odd, int to, int a, int b) {
        if (isa == AVX512) {
            // vshuff64x2
            code.evex(3, 1, 1, length, 0x23, to, a, b);
            code.immediate8(odd ? 0xdd : 0x88);
        } else {
            // vperm2f128
            code.vex(3, 1, 0, length, 0x06, to, a, b);
            code.immediate8(odd ? 0x31 : 0x20);
        }
    }

    /** sum := sum - a·b. */
    public void fnma(int sum, int a, Mem b) {
        if (isa == AVX512) {
            code.evex(2, 1, precision.w(), length, 0xbc, sum, a, b, isa.bytes, 0, false);
        } else {
            code.vex(2, 1, precision.w(), length, 0xbc, sum, a, b);
        }
    }

    public void sub(int to, int a, int b) {
        packed(0x5c, to, a, b);
    }

    public void divOne(int to, int a, int b) {
        code.vex(1, precision.scalar(), 0, 0, 0x5e, to, a, b);
    }

    // One number and one in memory.

    private void one(int opcode, int to, int a, Mem b) {
        code.vex(1, precision.scalar(), 0, 0, opcode, to, a, b);
    }

    public void addOne(int to, int a, Mem b) {
        one(0x58, to, a, b);
    }

    public void mulOne(int to, int a, Mem b) {
        one(0x59, to, a, b);
    }

    public void subOne(int to, int a, Mem b) {
        one(0x5c, to, a, b);
    }

    public void divOne(int to, int a, Mem b) {
        one(0x5e, to, a, b);
    }

    /** sum := a·b + sum. */
    public void fmaOne(int sum, int a, Mem b) {
        code.vex(2, 1, precision.w(), 0, 0xb9, sum, a, b);
    }

    /** sum := sum - a·b. */
    public void fnmaOne(int sum, int a, Mem b) {
        code.vex(2, 1, precision.w(), 0, 0xbd, sum, a, b);
    }
}
