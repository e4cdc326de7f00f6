package dev.basalt.cuda;

import java.util.ArrayList;
import java.util.List;

/** A recorded graph, ready to launch, and the counters that its kernels use. */
final class CudaGraph {
    private final Gpu gpu;
    private final long executable;
    private final long tickets;
    private final List<CudaStream> users = new ArrayList<>();

    CudaGraph(Gpu gpu, long executable, long tickets) {
        this.gpu = gpu;
        this.executable = executable;
        this.tickets = tickets;
    }

    /** Replays it; the driver runs the replays of one graph one after another, so that they may share counters. */
    synchronized void launch(CudaStream on) {
        CudaErrors.check(Libcuda.call(Libcuda.GRAPH_LAUNCH, executable, on.stream), "cuGraphLaunch");
        if (!users.contains(on)) {
            users.add(on);
        }
    }

    /** Destroys it behind the replays that run. */
    synchronized void destroy(Table<CudaStream> streams) {
        List<Long> behind = new ArrayList<>();
        for (CudaStream alive : streams.all()) {
            if (users.contains(alive)) {
                behind.add(alive.stream);
            }
        }
        gpu.tickets().giveBack(tickets, behind);
        CudaErrors.check(Libcuda.call(Libcuda.GRAPH_EXEC_DESTROY, executable), "cuGraphExecDestroy");
    }
}
