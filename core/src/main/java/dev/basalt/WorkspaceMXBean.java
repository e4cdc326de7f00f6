package dev.basalt;

import java.util.List;

/** What tools that speak JMX read: sums over all devices, and the numbers of each. See {@link WorkspaceNumbers}. */
public interface WorkspaceMXBean {
    /**
     * Workspaces that are open.
     *
     * @return how many
     */
    int getWorkspaces();

    /**
     * What they hold now.
     *
     * @return bytes
     */
    long getHeldBytes();

    /**
     * What is lent now.
     *
     * @return bytes
     */
    long getLentBytes();

    /**
     * The most that one workspace ever lent.
     *
     * @return bytes
     */
    long getHighWaterBytes();

    /**
     * How often a workspace grew.
     *
     * @return times
     */
    long getGrowths();

    /**
     * Calls that ran a slower algorithm for want of workspace.
     *
     * @return how many
     */
    long getDegradedCalls();

    /**
     * The numbers of each device.
     *
     * @return by name
     */
    List<WorkspaceNumbers> getDevices();
}
