package dev.basalt.host.assembled.product;

/** What lies in each lane of 32 bits of packed operands: one number, or several that follow each other along the inner dimension. */
public enum Lane {
    /** A number of the kernel's precision. */
    NUMBER(1),
    /** Two of BF16, multiplied by AVX512_BF16; sums are floats. */
    HALVES(2),
    /** Two 16-bit integers; sums are 32-bit integers. */
    WORDS(2),
    /**
     * Four 8-bit integers, multiplied by AVX512_VNNI or AVX_VNNI. That multiplies numbers without a sign by numbers with one: A's are raised by 128 where
     * they are read, and behind a micro-panel of B stands for every column what takes that off the sum.
     */
    BYTES(4);

    /** Numbers in a lane. */
    public final int numbers;

    Lane(int numbers) {
        this.numbers = numbers;
    }

    /** Whether sums are integers, which wrap around. */
    public boolean integers() {
        return this == WORDS || this == BYTES;
    }

    /** Lanes that an inner dimension fills, the last one with zeros. */
    public int lanes(long k) {
        return (int) ((k + numbers - 1) / numbers);
    }
}
