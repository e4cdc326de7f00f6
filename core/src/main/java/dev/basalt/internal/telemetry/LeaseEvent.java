package dev.basalt.internal.telemetry;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Workspace lent to one call. */
@Name("dev.basalt.WorkspaceLease")
@Label("WorkspaceLease")
@Description("Workspace lent to one call")
@Category("Basalt workspace")
@StackTrace(false)
public final class LeaseEvent extends jdk.jfr.Event {
    /** Handle. */
    @Label("Handle")
    public long handle;

    /** Stream. */
    @Label("Stream")
    public long stream;

    /** Routine. */
    @Label("Routine")
    public String routine;

    /** Shape. */
    @Label("Shape")
    public String shape;

    /** Tier. */
    @Label("Tier")
    public String tier;

    /** Bytes asked. */
    @Label("Bytes asked")
    @DataAmount
    public long asked;

    /** Capacity. */
    @Label("Capacity")
    @DataAmount
    public long capacity;

    /** An event with empty fields. */
    public LeaseEvent() {}
}
