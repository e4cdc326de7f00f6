package dev.basalt.internal.telemetry;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Not even the smallest tier could have its workspace. */
@Name("dev.basalt.WorkspaceFailure")
@Label("WorkspaceFailure")
@Description("Not even the smallest tier could have its workspace")
@Category("Basalt workspace")
@StackTrace(false)
public final class FailureEvent extends jdk.jfr.Event {
    /** Handle. */
    @Label("Handle")
    public long handle;

    /** Routine. */
    @Label("Routine")
    public String routine;

    /** Shape. */
    @Label("Shape")
    public String shape;

    /** Bytes needed at least. */
    @Label("Bytes needed at least")
    @DataAmount
    public long minimum;

    /** Bytes held. */
    @Label("Bytes held")
    @DataAmount
    public long held;

    /** Bytes free on the device. */
    @Label("Bytes free on the device")
    @DataAmount
    public long free;

    /** Limit that was hit. */
    @Label("Limit that was hit")
    public String limit;

    /** An event with empty fields. */
    public FailureEvent() {}
}
