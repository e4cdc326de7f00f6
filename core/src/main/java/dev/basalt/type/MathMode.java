package dev.basalt.type;

/** How exactly the factors of products are taken where the elements allow more than one way. */
public enum MathMode {
    /** As exactly as they are stored. */
    DEFAULT,
    /**
     * Products of real single precision may round each element of their factors to ten bits of fraction, the nearest, ties away from zero ("TF32"). The range of the
     * exponent and the sums stay those of single precision. So each term of a sum is off by a relative 2⁻¹⁰ at most.
     */
    TF32,
    /**
     * As {@link #TF32}, but each element becomes a half: ten bits of fraction, the nearest, ties to even. What is larger than 65504 becomes infinite, and below 2⁻¹⁴ bits are lost. Sums stay those
     * of single precision.
     */
    F16,
    /** As {@link #TF32}, but with seven bits of fraction, the nearest, ties to even ("bfloat16"). So each term of a sum is off by a relative 2⁻⁷ at most. */
    BF16,
    /**
     * Products of real double precision are made of products of 8-bit integers, which tensor cores form many times as fast, and need much workspace. The error is within the bound that holds for
     * every order of sums in double: what {@code alpha} multiplies is off by (k + 1)·2⁻⁵³·|op(A)|·|op(B)| at most, element by element, where k is the inner dimension. The device looks whether that
     * can be promised, and else multiplies in double.
     *
     * <p>Large products of real single precision are made of three products in {@link #TF32} where the device has such tensor cores: each element becomes the sum of two numbers of ten bits of
     * fraction, and only the product of two small parts is left out. So each term of a sum is off by a relative 2⁻²⁰ at most; sums are those of the tensor cores, which round toward zero.
     * See {@link dev.basalt.Handle#setMathMode}.
     */
    EMULATED;

    /**
     * Whether factors in single precision may be rounded.
     *
     * @return true for TF32, F16 and BF16
     */
    public boolean rounds() {
        return this != DEFAULT && this != EMULATED;
    }
}
