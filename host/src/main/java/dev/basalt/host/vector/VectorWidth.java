package dev.basalt.host.vector;

import jdk.incubator.vector.DoubleVector;

/** How wide the engine's vectors are. */
public final class VectorWidth {
    /** Bits of a vector: 128, 256 or 512. */
    public static final int BITS = VectorBits.of(Math.clamp(DoubleVector.SPECIES_PREFERRED.vectorBitSize(), 128, 512));

    private VectorWidth() {}
}
