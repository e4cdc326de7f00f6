package dev.basalt;

import java.util.List;

/**
 * The need of one call in a plan.
 *
 * @param routine BLAS name, such as {@code dgetrf}
 * @param shape dimensions, such as {@code m=4000 n=4000}
 * @param tiers algorithms from the best to the one that needs least
 */
public record PlannedCall(String routine, String shape, List<Tier> tiers) {
    /**
     * One algorithm.
     *
     * @param name its name
     * @param bytes what it needs
     * @param slots what the bytes are for
     */
    public record Tier(String name, long bytes, List<Slot> slots) {}

    /**
     * A named part of a tier's workspace.
     *
     * @param name what it holds
     * @param bytes its size
     */
    public record Slot(String name, long bytes) {}

    /**
     * What the best tier needs.
     *
     * @return bytes
     */
    public long optimal() {
        return tiers.get(0).bytes();
    }

    /**
     * What the last tier needs.
     *
     * @return bytes
     */
    public long minimum() {
        return tiers.get(tiers.size() - 1).bytes();
    }
}
