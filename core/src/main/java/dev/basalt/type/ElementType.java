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
    I64('l', 8, false);

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
     * @return {@code s d c z}, or {@code i l} for the integers
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
     * @return false for the integers
     */
    public boolean isFloating() {
        return this != I32 && this != I64;
    }

    /**
     * The type of a magnitude or norm of this type.
     *
     * @return {@link #F32} for s and c, {@link #F64} for d and z, itself for the integers
     */
    public ElementType real() {
        return this == C32 ? F32 : this == C64 ? F64 : this;
    }
}
