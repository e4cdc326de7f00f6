package dev.basalt;

import java.util.List;
import java.util.function.ToLongFunction;

/** The bean of {@link WorkspaceNumbers#registerBean}. */
final class WorkspaceBean implements WorkspaceMXBean {
    private static long sum(ToLongFunction<WorkspaceNumbers> number) {
        return WorkspaceNumbers.all().stream().mapToLong(number).sum();
    }

    @Override
    public int getWorkspaces() {
        return (int) sum(WorkspaceNumbers::workspaces);
    }

    @Override
    public long getHeldBytes() {
        return sum(WorkspaceNumbers::heldBytes);
    }

    @Override
    public long getLentBytes() {
        return sum(WorkspaceNumbers::lentBytes);
    }

    @Override
    public long getHighWaterBytes() {
        return WorkspaceNumbers.all().stream().mapToLong(WorkspaceNumbers::highWaterBytes).max().orElse(0);
    }

    @Override
    public long getGrowths() {
        return sum(WorkspaceNumbers::growths);
    }

    @Override
    public long getDegradedCalls() {
        return sum(WorkspaceNumbers::degradedCalls);
    }

    @Override
    public List<WorkspaceNumbers> getDevices() {
        return WorkspaceNumbers.all();
    }
}
