package dev.basalt.internal.call;

import java.util.List;

/**
 * What a recorder notes about one call.
 *
 * @param routine BLAS name
 * @param shape shape for people
 * @param tiers tiers from the best to the last
 */
public record PlannedCallData(String routine, String shape, List<TierData> tiers) {
    /**
     * One tier.
     *
     * @param name algorithm
     * @param bytes total
     * @param slots slot names
     * @param slotBytes slot sizes
     */
    public record TierData(String name, long bytes, List<String> slots, List<Long> slotBytes) {}
}
