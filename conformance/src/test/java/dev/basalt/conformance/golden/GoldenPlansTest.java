package dev.basalt.conformance.golden;

import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.PlannedCall;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.type.ElementType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What every routine of {@link GoldenCall} asks for, on every device class, is what it asked for when the golden file was made. */
class GoldenPlansTest {
    private static final List<ElementType> TYPES =
            List.of(ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64);

    /** Plans by routine and shape: the plan's text, and the classes, options and types that have it. */
    private final Map<String, Map<String, Map<String, String>>> plans = new LinkedHashMap<>();

    @Test
    void plansAreThoseOfTheGoldenFile() {
        List<GoldenCall> calls = GoldenCall.all();
        for (Map.Entry<String, DeviceTraits> one : GoldenClasses.all().entrySet()) {
            try (Device device = Device.of(new PaperDriver(one.getValue())); Handle h = device.createHandle()) {
                for (GoldenCall call : calls) {
                    for (GoldenShape shape : GoldenShape.PLANS) {
                        note(one.getKey(), h, call, shape);
                    }
                }
            }
        }
        Golden.check("plans.txt", lines());
    }

    private void note(String deviceClass, Handle h, GoldenCall call, GoldenShape shape) {
        for (ElementType type : TYPES) {
            if (call.takes(type)) {
                GoldenOperands o = new GoldenOperands(null, null, type, shape.count(), shape.tables());
                PlannedCall plan = h.plan(q -> call.body().run(q, o, shape.m(), shape.n(), shape.k())).calls().get(0);
                plans.computeIfAbsent(call.routine() + " " + shape, k -> new LinkedHashMap<>())
                        .computeIfAbsent(
                                plan.tiers().stream().map(GoldenPlansTest::text).collect(Collectors.joining(" | ")),
                                k -> new LinkedHashMap<>())
                        .merge(deviceClass + " " + call.options(), "" + type.letter(), String::concat);
            }
        }
    }

    private static String text(PlannedCall.Tier tier) {
        return tier.name() + " " + tier.bytes()
                + tier.slots()
                        .stream()
                        .filter(s -> s.bytes() > 0)
                        .map(s -> s.name() + " " + s.bytes())
                        .collect(Collectors.joining(", ", tier.bytes() > 0 ? " = " : "", ""));
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        plans.forEach((call, found) -> {
            lines.add(call);
            found.forEach((plan, who) -> lines.add("  " + plan + " <- " + who(who)));
        });
        return lines;
    }

    /** Options that all have the same plan are not told apart. */
    private static String who(Map<String, String> who) {
        Map<String, Map<String, Integer>> byClass = new LinkedHashMap<>();
        who.forEach(
                (key, types) -> byClass.computeIfAbsent(key.substring(0, key.indexOf(' ')), k -> new LinkedHashMap<>())
                        .merge(types, 1, Integer::sum));
        return byClass.entrySet()
                .stream()
                .map(e -> e.getKey() + e.getValue()
                        .entrySet()
                        .stream()
                        .map(t -> " " + t.getKey() + "*" + t.getValue())
                        .collect(Collectors.joining()))
                .collect(Collectors.joining("; "));
    }
}
