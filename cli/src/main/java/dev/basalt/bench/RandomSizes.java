package dev.basalt.bench;

import java.util.SplittableRandom;

/** Sizes as users have them: log-uniform, and more often than chance would odd, prime, or a power of two and its neighbours. */
final class RandomSizes {
    /** Of ten sizes so many are left as they fell. */
    private static final int PLAIN = 3;

    private final SplittableRandom random;

    RandomSizes(SplittableRandom random) {
        this.random = random;
    }

    /** A size from 1 to the largest. */
    long size(long most) {
        return size(1, most);
    }

    /** A size between two, both of which may be it. */
    long size(long least, long most) {
        double log = Math.log(least) + random.nextDouble() * (Math.log(most + 1.0) - Math.log(least));
        long plain = (long) Math.exp(log);
        long size = switch (random.nextInt(10)) {
            case PLAIN -> plain | 1;
            case PLAIN + 1, PLAIN + 2 -> prime(plain);
            case PLAIN + 3, PLAIN + 4 -> Long.highestOneBit(plain) + random.nextInt(-1, 2);
            case PLAIN + 5 -> Math.max(8, plain / 8 * 8);
            case PLAIN + 6 -> round(plain);
            default -> plain;
        };
        return Math.clamp(size, least, most);
    }

    /** The largest prime that is not larger. */
    private static long prime(long size) {
        long candidate = Math.max(2, size);
        while (!isPrime(candidate)) {
            candidate--;
        }
        return candidate;
    }

    private static boolean isPrime(long value) {
        for (long d = 2; d * d <= value; d++) {
            if (value % d == 0) {
                return false;
            }
        }
        return true;
    }

    /** With one digit that counts. */
    private static long round(long size) {
        long unit = 1;
        while (unit <= size / 10) {
            unit *= 10;
        }
        return size / unit * unit;
    }

    /** The least leading dimension, or one beyond it, or the next power of two. */
    long leading(long rows) {
        long least = Math.max(1, rows);
        return switch (random.nextInt(8)) {
            case 0 -> least + random.nextInt(1, 18);
            case 1 -> (least + 7) / 8 * 8;
            case 2 -> Long.highestOneBit(2 * least - 1);
            default -> least;
        };
    }

    /** Mostly 1; else small, a power of two, large or backwards. */
    long increment(boolean backwards) {
        long increment = switch (random.nextInt(10)) {
            case 0 -> 2;
            case 1 -> random.nextInt(3, 12);
            case 2 -> 1L << random.nextInt(2, 7);
            default -> 1;
        };
        return backwards && random.nextInt(8) == 0 ? -increment : increment;
    }
}
