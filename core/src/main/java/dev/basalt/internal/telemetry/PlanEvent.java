package dev.basalt.internal.telemetry;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A plan was made. */
@Name("dev.basalt.WorkspacePlan")
@Label("WorkspacePlan")
@Description("A plan was made")
@Category("Basalt workspace")
@StackTrace(false)
public final class PlanEvent extends jdk.jfr.Event {
    /** Calls. */
    @Label("Calls")
    public long calls;

    /** Minimum. */
    @Label("Minimum")
    @DataAmount
    public long minimum;

    /** Optimum. */
    @Label("Optimum")
    @DataAmount
    public long optimal;

    /** Peak call. */
    @Label("Peak call")
    public String peak;

    /** Hash. */
    @Label("Hash")
    public String hash;

    /** An event with empty fields. */
    public PlanEvent() {}
}
