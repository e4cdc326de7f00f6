package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.Moduli;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The numbers of emulated products in Java and in C++, and what they promise. */
class ModuliTest {
    private static final String NUMBER = "(-?0x[0-9a-fp.+]+)";

    private static BigInteger whole(int count, int i) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int part = 0; part < Moduli.PARTS; part++) {
            sum = sum.add(new BigDecimal(Moduli.weight(count, i, part)));
        }
        return sum.toBigIntegerExact();
    }

    @ParameterizedTest
    @ValueSource(ints = {15, 16})
    void theHeaderHasThem(int count) {
        String text = KernelSources.header("moduli.h");
        String table = text.substring(text.indexOf("MODULI_" + count + "(M)"), text.indexOf("PRODUCT_" + count));
        String parts = NUMBER + ", " + NUMBER + ", " + NUMBER + "\\)";
        int row = 0;
        for (MatchResult m : Pattern.compile("M\\((\\d+), (\\d+), " + parts).matcher(table).results().toList()) {
            assertThat(Integer.parseInt(m.group(1))).isEqualTo(row);
            assertThat(Integer.parseInt(m.group(2))).isEqualTo(Moduli.number(row));
            row(m, 3, count, row);
            row++;
        }
        assertThat(row).isEqualTo(count);
        MatchResult product = Pattern.compile("PRODUCT_" + count + "\\(M\\) M\\(" + parts)
                .matcher(text)
                .results()
                .findFirst()
                .orElseThrow();
        row(product, 1, count, count);
    }

    private static void row(MatchResult m, int group, int count, int i) {
        for (int part = 0; part < Moduli.PARTS; part++) {
            assertThat(Double.parseDouble(m.group(group + part))).as("part %d of %d", part, i)
                    .isEqualTo(Moduli.weight(count, i, part));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {15, 16})
    void theyAreWhatTheRemainderTheoremAsksFor(int count) {
        BigInteger product = whole(count, count);
        BigInteger all = BigInteger.ONE;
        for (int i = 0; i < count; i++) {
            BigInteger number = BigInteger.valueOf(Moduli.number(i));
            assertThat(all.gcd(number)).isEqualTo(BigInteger.ONE);
            all = all.multiply(number);
            for (int j = 0; j < count; j++) {
                BigInteger rest = whole(count, j).mod(number);
                assertThat(rest.intValueExact()).isEqualTo(i == j ? 1 : 0);
            }
        }
        assertThat(product).isEqualTo(all);
        // The largest sum is less than half of the product, by far more than the quotient is off.
        long k = count == 15 ? 1024 : Moduli.DEPTH;
        assertThat(Moduli.count(k)).isEqualTo(count);
        BigInteger sums = BigInteger.valueOf(k).shiftLeft(2 * Moduli.BITS + 1);
        assertThat(sums.doubleValue() / product.doubleValue()).isLessThan(0.8);
        // A sum of a part times remainders, less as many products, has no more bits than a double.
        for (int part = 0; part < Moduli.PARTS; part++) {
            double unit = Math.scalb(1.0, 42 * (Moduli.PARTS - 1 - part));
            double most = 0;
            for (int i = 0; i < count; i++) {
                double weight = Math.abs(Moduli.weight(count, i, part));
                assertThat(weight % unit).isZero();
                most += 128 * weight;
            }
            double turns = 128.0 * count;
            assertThat(most + turns * Math.abs(Moduli.weight(count, count, part))).isLessThanOrEqualTo(0x1p53 * unit);
        }
    }
}
