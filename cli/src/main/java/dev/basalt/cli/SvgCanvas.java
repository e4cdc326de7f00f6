package dev.basalt.cli;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** An SVG: texts stay texts, so the file is small and can be searched; colours follow the reader's light or dark mode. */
final class SvgCanvas implements Canvas {
    private final StringBuilder svg = new StringBuilder();

    SvgCanvas(int width, int height) {
        append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                + " font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">%n<style>%n", width, height, width,
                height);
        for (Ink ink : Ink.values()) {
            append("%s%n", rule(ink, ink.light()));
        }
        append("@media (prefers-color-scheme: dark) {%n");
        for (Ink ink : Ink.values()) {
            append("%s%n", rule(ink, ink.dark()));
        }
        append("}%n</style>%n<rect width=\"100%%\" height=\"100%%\" class=\"%s\"/>%n", fill(Ink.PAPER));
    }

    private static String rule(Ink ink, int colour) {
        return String.format(".f-%s{fill:#%06x}.s-%s{stroke:#%06x;fill:none}", ink.word(), colour, ink.word(), colour);
    }

    private static String fill(Ink ink) {
        return "f-" + ink.word();
    }

    private void append(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }

    @Override
    public void line(double[] x, double[] y, Ink ink, double width, float... dashes) {
        StringBuilder pattern = new StringBuilder();
        for (float dash : dashes) {
            pattern.append(pattern.isEmpty() ? " stroke-dasharray=\"" : " ").append((int) dash);
        }
        append("<polyline class=\"s-%s\" stroke-width=\"%.1f\"%s stroke-linejoin=\"round\" points=\"%s\"/>%n",
                ink.word(), width, pattern.isEmpty() ? "" : pattern.append('"'), points(x, y));
    }

    private static String points(double[] x, double[] y) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < x.length; i++) {
            points.append(i == 0 ? "" : " ").append(String.format(Locale.ROOT, "%.1f,%.1f", x[i], y[i]));
        }
        return points.toString();
    }

    @Override
    public void fill(double[] x, double[] y, Ink ink) {
        append("<polygon class=\"%s\" points=\"%s\"/>%n", fill(ink), points(x, y));
    }

    @Override
    public void disc(double x, double y, double radius, Ink ink) {
        append("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>%n", fill(ink), x, y, radius);
    }

    @Override
    public void text(double x, double y, String text, Anchor anchor, int size, boolean bold, boolean turned, Ink ink) {
        String turn = turned ? String.format(Locale.ROOT, " transform=\"rotate(-90 %.1f %.1f)\"", x, y) : "";
        append("<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" font-size=\"%d\" text-anchor=\"%s\"%s%s>%s</text>%n", x, y,
                fill(ink), size, anchor.name().toLowerCase(Locale.ROOT), bold ? " font-weight=\"bold\"" : "", turn,
                text.replace("&", "&amp;").replace("<", "&lt;"));
    }

    @Override
    public byte[] content() {
        return (svg + "</svg>" + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
    }
}
