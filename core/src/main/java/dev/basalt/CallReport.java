package dev.basalt;

/**
 * How the last call on a handle went.
 *
 * @param routine the routine's family, such as {@code gemm}
 * @param status outcome
 * @param tier index of the tier that ran, 0 for the best
 * @param tierName its algorithm
 * @param bytesUsed workspace it used
 * @param bytesToNextTier workspace that would have bought the next better tier; 0 if it was the best
 * @param minimum what the last tier needs
 * @param optimal what the best tier needs
 */
public record CallReport(String routine, Status status, int tier, String tierName, long bytesUsed, long bytesToNextTier,
        long minimum, long optimal) {}
