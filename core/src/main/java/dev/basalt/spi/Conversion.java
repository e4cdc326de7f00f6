package dev.basalt.spi;

import dev.basalt.type.ElementType;

/**
 * Numbers of the types that are in memory only, to and from single precision. To single precision all are exact. From it they are rounded to the nearest, ties to
 * even, subnormals too, in one step; NaN stays NaN.
 *
 * <p>What is too large becomes infinite in F16 and BF16. The 8-bit types saturate: it becomes the largest number of its sign, and so does an infinity
 * (E4M3 has none; of E5M2 they are only read). This is the rule of hardware for "saturate to finite".
 */
public final class Conversion {
    private static final int F8_NAN = 0x7f;
    private static final float E4M3_MAX = 448;
    private static final float E5M2_MAX = 57344;

    private Conversion() {}

    /**
     * The value of an upper half of single precision.
     *
     * @param bits as it is stored
     * @return the same number
     */
    public static float bf16(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /**
     * The nearest upper half of single precision.
     *
     * @param value a number
     * @return as it is stored
     */
    public static short bf16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            // Quiet, or a NaN whose payload is in the lower half would become an infinity.
            return (short) (bits >>> 16 | 0x40);
        }
        return (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
    }

    /**
     * The value of an E4M3.
     *
     * @param bits as it is stored
     * @return the same number
     */
    public static float e4m3(byte bits) {
        int magnitude = bits & 0x7f;
        float value;
        if (magnitude == F8_NAN) {
            value = Float.NaN;
        } else if (magnitude < 8) {
            value = magnitude * 0x1p-9f;
        } else {
            value = Math.scalb(8f + (magnitude & 7), (magnitude >> 3) - 10);
        }
        return bits < 0 ? -value : value;
    }

    /**
     * The nearest E4M3.
     *
     * @param value a number
     * @return as it is stored
     */
    public static byte e4m3(float value) {
        return round(value, 3, -6, E4M3_MAX);
    }

    /**
     * The value of an E5M2.
     *
     * @param bits as it is stored
     * @return the same number
     */
    public static float e5m2(byte bits) {
        // It is the upper half of an F16.
        return Float.float16ToFloat((short) (bits << 8));
    }

    /**
     * The nearest E5M2.
     *
     * @param value a number
     * @return as it is stored
     */
    public static byte e5m2(float value) {
        return round(value, 2, -14, E5M2_MAX);
    }

    /** A number of a sign, some bits of exponent and some of fraction; the smallest normal one is 2 to the {@code least}. */
    private static byte round(float value, int fraction, int least, float max) {
        int sign = Float.floatToRawIntBits(value) >>> 31 << 7;
        if (Float.isNaN(value)) {
            return (byte) (sign | F8_NAN);
        }
        float magnitude = Math.min(Math.abs(value), max);
        int unit = Math.max(Math.getExponent(magnitude), least) - fraction;
        // In units of its last place it is rounded by the processor, and a carry into the exponent is right as it is.
        int places = (int) Math.rint(Math.scalb((double) magnitude, -unit));
        return (byte) (sign | (unit + fraction - least << fraction) + places);
    }

    /**
     * A number in memory.
     *
     * @param type a real type
     * @param address where it lies
     * @return its value
     */
    public static double load(ElementType type, long address) {
        return switch (type) {
            case F32, C32 -> Memory.f32(address);
            case F64, C64 -> Memory.f64(address);
            case I32 -> Memory.i32(address);
            case I64 -> Memory.i64(address);
            case F16 -> Float.float16ToFloat(Memory.i16(address));
            case BF16 -> bf16(Memory.i16(address));
            case I8 -> Memory.i8(address);
            case F8_E4M3 -> e4m3(Memory.i8(address));
            case F8_E5M2 -> e5m2(Memory.i8(address));
        };
    }

    /**
     * Stores a number; what is narrower than single precision is rounded from that.
     *
     * @param type a real type
     * @param address where to
     * @param value the number
     */
    public static void store(ElementType type, long address, double value) {
        switch (type) {
            case F32, C32 -> Memory.f32(address, (float) value);
            case F64, C64 -> Memory.f64(address, value);
            case I32 -> Memory.i32(address, (int) value);
            case I64 -> Memory.i64(address, (long) value);
            case F16 -> Memory.i16(address, Float.floatToFloat16((float) value));
            case BF16 -> Memory.i16(address, bf16((float) value));
            case I8 -> Memory.i8(address, (byte) value);
            case F8_E4M3 -> Memory.i8(address, e4m3((float) value));
            case F8_E5M2 -> Memory.i8(address, e5m2((float) value));
        }
    }

    /**
     * A stretch of numbers, one after another in another type.
     *
     * @param from type in memory
     * @param n how many
     * @param x address of the first
     * @param step bytes to the next
     * @param to F32 or F64
     * @param out address of the first result
     */
    public static void load(ElementType from, long n, long x, long step, ElementType to, long out) {
        long end = out + n * to.bytes();
        if (to == ElementType.F64) {
            for (; out < end; out += 8, x += step) {
                Memory.f64(out, load(from, x));
            }
            return;
        }
        switch (from) {
            case F32 -> {
                for (; out < end; out += 4, x += step) {
                    Memory.f32(out, Memory.f32(x));
                }
            }
            case F16 -> {
                for (; out < end; out += 4, x += step) {
                    Memory.f32(out, Float.float16ToFloat(Memory.i16(x)));
                }
            }
            case BF16 -> {
                for (; out < end; out += 4, x += step) {
                    Memory.f32(out, bf16(Memory.i16(x)));
                }
            }
            default -> {
                for (; out < end; out += 4, x += step) {
                    Memory.f32(out, (float) load(from, x));
                }
            }
        }
    }

    /**
     * A stretch of numbers back into memory.
     *
     * @param from F32 or F64
     * @param n how many
     * @param in address of the first, the others right behind
     * @param to type in memory
     * @param y where the first goes
     * @param step bytes to the next
     */
    public static void store(ElementType from, long n, long in, ElementType to, long y, long step) {
        for (long end = in + n * from.bytes(); in < end; in += from.bytes(), y += step) {
            store(to, y, load(from, in));
        }
    }
}
