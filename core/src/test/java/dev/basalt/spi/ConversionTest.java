package dev.basalt.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** All numbers of the narrow types, what lies between them, and what lies beyond. */
class ConversionTest {
    /** From single precision and back. */
    private interface Narrow {
        float value(int bits);

        int bits(float value);
    }

    private static final Narrow BF16 = new Narrow() {
        @Override
        public float value(int bits) {
            return Conversion.bf16((short) bits);
        }

        @Override
        public int bits(float value) {
            return Conversion.bf16(value) & 0xffff;
        }
    };

    private static final Narrow E4M3 = new Narrow() {
        @Override
        public float value(int bits) {
            return Conversion.e4m3((byte) bits);
        }

        @Override
        public int bits(float value) {
            return Conversion.e4m3(value) & 0xff;
        }
    };

    private static final Narrow E5M2 = new Narrow() {
        @Override
        public float value(int bits) {
            return Conversion.e5m2((byte) bits);
        }

        @Override
        public int bits(float value) {
            return Conversion.e5m2(value) & 0xff;
        }
    };

    @Test
    void bf16() {
        for (int i = 0; i < 1 << 16; i++) {
            float value = BF16.value(i);
            assertThat(Float.floatToRawIntBits(value)).isEqualTo(i << 16);
            if (Float.isNaN(value)) {
                assertThat(Float.isNaN(BF16.value(BF16.bits(value)))).isTrue();
            } else {
                assertThat(BF16.bits(value)).isEqualTo(i);
            }
        }
        between(BF16, 0x7f7f);
        assertThat(BF16.bits(Float.MAX_VALUE)).isEqualTo(0x7f80);
        // A payload in the lower half alone.
        assertThat(Float.isNaN(BF16.value(BF16.bits(Float.intBitsToFloat(0x7f800001))))).isTrue();
    }

    @Test
    void e4m3() {
        for (int i = 0; i < 256; i++) {
            int exponent = i >> 3 & 15;
            int fraction = i & 7;
            double magnitude = exponent == 0 ? fraction * 0x1p-9 : (8 + fraction) * Math.pow(2, exponent - 10);
            same(E4M3, i, (i & 127) == 127 ? Double.NaN : magnitude);
        }
        between(E4M3, 0x7e);
        saturates(E4M3, 0x7e);
    }

    @Test
    void e5m2() {
        for (int i = 0; i < 256; i++) {
            int exponent = i >> 2 & 31;
            int fraction = i & 3;
            double magnitude = exponent == 0 ? fraction * 0x1p-16 : (4 + fraction) * Math.pow(2, exponent - 17);
            boolean infinite = exponent == 31 && fraction == 0;
            if (infinite) {
                assertThat(E5M2.value(i)).isEqualTo(i < 128 ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY);
            } else {
                same(E5M2, i, exponent == 31 ? Double.NaN : magnitude);
            }
        }
        between(E5M2, 0x7b);
        saturates(E5M2, 0x7b);
    }

    private static void same(Narrow type, int i, double magnitude) {
        float value = type.value(i);
        if (Double.isNaN(magnitude)) {
            assertThat(value).isNaN();
            assertThat(type.value(type.bits(value))).isNaN();
            return;
        }
        assertThat((double) value).isEqualTo(i < 128 ? magnitude : -magnitude);
        assertThat(type.bits(value)).isEqualTo(i);
    }

    /** Between two neighbours the nearer one wins, in the middle the even one. */
    private static void between(Narrow type, int largest) {
        int sign = type == BF16 ? 0x8000 : 0x80;
        for (int i = 0; i < largest; i++) {
            float low = type.value(i);
            float high = type.value(i + 1);
            float middle = (float) (((double) low + high) / 2);
            assertThat(type.bits(middle)).isEqualTo(i + (i & 1));
            assertThat(type.bits(Math.nextDown(middle))).isEqualTo(i);
            assertThat(type.bits(Math.nextUp(middle))).isEqualTo(i + 1);
            assertThat(type.bits(-middle)).isEqualTo(i + (i & 1) | sign);
        }
    }

    private static void saturates(Narrow type, int largest) {
        float max = type.value(largest);
        for (float large : new float[] {Math.nextUp(max), 1.2f * max, Float.MAX_VALUE, Float.POSITIVE_INFINITY}) {
            assertThat(type.bits(large)).isEqualTo(largest);
            assertThat(type.bits(-large)).isEqualTo(largest | 0x80);
        }
    }

    @Test
    void stretches() {
        Random random = new Random(5);
        ElementType[] types = {
                ElementType.F16,
                ElementType.BF16,
                ElementType.F8_E4M3,
                ElementType.F8_E5M2,
                ElementType.F32,
                ElementType.I8};
        try (Arena arena = Arena.ofConfined()) {
            long x = arena.allocate(4096, 64).address();
            long out = arena.allocate(4096, 64).address();
            for (ElementType type : types) {
                for (ElementType to : Arrays.asList(ElementType.F32, ElementType.F64)) {
                    long step = 3L * type.bytes();
                    for (int i = 0; i < 100; i++) {
                        Conversion.store(type, x + i * step, random.nextInt(200) - 100);
                    }
                    Conversion.load(type, 100, x, step, to, out);
                    for (int i = 0; i < 100; i++) {
                        double v = Conversion.load(to, out + (long) i * to.bytes());
                        assertThat(v).isEqualTo(Conversion.load(type, x + i * step));
                        Conversion.store(type, x + i * step, 0);
                    }
                    Conversion.store(to, 100, out, type, x, step);
                    for (int i = 0; i < 100; i++) {
                        double v = Conversion.load(to, out + (long) i * to.bytes());
                        assertThat(Conversion.load(type, x + i * step)).isEqualTo(v);
                    }
                }
            }
        }
    }

    /** The JDK's conversions, whose rules these types share. */
    @Test
    void f16() {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(2, 2).address();
            for (int i = 0; i < 1 << 16; i++) {
                Memory.i16(at, (short) i);
                double v = Conversion.load(ElementType.F16, at);
                int exponent = i >> 10 & 31;
                int fraction = i & 1023;
                double magnitude = exponent == 0 ? fraction * 0x1p-24 : (1024 + fraction) * Math.pow(2, exponent - 25);
                if (exponent == 31) {
                    magnitude = fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
                }
                assertThat(Double.compare(v, i < 1 << 15 ? magnitude : -magnitude)).isZero();
                Conversion.store(ElementType.F16, at, v);
                assertThat(Double.isNaN(v) || Memory.i16(at) == (short) i).isTrue();
            }
        }
    }
}
