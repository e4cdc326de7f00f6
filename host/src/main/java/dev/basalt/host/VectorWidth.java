package dev.basalt.host;

import jdk.incubator.vector.DoubleVector;

/** How wide the engine's vectors are. */
final class VectorWidth {
    /** System property that forces narrower vectors: 128, 256 or 512. */
    static final String PROPERTY = "basalt.vectorBits";

    /** Bits of a vector: 128, 256 or 512. */
    static final int BITS = bits();

    private VectorWidth() {}

    private static int bits() {
        int preferred = Math.clamp(DoubleVector.SPECIES_PREFERRED.vectorBitSize(), 128, 512);
        int wanted = Integer.getInteger(PROPERTY, preferred);
        if (wanted != 128 && wanted != 256 && wanted != 512) {
            throw new IllegalArgumentException(PROPERTY + " is " + wanted + "; accepted are 128, 256 and 512");
        }
        // Wider than the CPU works too, but each operation would be a call.
        return Math.min(wanted, preferred);
    }
}
