package dev.basalt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.spi.DriverException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineMemoryTest {
    private static final long GIB = 1L << 30;

    @TempDir
    Path root;

    private void file(String path, String content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private void meminfo() throws IOException {
        file("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:  1 kB\nMemAvailable:    8388608 kB\n");
    }

    @Test
    void readsTheMachine() throws IOException {
        meminfo();
        MachineMemory memory = new MachineMemory(root);
        assertThat(memory.total()).isEqualTo(16 * GIB);
        assertThat(memory.available()).isEqualTo(8 * GIB);
    }

    @Test
    void theTightestControlGroupHolds() throws IOException {
        meminfo();
        file("proc/self/cgroup", "0::/outer/inner\n");
        file("sys/fs/cgroup/outer/memory.max", (4 * GIB) + "\n");
        file("sys/fs/cgroup/outer/memory.current", (3 * GIB) + "\n");
        file("sys/fs/cgroup/outer/memory.stat", "anon 5\ninactive_file " + GIB + "\n");
        file("sys/fs/cgroup/outer/inner/memory.max", "max\n");
        MachineMemory memory = new MachineMemory(root);
        assertThat(memory.total()).isEqualTo(4 * GIB);
        assertThat(memory.available()).isEqualTo(2 * GIB);
    }

    @Test
    void anOldControlGroupInAContainerIsFoundAtTheTop() throws IOException {
        meminfo();
        file("proc/self/cgroup", "7:cpu,memory:/docker/abc\n3:pids:/docker/abc\n");
        file("sys/fs/cgroup/memory/memory.limit_in_bytes", (2 * GIB) + "\n");
        file("sys/fs/cgroup/memory/memory.usage_in_bytes", GIB + "\n");
        MachineMemory memory = new MachineMemory(root);
        assertThat(memory.total()).isEqualTo(2 * GIB);
        assertThat(memory.available()).isEqualTo(GIB);
    }

    @Test
    void junkAndMissingFilesMeanUnknown() throws IOException {
        assertThat(new MachineMemory(root).total()).isEqualTo(MachineMemory.UNKNOWN);
        file("proc/meminfo", "MemTotal: many kB\nMemAvailable: 99999999999999999 kB\n");
        file("proc/self/cgroup", "what\n0::/../../..\n");
        assertThat(new MachineMemory(root).total()).isEqualTo(MachineMemory.UNKNOWN);
        assertThat(new MachineMemory(root).available()).isEqualTo(MachineMemory.UNKNOWN);
    }

    @Test
    void theBudgetRefusesWithNumbersAndTakesClaimsBack() throws IOException {
        meminfo();
        MemoryBudget budget = new MemoryBudget(new MachineMemory(root));
        assertThatThrownBy(() -> budget.claim(17 * GIB))
                .isInstanceOfSatisfying(DriverException.class,
                        e -> assertThat(e.code()).isEqualTo(DriverException.Code.OUT_OF_MEMORY))
                .hasMessageContaining("" + 17 * GIB)
                .hasMessageContaining("" + 16 * GIB);
        assertThatThrownBy(() -> budget.claim(9 * GIB)).hasMessageContaining("" + 8 * GIB);
        budget.claim(8 * GIB);
        assertThat(budget.free()).isEqualTo(8 * GIB);
        budget.claim(7 * GIB);
        assertThat(budget.free()).isEqualTo(GIB);
        assertThatThrownBy(() -> budget.claim(2 * GIB)).isInstanceOf(DriverException.class);
        budget.giveBack(15 * GIB);
        budget.claim(8 * GIB);
    }
}
