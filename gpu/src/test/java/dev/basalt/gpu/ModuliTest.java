package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.Moduli;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The numbers of emulated products in Java and in C++, and what they promise. */
class ModuliTest {
    private static final String NUMBER = "(-?0x[0-9a-fp.+]+)";

    private static BigInteger whole(int i) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int part = 0; part < Moduli.PARTS; part++) {
            sum = sum.add(new BigDecimal(Moduli.weight(i, part)));
        }
        return sum.toBigIntegerExact();
    }

    @Test
    void theHeaderHasThem() {
        String text = KernelSources.text("moduli.h");
        String table = text.substring(text.indexOf("BASALT_MODULI(M)"), text.indexOf("BASALT_PRODUCT_OF_MODULI"));
        String parts = NUMBER + ", " + NUMBER + ", " + NUMBER + "\\)";
        int row = 0;
        for (MatchResult m : Pattern.compile("M\\((\\d+), (\\d+), " + parts).matcher(table).results().toList()) {
            assertThat(Integer.parseInt(m.group(1))).isEqualTo(row);
            assertThat(Integer.parseInt(m.group(2))).isEqualTo(Moduli.number(row));
            row(m, 3, row);
            row++;
        }
        assertThat(row).isEqualTo(Moduli.COUNT);
        MatchResult product = Pattern.compile("PRODUCT_OF_MODULI\\(M\\) M\\(" + parts)
                .matcher(text)
                .results()
                .findFirst()
                .orElseThrow();
        row(product, 1, Moduli.COUNT);
    }

    private static void row(MatchResult m, int group, int i) {
        for (int part = 0; part < Moduli.PARTS; part++) {
            assertThat(Double.parseDouble(m.group(group + part))).as("part %d of %d", part, i)
                    .isEqualTo(Moduli.weight(i, part));
        }
    }

    @Test
    void theyAreWhatTheRemainderTheoremAsksFor() {
        BigInteger product = whole(Moduli.COUNT);
        BigInteger all = BigInteger.ONE;
        for (int i = 0; i < Moduli.COUNT; i++) {
            BigInteger number = BigInteger.valueOf(Moduli.number(i));
            assertThat(all.gcd(number)).isEqualTo(BigInteger.ONE);
            all = all.multiply(number);
            for (int j = 0; j < Moduli.COUNT; j++) {
                BigInteger rest = whole(j).mod(number);
                assertThat(rest.intValueExact()).isEqualTo(i == j ? 1 : 0);
            }
        }
        assertThat(product).isEqualTo(all);
        // A sum of a part times remainders, less as many products, has no more bits than a double.
        for (int part = 0; part < Moduli.PARTS; part++) {
            double unit = Math.scalb(1.0, 42 * (Moduli.PARTS - 1 - part));
            double most = 0;
            for (int i = 0; i < Moduli.COUNT; i++) {
                double weight = Math.abs(Moduli.weight(i, part));
                assertThat(weight % unit).isZero();
                most += 128 * weight;
            }
            double turns = 128.0 * Moduli.COUNT;
            assertThat(most + turns * Math.abs(Moduli.weight(Moduli.COUNT, part))).isLessThanOrEqualTo(0x1p53 * unit);
        }
    }

    /** The largest sum is less than half of the product, by far more than the quotient is off; with a bit more the integers would not fit. */
    @Test
    void integersHaveAsManyBitsAsSumsHaveRoomFor() {
        double product = whole(Moduli.COUNT).doubleValue();
        assertThat(Moduli.bits(128)).isEqualTo(53);
        assertThat(Moduli.bits(1024)).isEqualTo(53);
        assertThat(Moduli.bits(1025)).isEqualTo(52);
        assertThat(Moduli.bits(8192)).isEqualTo(51);
        assertThat(Moduli.bits(Moduli.DEPTH)).isEqualTo(49);
        for (long k = 1; k <= Moduli.DEPTH; k += 1 + k / 7) {
            int bits = Moduli.bits(k);
            assertThat(Math.scalb((double) k, 2 * bits + 1) / product).as("k = %d", k).isLessThan(0.8);
            assertThat(bits == 53 || Math.scalb((double) k, 2 * bits + 3) / product > 0.7).as("k = %d", k).isTrue();
        }
    }

    @Test
    void someTermsOfLongSumsAreLookedAt() {
        assertThat(new long[] {
                Moduli.lookedAt(100),
                Moduli.lookedAt(4095),
                Moduli.lookedAt(4096),
                Moduli.lookedAt(8195),
                Moduli.lookedAt(8192 + 40),
                Moduli.lookedAt(Moduli.DEPTH)}).containsExactly(100, 4095, 2048, 2051, 2064, Moduli.DEPTH / 4);
        for (long k = 1; k < 20_000; k++) {
            int stride = Moduli.stride(k);
            long looked = 0;
            for (long from = 0; from < k; from += (long) stride * Moduli.RUN) {
                looked += Math.min(Moduli.RUN, k - from);
            }
            assertThat(Moduli.lookedAt(k)).isEqualTo(looked);
        }
    }

    /** What rounding loses beside k products in double, for the smallest sum of magnitudes that passes. */
    @Test
    void theLeastSumIsWhereRoundingLosesNoMore() {
        for (int bits = 49; bits <= 53; bits++) {
            double lost = 2 * Math.scalb(0.5, -bits);
            double allowed = Math.scalb(1.0, -53) * Math.scalb((double) Moduli.least(bits), -2 * Moduli.ROUGH);
            assertThat(lost).isLessThanOrEqualTo(allowed);
        }
    }
}
