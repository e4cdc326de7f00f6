package dev.basalt.cli;

import dev.basalt.cli.Canvas.Anchor;
import dev.basalt.cli.Canvas.Ink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;

/** Curves over an axis as a picture, with a legend that wraps and is never cut. */
final class Chart {
    private static final int WIDTH = 960;
    private static final int LEFT = 76;
    private static final int RIGHT = 24;
    private static final int TOP = 56;
    private static final int PLOT = 470;
    private static final int ROW = 22;
    /** Around a letter of 13 pixels; SVG cannot say how wide a text is. */
    private static final double LETTER = 7.1;

    /** Around the points of a plane. */
    private static final double ROOM = 1.1;

    /** From so many points on markers would hide a line. */
    private static final int CROWD = 64;

    private static final Ink[] INKS =
            {Ink.BLUE, Ink.RED, Ink.GREEN, Ink.PINK, Ink.SKY, Ink.AMBER, Ink.BROWN, Ink.BLACK};
    private static final float[][] DASHES = {{8, 5}, {2, 4}, {12, 4, 2, 4}, {5, 3}};

    /** A curve, or a limit that no curve goes beyond. Nobody outside sees its arrays. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Curve(String name, double[] x, double[] y, boolean limit, boolean joined) {
        boolean crowded() {
            return x.length > CROWD;
        }
    }

    private final String title;
    private final String xTitle;
    private final String yTitle;
    private final List<Curve> curves = new ArrayList<>();
    private Axis across;
    private Axis up;
    private boolean logX;
    private boolean logY;
    private boolean plane;

    Chart(String title, String xTitle, String yTitle) {
        this.title = title;
        this.xTitle = xTitle;
        this.yTitle = yTitle;
    }

    /** Refuses a name whose end does not say what to draw, and a place that cannot be written. */
    static void check(String option, Path file) {
        if (!isSvg(file) && !file.toString().toLowerCase(Locale.ROOT).endsWith(".png")) {
            throw Failure.usage(option + ": " + file + " must end in .png or .svg", null);
        }
        MarketWriter.check(file);
    }

    private static boolean isSvg(Path file) {
        return file.toString().toLowerCase(Locale.ROOT).endsWith(".svg");
    }

    /** Which axes are logarithmic. */
    Chart logarithmic(boolean x, boolean y) {
        logX = x;
        logY = y;
        return this;
    }

    /** Both axes get one scale and round labels, and zero has a line on each: so a circle is a circle. */
    Chart plane() {
        plane = true;
        return this;
    }

    /** Adds points x, y that are not joined; all of them are drawn, but no place twice. */
    Chart points(String name, List<double[]> points) {
        double[] x = points.stream().mapToDouble(p -> p[0]).toArray();
        double[] y = points.stream().mapToDouble(p -> p[1]).toArray();
        curves.add(new Curve(name, x, y, false, false));
        return this;
    }

    /** Adds a curve; its points are joined if there are not too many jumps to follow. */
    Chart curve(String name, SortedMap<? extends Number, Double> points, boolean joined) {
        curves.add(new Curve(name, values(points.keySet()), values(points.values()), false, joined));
        return this;
    }

    /** Adds a limit, dashed; one point alone holds for all. */
    Chart limit(String name, NavigableMap<? extends Number, Double> points) {
        curves.add(new Curve(name, values(points.keySet()), values(points.values()), true, true));
        return this;
    }

    private static double[] values(Collection<? extends Number> numbers) {
        return numbers.stream().mapToDouble(Number::doubleValue).toArray();
    }

    /** Draws and writes the picture. */
    void write(Path file) {
        List<List<Curve>> rows = legend();
        int height = TOP + PLOT + 56 + ROW * rows.size() + 8;
        if (plane) {
            squareAxes();
        } else {
            across = Axis.of(xs(), logX, false, LEFT, WIDTH - RIGHT);
            up = Axis.of(ys(), logY, !logY, TOP + PLOT, TOP);
        }
        Canvas canvas = isSvg(file) ? new SvgCanvas(WIDTH, height) : new PngCanvas(WIDTH, height);
        axes(canvas);
        for (Curve curve : curves) {
            draw(canvas, curve);
        }
        double y = TOP + PLOT + 72;
        for (List<Curve> row : rows) {
            row(canvas, row, y);
            y += ROW;
        }
        try {
            Files.write(file, canvas.content());
        } catch (IOException e) {
            throw MarketWriter.failure(file, e);
        }
    }

    private void squareAxes() {
        double[] x = xs();
        double[] y = ys();
        double[] across = {x[0], x[x.length - 1]};
        double[] up = {y[0], y[y.length - 1]};
        // A part in the size of all, so that a spectrum of one point has a place.
        double size = Math.max(Math.max(Math.abs(across[0]), Math.abs(across[1])),
                Math.max(Math.abs(up[0]), Math.abs(up[1])));
        double least = size == 0 ? 1 : size / 50;
        double width = WIDTH - RIGHT - LEFT;
        double unit = Math.max(Math.max((across[1] - across[0]) / width, (up[1] - up[0]) / PLOT), least / width) * ROOM;
        this.across =
                Axis.plain(middle(across) - unit * width / 2, middle(across) + unit * width / 2, LEFT, WIDTH - RIGHT);
        this.up = Axis.plain(middle(up) - unit * PLOT / 2, middle(up) + unit * PLOT / 2, TOP + PLOT, TOP);
    }

    private static double middle(double[] ends) {
        return ends[0] / 2 + ends[1] / 2;
    }

    private double[] xs() {
        return curves.stream().flatMapToDouble(c -> Arrays.stream(c.x)).sorted().distinct().toArray();
    }

    private double[] ys() {
        return curves.stream().flatMapToDouble(c -> Arrays.stream(c.y)).filter(v -> !logY || v > 0).sorted().toArray();
    }

    private void axes(Canvas canvas) {
        canvas.text(LEFT, 32, title, Anchor.START, 16, true, false, Ink.TEXT);
        for (double value : up.ticks(34)) {
            double y = up.place(value);
            canvas.line(new double[] {LEFT, WIDTH - RIGHT}, new double[] {y, y}, Ink.GRID, 1);
            canvas.text(LEFT - 8, y + 4, up.label(value), Anchor.END, 12, false, false, Ink.FAINT);
        }
        double bottom = TOP + PLOT;
        canvas.line(new double[] {LEFT, WIDTH - RIGHT}, new double[] {bottom, bottom}, Ink.TEXT, 1);
        for (double value : across.ticks(56)) {
            double x = across.place(value);
            canvas.line(new double[] {x, x}, new double[] {bottom, bottom + 5}, Ink.TEXT, 1);
            canvas.text(x, bottom + 20, across.label(value), Anchor.MIDDLE, 12, false, false, Ink.FAINT);
        }
        double zero = plane ? across.place(0) : LEFT;
        if (zero > LEFT && zero < WIDTH - RIGHT) {
            canvas.line(new double[] {zero, zero}, new double[] {TOP, bottom}, Ink.FAINT, 1);
        }
        double level = plane ? up.place(0) : bottom;
        if (level > TOP && level < bottom) {
            canvas.line(new double[] {LEFT, WIDTH - RIGHT}, new double[] {level, level}, Ink.FAINT, 1);
        }
        canvas.text((LEFT + WIDTH - RIGHT) / 2.0, bottom + 42, xTitle, Anchor.MIDDLE, 13, false, false, Ink.TEXT);
        canvas.text(18, TOP + PLOT / 2.0, yTitle, Anchor.MIDDLE, 13, false, true, Ink.TEXT);
    }

    private void draw(Canvas canvas, Curve curve) {
        int count = 0;
        double[] x = new double[curve.x.length];
        double[] y = new double[curve.x.length];
        for (int i = 0; i < curve.x.length; i++) {
            // A value of 0 has no place on a logarithmic axis.
            if (!logY || curve.y[i] > 0) {
                x[count] = across.place(curve.x[i]);
                y[count++] = up.place(curve.y[i]);
            }
        }
        x = Arrays.copyOf(x, count);
        y = Arrays.copyOf(y, count);
        if (curve.limit && count == 1) {
            x = new double[] {LEFT, WIDTH - RIGHT};
            y = new double[] {y[0], y[0]};
        }
        stroke(canvas, curve, x, y);
    }

    private void stroke(Canvas canvas, Curve curve, double[] x, double[] y) {
        Ink ink = ink(curve);
        if (curve.limit) {
            canvas.line(x, y, ink, 1.5, DASHES[number(curve) % DASHES.length]);
            return;
        }
        if (curve.joined && x.length > 1) {
            canvas.line(x, y, ink, 2);
        }
        if (curve.joined && curve.crowded()) {
            return;
        }
        if (plane) {
            Set<Long> taken = new HashSet<>();
            for (int i = 0; i < x.length; i++) {
                if (taken.add(Math.round(x[i] * 2) << 32 | Math.round(y[i] * 2))) {
                    marker(canvas, number(curve), x[i], y[i], ink, curve.crowded() ? 2.5 : 4);
                }
            }
            return;
        }
        // Many more points would only fill the file.
        int every = Math.max(1, x.length / 400);
        for (int i = 0; i < x.length; i += every) {
            marker(canvas, number(curve), x[i], y[i], ink, 4);
        }
    }

    private void key(Canvas canvas, Curve curve, double x, double y) {
        double[] ends = {x, x + 28};
        double[] level = {y, y};
        if (curve.limit) {
            stroke(canvas, curve, ends, level);
            return;
        }
        canvas.line(ends, level, ink(curve), 2);
        if (!curve.crowded()) {
            marker(canvas, number(curve), x + 14, y, ink(curve), 4);
        }
    }

    /** Curves of one colour have markers of other shapes. */
    private static void marker(Canvas canvas, int number, double x, double y, Ink ink, double r) {
        switch ((number + number / INKS.length) % 4) {
            case 0 -> canvas.disc(x, y, r, ink);
            case 1 ->
                canvas.fill(new double[] {x, x + r + 1, x, x - r - 1}, new double[] {y - r - 1, y, y + r + 1, y}, ink);
            case 2 ->
                canvas.fill(new double[] {x - r, x + r, x + r, x - r}, new double[] {y - r, y - r, y + r, y + r}, ink);
            default -> canvas.fill(new double[] {x, x + r + 1, x - r - 1}, new double[] {y - r - 1, y + r, y + r}, ink);
        }
    }

    private Ink ink(Curve curve) {
        return curve.limit ? Ink.LIMIT : INKS[number(curve) % INKS.length];
    }

    private int number(Curve curve) {
        int number = 0;
        for (Curve other : curves) {
            if (other == curve) {
                break;
            }
            number += other.limit == curve.limit ? 1 : 0;
        }
        return number;
    }

    /** The curves in as many rows as their names need. */
    private List<List<Curve>> legend() {
        List<List<Curve>> rows = new ArrayList<>();
        double used = Double.MAX_VALUE;
        for (Curve curve : curves) {
            double width = entry(curve);
            if (used + width > WIDTH - LEFT - RIGHT) {
                rows.add(new ArrayList<>());
                used = 0;
            }
            rows.getLast().add(curve);
            used += width;
        }
        return rows;
    }

    private static double entry(Curve curve) {
        return 56 + LETTER * curve.name.length();
    }

    private void row(Canvas canvas, List<Curve> row, double y) {
        double x = LEFT;
        for (Curve curve : row) {
            if (curve.joined || curve.limit) {
                key(canvas, curve, x, y - 4);
            } else {
                stroke(canvas, curve, new double[] {x + 14}, new double[] {y - 4});
            }
            canvas.text(x + 36, y, curve.name, Anchor.START, 13, false, false, Ink.TEXT);
            x += entry(curve);
        }
    }
}
