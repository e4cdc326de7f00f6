package dev.basalt.cli;

import dev.basalt.bench.Bench;
import dev.basalt.bench.Routine;
import dev.basalt.bench.Workload;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Speeds over n as a picture, with what the machine can do at most drawn in as dashed lines. */
final class SpeedPlot {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 600;
    /** Sizes that span more than that are drawn on a logarithmic axis. */
    private static final double LOGARITHMIC = 10;

    /** Colours that people with any kind of colour vision tell apart (Okabe and Ito). */
    private static final Color[] COLORS =
            {new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73), new Color(0xCC79A7), new Color(0x56B4E9)};

    private static final Color LIMIT = new Color(0x666666);

    private final Path file;
    private final boolean svg;
    private final Routine.Unit unit;
    private final Map<String, NavigableMap<Long, Double>> speeds = new LinkedHashMap<>();
    private final Map<String, NavigableMap<Long, Double>> limits = new LinkedHashMap<>();

    /** Refuses what could not be drawn before anything is measured. */
    SpeedPlot(Path file, List<Workload> workloads) {
        this.file = file;
        String name = file.toString().toLowerCase(Locale.ROOT);
        this.svg = name.endsWith(".svg");
        if (!svg && !name.endsWith(".png")) {
            throw Failure.usage("--plot: " + file + " must end in .png or .svg", null);
        }
        MarketWriter.check(file);
        this.unit = workloads.get(0).routine.unit();
        for (Workload workload : workloads) {
            if (workload.routine.unit() != unit) {
                throw Failure.usage("--plot: " + workloads.get(0).name() + " is in " + unit + " and " + workload.name()
                        + " in " + workload.routine.unit() + "; draw two pictures", null);
            }
        }
    }

    /** A point of each curve. */
    void add(Bench.Line line, String peer) {
        Workload w = line.workload();
        put(speeds, w.name(), w.order(), w.work() / line.basalt().min());
        if (line.peer() != null) {
            put(speeds, w.name() + ", " + peer, w.order(), w.work() / line.peer().min());
        }
        put(limits, line.limit().name(), w.order(), line.limit().perNano());
    }

    private static void put(Map<String, NavigableMap<Long, Double>> curves, String name, long n, double speed) {
        curves.computeIfAbsent(name, c -> new TreeMap<>()).put(n, speed);
    }

    /**
     * Draws and writes the picture.
     *
     * @param device what it was measured on
     * @param threads threads at work; 0 if unknown
     */
    void draw(String device, int threads) {
        XYChart chart = new XYChartBuilder().width(WIDTH)
                .height(HEIGHT)
                .title(String.join(", ", titles()) + (threads == 0 ? "" : ", threads: " + threads))
                .xAxisTitle("n (" + device + ")")
                .yAxisTitle(unit + ", fastest sample")
                .build();
        style(chart);
        int at = 0;
        for (Map.Entry<String, NavigableMap<Long, Double>> curve : speeds.entrySet()) {
            XYSeries series = series(chart, curve);
            series.setLineColor(COLORS[at % COLORS.length]);
            series.setMarkerColor(COLORS[at % COLORS.length]);
            series.setMarker(at % 2 == 0 ? SeriesMarkers.CIRCLE : SeriesMarkers.DIAMOND);
            series.setLineWidth(2);
            at++;
        }
        float[][] dashes = {{8, 5}, {2, 4}};
        at = 0;
        for (Map.Entry<String, NavigableMap<Long, Double>> curve : limits.entrySet()) {
            XYSeries series = series(chart, flat(curve));
            series.setLineColor(LIMIT);
            series.setMarker(SeriesMarkers.NONE);
            series.setLineStyle(new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1,
                    dashes[at++ % dashes.length], 0));
        }
        write(chart);
    }

    /** The peak of arithmetic is one number; the bandwidth depends on where the operands fit. */
    private Map.Entry<String, NavigableMap<Long, Double>> flat(Map.Entry<String, NavigableMap<Long, Double>> curve) {
        if (unit == Routine.Unit.BYTES) {
            return curve;
        }
        double most = 0;
        for (double speed : curve.getValue().values()) {
            most = Math.max(most, speed);
        }
        NavigableMap<Long, Double> line = new TreeMap<>(curve.getValue());
        double peak = most;
        line.replaceAll((n, speed) -> peak);
        return Map.entry(curve.getKey(), line);
    }

    private List<String> titles() {
        List<String> names = new ArrayList<>();
        for (String name : speeds.keySet()) {
            if (!name.contains(",")) {
                names.add(name);
            }
        }
        return names;
    }

    private void style(XYChart chart) {
        long least = Long.MAX_VALUE;
        long most = 0;
        double top = 0;
        for (Map<String, NavigableMap<Long, Double>> curves : List.of(speeds, limits)) {
            for (NavigableMap<Long, Double> curve : curves.values()) {
                least = Math.min(least, curve.firstKey());
                most = Math.max(most, curve.lastKey());
                for (double speed : curve.values()) {
                    top = Math.max(top, speed);
                }
            }
        }
        Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
        chart.getStyler()
                .setXAxisLogarithmic(most > LOGARITHMIC * least)
                .setYAxisMin(0.0)
                .setYAxisMax(1.1 * top)
                .setXAxisDecimalPattern("#,##0")
                .setYAxisDecimalPattern(top < 10 ? "0.0" : "#,##0")
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal)
                .setChartBackgroundColor(Color.WHITE)
                .setPlotBorderVisible(false)
                .setChartTitleFont(font.deriveFont(Font.BOLD, 15f))
                .setLegendFont(font);
    }

    private static XYSeries series(XYChart chart, Map.Entry<String, NavigableMap<Long, Double>> curve) {
        List<Double> x = new ArrayList<>();
        for (long n : curve.getValue().keySet()) {
            x.add((double) n);
        }
        return chart.addSeries(curve.getKey(), x, new ArrayList<>(curve.getValue().values()));
    }

    private void write(XYChart chart) {
        try {
            // Drawn in memory, since not every encoder tells of bytes that it could not write.
            ByteArrayOutputStream picture = new ByteArrayOutputStream();
            if (svg) {
                VectorGraphicsEncoder.saveVectorGraphic(chart, picture, VectorGraphicsFormat.SVG);
            } else {
                BitmapEncoder.saveBitmap(chart, picture, BitmapFormat.PNG);
            }
            Files.write(file, picture.toByteArray());
        } catch (IOException e) {
            throw MarketWriter.failure(file, e);
        }
    }
}
