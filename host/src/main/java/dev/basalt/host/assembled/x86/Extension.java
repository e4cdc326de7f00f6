package dev.basalt.host.assembled.x86;

/** Instructions that a processor may have beyond an {@link Isa}. */
public enum Extension {
    /** Conversion of halves (F16C). */
    F16C,
    /** Products of bfloat16 in vectors of 512 bits (AVX512_BF16). */
    BF16,
    /** Products of bytes: AVX512_VNNI, or AVX_VNNI in vectors of 256 bits. */
    VNNI
}
