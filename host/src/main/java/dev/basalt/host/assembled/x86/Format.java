package dev.basalt.host.assembled.x86;

import dev.basalt.type.ElementType;

/** How a number that becomes one of single precision lies in memory. Those that kernels store too come first. */
public enum Format {
    F32(ElementType.F32),
    F16(ElementType.F16),
    BF16(ElementType.BF16),
    E4M3(ElementType.F8_E4M3),
    E5M2(ElementType.F8_E5M2);

    /** The type of an element. */
    public final ElementType type;
    /** Bytes of a number. */
    public final int bytes;

    Format(ElementType type) {
        this.type = type;
        this.bytes = type.bytes();
    }

    /** The format of an element type, null if kernels do not know it. */
    public static Format of(ElementType type) {
        return switch (type) {
            case F32 -> F32;
            case F16 -> F16;
            case BF16 -> BF16;
            case F8_E4M3 -> E4M3;
            case F8_E5M2 -> E5M2;
            default -> null;
        };
    }

    /** Whether kernels store it too: numbers of 8 bits are only read. */
    public boolean stored() {
        return bytes > 1;
    }

    /** Whether it takes the processor's conversion of halves (F16C). */
    public boolean half() {
        return this != F32 && this != BF16;
    }
}
