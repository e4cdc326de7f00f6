package dev.basalt.type;

/** The type of one element of a vector or matrix. Complex elements are a real part followed by an imaginary part. */
public enum ElementType {
    /** IEEE single precision, BLAS letter {@code s}. */
    F32('s', 4, false),
    /** IEEE double precision, BLAS letter {@code d}. */
    F64('d', 8, false),
    /** Complex of two single-precision parts, BLAS letter {@code c}; 8 bytes. */
    C32('c', 8, true),
    /** Complex of two double-precision parts, BLAS letter {@code z}; 16 bytes. */
    C64('z', 16, true),
    /** 32-bit integer: {@code info}. */
    I32('i', 4, false),
    /** 64-bit integer: pivots, indices and pointer tables. */
    I64('l', 8, false),
    /** IEEE half precision: 5 bits of exponent, 10 of fraction. In memory only: kernels of mixed types compute in another one. */
    F16('h', 2, false),
    /** The upper half of single precision ("bfloat16"): 8 bits of exponent, 7 of fraction. In memory only. */
    BF16('b', 2, false),
    /** 8-bit integer, with a sign. In memory only. */
    I8('o', 1, false),
    /** 8-bit number of the Open Compute Project: 4 bits of exponent, 3 of fraction, no infinities, up to 448. In memory only. */
    F8_E4M3('e', 1, false),
    /** 8-bit number of the Open Compute Project: 5 bits of exponent, 2 of fraction, up to 57344. In memory only. */
    F8_E5M2('f', 1, false);

    private final char letter;
    private final int bytes;
    private final boolean complex;

    ElementType(char letter, int bytes, boolean complex) {
        this.letter = letter;
        this.bytes = bytes;
        this.complex = complex;
    }

    /**
     * The letter that stands for this type in BLAS names.
     *
     * @return {@code s d c z}, {@code i l} for the integers, {@code h b o e f} for what is in memory only
     */
    public char letter() {
        return letter;
    }

    /**
     * The size of one element (rocBLAS's sizeof datatype).
     *
     * @return bytes
     */
    public int bytes() {
        return bytes;
    }

    /**
     * Whether an element has an imaginary part.
     *
     * @return true for {@link #C32} and {@link #C64}
     */
    public boolean isComplex() {
        return complex;
    }

    /**
     * Whether BLAS computes on this type.
     *
     * @return true for {@code s d c z}
     */
    public boolean isFloating() {
        return ordinal() < I32.ordinal();
    }

    /**
     * The type that this one is computed in.
     *
     * @return {@link #F32} for what is narrower and in memory only, but for integers; else the type itself
     */
    public ElementType computed() {
        return this == F16 || this == BF16 || this == F8_E4M3 || this == F8_E5M2 ? F32 : this;
    }

    /**
     * The type of a magnitude or norm of this type.
     *
     * @return {@link #F32} for s and c, {@link #F64} for d and z, itself for the others
     */
    public ElementType real() {
        return this == C32 ? F32 : this == C64 ? F64 : this;
    }
}
