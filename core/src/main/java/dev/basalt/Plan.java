package dev.basalt;

import dev.basalt.internal.call.PlannedCallData;
import dev.basalt.internal.telemetry.FlightRecording;
import dev.basalt.internal.telemetry.PlanEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The need of a whole sequence of calls, call by call. Because calls on one handle run one after another, the whole needs the
 * maximum, not the sum. Plans of equal calls on equal device classes are equal to the byte, and so is their {@link #hash}.
 */
public final class Plan {
    private final String deviceClass;
    private final List<PlannedCall> calls;

    private Plan(String deviceClass, List<PlannedCall> calls) {
        this.deviceClass = deviceClass;
        this.calls = calls;
    }

    static Plan of(String deviceClass, List<PlannedCallData> data) {
        List<PlannedCall> calls = new ArrayList<>();
        for (PlannedCallData d : data) {
            List<PlannedCall.Tier> tiers = new ArrayList<>();
            for (PlannedCallData.TierData t : d.tiers()) {
                List<PlannedCall.Slot> slots = new ArrayList<>();
                for (int s = 0; s < t.slots().size(); s++) {
                    slots.add(new PlannedCall.Slot(t.slots().get(s), t.slotBytes().get(s)));
                }
                tiers.add(new PlannedCall.Tier(t.name(), t.bytes(), List.copyOf(slots)));
            }
            calls.add(new PlannedCall(d.routine(), d.shape(), List.copyOf(tiers)));
        }
        Plan plan = new Plan(deviceClass, List.copyOf(calls));
        if (FlightRecording.on()) {
            PlanEvent event = new PlanEvent();
            event.calls = calls.size();
            event.minimum = plan.minimum();
            event.optimal = plan.optimal();
            event.peak = plan.peak() < 0 ? "" : calls.get(plan.peak()).routine();
            event.hash = plan.hash();
            event.commit();
        }
        return plan;
    }

    /**
     * The calls in order.
     *
     * @return calls
     */
    public List<PlannedCall> calls() {
        return calls;
    }

    /**
     * The class of device the plan holds for.
     *
     * @return such as {@code host-vector512}
     */
    public String deviceClass() {
        return deviceClass;
    }

    /**
     * The least workspace with which every call runs.
     *
     * @return bytes
     */
    public long minimum() {
        return calls.stream().mapToLong(PlannedCall::minimum).max().orElse(0);
    }

    /**
     * The workspace with which every call runs its best algorithm; what a size query answers.
     *
     * @return bytes
     */
    public long optimal() {
        return calls.stream().mapToLong(PlannedCall::optimal).max().orElse(0);
    }

    /**
     * The first call that needs the most.
     *
     * @return index in {@link #calls}, -1 if no call needs any
     */
    public int peak() {
        long most = optimal();
        for (int i = 0; most > 0 && i < calls.size(); i++) {
            if (calls.get(i).optimal() == most) {
                return i;
            }
        }
        return -1;
    }

    /**
     * A fingerprint of device class, calls and sizes (64-bit FNV-1a), stable across runs and machines.
     *
     * @return 16 hexadecimal digits
     */
    public String hash() {
        long h = 0xcbf29ce484222325L;
        String text = deviceClass + calls;
        for (int i = 0; i < text.length(); i++) {
            h = (h ^ text.charAt(i)) * 0x100000001b3L;
        }
        return String.format("%016x", h);
    }

    /**
     * The plan as JSON: {@code deviceClass}, {@code hash}, {@code minimum}, {@code optimal}, {@code peak} (an index in
     * {@code calls}, or null), and {@code calls} with their {@code tiers}, best first, and the {@code slots} of each. Sizes are
     * bytes.
     *
     * @return one JSON object
     */
    public String toJson() {
        return String.format(Locale.ROOT,
                "{%n  \"deviceClass\": %s,%n  \"hash\": %s,%n  \"minimum\": %d,%n  \"optimal\": %d,%n  \"peak\": %s,%n"
                        + "  \"calls\": [%s]%n}",
                quoted(deviceClass), quoted(hash()), minimum(), optimal(), peak() < 0 ? "null" : peak(),
                calls.stream().map(Plan::json).collect(Collectors.joining(",")));
    }

    private static String json(PlannedCall call) {
        return String.format(Locale.ROOT,
                "%n    {%n      \"routine\": %s,%n      \"shape\": %s,%n      \"minimum\": %d,%n      \"optimal\": %d,%n"
                        + "      \"tiers\": [%s%n      ]%n    }",
                quoted(call.routine()), quoted(call.shape()), call.minimum(), call.optimal(),
                call.tiers().stream().map(Plan::json).collect(Collectors.joining(",")));
    }

    private static String json(PlannedCall.Tier tier) {
        return String.format(Locale.ROOT, "%n        {\"name\": %s, \"bytes\": %d, \"slots\": [%s]}",
                quoted(tier.name()), tier.bytes(),
                tier.slots()
                        .stream()
                        .map(slot -> "{\"name\": " + quoted(slot.name()) + ", \"bytes\": " + slot.bytes() + "}")
                        .collect(Collectors.joining(", ")));
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c == '"' || c == '\\' ? "\\" : "").append(c);
            }
        }
        return json.append('"').toString();
    }

    /**
     * The plan as a picture: calls from left to right, what each one's best tier needs, slot by slot, and its lower tiers.
     *
     * @return an SVG document
     */
    public String toSvg() {
        return new PlanPicture(this).draw();
    }

    /**
     * The plan as a table.
     *
     * @return one line a call, then the totals
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        String row = "%-4s %-9s %-30s %12s %12s  %s%n";
        text.append(String.format(row, "call", "routine", "shape", "minimum", "optimum", "tiers, best first"));
        for (int i = 0; i < calls.size(); i++) {
            PlannedCall call = calls.get(i);
            StringBuilder tiers = new StringBuilder();
            for (PlannedCall.Tier tier : call.tiers()) {
                tiers.append(tiers.isEmpty() ? "" : " | ");
                tiers.append(tier.name()).append(' ').append(ByteSize.format(tier.bytes()));
            }
            String mark = (i == peak() ? "*" : "") + (i + 1);
            text.append(String.format(row, mark, call.routine(), call.shape(), ByteSize.format(call.minimum()),
                    ByteSize.format(call.optimal()), tiers));
        }
        text.append(String.format("total: minimum %d bytes, optimum %d bytes%s; device class %s, plan %s", minimum(),
                optimal(), peak() < 0 ? "" : " (* the peak call)", deviceClass, hash()));
        return text.toString();
    }
}
