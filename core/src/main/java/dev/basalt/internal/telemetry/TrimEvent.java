package dev.basalt.internal.telemetry;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Workspace was given back. */
@Name("dev.basalt.WorkspaceTrim")
@Label("WorkspaceTrim")
@Description("Workspace was given back")
@Category("Basalt workspace")
@StackTrace(false)
public final class TrimEvent extends jdk.jfr.Event {
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

    /** Cause. */
    @Label("Cause")
    public String cause;

    /** An event with empty fields. */
    public TrimEvent() {}
}
