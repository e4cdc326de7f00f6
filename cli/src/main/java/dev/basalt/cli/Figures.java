package dev.basalt.cli;

import dev.basalt.ByteSize;
import dev.basalt.CallReport;
import dev.basalt.Handle;
import dev.basalt.Plan;
import dev.basalt.Status;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Figures as reports have them. */
final class Figures {
    private Figures() {}

    /** A number with so many digits that count, without zeros at its end. */
    static String digits(double value, int digits) {
        if (!Double.isFinite(value)) {
            return Double.isNaN(value) ? "NaN" : value > 0 ? "infinite" : "-infinite";
        }
        double size = Math.abs(value);
        if (value == 0) {
            return "0";
        }
        if (size < 1e-4 || size >= 1e7) {
            return String.format(Locale.ROOT, "%." + (digits - 1) + "e", value).replaceFirst("\\.?0+e", "e");
        }
        int before = Math.max(1, 1 + (int) Math.floor(Math.log10(size)));
        String text = String.format(Locale.ROOT, "%." + Math.max(0, digits - before) + "f", value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    /** A number in a format, where it is one. */
    static String number(String format, double value) {
        return Double.isNaN(value) ? "unknown"
                : Double.isFinite(value) ? String.format(Locale.ROOT, format, value)
                : "infinite";
    }

    /** How a computation of one call went: time, workspace, and what was degraded. */
    static void outcome(Report report, Handle handle, Workbench.Run run, char letter) {
        report.add("time", number("%.4f", run.seconds()) + " s", "seconds", run.seconds());
        workspace(report, handle, run.plan());
        degraded(report, run.call(), letter);
    }

    /** The workspace of a computation: what was used, planned and held. */
    static void workspace(Report report, Handle handle, Plan plan) {
        long used = handle.highWater();
        long held = handle.getDeviceMemorySize();
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("used", used);
        values.put("planned", plan.optimal());
        values.put("minimum", plan.minimum());
        values.put("held", held);
        values.put("scheme", handle.workspaceScheme().name());
        report.add("workspace",
                "used " + ByteSize.format(used) + ", planned " + ByteSize.format(plan.optimal()) + " (minimum "
                        + ByteSize.format(plan.minimum()) + "), held " + ByteSize.format(held) + ", scheme "
                        + handle.workspaceScheme(),
                "workspace", values);
    }

    /** Which algorithm ran for want of workspace, and what would help. */
    static void degraded(Report report, CallReport call, char letter) {
        if (call.status() == Status.PERF_DEGRADED) {
            String text = letter + call.routine() + " ran \"" + call.tierName() + "\" in "
                    + ByteSize.format(call.bytesUsed()) + "; the next better algorithm takes "
                    + ByteSize.format(call.bytesToNextTier()) + ", the best " + ByteSize.format(call.optimal());
            report.add("degraded", text);
        }
    }
}
