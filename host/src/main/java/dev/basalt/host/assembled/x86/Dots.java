package dev.basalt.host.assembled.x86;

/** Products of numbers of 16 and 8 bits that are added up in lanes of 32 bits, and what else kernels do with such sums. */
public final class Dots {
    private final Vectors v;

    public Dots(Vectors v) {
        this.v = v;
    }

    /** sum := sum + two products of bfloat16 in each lane, each added with a rounding of its own; subnormals are zeros (AVX512_BF16). */
    public void halves(int sum, int a, int b) {
        v.op(X86Op.DPBF16PS, sum, a, b);
    }

    /** sum := sum + four products in each lane, of bytes without a sign in a, with one in b (AVX512_VNNI, or AVX_VNNI). */
    public void bytes(int sum, int a, int b) {
        v.op(X86Op.PDPBUSD, sum, a, b);
    }

    /** to := the sum of two products of 16-bit integers in each lane. */
    public void words(int to, int a, Mem b) {
        v.op(X86Op.PMADDWD, to, a, b);
    }

    public void add(int to, int a, int b) {
        v.op(X86Op.PADDD, to, a, b);
    }

    public void subtract(int to, int a, int b) {
        v.op(X86Op.PSUBD, to, a, b);
    }

    public void multiply(int to, int a, int b) {
        v.op(X86Op.PMULLD, to, a, b);
    }

    public void shiftLeft(int to, int from, int bits) {
        v.shift(X86Op.PSLLD, to, from, bits);
    }

    public void shiftRight(int to, int from, int bits) {
        v.shift(X86Op.PSRLD, to, from, bits);
    }

    /** Element 0, a double, becomes a 32-bit integer. */
    public void whole(int register) {
        v.low(X86Op.CVTTPD2DQ, 16, register, 0, register);
    }
}
