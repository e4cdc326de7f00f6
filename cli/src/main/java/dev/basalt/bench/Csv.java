package dev.basalt.bench;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A line of comma-separated values for each case. The columns are the same for all routines; what a routine does not have is
 * left empty. The arguments carry the names of the options, so that a line can be run again.
 */
public final class Csv {
    private static final String[] COLUMNS =
            ("function,precision,transposeA,transposeB,side,uplo,diag,m,n,k,nrhs,alpha,beta,"
                    + "lda,ldb,ldc,incx,incy,stride_a,stride_b,stride_c,stride_x,stride_y,batch_count,device,threads,cache,"
                    + "cold_iters,iters,us_min,us,us_max,gflops,gbytes,workspace_bytes,degraded,peer,peer_us_min,peer_us,"
                    + "peer_us_max,peer_gflops,peer_gbytes,ratio,promised,limit,limit_unit,share,error,peer_error,verified")
                    .split(",");

    private static final int DIGITS = 4;

    private final Settings settings;
    private final String device;
    private final int threads;
    private final String peer;

    /**
     * For all cases of a run.
     *
     * @param settings how it is measured
     * @param device the device's name
     * @param threads threads at work in a call; 0 if that means nothing on the device
     * @param peer the peer's name, empty for none
     */
    public Csv(Settings settings, String device, int threads, String peer) {
        this.settings = settings;
        this.device = device.contains(",") ? '"' + device + '"' : device;
        this.threads = threads;
        this.peer = peer;
    }

    /**
     * The names of the columns.
     *
     * @return first line
     */
    public String head() {
        return String.join(",", COLUMNS);
    }

    /**
     * One case.
     *
     * @param line what was measured
     * @return a line with as many values as there are columns
     */
    public String line(Bench.Line line) {
        Map<String, String> cells = new LinkedHashMap<>();
        for (String column : COLUMNS) {
            cells.put(column, "");
        }
        arguments(line.workload(), cells);
        cells.put("device", device);
        cells.put("threads", threads == 0 ? "" : Integer.toString(threads));
        cells.put("cache", line.cold() ? "cold" : "hot");
        cells.put("cold_iters", Integer.toString(settings.coldIters()));
        cells.put("iters", Integer.toString(settings.iters()));
        times("", line.workload(), line.basalt(), cells);
        cells.put("workspace_bytes", Long.toString(line.bytesUsed()));
        cells.put("degraded", line.degraded() ? "yes" : "no");
        if (line.peer() != null) {
            cells.put("peer", peer);
            times("peer_", line.workload(), line.peer(), cells);
            cells.put("ratio", decimal(3, line.peer().median() / line.basalt().median()));
        }
        Workload w = line.workload();
        put(cells, !Double.isNaN(w.promised), "promised", w.promised);
        if (line.limit() != null) {
            double speed = w.work() / line.basalt().median();
            cells.put("limit", decimal(1, line.limit().perNano()));
            cells.put("limit_unit", w.routine.unit().toString());
            cells.put("share", decimal(3, speed / line.limit().perNano()));
        }
        if (!Double.isNaN(line.error())) {
            cells.put("error", number("%.2g", line.error()));
            cells.put("peer_error", Double.isNaN(line.peerError()) ? "" : number("%.2g", line.peerError()));
            cells.put("verified", line.wrong() ? "WRONG" : "ok");
        }
        return String.join(",", cells.values());
    }

    private static void arguments(Workload w, Map<String, String> cells) {
        Routine routine = w.routine;
        cells.put("function", routine.family() + w.form.suffix());
        cells.put("precision", Character.toString(w.type.letter()));
        put(cells, routine.has("tA"), "transposeA", letter(w.transA));
        put(cells, routine.has("tB"), "transposeB", letter(w.transB));
        put(cells, routine.has("side"), "side", w.side == Side.LEFT ? "L" : "R");
        put(cells, routine.has("uplo"), "uplo", w.uplo == Uplo.LOWER ? "L" : "U");
        put(cells, routine.has("diag"), "diag", w.diag == Diag.UNIT ? "U" : "N");
        put(cells, routine.has("m"), "m", w.m);
        put(cells, routine.has("n"), "n", w.n);
        put(cells, routine.has("k"), "k", w.k);
        put(cells, routine.has("nrhs"), "nrhs", w.nrhs);
        put(cells, routine.has("alpha") || routine.has("ralpha"), "alpha", scalar(w.alpha.re(), w.alpha.im()));
        put(cells, routine.has("beta") || routine.has("rbeta"), "beta", scalar(w.beta.re(), w.beta.im()));
        for (Slot slot : routine.slots()) {
            String letter = slot.name().name().toLowerCase(Locale.ROOT);
            cells.put((slot.name().isVector() ? "inc" : "ld") + letter, Long.toString(w.leading(slot.name())));
            put(cells, w.form == Form.STRIDED_BATCHED, "stride_" + letter, w.stride(slot.name()));
        }
        cells.put("batch_count", Long.toString(w.batch));
    }

    private static void times(String prefix, Workload w, Times times, Map<String, String> cells) {
        cells.put(prefix + "us_min", decimal(4, times.min() / 1e3));
        cells.put(prefix + "us", decimal(4, times.median() / 1e3));
        cells.put(prefix + "us_max", decimal(4, times.max() / 1e3));
        put(cells, w.flops() > 0, prefix + "gflops", decimal(3, w.flops() / times.median()));
        cells.put(prefix + "gbytes", decimal(3, w.bytes() / times.median()));
    }

    private static void put(Map<String, String> cells, boolean has, String column, Object value) {
        if (has) {
            cells.put(column, value.toString());
        }
    }

    private static String letter(Op op) {
        return switch (op) {
            case NONE -> "N";
            case TRANS -> "T";
            case CONJ_TRANS -> "C";
        };
    }

    private static String scalar(double re, double im) {
        return im == 0 ? Double.toString(re) : re + (im < 0 ? "" : "+") + im + "i";
    }

    /** With so many decimals, but at least four digits that count: a slow machine's figures are figures, too, not 0.000. */
    static String decimal(int decimals, double value) {
        int magnitude = value == 0 || !Double.isFinite(value) ? 0 : (int) Math.floor(Math.log10(Math.abs(value)));
        return number("%." + Math.max(decimals, DIGITS - 1 - magnitude) + "f", value);
    }

    private static String number(String format, double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : Double.toString(value);
    }
}
