package dev.basalt.gpu.device;

import dev.basalt.gpu.Launcher;

/** What lies on one GPU for the life of the process, for all devices that are opened on it: code and counters. */
public final class GpuContext {
    final GpuApi api;
    final Tickets tickets;
    final KernelCode code;

    /**
     * A context; the GPU is current.
     *
     * @param api the driver
     */
    public GpuContext(GpuApi api) {
        this.api = api;
        tickets = new Tickets(api, Launcher.SYNC_BYTES, api.createStream());
        code = new KernelCode(api);
    }
}
