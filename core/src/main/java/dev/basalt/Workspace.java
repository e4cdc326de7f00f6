package dev.basalt;

import dev.basalt.internal.call.DeviceFailure;
import dev.basalt.internal.telemetry.LeakRegistry;
import dev.basalt.internal.workspace.WorkspaceCore;

/**
 * A workspace for several handles whose calls are ordered on one stream: the sum of their needs becomes the maximum. If the
 * handles are on different streams, each change of stream makes the next call wait (by an event, not on the host) for
 * the last use. The handles must be used by one thread at a time between them.
 */
public final class Workspace implements AutoCloseable {
    private final Device device;
    private final WorkspaceCore core;
    private final LeakRegistry.Entry leak;
    private boolean open = true;

    Workspace(Device device) {
        this.device = device;
        this.core =
                new WorkspaceCore(device.driver(), device.handleBuilder().options(), device.defaultStream().ref, true);
        this.core.attach();
        this.core.register();
        this.leak = LeakRegistry.open("Workspace", device.name(), this);
    }

    /**
     * Bytes held now.
     *
     * @return bytes
     */
    public long size() {
        return core.size();
    }

    /**
     * The most ever lent to one call.
     *
     * @return bytes
     */
    public long highWater() {
        return core.highWater();
    }

    Device device() {
        return device;
    }

    WorkspaceCore core() {
        if (!open) {
            throw new BlasException(Status.INVALID_HANDLE, "Workspace", "the workspace is closed");
        }
        return core;
    }

    /**
     * Gives the workspace up; its memory is freed when the last handle that uses it is closed too. A second close does
     * nothing.
     */
    @Override
    public synchronized void close() {
        if (open) {
            if (core.attached() == 1) {
                DeviceFailure.translate("Workspace.close", core::close);
            }
            open = false;
            leak.close();
            core.detach();
        }
    }
}
