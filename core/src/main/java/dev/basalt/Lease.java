package dev.basalt;

import dev.basalt.internal.telemetry.LeakRegistry;
import dev.basalt.internal.workspace.WorkspaceCore;

/**
 * Workspace lent by {@link Handle#deviceMalloc}: for whoever writes a routine of their own. Close it when the work that uses it
 * has been issued (not: done). One lease may be alive on a handle.
 */
public final class Lease implements AutoCloseable {
    private final WorkspaceCore workspace;
    private final DeviceMemory[] slots;
    private final boolean success;
    private final LeakRegistry.Entry leak;
    private boolean open = true;

    Lease(WorkspaceCore workspace, DeviceMemory[] slots, boolean success) {
        this.workspace = workspace;
        this.slots = slots;
        this.success = success;
        this.leak = success && workspace.leased() ? LeakRegistry.open("Lease", slots.length + " slots", this) : null;
    }

    /**
     * Whether the memory was lent.
     *
     * @return false if the handle did not have it; every slot is then null
     */
    public boolean isSuccess() {
        return success;
    }

    /**
     * A slot.
     *
     * @param index in the order of the sizes asked for
     * @return memory, valid until the lease is closed; null for a slot of size 0 or a failed lease
     */
    public DeviceMemory slot(int index) {
        return slots[index];
    }

    /**
     * How many slots were asked for.
     *
     * @return slots
     */
    public int slots() {
        return slots.length;
    }

    /** Gives the memory back. A second close does nothing. */
    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        for (DeviceMemory slot : slots) {
            if (slot != null) {
                slot.close();
            }
        }
        if (leak != null) {
            leak.close();
            workspace.release("deviceMalloc");
        }
    }
}
