package dev.basalt;

import dev.basalt.internal.workspace.Lifetime;
import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.spi.DeviceDriver;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The memory that a table of addresses points into, as far as it can end before the table: one piece stands for all others of its
 * lifetime, so that a table of ten thousand matrices of one arena has one member or none.
 */
final class TableMembers {
    private final DeviceDriver driver;
    private final Lifetime own;
    private final Set<Lifetime> lifetimes = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<MemoryCore> members = Collections.newSetFromMap(new IdentityHashMap<>());

    TableMembers(DeviceDriver driver, Lifetime own) {
        this.driver = driver;
        this.own = own;
    }

    /** Takes a member's memory in; refuses what cannot be used on the table's device. */
    void add(String kind, int i, DeviceMemory memory) {
        if (memory == null) {
            throw new BlasException(Status.INVALID_VALUE, "DeviceArena", kind + " " + i + " has no memory");
        }
        String objection = memory.core.objection(driver);
        if (objection != null) {
            throw new BlasException(Status.INVALID_VALUE, "DeviceArena",
                    kind + " " + i + " cannot be used on " + driver.name() + ": " + objection);
        }
        MemoryCore core = memory.core;
        if (!core.isPlain()) {
            members.add(core);
        } else if (core.lifetime() != own && lifetimes.add(core.lifetime())) {
            members.add(core);
        }
    }

    MemoryCore[] toArray() {
        return members.toArray(new MemoryCore[0]);
    }
}
