package dev.basalt.host.assembled.x86;

import static dev.basalt.host.assembled.x86.Isa.AVX512;

/** Products of numbers of 16 and 8 bits that are added up in lanes of 32 bits, and what else kernels do with such sums. */
public final class Dots {
    private final Emitter code;
    private final boolean avx512;
    private final int length;

    public Dots(Vectors v) {
        this.code = v.code;
        this.avx512 = v.isa == AVX512;
        this.length = avx512 ? 2 : 1;
    }

    /** sum := sum + two products of bfloat16 in each lane, each added with a rounding of its own; subnormals are zeros (AVX512_BF16). */
    public void halves(int sum, int a, int b) {
        code.evex(2, 2, 0, length, 0x52, sum, a, b);
    }

    /** sum := sum + four products in each lane, of bytes without a sign in a, with one in b (AVX512_VNNI, or AVX_VNNI). */
    public void bytes(int sum, int a, int b) {
        registers(2, 0x50, sum, a, b);
    }

    /** The same with b in memory, in the lower half of a register of AVX-512, or the lowest quarter otherwise. */
    public void bytesPart(int sum, int a, Mem b) {
        if (avx512) {
            code.evex(2, 1, 0, 1, 0x50, sum, a, b, 32, 0, false);
        } else {
            code.vex(2, 1, 0, 0, 0x50, sum, a, b);
        }
    }

    /** to := the sum of two products of 16-bit integers in each lane. */
    public void words(int to, int a, Mem b) {
        memory(1, 0xf5, to, a, b);
    }

    public void add(int to, int a, int b) {
        registers(1, 0xfe, to, a, b);
    }

    public void subtract(int to, int a, int b) {
        registers(1, 0xfa, to, a, b);
    }

    public void multiply(int to, int a, int b) {
        registers(2, 0x40, to, a, b);
    }

    public void xor(int to, int a, Mem b) {
        memory(1, 0xef, to, a, b);
    }

    public void or(int to, int a, int b) {
        registers(1, 0xeb, to, a, b);
    }

    public void shiftLeft(int to, int from, int bits) {
        registers(1, 0x72, 6, to, from);
        code.immediate8(bits);
    }

    public void shiftRight(int to, int from, int bits) {
        registers(1, 0x72, 2, to, from);
        code.immediate8(bits);
    }

    /** Element 0, a double, becomes a 32-bit integer. */
    public void whole(int register) {
        code.vex(1, 1, 0, 0, 0xe6, register, 0, register);
    }

    private void registers(int map, int opcode, int to, int a, int b) {
        if (avx512) {
            code.evex(map, 1, 0, length, opcode, to, a, b);
        } else {
            code.vex(map, 1, 0, length, opcode, to, a, b);
        }
    }

    private void memory(int map, int opcode, int to, int a, Mem b) {
        if (avx512) {
            code.evex(map, 1, 0, length, opcode, to, a, b, 64, 0, false);
        } else {
            code.vex(map, 1, 0, length, opcode, to, a, b);
        }
    }
}
