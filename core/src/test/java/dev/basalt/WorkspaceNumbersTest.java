package dev.basalt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.internal.workspace.Census;
import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** What tools read; the numbers themselves are tried where there are devices. */
class WorkspaceNumbersTest {
    @Test
    void theBeanIsThereOnceAndHasAllNumbers() throws Exception {
        WorkspaceNumbers.registerBean();
        WorkspaceNumbers.registerBean();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName(WorkspaceNumbers.BEAN);
        for (String attribute : new String[] {
                "Workspaces",
                "HeldBytes",
                "LentBytes",
                "HighWaterBytes",
                "Growths",
                "DegradedCalls"}) {
            assertThat(((Number) server.getAttribute(name, attribute)).longValue()).as(attribute).isNotNegative();
        }
        Object[] devices = (Object[]) server.getAttribute(name, "Devices");
        assertThat(devices).hasSize(Census.now().size());
        server.unregisterMBean(name);
    }

    @Test
    void aDeviceWithoutWorkspacesHasZeros() {
        assertThat(WorkspaceNumbers.of("none")).isEqualTo(new WorkspaceNumbers("none", 0, 0, 0, 0, 0, 0));
    }
}
