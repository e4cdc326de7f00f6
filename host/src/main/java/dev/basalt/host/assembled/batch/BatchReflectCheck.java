package dev.basalt.host.assembled.batch;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.spi.Launch;
import dev.basalt.type.Op;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Runs a new kernel of reflectors once on small problems beside scalar Java: results agree but for rounding. */
final class BatchReflectCheck {
    private static final int ROWS = 14;
    /** Groups of most widths come up. */
    private static final int COLUMNS = 12;

    private final BatchReflectors reflectors;
    private final BatchFrame frame;
    /** Real numbers of an element; in Java there are always two. */
    private final int parts;
    private final int size;
    private final int lanes;
    private final double tolerance;
    private final double[][] re = new double[COLUMNS][ROWS];
    private final double[][] im = new double[COLUMNS][ROWS];
    private final double[] tauRe = new double[COLUMNS];
    private final double[] tauIm = new double[COLUMNS];

    BatchReflectCheck(BatchTable table, boolean complex) {
        this.parts = complex ? 2 : 1;
        this.size = table.shape().precision().bytes;
        this.lanes = table.shape().lanes();
        this.frame = new BatchFrame(parts);
        this.reflectors = new BatchReflectors(lanes, size, parts);
        this.tolerance = size == 8 ? 1e-12 : 1e-4;
    }

    /** Element (i, j) of a lane's matrix, part by part, or of the factors behind matrices. */
    private long at(long base, int i, int j, int q, int part) {
        long vectors = BatchFrame.pitch((long) ROWS * parts) * j + (long) i * parts + part;
        return base + (vectors * lanes + q) * size;
    }

    private void set(long at, double value) {
        if (size == 8) {
            f64(at, value);
        } else {
            f32(at, (float) value);
        }
    }

    private boolean near(long at, double right) {
        double found = size == 8 ? f64(at) : f32(at);
        return Math.abs(found - right) <= tolerance * Math.max(1, Math.abs(right));
    }

    private void fill(int q) {
        for (int j = 0; j < COLUMNS; j++) {
            for (int i = 0; i < ROWS; i++) {
                int at = i + j * ROWS + q * 3;
                re[j][i] = (at * 7 % 13 - 6) / 4.0 + (i == j ? 4 : 0);
                im[j][i] = (parts - 1) * (at * 5 % 11 - 5) / 4.0;
            }
        }
    }

    private void put(long base, int q) {
        for (int j = 0; j < COLUMNS; j++) {
            for (int i = 0; i < ROWS; i++) {
                set(at(base, i, j, q, 0), re[j][i]);
                if (parts == 2) {
                    set(at(base, i, j, q, 1), im[j][i]);
                }
            }
        }
    }

    private boolean holds(long base, int q) {
        boolean good = true;
        for (int j = 0; j < COLUMNS; j++) {
            for (int i = 0; i < ROWS; i++) {
                good &= near(at(base, i, j, q, 0), re[j][i]) && (parts == 1 || near(at(base, i, j, q, 1), im[j][i]));
            }
        }
        return good;
    }

    /** Takes the reflector of column k, with factor f, off column j of c. */
    private void reflect(int k, double fRe, double fIm, double[][] cRe, double[][] cIm, int j) {
        double sRe = cRe[j][k];
        double sIm = cIm[j][k];
        for (int i = k + 1; i < ROWS; i++) {
            sRe += re[k][i] * cRe[j][i] + im[k][i] * cIm[j][i];
            sIm += re[k][i] * cIm[j][i] - im[k][i] * cRe[j][i];
        }
        double re2 = sRe * fRe - sIm * fIm;
        double im2 = sRe * fIm + sIm * fRe;
        cRe[j][k] -= re2;
        cIm[j][k] -= im2;
        for (int i = k + 1; i < ROWS; i++) {
            cRe[j][i] -= re[k][i] * re2 - im[k][i] * im2;
            cIm[j][i] -= re[k][i] * im2 + im[k][i] * re2;
        }
    }

    /** LAPACK's geqr2. */
    private void factor() {
        for (int k = 0; k < COLUMNS; k++) {
            double sum = 0;
            for (int i = k; i < ROWS; i++) {
                sum += re[k][i] * re[k][i] + im[k][i] * im[k][i];
            }
            double beta = -Math.copySign(Math.sqrt(sum), re[k][k]);
            tauRe[k] = (beta - re[k][k]) / beta;
            tauIm[k] = -im[k][k] / beta;
            double d = re[k][k] - beta;
            double square = d * d + im[k][k] * im[k][k];
            double scaleRe = d / square;
            double scaleIm = -im[k][k] / square;
            re[k][k] = beta;
            im[k][k] = 0;
            for (int i = k + 1; i < ROWS; i++) {
                double x = re[k][i];
                re[k][i] = x * scaleRe - im[k][i] * scaleIm;
                im[k][i] = x * scaleIm + im[k][i] * scaleRe;
            }
            for (int j = k + 1; j < COLUMNS; j++) {
                reflect(k, tauRe[k], -tauIm[k], re, im, j);
            }
        }
    }

    private static Launch launch() {
        Launch l = new Launch();
        l.m = ROWS;
        l.n = COLUMNS;
        l.k = COLUMNS;
        return l;
    }

    /** Lane 1 has a column without anything to annihilate. */
    boolean reflect(MemorySegment code) {
        Launch l = launch();
        long a = frame.matrix(0);
        for (int q = 0; q < lanes; q++) {
            fill(q);
            if (q == 1) {
                Arrays.fill(re[0], 1, ROWS, 0);
                Arrays.fill(im[0], 0, ROWS, 0);
            }
            put(a, q);
        }
        reflectors.factor(frame, 0, l);
        frame.set(0, BatchReflectCode.STEPS, reflectors.steps(l));
        NativeCall.code(code, frame.arguments(0), 0, 0, 0, 0, 0);
        boolean good = frame.get(0, BatchReflectCode.BAD) == 2;
        for (int q = 0; q < lanes; q++) {
            if (q != 1) {
                fill(q);
                factor();
                good &= holds(a, q);
                for (int k = 0; k < COLUMNS; k++) {
                    long tau = at(frame.factors(), k, 0, q, 0);
                    good &= near(tau, tauRe[k]) && (parts == 1 || near(tau + (long) lanes * size, tauIm[k]));
                }
            }
        }
        return good;
    }

    /** Each lane's own Qᴴ and then its Q. */
    boolean apply(MemorySegment code) {
        Launch l = launch();
        boolean good = true;
        for (Op op : new Op[] {Op.CONJ_TRANS, Op.NONE}) {
            l.opA = op;
            long c = frame.matrix(0) + reflectors.reflectors(l);
            for (int q = 0; q < lanes; q++) {
                fill(q);
                put(c, q);
                factor();
                put(frame.matrix(0), q);
                for (int k = 0; k < COLUMNS; k++) {
                    long tau = at(frame.factors(), k, 0, q, 0);
                    set(tau, tauRe[k]);
                    if (parts == 2) {
                        set(tau + (long) lanes * size, tauIm[k]);
                    }
                }
            }
            reflectors.apply(frame, 0, l);
            reflectors.start(frame, 0, l);
            NativeCall.code(code, frame.arguments(0), 0, 0, 0, 0, 0);
            for (int q = 0; q < lanes; q++) {
                good &= applied(c, q, op == Op.CONJ_TRANS);
            }
        }
        return good;
    }

    private boolean applied(long c, int q, boolean ascending) {
        fill(q);
        double[][] cRe = new double[COLUMNS][];
        double[][] cIm = new double[COLUMNS][];
        for (int j = 0; j < COLUMNS; j++) {
            cRe[j] = re[j].clone();
            cIm[j] = im[j].clone();
        }
        factor();
        for (int step = 0; step < COLUMNS; step++) {
            int k = ascending ? step : COLUMNS - 1 - step;
            for (int j = 0; j < COLUMNS; j++) {
                reflect(k, tauRe[k], ascending ? -tauIm[k] : tauIm[k], cRe, cIm, j);
            }
        }
        boolean good = true;
        for (int j = 0; j < COLUMNS; j++) {
            for (int i = 0; i < ROWS; i++) {
                good &= near(at(c, i, j, q, 0), cRe[j][i]) && (parts == 1 || near(at(c, i, j, q, 1), cIm[j][i]));
            }
        }
        return good;
    }
}
