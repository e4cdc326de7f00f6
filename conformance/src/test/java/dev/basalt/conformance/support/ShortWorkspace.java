package dev.basalt.conformance.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.BlasException;
import dev.basalt.CallReport;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Plan;
import dev.basalt.PlannedCall;
import dev.basalt.Status;
import java.util.List;

/** Runs a call with exactly the workspace of one of its tiers, or a chunk less, and checks what is reported about it. */
final class ShortWorkspace {
    private static final long CHUNK = 64;

    private final Handle handle;
    private final DeviceArena arena;
    private final Trial trial;

    ShortWorkspace(Handle handle, DeviceArena arena, Trial trial) {
        this.handle = handle;
        this.arena = arena;
        this.trial = trial;
    }

    /** Whether it ran; if not, it was refused for want of memory, as it had to be. */
    boolean run(Trial.Call call) {
        handle.setMaxManagedBytes(0);
        handle.setDeviceMemorySize(0);
        Plan plan = plan(call);
        List<PlannedCall.Tier> tiers = plan.calls().get(0).tiers();
        long exact = tiers.get(trial.random.nextInt(tiers.size())).bytes();
        long given = exact > 0 && trial.random.nextInt(3) == 0 ? exact - CHUNK : exact;
        give(given);
        int tier = 0;
        while (tier < tiers.size() && tiers.get(tier).bytes() > given) {
            tier++;
        }
        trial.note("bytes", given);
        trial.note("scheme", handle.workspaceScheme());
        trial.note("tier", tier + " of " + tiers.size());
        if (tier == tiers.size()) {
            refused(call, plan);
            return false;
        }
        Status status = call.statusOn(handle);
        assertThat(status).as("status").isEqualTo(tier == 0 ? Status.SUCCESS : Status.PERF_DEGRADED);
        reported(plan, tier);
        return true;
    }

    private Plan plan(Trial.Call call) {
        Plan plan = handle.plan(call::on);
        assertThat(plan.calls()).as("calls in the plan").hasSize(1);
        handle.startDeviceMemorySizeQuery();
        Status answer = call.on(handle);
        assertThat(handle.stopDeviceMemorySizeQuery()).as("answer of the query").isEqualTo(plan.optimal());
        assertThat(answer).as("status in a query")
                .isIn(null, plan.optimal() > 0 ? Status.SIZE_INCREASED : Status.SIZE_UNCHANGED);
        return plan;
    }

    private void give(long bytes) {
        if (bytes > 0 && trial.random.nextBoolean()) {
            handle.setWorkspace(arena.allocate(bytes), bytes);
        } else if (bytes > 0) {
            handle.setDeviceMemorySize(bytes);
        }
    }

    private void refused(Trial.Call call, Plan plan) {
        assertThatThrownBy(() -> call.on(handle)).isInstanceOfSatisfying(BlasException.class, e -> {
            assertThat(e.status()).isEqualTo(Status.MEMORY_ERROR);
            assertThat(e.shortage().minimum()).as("minimum").isEqualTo(plan.minimum());
            assertThat(e.shortage().optimal()).as("optimal").isEqualTo(plan.optimal());
        });
        assertThat(handle.lastCall().status()).as("status of the last call").isEqualTo(Status.MEMORY_ERROR);
    }

    private void reported(Plan plan, int tier) {
        List<PlannedCall.Tier> tiers = plan.calls().get(0).tiers();
        CallReport report = handle.lastCall();
        boolean quick = plan.optimal() == 0 && report.tierName().equals("quick return");
        assertThat(report).as("last call")
                .isEqualTo(new CallReport(report.routine(), tier == 0 ? Status.SUCCESS : Status.PERF_DEGRADED, tier,
                        quick ? report.tierName() : tiers.get(tier).name(), tiers.get(tier).bytes(),
                        tier == 0 ? 0 : tiers.get(tier - 1).bytes(), plan.minimum(), plan.optimal()));
    }
}
