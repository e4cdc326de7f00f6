package dev.basalt.host.assembled.x86;

/** A set of vector instructions. */
public enum Isa {
    /** 256-bit vectors and FMA (2013 on). */
    AVX2(32, 16),
    /** 512-bit vectors with masks: F, DQ, VL and BW (2017 on). */
    AVX512(64, 32);

    /** Bytes of a vector. */
    public final int bytes;
    /** How many vector registers there are. */
    public final int registers;

    Isa(int bytes, int registers) {
        this.bytes = bytes;
        this.registers = registers;
    }

    public int lanes(Real precision) {
        return bytes / precision.bytes;
    }
}
