package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {
    private static double parse(String text) {
        byte[] bytes = ("x" + text + "7").getBytes(StandardCharsets.UTF_8);
        return Decimal.parse(bytes, 1, bytes.length - 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "0",
            "-0",
            "+0.0",
            "1",
            "-1",
            "00012",
            ".5",
            "5.",
            "-.5e1",
            "1e22",
            "1e23",
            "1e-22",
            "1e-23",
            "123456789012345678",
            "1234567890123456789012",
            "9007199254740993",
            "9007199254740992",
            "0.1",
            "0.30000000000000004",
            "1.7976931348623157e308",
            "4.9e-324",
            "2.2250738585072011e-308",
            "2e-400",
            "1E+5",
            "1e-5",
            "0.000000000000000000000000000001",
            "100000000000000000000000000000",
            "179769313486231580793728971405301199252e270",
            "0e999999999999",
            "277281165.183"})
    void readsWhatTheJdkReads(String text) {
        assertThat(parse(text)).isEqualTo(Double.parseDouble(text));
    }

    /** In one pass as well as word by word; what is left to slower ways says so. */
    @Test
    void readsRandomNumbersInOnePass() {
        Random random = new Random(11);
        int plain = 0;
        for (int k = 0; k < 60_000; k++) {
            double value = switch (k % 4) {
                case 0 -> Double.longBitsToDouble(random.nextLong());
                case 1 -> random.nextGaussian();
                case 2 -> random.nextInt(1000) / 8.0 - 50;
                default -> random.nextDouble() * Math.pow(10, random.nextInt(600) - 300);
            };
            if (!Double.isFinite(value)) {
                continue;
            }
            String text = k % 3 == 0 ? String.format(Locale.ROOT, "%.17e", value) : Double.toString(value);
            byte[] bytes = Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), text.length() + 8);
            PlainNumbers numbers = new PlainNumbers(bytes);
            double read = numbers.number(false);
            if (!Double.isNaN(read)) {
                plain++;
                assertThat(read).as(text).isEqualTo(Double.parseDouble(text));
                assertThat(numbers.at()).as(text).isEqualTo(text.length());
            }
            assertThat(parse(text)).as(text).isEqualTo(Double.parseDouble(text));
        }
        assertThat(plain).isGreaterThan(55_000);
    }

    /** Any number of digits before and behind the point, any sign, and any byte behind the number. */
    @Test
    void readsAnyNumberOfDigitsInOnePass() {
        Random random = new Random(12);
        String[] signs = {"", "-", "+"};
        for (int k = 0; k < 60_000; k++) {
            String before = digits(random, random.nextInt(20));
            String behind = digits(random, random.nextInt(20 - before.length()));
            String exponent = k % 3 == 0 ? "e" + (random.nextInt(60) - 30) : "";
            boolean point = !behind.isEmpty() || random.nextBoolean();
            String text = signs[random.nextInt(3)] + before + (point ? "." : "") + behind + exponent;
            byte[] bytes = new byte[text.length() + 24];
            random.nextBytes(bytes);
            System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, text.length());
            bytes[text.length()] = (byte) " \t\r\n,;\0\377x:/".charAt(random.nextInt(11));
            PlainNumbers numbers = new PlainNumbers(bytes);
            double read = numbers.number(false);
            if (before.isEmpty() && behind.isEmpty()) {
                assertThat(read).as(text).isNaN();
            } else {
                double expected = Double.parseDouble(text);
                assertThat(Double.doubleToRawLongBits(read)).as(text).isEqualTo(Double.doubleToRawLongBits(expected));
                assertThat(numbers.at()).as(text).isEqualTo(text.length());
            }
            if (!point && exponent.isEmpty() && !before.isEmpty() && !"+-".contains(text.substring(0, 1))) {
                numbers.from(0);
                assertThat(numbers.index()).as(text).isEqualTo(before.length() > 10 ? -1 : Long.parseLong(before));
                assertThat(numbers.at()).as(text).isEqualTo(text.length());
            }
        }
    }

    private static String digits(Random random, int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append((char) ('0' + random.nextInt(10)));
        }
        return text.toString();
    }

    /** What is read in eight bytes, and what only looks like it: the value and the place behind it are those of the rules. */
    @Test
    void readsBriefNumbersWhateverFollows() {
        Pattern rule = Pattern.compile("([-+]?)(\\d+\\.?\\d*|\\.\\d+)(?:[eEdD]([-+]?\\d{1,4}))?");
        String letters = "0123456789012345678901234567890123456789....--+eEdD ,;\t\n\u00e4\u00ffx";
        Random random = new Random(14);
        int numbers = 0;
        for (int k = 0; k < 300_000; k++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(12); i >= 0; i--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            byte[] bytes =
                    Arrays.copyOf(text.toString().getBytes(StandardCharsets.ISO_8859_1), text.length() + Long.BYTES);
            Matcher found = rule.matcher(text);
            boolean number = found.lookingAt() && (found.end() == text.length() || (found.group(3) != null
                    ? !Character.isDigit(text.charAt(found.end()))
                    : "eEdD".indexOf(text.charAt(found.end())) < 0));
            PlainNumbers plain = new PlainNumbers(bytes);
            double value = plain.number(false);
            if (number && Double.isFinite(value)) {
                numbers++;
                assertThat(value).as("%s", text).isEqualTo(parse(found.group()));
                assertThat(plain.at()).as("behind %s", text).isEqualTo(found.end());
            } else if (!number) {
                assertThat(value).as("%s", text).isNaN();
            }
        }
        assertThat(numbers).isGreaterThan(150_000);
    }

    @Test
    void findsTheFirstEndOfALine() {
        Random random = new Random(13);
        byte[] near = {'\n', '\n' + 1, '\n' - 1, 0, (byte) 0x8a, (byte) 0xff, '1'};
        for (int k = 0; k < 20_000; k++) {
            byte[] bytes = new byte[64];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = near[random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(near.length - 1)];
            }
            int from = random.nextInt(50);
            int to = from + random.nextInt(57 - from);
            int first = from;
            while (first < to && bytes[first] != '\n') {
                first++;
            }
            assertThat(new PlainNumbers(bytes).newline(from, to)).isEqualTo(first);
        }
    }

    /** Numbers halfway between two doubles, and the next ones on both sides. */
    @Test
    void roundsAsTheStandardSays() {
        Random random = new Random(5);
        for (int k = 0; k < 3000; k++) {
            double value = Math.scalb(1 + random.nextDouble(), random.nextInt(120) - 60);
            String middle =
                    new BigDecimal(value).add(new BigDecimal(Math.nextUp(value))).divide(BigDecimal.TWO).toString();
            for (String text : List.of(middle, middle.substring(0, Math.min(20, middle.length())))) {
                if (!text.endsWith("E") && !text.endsWith("-")) {
                    assertThat(parse(text)).as(text).isEqualTo(Double.parseDouble(text));
                }
            }
        }
        for (long w = 1L << 53; w < (1L << 53) + 100; w++) {
            assertThat(NearestDouble.of(w, 0)).isEqualTo((double) w);
        }
    }

    @Test
    void readsFortransExponents() {
        assertThat(parse("1.5D+3")).isEqualTo(1500);
        assertThat(parse("1.2345678901234567890d-300")).isEqualTo(1.2345678901234567890e-300);
    }

    @Test
    void readsRandomNumbersAsTheJdkDoes() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                assertThat(parse(Double.toString(value))).isEqualTo(value);
            }
            String digits = random.nextInt(1 << 30) + "." + random.nextInt(1 << 30) + "e" + (random.nextInt(80) - 40);
            assertThat(parse(digits)).isEqualTo(Double.parseDouble(digits));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "",
            "-",
            "+",
            ".",
            "e5",
            "1e",
            "1e+",
            "1f",
            "1.2.3",
            "--1",
            "0x10",
            "nan",
            "NaN",
            "inf",
            "Infinity",
            "1,5",
            "1_000",
            "1e5.5",
            "one",
            "é"})
    void refusesWhatIsNotANumber(String text) {
        assertThat(parse(text)).isNaN();
    }

    @Test
    void saysInfiniteForWhatIsTooLarge() {
        assertThat(parse("1e309")).isInfinite();
        assertThat(parse("-1e999999999999999")).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @Test
    void integersStopAtTheEndOfLong() {
        assertThat(integer("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
        assertThat(integer("9223372036854775808")).isEqualTo(Long.MAX_VALUE);
        assertThat(integer("-99999999999999999999")).isEqualTo(Long.MIN_VALUE);
        assertThat(integer("+0012")).isEqualTo(12);
    }

    private static long integer(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        assertThat(Decimal.isInteger(bytes, 0, bytes.length)).isTrue();
        return Decimal.integer(bytes, 0, bytes.length);
    }
}
