package dev.basalt.host;

import dev.basalt.spi.DriverException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Refuses memory that the machine does not have. The system itself would grant nearly any request and end the process later,
 * at the first touch of a page that cannot be had; so requests are counted, and large ones compared with what is available.
 */
final class MemoryBudget {
    /** One for the process, as all host devices share the machine. */
    static final MemoryBudget PROCESS = new MemoryBudget(new MachineMemory(Path.of("/")));

    /** From here on a request is worth the 30 µs of asking how much is available. */
    private static final long LARGE = 64L << 20;
    /** What is available is the system's estimate, and it can write out a little to make room. */
    private static final long SLACK = 256L << 20;

    private final MachineMemory machine;
    private final AtomicLong claimed = new AtomicLong();

    /**
     * A budget with nothing claimed.
     *
     * @param machine where the memory comes from
     */
    MemoryBudget(MachineMemory machine) {
        this.machine = machine;
    }

    /** Bytes there are in all. */
    long total() {
        return machine.total();
    }

    /** Bytes that a request may hope for now. */
    long free() {
        return Math.max(0, Math.min(machine.available(), machine.total() - claimed.get()));
    }

    /**
     * Claims bytes that are about to be allocated.
     *
     * @param bytes how many, ≥ 0
     * @throws DriverException OUT_OF_MEMORY if the machine does not have them
     */
    void claim(long bytes) {
        if (bytes > machine.total() - claimed.get()) {
            throw refusal(bytes);
        }
        if (bytes >= LARGE && bytes - SLACK > machine.available()) {
            throw refusal(bytes);
        }
        claimed.addAndGet(bytes);
    }

    /**
     * Takes a claim back.
     *
     * @param bytes how many
     */
    void giveBack(long bytes) {
        claimed.addAndGet(-bytes);
    }

    private DriverException refusal(long bytes) {
        return new DriverException(DriverException.Code.OUT_OF_MEMORY,
                bytes + " bytes asked for; the machine or container has " + machine.total() + ", of which "
                        + machine.available() + " are available, and " + claimed.get()
                        + " are given out by host devices already");
    }
}
