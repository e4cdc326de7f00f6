package dev.basalt.internal.workspace;

import dev.basalt.BlasException;
import dev.basalt.Status;
import dev.basalt.internal.telemetry.FlightRecording;
import dev.basalt.internal.telemetry.HazardEvent;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Sanitizer;
import dev.basalt.spi.SystemMemory;

/**
 * Guard mode: what is lent is poisoned, and a redzone lies before, between and behind the slots, looked at when the lease
 * closes. The redzones are memory of the guard's own, beside what the scheme allows: a guarded handle never needs more than the
 * query said. Where its memory is used up by many slots, only the last redzone of a loan is drawn. In a user's block, where there is no
 * room of ours, only the chunk behind the last slot is watched, if there is one. Where the process runs under the vendor's sanitizer,
 * that is told of the slots for as long as they are lent.
 */
final class Guard {
    /** Bytes of one redzone. */
    static final long ZONE = 64;
    /** Extra bytes of a block: 64 redzones, enough for several loans of eight slots. */
    static final long EXTRA = ZONE * 64;

    private static final byte RED = (byte) 0xFB;
    private static final byte POISON = (byte) 0xFF;

    private final DeviceDriver driver;
    private final Sanitizer sanitizer;
    private long staging;

    Guard(DeviceDriver driver) {
        this.driver = driver;
        this.sanitizer = driver.sanitizer();
    }

    /**
     * Places the slots of a loan with redzones, as far as there is room for them.
     *
     * @param room bytes for redzones
     * @param ours whether the block is the library's
     * @param first whether no loan was alive before
     */
    void place(Loan loan, Need need, int tier, long[] slots, long room, boolean ours, boolean first) {
        // Painting would be an access where the sanitizer allows none while it watches for an earlier loan.
        boolean paints = first || loan.own || sanitizer == null;
        long left = paints ? room : 0;
        int count = need.slots(tier);
        loan.zones.clear();
        long at = loan.start();
        for (int s = 0; s < count; s++) {
            long bytes = need.slot(tier, s);
            if (bytes > 0 && ours && left >= 2 * ZONE) {
                zone(loan, at);
                at += ZONE;
                left -= ZONE;
            }
            slots[s] = bytes == 0 ? 0 : at;
            if (paints && bytes > 0) {
                driver.fill(at, bytes, POISON, loan.stream.id);
            }
            at += bytes;
        }
        if (left >= ZONE) {
            zone(loan, at);
            at += ZONE;
        }
        loan.to = at - loan.block.address;
        if (ours) {
            watch(loan, loan.stream.id);
            for (int s = 0; s < count; s++) {
                allow(loan, slots[s], need.slot(tier, s));
            }
        }
    }

    private void zone(Loan loan, long address) {
        driver.fill(address, ZONE, RED, loan.stream.id);
        loan.zones.zone(address);
    }

    /**
     * Has the sanitizer watch a block of ours while a loan of it is alive; after the redzones are painted, which is no access of a
     * kernel's. With several loans in one block it goes on watching for the first.
     */
    private void watch(Loan loan, long stream) {
        if (sanitizer == null || driver.isCapturing(stream)) {
            return;
        }
        driver.synchronizeStream(stream);
        if (loan.block.watched == 0) {
            loan.block.watched = sanitizer.watch(loan.block.address, loan.block.bytes);
        } else if (loan.from == 0) {
            sanitizer.forbid(loan.block.address);
        }
        loan.zones.watched = loan.block;
    }

    /** A slot that the call may use. */
    private void allow(Loan loan, long address, long bytes) {
        if (loan.zones.watched != null && bytes > 0) {
            sanitizer.allow(loan.zones.watched.watched, address, bytes);
            loan.zones.slot(address);
        }
    }

    /** Looks at every redzone of a loan; waits for the stream, as a debug mode may. */
    void check(Loan loan, String routine) {
        GuardedZones z = loan.zones;
        long stream = loan.stream.id;
        if (z.watched != null) {
            driver.synchronizeStream(stream);
            unwatch(loan);
        }
        if (z.zones() == 0 || driver.isCapturing(stream)) {
            return;
        }
        if (staging == 0) {
            staging = SystemMemory.allocate(ZONE, 64);
        }
        for (int i = 0; i < z.zones(); i++) {
            driver.download(z.zone(i), ZONE, staging, ZONE, ZONE, 1, stream);
            driver.synchronizeStream(stream);
            for (int b = 0; b < ZONE; b++) {
                byte found = Memory.i8(staging + b);
                if (found != RED) {
                    throw broken(loan, routine, i, b, found);
                }
            }
        }
    }

    private static BlasException broken(Loan loan, String routine, int zone, int at, byte found) {
        String culprit = loan.users
                ? "what used the slots of this lease wrote outside them; look at its kernels and sizes"
                : "this is a defect of the library; please report it with the shape";
        String text = routine + " wrote outside its workspace: redzone " + zone + " (before slot " + zone
                + ", or behind the last), byte " + at + " holds 0x" + Integer.toHexString(found & 0xFF) + ": "
                + culprit;
        if (FlightRecording.on()) {
            HazardEvent event = new HazardEvent();
            event.kind = "redzone";
            event.detail = text;
            event.commit();
        }
        return new BlasException(Status.INTERNAL_ERROR, routine, text);
    }

    /** Ends a loan that did not come about. */
    void forget(Loan loan) {
        if (loan.zones.watched != null) {
            unwatch(loan);
        }
    }

    private void unwatch(Loan loan) {
        Block block = loan.zones.watched;
        loan.zones.watched = null;
        for (int i = 0; i < loan.zones.slots(); i++) {
            sanitizer.forbid(loan.zones.slot(i));
        }
        if (loan.from == 0) {
            sanitizer.allow(block.watched, block.address, block.bytes);
        }
    }

    void close() {
        if (staging != 0) {
            SystemMemory.free(staging);
            staging = 0;
        }
    }
}
