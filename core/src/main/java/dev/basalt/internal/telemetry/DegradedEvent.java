package dev.basalt.internal.telemetry;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A slower algorithm ran for want of workspace. */
@Name("dev.basalt.WorkspaceDegraded")
@Label("WorkspaceDegraded")
@Description("A slower algorithm ran for want of workspace")
@Category("Basalt workspace")
@StackTrace(false)
public final class DegradedEvent extends jdk.jfr.Event {
    /** Handle. */
    @Label("Handle")
    public long handle;

    /** Routine. */
    @Label("Routine")
    public String routine;

    /** Shape. */
    @Label("Shape")
    public String shape;

    /** Tier that ran. */
    @Label("Tier that ran")
    public String tier;

    /** Bytes held. */
    @Label("Bytes held")
    @DataAmount
    public long held;

    /** Bytes to the next tier. */
    @Label("Bytes to the next tier")
    @DataAmount
    public long next;

    /** Bytes to the best tier. */
    @Label("Bytes to the best tier")
    @DataAmount
    public long optimal;

    /** An event with empty fields. */
    public DegradedEvent() {}
}
