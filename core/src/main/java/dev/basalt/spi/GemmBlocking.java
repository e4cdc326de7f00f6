package dev.basalt.spi;

/**
 * Block sizes of a packed matrix product (Goto and van de Geijn, "Anatomy of high-performance matrix multiplication",
 * 2008), from which the need for packing memory follows by a formula. Each worker packs its own panels.
 *
 * @param mr rows of the micro-tile, in elements of the type
 * @param nr columns of the micro-tile
 * @param mc rows of a packed block of A
 * @param kc depth of the packed blocks
 * @param nc columns of a packed panel of B
 * @param bScale copies of B that are packed (2 where a complex product packs B in two forms)
 * @param small products with m, n and k all up to this run without packing
 * @param few so do products of so few rows or columns
 * @param flat with an inner dimension up to this
 * @param most and a longer side up to this
 * @param engine a vendor's product that is used where it can be, null if there is none
 * @param rounded what products want whose factors may be rounded, where there is no engine; null if they want nothing
 */
public record GemmBlocking(int mr, int nr, int mc, int kc, int nc, int bScale, int small, int few, int flat, int most,
        GemmEngine engine, RoundedFactors rounded) {
    /** A device whose product needs no packing memory. */
    public static final GemmBlocking NONE = new GemmBlocking(1, 1, 1, 1, 1, 1, Integer.MAX_VALUE);

    /**
     * Blocks of a device without a vendor's product.
     *
     * @param mr rows of the micro-tile
     * @param nr columns of the micro-tile
     * @param mc rows of a packed block of A
     * @param kc depth of the packed blocks
     * @param nc columns of a packed panel of B
     * @param bScale copies of B that are packed
     * @param small products up to this order run without packing
     */
    public GemmBlocking(int mr, int nr, int mc, int kc, int nc, int bScale, int small) {
        this(mr, nr, mc, kc, nc, bScale, small, 0, 0, 0, null, null);
    }

    /**
     * The same with a vendor's product.
     *
     * @param vendor the engine, null for none
     * @return blocks
     */
    public GemmBlocking with(GemmEngine vendor) {
        return new GemmBlocking(mr, nr, mc, kc, nc, bScale, small, few, flat, most, vendor, rounded);
    }

    /**
     * The same with room for rounded factors.
     *
     * @param factors what products want whose factors may be rounded
     * @return blocks
     */
    public GemmBlocking with(RoundedFactors factors) {
        return new GemmBlocking(mr, nr, mc, kc, nc, bScale, small, few, flat, most, engine, factors);
    }

    /**
     * The same for a device that packs nothing beside few lines, either.
     *
     * @param lines rows or columns that are few
     * @param depth the largest inner dimension
     * @param longest the largest number of the other lines
     * @return blocks
     */
    public GemmBlocking beside(int lines, int depth, int longest) {
        return new GemmBlocking(mr, nr, mc, kc, nc, bScale, small, lines, depth, longest, engine, rounded);
    }

    /**
     * Whether a product runs without packing; then so does every product that is nowhere larger.
     *
     * @param m rows
     * @param n columns
     * @param k inner dimension
     * @return false if it asks for packing memory
     */
    public boolean unpacked(long m, long n, long k) {
        return (m <= small && n <= small && k <= small)
                || ((m <= few || n <= few) && k <= flat && m <= most && n <= most);
    }

    /** Products of one row or one column up to this order are not worth the longer way to kernels for matrices and vectors. */
    private static final int THIN = 32;

    /**
     * The longest side of a product of one row or one column that stays with the kernels of products; a longer one is a matrix times a vector.
     *
     * @return order
     */
    public int thin() {
        return small == NONE.small ? small : Math.min(small, THIN);
    }

    /** How many packed tiers there are: full blocks, then small ones. The last tier, without packing, needs 0 bytes. */
    public static final int PACKED_TIERS = 2;

    /**
     * Rows of A packed at once in a tier.
     *
     * @param tier 0 full, 1 small blocks
     * @param m rows of the product
     * @return rows, a multiple of mr
     */
    public long mc(int tier, long m) {
        return up(Math.min(m, tier == 0 ? mc : Math.min(mc, 2 * mr)), mr);
    }

    /**
     * Depth of the packed blocks; the same in every tier, so that all packed tiers give the same bits.
     *
     * @param k inner dimension
     * @return depth
     */
    public long kc(long k) {
        return Math.min(k, kc);
    }

    /**
     * Columns of B packed at once in a tier.
     *
     * @param tier 0 full, 1 small blocks
     * @param n columns of the product
     * @return columns, a multiple of nr
     */
    public long nc(int tier, long n) {
        return up(Math.min(n, tier == 0 ? nc : Math.min(nc, 8 * nr)), nr);
    }

    /**
     * Bytes of packed A for one worker, rounded up to a cache line.
     *
     * @param tier 0 full, 1 small blocks
     * @param m rows
     * @param k inner dimension
     * @param elementBytes bytes of an element
     * @return bytes
     */
    public long aBytes(int tier, long m, long k, int elementBytes) {
        return up(mc(tier, m) * kc(k) * elementBytes, 64);
    }

    /**
     * Bytes of packed B for one worker, rounded up to a cache line.
     *
     * @param tier 0 full, 1 small blocks
     * @param n columns
     * @param k inner dimension
     * @param elementBytes bytes of an element
     * @return bytes
     */
    public long bBytes(int tier, long n, long k, int elementBytes) {
        return up(nc(tier, n) * kc(k) * elementBytes * bScale, 64);
    }

    /**
     * Bytes of packing memory for a product: monotone in m, n and k.
     *
     * @param tier 0 full, 1 small blocks, 2 none
     * @param m rows
     * @param n columns
     * @param k inner dimension
     * @param elementBytes bytes of an element
     * @param workers how many threads pack at once
     * @return bytes, a multiple of 64
     */
    public long bytes(int tier, long m, long n, long k, int elementBytes, int workers) {
        if (tier >= PACKED_TIERS || m <= 0 || n <= 0 || k <= 0 || unpacked(m, n, k)) {
            return 0;
        }
        return workers * (aBytes(tier, m, k, elementBytes) + bBytes(tier, n, k, elementBytes));
    }

    /**
     * Bytes in which the rows of a block can be packed, with a micro-panel of the other operand and a micro-tile: for triangles and
     * symmetric blocks, whose depth is their order, and for rank-k updates of a triangle. Monotone in rows and depth.
     *
     * @param rows rows of the block
     * @param depth inner dimension
     * @param elementBytes bytes of an element
     * @param workers how many threads pack at once
     * @return bytes, a multiple of 64
     */
    public long blockBytes(long rows, long depth, int elementBytes, int workers) {
        long elements = (up(rows, mr) + mr) * depth + (long) mr * mr;
        return workers * (up(elements * elementBytes, 64) + 128);
    }

    /**
     * The best tier that a given number of bytes allows.
     *
     * @param m rows
     * @param n columns
     * @param k inner dimension
     * @param elementBytes bytes of an element
     * @param workers how many threads pack at once
     * @param bytes what there is
     * @return 0, 1, or 2 for no packing
     */
    public int tier(long m, long n, long k, int elementBytes, int workers, long bytes) {
        for (int t = 0; t < PACKED_TIERS; t++) {
            long need = bytes(t, m, n, k, elementBytes, workers);
            if (need > 0 && need <= bytes) {
                return t;
            }
        }
        return PACKED_TIERS;
    }

    private static long up(long value, long multiple) {
        return (value + multiple - 1) / multiple * multiple;
    }
}
