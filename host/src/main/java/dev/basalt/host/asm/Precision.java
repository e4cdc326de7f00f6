package dev.basalt.host.asm;

/** The real number that a kernel computes with. */
enum Precision {
    F32(4),
    F64(8);

    /** Bytes of a number. */
    final int bytes;

    Precision(int bytes) {
        this.bytes = bytes;
    }

    /** Bit W of the instructions that have one for it. */
    int w() {
        return this == F64 ? 1 : 0;
    }

    /** The prefix of packed instructions: none for float, 66 for double. */
    int packed() {
        return this == F64 ? 1 : 0;
    }

    /** The prefix of scalar instructions: F3 for float, F2 for double. */
    int scalar() {
        return this == F64 ? 3 : 2;
    }
}
