package dev.basalt.host.assembled.x86;

/** The real number that a kernel computes with. */
public enum Real {
    F32(4), F64(8);

    /** Bytes of a number. */
    public final int bytes;

    Real(int bytes) {
        this.bytes = bytes;
    }
}
