package dev.basalt.host;

import jdk.incubator.vector.DoubleVector;

/** How wide the engine's vectors are. */
final class VectorWidth {
    /** Bits of a vector: 128, 256 or 512. */
    static final int BITS = VectorBits.of(Math.clamp(DoubleVector.SPECIES_PREFERRED.vectorBitSize(), 128, 512));

    private VectorWidth() {}
}
