package dev.basalt;

import dev.basalt.internal.workspace.Census;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Consumer;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What all workspaces of one device hold and have seen in this process: for those who watch it. They are read while calls run, so they need not
 * be of one moment. Handles on arrays of Java count like all others.
 *
 * @param device the device's name, such as {@code host} or {@code cuda:0}
 * @param workspaces how many are open
 * @param heldBytes what they hold now
 * @param lentBytes what is lent now
 * @param highWaterBytes the most that one of them ever lent
 * @param growths how often one grew
 * @param degradedCalls how many calls ran a slower algorithm for want of workspace
 */
public record WorkspaceNumbers(String device, int workspaces, long heldBytes, long lentBytes, long highWaterBytes,
        long growths, long degradedCalls) {

    /** The name of the bean that {@link #registerBean} registers. */
    public static final String BEAN = "dev.basalt:type=Workspaces";

    /**
     * The numbers of now.
     *
     * @return those of each device that has had a workspace, by name
     */
    public static List<WorkspaceNumbers> all() {
        return Census.now()
                .stream()
                .map(c -> new WorkspaceNumbers(c.device(), c.open(), c.held(), c.lent(), c.highWater(), c.growths(),
                        c.degraded()))
                .toList();
    }

    /**
     * The numbers of a device.
     *
     * @param device its name
     * @return all 0 if it has had no workspace
     */
    public static WorkspaceNumbers of(String device) {
        return all().stream()
                .filter(numbers -> numbers.device().equals(device))
                .findFirst()
                .orElse(new WorkspaceNumbers(device, 0, 0, 0, 0, 0, 0));
    }

    /**
     * Tells of each device that has had a workspace, and of others as they get their first.
     *
     * @param watcher gets the device's name, perhaps twice
     */
    public static void watchDevices(Consumer<String> watcher) {
        Census.watch(watcher);
    }

    /**
     * Registers the bean {@value #BEAN} with the platform's server, where it can be read by any tool that speaks JMX. A second time changes nothing.
     *
     * @throws IllegalStateException if the server refuses it
     */
    public static void registerBean() {
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(new WorkspaceBean(), new ObjectName(BEAN));
        } catch (InstanceAlreadyExistsException e) {
            // It is there, and all beans read the same numbers.
            return;
        } catch (JMException e) {
            throw new IllegalStateException("the server of beans refuses " + BEAN + ": " + e.getMessage(), e);
        }
    }
}
