package dev.basalt.internal.call;

import dev.basalt.internal.workspace.Need;
import java.util.ArrayList;
import java.util.List;

/** Notes the need of every call while a plan is made; a list of its own, so that a size query in progress is not disturbed. */
public final class Recorder {
    private final List<PlannedCallData> calls = new ArrayList<>();
    private long maximum;

    /** An empty recording. */
    public Recorder() {}

    boolean record(String routine, String shape, Need need) {
        List<PlannedCallData.TierData> tiers = new ArrayList<>();
        for (int t = 0; t < need.tiers(); t++) {
            List<String> names = new ArrayList<>();
            List<Long> sizes = new ArrayList<>();
            for (int s = 0; s < need.slots(t); s++) {
                names.add(need.slotName(t, s));
                sizes.add(need.slot(t, s));
            }
            tiers.add(
                    new PlannedCallData.TierData(need.name(t), need.total(t), List.copyOf(names), List.copyOf(sizes)));
        }
        calls.add(new PlannedCallData(routine, shape, List.copyOf(tiers)));
        boolean more = need.optimal() > maximum;
        maximum = Math.max(maximum, need.optimal());
        return more;
    }

    /**
     * The calls so far.
     *
     * @return copy
     */
    public List<PlannedCallData> calls() {
        return List.copyOf(calls);
    }
}
