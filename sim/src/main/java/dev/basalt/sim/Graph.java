package dev.basalt.sim;

import java.util.List;

/**
 * Recorded work. A replay runs the nodes in the order in which they were recorded, on one stream.
 *
 * @param nodes operations
 * @param blocks allocations that belong to it
 */
record Graph(List<Op> nodes, List<Block> blocks) {
    /** How many nodes allocate. */
    int allocationNodes() {
        return (int) nodes.stream().filter(AllocateOp.class::isInstance).count();
    }
}
