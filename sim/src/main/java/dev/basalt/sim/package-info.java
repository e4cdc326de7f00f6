/**
 * A device that exists only in memory, for tests: its streams are queues that a seeded scheduler runs early or late, its
 * allocator has a budget and real error codes, and every operation is checked for races, for use of freed memory and for
 * writes past the end of a block. It counts every driver call and can make them fail.
 *
 * <p>Start at {@link dev.basalt.sim.SimDriver#builder()}.
 */
package dev.basalt.sim;
