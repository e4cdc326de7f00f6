package dev.basalt.internal.telemetry;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Misuse found: a leak, a redzone, two threads in one handle. */
@Name("dev.basalt.WorkspaceHazard")
@Label("WorkspaceHazard")
@Description("Misuse found: a leak, a redzone, two threads in one handle")
@Category("Basalt workspace")
@StackTrace(false)
public final class HazardEvent extends jdk.jfr.Event {
    /** Kind. */
    @Label("Kind")
    public String kind;

    /** Detail. */
    @Label("Detail")
    public String detail;

    /** An event with empty fields. */
    public HazardEvent() {}
}
