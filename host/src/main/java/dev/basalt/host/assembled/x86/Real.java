package dev.basalt.host.assembled.x86;

/** The real number that a kernel computes with. */
public enum Real {
    F32(4), F64(8);

    /** Bytes of a number. */
    public final int bytes;

    Real(int bytes) {
        this.bytes = bytes;
    }

    /** Bit W of the instructions that have one for it. */
    public int w() {
        return this == F64 ? 1 : 0;
    }

    /** The prefix of packed instructions: none for float, 66 for double. */
    public int packed() {
        return this == F64 ? 1 : 0;
    }

    /** The prefix of scalar instructions: F3 for float, F2 for double. */
    public int scalar() {
        return this == F64 ? 3 : 2;
    }
}
