package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Share;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Divide and conquer of bidiagonal matrices by LAPACK's measures, and its values beside those of QR iteration. */
class BidiagonalDivisionTest {
    private static final double THRESHOLD = 30;

    /** Orders without a merge, with one and with some; the last has products in pieces. */
    private static final int[] ORDERS = {1, 2, 31, 32, 33, 64, 65, 100, 150, 300};

    private static final int SMALL = 70;

    /** So many kinds of a larger matrix are tried. */
    private static final int FEW = 3;

    /** What is on the diagonal and beside it. */
    enum Kind {
        RANDOM, GRADED, TOWARDS_THE_END, ONES, NOTHING_BESIDE, ZERO, SOME_ZEROS, GLUED, HUGE, TINY, DENORMAL;

        double[][] elements(Random random, boolean single, int n) {
            double[] d = new double[n];
            double[] e = new double[Math.max(0, n - 1)];
            for (int i = 0; i < n; i++) {
                double own = random.nextDouble() - 0.5;
                double beside = random.nextDouble() - 0.5;
                double large = Math.pow(single ? 0.8 : 0.6, i);
                double size = switch (this) {
                    case GRADED -> large;
                    case TOWARDS_THE_END -> Math.pow(single ? 0.8 : 0.6, n - i);
                    case HUGE -> single ? 0x1p120 : 0x1p1010;
                    case TINY -> single ? 0x1p-110 : 0x1p-990;
                    case DENORMAL -> single ? 0x1p-135 : 0x1p-1055;
                    default -> 1;
                };
                own = switch (this) {
                    case ONES -> 1;
                    case ZERO -> 0;
                    case SOME_ZEROS -> i % 3 == 1 ? 0 : own;
                    case GLUED -> 1 + i % 7;
                    default -> own * size;
                };
                beside = switch (this) {
                    case ONES -> 1;
                    case NOTHING_BESIDE, ZERO -> 0;
                    case SOME_ZEROS -> i % 5 == 2 ? 0 : beside;
                    case GLUED -> i % 7 == 6 ? 1e-6 : 1;
                    default -> beside * size;
                };
                d[i] = single ? (float) own : own;
                if (i < n - 1) {
                    e[i] = single ? (float) beside : beside;
                }
            }
            return new double[][] {d, e};
        }
    }

    static List<Integer> orders(Target target) {
        List<Integer> orders = new ArrayList<>();
        for (int n : ORDERS) {
            if (!target.device().startsWith("sim") || n <= SMALL) {
                orders.add(n);
            }
        }
        return orders;
    }

    static Mat matrix(double[][] elements, Uplo uplo) {
        int n = elements[0].length;
        int right = uplo == Uplo.UPPER ? 1 : 0;
        return Mat.of(n, n,
                (i, j) -> i == j ? elements[0][i] : j == i + 2 * right - 1 ? elements[1][Math.min(i, j)] : 0,
                (i, j) -> 0);
    }

    private static Decomposed bdsdc(Handle h, DeviceArena arena, ElementType type, double[][] elements, Uplo uplo) {
        int n = elements[0].length;
        VectorView d = arena.vector(type, n);
        VectorView e = arena.vector(type, Math.max(1, n - 1));
        upload(d, elements[0]);
        if (n > 1) {
            upload(e.slice(0, n - 1), elements[1]);
        }
        MatrixView u = arena.matrix(type, n, n);
        MatrixView vt = arena.matrix(type, n, n);
        VectorView info = arena.vector(ElementType.I32, 1);
        Lapack.bdsdc(h, uplo, d, e.slice(0, n - 1), u, vt, info);
        int[] told = new int[1];
        info.download(told);
        return new Decomposed(Orthogonal.download(d, n), Orthogonal.download(u, n, n), Orthogonal.download(vt, n, n),
                told[0]);
    }

    static void upload(VectorView x, double[] numbers) {
        if (x.type() == ElementType.F64) {
            x.upload(numbers);
            return;
        }
        float[] single = new float[numbers.length];
        for (int i = 0; i < single.length; i++) {
            single[i] = (float) numbers[i];
        }
        x.upload(single);
    }

    @EveryTarget(realOnly = true)
    void bdsdc(Target target) {
        boolean single = target.type() == ElementType.F32;
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (int n : orders(target)) {
                for (int k : Share.draw(target + " of " + n, Kind.values().length,
                        n > SMALL ? FEW : Kind.values().length)) {
                    Kind kind = Kind.values()[k];
                    Uplo uplo = Uplo.values()[(n + kind.ordinal()) % 2];
                    double[][] elements = kind.elements(new Random(17L * n + kind.ordinal()), single, n);
                    Mat b = matrix(elements, uplo);
                    try (DeviceArena arena = device.arena()) {
                        bdsdc(handle, arena, target.type(), elements, uplo)
                                .check(kind + " " + uplo + " of order " + n + " on " + target, b, target.type());
                    }
                }
            }
        }
    }

    /** Numbers that are none or have no end are told, wherever they are: in a leaf, or where two parts meet. */
    @EveryTarget(realOnly = true)
    void notFinite(Target target) {
        boolean single = target.type() == ElementType.F32;
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (int n : new int[] {1, 5, 40}) {
                for (int place = 0; place < n; place++) {
                    double[][] elements = Kind.RANDOM.elements(new Random(3), single, n);
                    elements[place % 2 == 1 && place < n - 1 ? 1 : 0][place] =
                            place % 3 == 0 ? Double.NEGATIVE_INFINITY : Double.NaN;
                    try (DeviceArena arena = device.arena()) {
                        Decomposed d = bdsdc(handle, arena, target.type(), elements, Uplo.UPPER);
                        assertThat(d.info()).as("place %d of %d", place, n).isEqualTo(n);
                        assertThat(d.values().re[n - 1]).isNaN();
                    }
                }
            }
        }
    }
}
