package dev.basalt.internal.telemetry;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The workspace of a managed handle grew. */
@Name("dev.basalt.WorkspaceGrow")
@Label("WorkspaceGrow")
@Description("The workspace of a managed handle grew")
@Category("Basalt workspace")
@StackTrace(false)
public final class GrowEvent extends jdk.jfr.Event {
    /** Handle. */
    @Label("Handle")
    public long handle;

    /** From. */
    @Label("From")
    @DataAmount
    public long from;

    /** To. */
    @Label("To")
    @DataAmount
    public long to;

    /** Routine that asked. */
    @Label("Routine that asked")
    public String reason;

    /** How memory was obtained. */
    @Label("How memory was obtained")
    public String mechanism;

    /** An event with empty fields. */
    public GrowEvent() {}
}
