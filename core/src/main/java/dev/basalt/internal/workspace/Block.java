package dev.basalt.internal.workspace;

import dev.basalt.spi.DeviceDriver;

/**
 * One block of device memory held by a workspace, however it was obtained. Graphs pin the block they were recorded on, so it
 * outlives a growth or a change of scheme until the last of them is closed.
 */
final class Block {
    /** How a block is obtained and given back. */
    enum Kind {
        /** Ordinary allocation. */
        PLAIN,
        /** Stream-ordered allocation from a private pool. */
        POOL,
        /** A reserved address range with pages put behind it as it grows. */
        RANGE,
        /** The user's: never freed. */
        FOREIGN
    }

    final Kind kind;
    final long address;
    /** Bytes obtained from the device. */
    long bytes;
    /** Bytes of address range, for RANGE. */
    final long range;
    /** The stream behind whose work the next use must come; null if nothing has to be waited for. */
    StreamRef last;

    /** What the vendor's sanitizer calls it, 0 if it was not told. */
    long watched;

    private int pins;
    private boolean retired;

    Block(Kind kind, long address, long bytes, long range) {
        this.kind = kind;
        this.address = address;
        this.bytes = bytes;
        this.range = range;
    }

    void pin() {
        pins++;
    }

    /** Drops a pin; true if the block was given up meanwhile and must be freed now. */
    boolean unpin() {
        pins--;
        return pins == 0 && retired;
    }

    /** Gives the block up; true if it must be freed now, false if a graph still needs it. */
    boolean retire() {
        retired = true;
        return pins == 0;
    }

    /** The stream to order a free behind: the last user's, or 0 if that is gone (and so was waited for). */
    long lastStream() {
        return last != null && last.isOpen() ? last.id : 0;
    }

    /** Frees the memory; the caller has made sure that it is no longer used, except for POOL, which frees in stream order. */
    void free(DeviceDriver driver) {
        if (watched != 0) {
            driver.sanitizer().unwatch(watched);
        }
        switch (kind) {
            case PLAIN:
                driver.free(address);
                break;
            case POOL:
                driver.freeAsync(address, lastStream());
                break;
            case RANGE:
                driver.release(address);
                break;
            default:
                break;
        }
    }
}
