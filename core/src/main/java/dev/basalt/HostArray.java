package dev.basalt;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.basalt.spi.Conversion;
import dev.basalt.type.ElementType;
import java.lang.foreign.MemorySegment;

/**
 * A Java array as elements of a type: as it is, or converted where numbers of the type have no array of their own. Numbers narrower than single
 * precision are rounded from it, to the nearest, ties to even.
 */
final class HostArray {
    /** The elements, one after another. */
    final MemorySegment elements;

    private final ElementType type;
    /** What a download ends in; null if that is {@link #elements}. */
    private final float[] wide;

    private HostArray(MemorySegment elements, ElementType type, float[] wide) {
        this.elements = elements;
        this.type = type;
        this.wide = wide;
    }

    static HostArray of(String what, boolean up, ElementType type, Object array) {
        if (array instanceof float[] numbers && type.bytes() < 4 && type != ElementType.I8) {
            MemorySegment narrow = type.bytes() == 2
                    ? MemorySegment.ofArray(new short[numbers.length])
                    : MemorySegment.ofArray(new byte[numbers.length]);
            HostArray converted = new HostArray(narrow, type, numbers);
            if (up) {
                converted.round();
            }
            return converted;
        }
        return new HostArray(segment(what, up, type, array), type, null);
    }

    private static MemorySegment segment(String what, boolean up, ElementType type, Object array) {
        if (array instanceof MemorySegment s) {
            HostSegment.check(what, s, !up);
            return s;
        }
        boolean fits = switch (type) {
            case F64, C64 -> array instanceof double[];
            case F32, C32 -> array instanceof float[];
            case I32 -> array instanceof int[];
            case I64 -> array instanceof long[];
            case F16, BF16 -> array instanceof short[];
            case I8, F8_E4M3, F8_E5M2 -> array instanceof byte[];
        };
        if (!fits) {
            throw new BlasException(Status.INVALID_VALUE, what,
                    "elements of " + type + " go from or to a " + arrays(type) + " or a MemorySegment, not "
                            + (array == null ? "null" : array.getClass().getSimpleName()));
        }
        return switch (array) {
            case double[] d -> MemorySegment.ofArray(d);
            case float[] f -> MemorySegment.ofArray(f);
            case int[] i -> MemorySegment.ofArray(i);
            case short[] s -> MemorySegment.ofArray(s);
            case byte[] b -> MemorySegment.ofArray(b);
            default -> MemorySegment.ofArray((long[]) array);
        };
    }

    private static String arrays(ElementType type) {
        return switch (type) {
            case F64, C64 -> "double[]";
            case F32, C32 -> "float[]";
            case I32 -> "int[]";
            case I64 -> "long[]";
            case F16, BF16 -> "float[], a short[] of their bits";
            case I8 -> "byte[]";
            case F8_E4M3, F8_E5M2 -> "float[], a byte[] of their bits";
        };
    }

    private void round() {
        for (int i = 0; i < wide.length; i++) {
            switch (type) {
                case F16 -> elements.set(JAVA_SHORT, 2L * i, Float.floatToFloat16(wide[i]));
                case BF16 -> elements.set(JAVA_SHORT, 2L * i, Conversion.bf16(wide[i]));
                case F8_E4M3 -> elements.set(JAVA_BYTE, i, Conversion.e4m3(wide[i]));
                default -> elements.set(JAVA_BYTE, i, Conversion.e5m2(wide[i]));
            }
        }
    }

    /** Brings downloaded elements into the caller's array; exact. */
    void arrived() {
        if (wide == null) {
            return;
        }
        for (int i = 0; i < wide.length; i++) {
            wide[i] = switch (type) {
                case F16 -> Float.float16ToFloat(elements.get(JAVA_SHORT, 2L * i));
                case BF16 -> Conversion.bf16(elements.get(JAVA_SHORT, 2L * i));
                case F8_E4M3 -> Conversion.e4m3(elements.get(JAVA_BYTE, i));
                default -> Conversion.e5m2(elements.get(JAVA_BYTE, i));
            };
        }
    }
}
