package dev.basalt.micrometer;

import dev.basalt.WorkspaceNumbers;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToLongFunction;

/**
 * Meters of all workspaces in the process, with the tag {@code device}: {@code new WorkspaceMetrics().bindTo(registry)}. A device has meters once it has
 * its first workspace.
 *
 * <ul>
 *   <li>{@code basalt.workspaces}: workspaces that are open
 *   <li>{@code basalt.workspace.held}, {@code basalt.workspace.lent}, {@code basalt.workspace.high.water}: bytes
 *   <li>{@code basalt.workspace.growths}, {@code basalt.workspace.degraded.calls}: counters
 * </ul>
 */
public final class WorkspaceMetrics implements MeterBinder {
    private final Tags tags;

    /** Without further tags. */
    public WorkspaceMetrics() {
        this(Tags.empty());
    }

    /**
     * With tags of the caller's on every meter.
     *
     * @param tags beside {@code device}
     */
    public WorkspaceMetrics(Iterable<Tag> tags) {
        this.tags = Tags.of(tags);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        WorkspaceNumbers.watchDevices(device -> bind(registry, device));
    }

    private void bind(MeterRegistry registry, String device) {
        Tags all = tags.and("device", device);
        gauge(registry, all, device, "basalt.workspaces", "Workspaces that are open", null,
                WorkspaceNumbers::workspaces);
        gauge(registry, all, device, "basalt.workspace.held", "What workspaces hold", BaseUnits.BYTES,
                WorkspaceNumbers::heldBytes);
        gauge(registry, all, device, "basalt.workspace.lent", "What is lent to calls", BaseUnits.BYTES,
                WorkspaceNumbers::lentBytes);
        gauge(registry, all, device, "basalt.workspace.high.water", "The most that one workspace ever lent",
                BaseUnits.BYTES, WorkspaceNumbers::highWaterBytes);
        FunctionCounter.builder("basalt.workspace.growths", device, d -> WorkspaceNumbers.of(d).growths())
                .description("How often a workspace grew")
                .tags(all)
                .register(registry);
        FunctionCounter.builder("basalt.workspace.degraded.calls", device, d -> WorkspaceNumbers.of(d).degradedCalls())
                .description("Calls that ran a slower algorithm for want of workspace")
                .tags(all)
                .register(registry);
    }

    private static void gauge(MeterRegistry registry, Tags tags, String device, String name, String text, String unit,
            ToLongFunction<WorkspaceNumbers> number) {
        Gauge.builder(name, () -> number.applyAsLong(WorkspaceNumbers.of(device)))
                .description(text)
                .baseUnit(unit)
                .tags(tags)
                .register(registry);
    }
}
