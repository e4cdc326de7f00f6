package dev.basalt.gpu.device;

import java.util.ArrayList;
import java.util.List;

/** A recorded graph, ready to launch, and the counters that its kernels use. */
final class GpuGraph {
    private final GpuContext context;
    private final long executable;
    private final List<Long> tickets;
    private final List<GpuStream> users = new ArrayList<>();

    GpuGraph(GpuContext context, long executable, List<Long> tickets) {
        this.context = context;
        this.executable = executable;
        this.tickets = tickets;
    }

    /** Replays it; the driver runs the replays of one graph one after another, so that they may share counters. */
    synchronized void launch(GpuStream on) {
        context.api.launchGraph(executable, on.stream);
        if (!users.contains(on)) {
            users.add(on);
        }
    }

    /** Destroys it behind the replays that run. */
    synchronized void destroy(Table<GpuStream> streams) {
        List<Long> behind = new ArrayList<>();
        for (GpuStream alive : streams.all()) {
            if (users.contains(alive)) {
                behind.add(alive.stream);
            }
        }
        for (long area : tickets) {
            context.tickets.giveBack(area, behind);
        }
        context.api.destroyGraph(executable);
    }
}
