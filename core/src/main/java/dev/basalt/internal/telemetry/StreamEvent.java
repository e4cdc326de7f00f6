package dev.basalt.internal.telemetry;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A handle changed its stream. */
@Name("dev.basalt.WorkspaceStreamSwitch")
@Label("WorkspaceStreamSwitch")
@Description("A handle changed its stream")
@Category("Basalt workspace")
@StackTrace(false)
public final class StreamEvent extends jdk.jfr.Event {
    /** Handle. */
    @Label("Handle")
    public long handle;

    /** From. */
    @Label("From")
    public long from;

    /** To. */
    @Label("To")
    public long to;

    /** What orders the workspace. */
    @Label("What orders the workspace")
    public String action;

    /** An event with empty fields. */
    public StreamEvent() {}
}
