package dev.basalt.sim;

import dev.basalt.sim.SimAllocation.Kind;

/** A piece of native memory that plays device memory. A block of a pool lives many times, one allocation after another. */
final class Block {
    final Kind kind;
    final long address;
    /** Bytes that it takes from the budget, or addresses that are reserved. */
    final long capacity;
    /** How many blocks there were before. */
    final long number;
    /** The pool it belongs to, or null. */
    final Pool pool;

    /** What the system gave, if that differs from the address. */
    long raw;
    /** Bytes that may be used in this life. */
    long bytes;
    /** Which life this is. */
    long generation;
    /** Whether it is allocated, as the submitting host sees it. */
    boolean live;
    /** Whether it is allocated, as the operations that run see it. */
    boolean mapped;
    /** The last asynchronous free submitted, or null. */
    FreeOp lastFree;
    /** Whether its pool or graph is gone, so that its memory goes back once the last free has run. */
    boolean orphan;

    Block(Kind kind, long address, long capacity, long number, Pool pool) {
        this.kind = kind;
        this.address = address;
        this.capacity = capacity;
        this.number = number;
        this.pool = pool;
    }

    /** Whether a range lies in what may be used. */
    boolean holds(long from, long to) {
        return from >= address && to <= address + bytes;
    }

    /** Whether nobody has it and no submitted work can still touch it. */
    boolean unused() {
        return !live && (lastFree == null || lastFree.done);
    }

    SimAllocation describe() {
        return new SimAllocation(kind, address, bytes, number);
    }
}
