package dev.basalt.type;

/** How exactly the factors of products are taken where the elements allow more than one way. */
public enum MathMode {
    /** As exactly as they are stored. */
    DEFAULT,
    /**
     * Products of real single precision may round each element of their factors to ten bits of fraction, the nearest, ties away from zero ("TF32"). The range of the
     * exponent and the sums stay those of single precision. So each term of a sum is off by a relative 2⁻¹⁰ at most.
     */
    TF32
}
