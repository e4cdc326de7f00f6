package dev.basalt;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Draws a plan as SVG: a bar for each call, as high as its best tier and coloured by slot, with a tick at each lower tier. The
 * whole needs the highest bar, not the sum, and that is what the two lines across show.
 */
final class PlanPicture {
    /** Told apart by colour-blind people, too (Paul Tol's bright and muted schemes). */
    private static final List<String> PALETTE = List.of("#4477aa", "#ee8866", "#228833", "#ccbb44", "#aa3377",
            "#66ccee", "#882255", "#999933", "#44aa99", "#bbbbbb");

    /** Of these, dark letters are easier to read than white ones. */
    private static final Set<String> LIGHT = Set.of("#ee8866", "#ccbb44", "#66ccee", "#999933", "#44aa99", "#bbbbbb");

    /** Keeps a text readable where it crosses a line. */
    private static final String HALO = "paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"3\"";

    /** Whoever reads in dark mode gets dark paper; the colours of the bars stay. */
    private static final String DARK =
            "<style>@media (prefers-color-scheme: dark) {rect[fill=\"#ffffff\"] {fill: #14171a}"
                    + " [fill=\"#222222\"] {fill: #e6e6e6} [fill=\"#666666\"] {fill: #a0a6ac} [stroke=\"#222222\"] {stroke: #e6e6e6}"
                    + " [stroke=\"#e2e2e2\"] {stroke: #33383d} text[stroke=\"#ffffff\"] {stroke: #14171a}"
                    + " [stroke=\"#1b4f8a\"] {stroke: #7fb3e6} [fill=\"#1b4f8a\"] {fill: #7fb3e6}"
                    + " [stroke=\"#c0392b\"] {stroke: #ff7a66} [fill=\"#c0392b\"] {fill: #ff7a66}}</style>";

    private static final String INK = "#222222";
    private static final String FAINT = "#e2e2e2";
    private static final String GREY = "#666666";
    private static final String MINIMUM = "#c0392b";
    private static final String OPTIMUM = "#1b4f8a";

    private static final double LEFT = 96;
    private static final double RIGHT = 150;
    private static final double TOP = 112;
    private static final double HEIGHT = 320;
    /** Around a letter of 11 pixels; SVG cannot say how wide a text is. */
    private static final double LETTER = 6.2;

    /** Below this width there is no room beside a bar for the names of its tiers. */
    private static final double WIDE = 150;
    /** Below this width the labels of neighbours would touch, so they are turned. */
    private static final double UPRIGHT = 110;

    private static final int LONGEST_LABEL = 34;

    private final Plan plan;
    private final List<PlannedCall> calls;
    private final Map<String, String> colours = new LinkedHashMap<>();
    private final StringBuilder svg = new StringBuilder();
    private final String unitName;
    private final double unit;
    private final double step;
    private final double top;
    private final double pitch;
    private final double width;

    /** Known once the legend is laid out. */
    private int legendRows;

    PlanPicture(Plan plan) {
        this.plan = plan;
        this.calls = plan.calls();
        for (PlannedCall call : calls) {
            for (PlannedCall.Slot slot : call.tiers().get(0).slots()) {
                if (slot.bytes() > 0) {
                    colours.computeIfAbsent(slot.name(), name -> PALETTE.get(colours.size() % PALETTE.size()));
                }
            }
        }
        double most = plan.optimal();
        boolean small = most > 0 && most < 0x1p20 / 8;
        boolean large = most > 10 * 0x1p30;
        this.unit = small ? 0x1p10 : large ? 0x1p30 : 0x1p20;
        this.unitName = small ? "KiB" : large ? "GiB" : "MiB";
        this.step = most == 0 ? 0.25 : step(most / unit / 6);
        this.top = most == 0 ? 1 : step * Math.ceil(most / unit / step);
        this.pitch = Math.clamp(960.0 / Math.max(1, calls.size()), 36, 320);
        this.width = Math.max(640, pitch * calls.size());
    }

    /** The next of 1, 2, 2.5, 5, 10, 20, … at or above a value. */
    private static double step(double atLeast) {
        double power = Math.pow(10, Math.floor(Math.log10(atLeast)));
        double digit = atLeast / power;
        return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 2.5 ? 2.5 : digit <= 5 ? 5 : 10);
    }

    String draw() {
        double bottom = TOP + HEIGHT + (pitch < UPRIGHT ? 26 + 0.8 * LETTER * longestLabel() : 56);
        String legend = legend(bottom + 18);
        double height = bottom + 18 + 20 * legendRows + 10;
        double whole = LEFT + width + RIGHT;
        element("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\""
                + " font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"11\">", whole, height,
                whole, height);
        svg.append(DARK).append('\n');
        element("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>");
        text(LEFT, 34, "start", INK, "font-size=\"18\" font-weight=\"bold\"", "Workspace plan");
        text(LEFT, 56, "start", GREY, "font-size=\"12\"", subtitle());
        axis();
        totals();
        for (int i = 0; i < calls.size(); i++) {
            bar(i);
        }
        svg.append(legend);
        element("</svg>");
        return svg.toString();
    }

    private String subtitle() {
        return calls.size() + (calls.size() == 1 ? " call" : " calls") + " on " + plan.deviceClass() + ": minimum "
                + ByteSize.format(plan.minimum()) + ", optimum " + ByteSize.format(plan.optimal())
                + (plan.peak() < 0 ? "" : ", peak at call " + (plan.peak() + 1)) + "; plan " + plan.hash();
    }

    private void axis() {
        // Where nothing needs memory, an axis up to some size would mislead.
        int lines = plan.optimal() == 0 ? 0 : (int) Math.round(top / step);
        for (int i = 0; i <= lines; i++) {
            double value = i * step;
            double y = y(value * unit);
            line(LEFT, y, LEFT + width, y, i == 0 ? INK : FAINT, 1, "");
            text(LEFT - 8, y + 4, "end", GREY, "", number(value));
        }
        element("<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\" fill=\"%s\">workspace, %s</text>",
                LEFT - 62, TOP + HEIGHT / 2, GREY, unitName);
        if (plan.optimal() == 0) {
            text(LEFT + width / 2, TOP + HEIGHT / 2, "middle", GREY, "font-size=\"14\"",
                    calls.isEmpty() ? "no calls" : "no call needs workspace");
        }
    }

    private String number(double value) {
        int digits = Math.max(0, (int) Math.ceil(-Math.log10(step) - 1e-9));
        // 0.25 and 2.5 take a digit more than 0.2 and 2.
        digits += Math.abs(step * Math.pow(10, digits) - Math.rint(step * Math.pow(10, digits))) > 1e-6 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    private void bar(int i) {
        PlannedCall call = calls.get(i);
        double thick = Math.min(64, pitch * 0.56);
        double x = LEFT + (width - pitch * calls.size()) / 2 + pitch * (i + 0.5) - thick / 2;
        // Names of tiers stand on the right of a bar, so the bar moves to the left.
        x -= pitch >= WIDE ? pitch * 0.16 : 0;
        element("<g>");
        element("<title>%s</title>", escape(description(i, call)));
        double base = 0;
        for (PlannedCall.Slot slot : call.tiers().get(0).slots()) {
            segment(call, slot, x, thick, base);
            base += slot.bytes();
        }
        boolean peak = i == plan.peak();
        if (peak) {
            outline(x, y(base), thick, TOP + HEIGHT - y(base));
        }
        ticks(call, x, thick);
        element("</g>");
        above(call, x + thick / 2, y(base), peak);
        below(i, call, x + thick / 2);
    }

    private String description(int i, PlannedCall call) {
        StringBuilder text = new StringBuilder((i + 1) + ". " + call.routine() + " " + call.shape());
        for (PlannedCall.Tier tier : call.tiers()) {
            text.append("\n").append(tier.name()).append(": ").append(ByteSize.format(tier.bytes()));
            for (PlannedCall.Slot slot : tier.slots()) {
                text.append("\n  ").append(slot.name()).append(' ').append(ByteSize.format(slot.bytes()));
            }
        }
        return text.toString();
    }

    private void segment(PlannedCall call, PlannedCall.Slot slot, double x, double thick, double base) {
        if (slot.bytes() == 0) {
            return;
        }
        double from = y(base + slot.bytes());
        double to = y(base);
        String colour = colours.get(slot.name());
        element("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"0.6\"/>",
                x, from, thick, Math.max(to - from, 0.8), colour);
        double at = clear(call, from, to);
        if (at > 0 && slot.name().length() * LETTER <= thick - 4) {
            String ink = LIGHT.contains(colour) ? INK : "#ffffff";
            text(x + thick / 2, at + 4, "middle", ink, "font-weight=\"bold\"", slot.name());
        }
    }

    /** The middle of the widest stretch between ticks, so that no name is struck through; 0 if it is too narrow. */
    private double clear(PlannedCall call, double from, double to) {
        double edge = from;
        double widest = 0;
        double middle = 0;
        for (int t = 1; t <= call.tiers().size(); t++) {
            double next = t == call.tiers().size() ? to : y(call.tiers().get(t).bytes());
            next = Math.clamp(next, from, to);
            if (next - edge > widest) {
                widest = next - edge;
                middle = edge + widest / 2;
            }
            edge = next;
        }
        return widest >= 17 ? middle : 0;
    }

    private void outline(double x, double y, double thick, double high) {
        element("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"/>",
                x, y, thick, high, INK);
    }

    /** A tick for each lower tier, the last in the colour of the minimum; with names where there is room. */
    private void ticks(PlannedCall call, double x, double thick) {
        List<PlannedCall.Tier> tiers = call.tiers();
        boolean named = pitch >= WIDE && call.optimal() > 0;
        // From the bottom upwards, each name at least a line above the one before, and above the line it stands for.
        double free = TOP + HEIGHT - 3;
        for (int t = tiers.size() - 1; t >= 0; t--) {
            PlannedCall.Tier tier = tiers.get(t);
            double y = y(tier.bytes());
            String colour = t == 0 ? INK : t == tiers.size() - 1 ? MINIMUM : INK;
            if (t > 0) {
                line(x - 4, y, x + thick + 4, y, "#ffffff", 4, "");
                line(x - 4, y, x + thick + 4, y, colour, 1.8, "");
            }
            if (named) {
                double at = Math.min(free, t == 0 ? y + 13 : y - 3);
                free = at - 13;
                String label = tier.name() + (t == 0 ? "" : ", " + ByteSize.format(tier.bytes()));
                line(x + thick + 4, y, x + thick + 10, at - 4, "#aaaaaa", 0.8, "");
                text(x + thick + 12, at, "start", colour, "font-size=\"10.5\" " + HALO,
                        shortened(label, pitch * 0.66 - thick / 2));
            }
        }
    }

    private void above(PlannedCall call, double x, double y, boolean peak) {
        if (call.optimal() == 0) {
            return;
        }
        String size = pitch >= 60 ? ByteSize.format(call.optimal()) : "";
        double at = y - 7;
        if (!size.isEmpty()) {
            text(x, at, "middle", INK, peak ? "font-weight=\"bold\"" : "", size);
            at -= 14;
        }
        if (peak) {
            element("<path d=\"M%.1f %.1f l-5 -9 h10 z\" fill=\"%s\"/>", x, at, INK);
            text(x, at - 13, "middle", INK, "font-weight=\"bold\"", "peak");
        }
    }

    private void below(int i, PlannedCall call, double x) {
        double y = TOP + HEIGHT;
        if (pitch >= UPRIGHT) {
            text(x, y + 18, "middle", INK, "font-weight=\"bold\"", (i + 1) + "  " + call.routine());
            text(x, y + 33, "middle", GREY, "font-size=\"10.5\"", shortened(call.shape(), pitch));
        } else {
            element("<text transform=\"translate(%.1f %.1f) rotate(-55)\" text-anchor=\"end\" fill=\"%s\">%s</text>",
                    x + 4, y + 14, INK, escape(label(i)));
        }
    }

    private String label(int i) {
        PlannedCall call = calls.get(i);
        return cut((i + 1) + " " + call.routine() + " " + call.shape(), LONGEST_LABEL);
    }

    private int longestLabel() {
        int longest = 0;
        for (int i = 0; i < calls.size(); i++) {
            longest = Math.max(longest, label(i).length());
        }
        return longest;
    }

    private void totals() {
        if (plan.optimal() == 0) {
            return;
        }
        double high = y(plan.optimal());
        double low = y(plan.minimum());
        // Behind the bars, which have ticks of their own.
        line(LEFT, high, LEFT + width, high, OPTIMUM, 1.4, "6 4");
        line(LEFT, low, LEFT + width, low, MINIMUM, 1.4, "6 4");
        double x = LEFT + width + 8;
        // Two lines of text each; if the lines are close, the labels move apart.
        double apart = Math.max(0, 34 - (low - high)) / 2;
        both(x, high - apart, OPTIMUM, "optimum", plan.optimal());
        both(x, low + apart, MINIMUM, "minimum", plan.minimum());
    }

    private void both(double x, double y, String colour, String what, long bytes) {
        text(x, y - 1, "start", colour, "font-weight=\"bold\"", "total " + what);
        text(x, y + 12, "start", colour, "", ByteSize.format(bytes));
    }

    /** Slots and signs, in a row that is broken where it gets too long; the height of the picture depends on it. */
    private String legend(double y) {
        List<String> names = new ArrayList<>(colours.keySet());
        names.add("lower tier");
        names.add("last tier: the call's minimum");
        double x = LEFT;
        legendRows = 1;
        int from = svg.length();
        for (String name : names) {
            double wide = 34 + name.length() * LETTER;
            if (x > LEFT && x + wide > LEFT + width + RIGHT - 20) {
                x = LEFT;
                legendRows++;
            }
            double at = y + 20 * (legendRows - 1);
            if (colours.containsKey(name)) {
                element("<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"12\" fill=\"%s\"/>", x, at - 10,
                        colours.get(name));
            } else {
                line(x - 2, at - 4, x + 16, at - 4, name.startsWith("last") ? MINIMUM : INK, 1.8, "");
            }
            text(x + 20, at, "start", INK, "", name);
            x += wide;
        }
        String drawn = svg.substring(from);
        svg.setLength(from);
        return drawn;
    }

    private double y(double bytes) {
        return TOP + HEIGHT * (1 - bytes / unit / top);
    }

    private static String shortened(String text, double pixels) {
        return cut(text, (int) Math.max(6, pixels / 5.6));
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 1) + "\u2026";
    }

    private void line(double x1, double y1, double x2, double y2, String colour, double thick, String dashes) {
        element("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"%s/>", x1, y1,
                x2, y2, colour, thick, dashes.isEmpty() ? "" : " stroke-dasharray=\"" + dashes + "\"");
    }

    private void text(double x, double y, String anchor, String colour, String more, String text) {
        element("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\" %s>%s</text>", x, y, anchor, colour, more,
                escape(text));
    }

    private void element(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
