package dev.basalt.internal.telemetry;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A handle changed its memory scheme. */
@Name("dev.basalt.WorkspaceSchemeChange")
@Label("WorkspaceSchemeChange")
@Description("A handle changed its memory scheme")
@Category("Basalt workspace")
@StackTrace(false)
public final class SchemeEvent extends jdk.jfr.Event {
    /** Handle. */
    @Label("Handle")
    public long handle;

    /** From. */
    @Label("From")
    public String from;

    /** To. */
    @Label("To")
    public String to;

    /** Bytes held. */
    @Label("Bytes held")
    @DataAmount
    public long bytes;

    /** An event with empty fields. */
    public SchemeEvent() {}
}
