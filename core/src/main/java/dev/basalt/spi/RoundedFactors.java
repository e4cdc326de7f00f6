package dev.basalt.spi;

import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;

/**
 * What a device wants for products of floats whose mode lets it round their factors: room for rows of op(A) and columns of op(B), rounded
 * once and laid as tensor cores read them. Large products are made of blocks of the inner dimension, and of C where even these do not fit.
 *
 * @param least m and n of the smallest product that is worth it
 * @param leastDepth k of the smallest product that is worth it
 */
public record RoundedFactors(long least, long leastDepth) {
    /** Bytes of a row or column that are laid together: each has a whole number of them. */
    private static final long LINE = 128;

    /** Inner indices of a block: in shorter ones C is read and written more often than products take. */
    private static final long DEPTH = 1024;

    /** Smallest products whose elements are split. */
    private static final long SPLIT_LEAST = 1024;

    private static final long SPLIT_DEPTH = 512;

    /** Bytes that a tier takes at most. */
    private static final long[] MOST = {256L << 20, 64L << 20};

    private static final String[] TIERS = {"rounded factors", "rounded factors in small blocks"};

    private static final String[] SPLIT_TIERS = {"split factors", "split factors in small blocks"};

    /**
     * How many tiers there are, from the best down.
     *
     * @return tiers; below them is one without workspace
     */
    public static int tiers() {
        return TIERS.length;
    }

    /**
     * What a tier is called.
     *
     * @param tier from 0
     * @param l a product
     * @return its name in plans
     */
    public static String name(int tier, Launch l) {
        return (splits(l) ? SPLIT_TIERS : TIERS)[tier];
    }

    /**
     * Whether elements become the sum of two rounded ones, and a product those of its parts.
     *
     * @param l sizes of a GEMM, and its mode
     * @return true for floats in the mode {@link MathMode#EMULATED}
     */
    public static boolean splits(Launch l) {
        return l.math == MathMode.EMULATED && l.type == ElementType.F32;
    }

    /**
     * Whether it is worth that: a question of shape and mode alone. Measured on an H100, where order 512 takes twice as long, 1024 as long and 2048 half as long as by default.
     *
     * @param l sizes of a GEMM, and its mode
     * @return whether it is
     */
    public static boolean worth(Launch l) {
        return splits(l) && l.count == 1 && Math.min(l.m, l.n) >= SPLIT_LEAST && l.k >= SPLIT_DEPTH;
    }

    /**
     * Whether a product's factors are laid if there is room: a single product of at least that size. A question of shape and mode alone.
     *
     * @param l sizes of a GEMM, and its mode
     * @return whether they are
     */
    public boolean takes(Launch l) {
        return worth(l) || l.math.rounds() && l.type == ElementType.F32 && l.count == 1 && Math.min(l.m, l.n) >= least
                && l.k >= leastDepth;
    }

    /**
     * What a tier wants: room for both factors, or as much as it takes at most. Monotone in m, n and k.
     *
     * @param tier from 0
     * @param l a product that is {@linkplain #takes taken}
     * @return bytes
     */
    public static long bytes(int tier, Launch l) {
        long most = MOST[tier];
        long depth = whole(l);
        boolean small = l.m <= most && l.n <= most && depth <= most / size(l) / (l.m + l.n);
        return small ? size(l) * (l.m + l.n) * depth : most;
    }

    /**
     * The inner indices of a block of a product.
     *
     * @param l the product
     * @param bytes of workspace
     * @return a multiple of what is laid together, or as many as k has if all fit
     */
    public static long depth(Launch l, long bytes) {
        long line = line(l);
        long whole = whole(l);
        long fit = bytes / size(l) / (l.m + l.n) / line * line;
        if (fit >= whole) {
            return whole;
        }
        // Blocks of about one depth.
        long blocks = fit < DEPTH ? 0 : (whole + fit - 1) / fit;
        return blocks == 0 ? Math.min(whole, DEPTH) : up((whole + blocks - 1) / blocks, line);
    }

    /**
     * Bytes of an element once it is rounded.
     *
     * @param l a product
     * @return 4 for {@link MathMode#TF32}, 2 for F16 and BF16, 8 where there are two parts
     */
    public static int size(Launch l) {
        return parts(l) * (l.math == MathMode.TF32 || splits(l) ? ElementType.F32 : ElementType.F16).bytes();
    }

    /**
     * Parts of an element; those of a row lie behind each other.
     *
     * @param l a product
     * @return 1 or 2
     */
    public static int parts(Launch l) {
        return splits(l) ? 2 : 1;
    }

    /** Inner indices that are laid together. */
    private static long line(Launch l) {
        return LINE * parts(l) / size(l);
    }

    /**
     * The inner dimension as it is laid, zeros behind it.
     *
     * @param l a product
     * @return k, or a little more
     */
    public static long whole(Launch l) {
        return up(l.k, line(l));
    }

    private static long up(long value, long multiple) {
        return (value + multiple - 1) / multiple * multiple;
    }
}
