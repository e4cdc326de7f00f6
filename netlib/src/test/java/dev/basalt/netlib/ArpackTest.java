package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.ludovic.netlib.arpack.ARPACK;
import dev.ludovic.netlib.arpack.JavaARPACK;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.netlib.util.doubleW;
import org.netlib.util.floatW;
import org.netlib.util.intW;

/** Eigenvalues by reverse communication: against known spectra, against netlib's own Java, with two computations taking turns, and what goes wrong. */
class ArpackTest {
    private static final int N = 60;
    private static final List<String> ENDS = List.of("LA", "SA", "LM", "BE");

    /** A problem A·x = λ·M·x with tridiagonal matrices of constant diagonals: of linear elements on a line. */
    private record Line(int n, double diagonal, double beside, double mass, double massBeside) {
        static final Line LAPLACIAN = new Line(N, 2, -1, 1, 0);
        static final Line ELEMENTS = new Line(N, 2, -1, 4.0 / 6, 1.0 / 6);

        double eigenvalue(int i) {
            double c = 2 * Math.cos(Math.PI * (i + 1) / (n + 1));
            return (diagonal + c * beside) / (mass + c * massBeside);
        }

        double[] times(double d, double e, double[] x) {
            double[] y = new double[n];
            Arrays.setAll(y, i -> d * x[i] + (i > 0 ? e * x[i - 1] : 0) + (i + 1 < n ? e * x[i + 1] : 0));
            return y;
        }

        /** Gauss without pivots: to be used where that is stable. */
        double[] solve(double d, double e, double[] b) {
            double[] x = b.clone();
            double[] pivots = new double[n];
            pivots[0] = d;
            for (int i = 1; i < n; i++) {
                double factor = e / pivots[i - 1];
                pivots[i] = d - factor * e;
                x[i] -= factor * x[i - 1];
            }
            for (int i = n - 1; i >= 0; i--) {
                x[i] = (x[i] - (i + 1 < n ? e * x[i + 1] : 0)) / pivots[i];
            }
            return x;
        }

        double[] op(int mode, double sigma, double[] x) {
            return switch (mode) {
                case 1 -> times(diagonal, beside, x);
                case 2 -> solve(mass, massBeside, times(diagonal, beside, x));
                default -> solve(diagonal - sigma * mass, beside - sigma * massBeside, x);
            };
        }
    }

    /** A computation that can be carried on step by step. */
    private static final class Computation {
        final ARPACK arpack;
        final Line line;
        final int mode;
        final double sigma;
        final String bmat;
        final String which;
        final int nev;
        final int ncv;
        final int n;
        final intW ido = new intW(0);
        final intW info = new intW(0);
        final doubleW tol = new doubleW(1e-13);
        final double[] resid;
        final double[] v;
        final int[] iparam = new int[11];
        final int[] ipntr = new int[11];
        final double[] workd;
        final double[] workl;
        double[] d;
        double[] z;
        int steps;

        Computation(ARPACK arpack, Line line, int mode, double sigma, String which, int nev, int ncv) {
            this.arpack = arpack;
            this.line = line;
            this.mode = mode;
            this.sigma = sigma;
            this.bmat = line.massBeside == 0 ? "I" : "G";
            this.which = which;
            this.nev = nev;
            this.ncv = ncv;
            n = line.n;
            resid = new double[n];
            v = new double[n * ncv];
            workd = new double[3 * n];
            workl = new double[ncv * (ncv + 8)];
            iparam[0] = 1;
            iparam[2] = 3000;
            iparam[6] = mode;
        }

        boolean step() {
            arpack.dsaupd(ido, bmat, n, which, nev, tol, resid, ncv, v, n, iparam, ipntr, workd, workl, workl.length,
                    info);
            if (ido.val == 99) {
                return false;
            }
            steps++;
            assertThat(steps).as("steps").isLessThan(200_000);
            int from = ipntr[0] - 1;
            double[] x = Arrays.copyOfRange(workd, from, from + n);
            double[] y;
            if (ido.val == 2) {
                y = line.times(line.mass, line.massBeside, x);
            } else if (mode == 3 && ido.val == 1) {
                int at = ipntr[2] - 1;
                y = line.op(mode, sigma, Arrays.copyOfRange(workd, at, at + n));
            } else if (mode == 3) {
                y = line.op(mode, sigma, line.times(line.mass, line.massBeside, x));
            } else {
                y = line.op(mode, sigma, x);
                if (mode == 2) {
                    // As the documentation asks for.
                    System.arraycopy(line.times(line.diagonal, line.beside, x), 0, workd, from, n);
                }
            }
            System.arraycopy(y, 0, workd, ipntr[1] - 1, n);
            return true;
        }

        Computation end(boolean aliased) {
            d = new double[ncv];
            z = aliased ? v : new double[n * nev];
            arpack.dseupd(true, "A", new boolean[ncv], d, z, n, sigma, bmat, n, which, new intW(nev), tol.val, resid,
                    ncv, v, n, iparam, ipntr, workd, workl, workl.length, info);
            return this;
        }

        Computation run() {
            while (step()) {
                assertThat(ido.val).isIn(-1, 1, 2);
            }
            return this;
        }

        int converged() {
            return iparam[4];
        }
    }

    private static void same(String what, Computation ours, Computation theirs) {
        assertThat(ours.info.val).as(what).isEqualTo(theirs.info.val);
        assertThat(ours.converged()).as(what).isEqualTo(ours.nev);
        Line line = ours.line;
        for (int i = 0; i < ours.nev; i++) {
            assertThat(ours.d[i]).as(what + " " + i).isCloseTo(theirs.d[i], within(1e-10 * Math.max(1, theirs.d[i])));
            double[] x = Arrays.copyOfRange(ours.z, i * line.n, (i + 1) * line.n);
            double[] ax = line.times(line.diagonal, line.beside, x);
            double[] mx = line.times(line.mass, line.massBeside, x);
            double norm = 0;
            for (int j = 0; j < line.n; j++) {
                assertThat(ax[j]).as(what + " residual").isCloseTo(ours.d[i] * mx[j], within(1e-9));
                norm += x[j] * mx[j];
            }
            assertThat(norm).as(what + " norm").isCloseTo(1, within(1e-10));
        }
    }

    @Test
    void endsOfTheLaplacianAsNetlibHasThem() {
        long before = Netlib.delegated().getOrDefault("dsaupd", 0L);
        for (String which : ENDS) {
            for (int nev : new int[] {2, 3, 7}) {
                for (int ncv : new int[] {nev == 7 ? 10 : 9, 2 * nev + 9, N}) {
                    Computation ours =
                            new Computation(Netlib.arpack(), Line.LAPLACIAN, 1, 0, which, nev, ncv).run().end(true);
                    Computation theirs =
                            new Computation(JavaARPACK.getInstance(), Line.LAPLACIAN, 1, 0, which, nev, ncv).run()
                                    .end(false);
                    same(which + " nev=" + nev + " ncv=" + ncv, ours, theirs);
                    assertThat(ours.steps).as("operations beside netlib's %s", theirs.steps)
                            .isLessThan(2 * theirs.steps + 20);
                }
            }
        }
        assertThat(Netlib.delegated().getOrDefault("dsaupd", 0L)).isEqualTo(before);
    }

    @Test
    void generalisedProblemsInModesTwoAndThree() {
        for (String which : ENDS) {
            Computation ours = new Computation(Netlib.arpack(), Line.ELEMENTS, 2, 0, which, 4, 12).run().end(false);
            Computation theirs =
                    new Computation(JavaARPACK.getInstance(), Line.ELEMENTS, 2, 0, which, 4, 12).run().end(false);
            same("mode 2 " + which, ours, theirs);
        }
        for (Line line : List.of(Line.LAPLACIAN, Line.ELEMENTS)) {
            Computation ours = new Computation(Netlib.arpack(), line, 3, -0.01, "LM", 4, 12).run().end(true);
            Computation theirs =
                    new Computation(JavaARPACK.getInstance(), line, 3, -0.01, "LM", 4, 12).run().end(false);
            same("mode 3 " + line, ours, theirs);
            for (int i = 0; i < 4; i++) {
                assertThat(ours.d[i]).isCloseTo(line.eigenvalue(i), within(1e-10));
            }
        }
    }

    @Test
    void twoComputationsTakeTurns() {
        Computation alone = new Computation(Netlib.arpack(), Line.LAPLACIAN, 1, 0, "LA", 4, 9).run().end(false);
        Computation first = new Computation(Netlib.arpack(), Line.LAPLACIAN, 1, 0, "LA", 4, 9);
        Computation second = new Computation(Netlib.arpack(), Line.ELEMENTS, 3, -0.5, "LM", 3, 8);
        boolean more = true;
        while (more) {
            more = first.step() | second.step();
        }
        assertThat(first.end(false).d).isEqualTo(alone.d);
        assertThat(first.z).isEqualTo(alone.z);
        assertThat(second.end(false).d[0]).isCloseTo(Line.ELEMENTS.eigenvalue(0), within(1e-10));
    }

    @Test
    void invariantSpacesAndRepeatedValues() {
        // A start vector that is an eigenvector, the identity, and zero.
        Computation start = new Computation(Netlib.arpack(), Line.LAPLACIAN, 1, 0, "LA", 3, 10);
        start.info.val = 1;
        Arrays.setAll(start.resid, i -> Math.sin(Math.PI * 5 * (i + 1) / (N + 1)));
        start.run().end(false);
        for (int i = 0; i < 3; i++) {
            assertThat(start.d[i]).isCloseTo(Line.LAPLACIAN.eigenvalue(N - 3 + i), within(1e-12));
        }
        for (double value : new double[] {0, 1, -3e200}) {
            Computation c =
                    new Computation(Netlib.arpack(), new Line(N, value, 0, 1, 0), 1, 0, "LM", 3, 7).run().end(false);
            assertThat(c.info.val).isZero();
            assertThat(c.converged()).isEqualTo(3);
            assertThat(Arrays.copyOf(c.d, 3)).containsOnly(new double[] {value, value, value},
                    within(1e-14 * Math.abs(value)));
        }
    }

    @Test
    void whatGoesWrong() {
        Computation few = new Computation(Netlib.arpack(), Line.LAPLACIAN, 1, 0, "SA", 5, 7);
        few.iparam[2] = 2;
        few.run();
        assertThat(few.info.val).isEqualTo(1);
        assertThat(few.converged()).isLessThan(5);
        assertThat(few.iparam[2]).isEqualTo(2);
        Computation broken = new Computation(Netlib.arpack(), new Line(N, Double.NaN, 0, 1, 0), 1, 0, "LA", 2, 7).run();
        assertThat(broken.info.val).isEqualTo(-9999);
        assertThat(broken.converged()).isZero();
        Computation zero = new Computation(Netlib.arpack(), Line.LAPLACIAN, 1, 0, "LA", 2, 7);
        zero.info.val = 1;
        zero.run();
        assertThat(zero.info.val).as("a start vector of zeros is replaced").isZero();
        for (ARPACK arpack : List.of(Netlib.arpack(), JavaARPACK.getInstance())) {
            assertThat(new Computation(arpack, Line.LAPLACIAN, 1, 0, "LA", 5, 5).run().info.val).isEqualTo(-3);
            assertThat(new Computation(arpack, Line.ELEMENTS, 1, 0, "LA", 2, 9).run().info.val).isEqualTo(-11);
            assertThatThrownBy(() -> new Computation(arpack, Line.LAPLACIAN, 1, 0, "XX", 5, 9).run())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'DSAUPD' parameter number 4");
        }
        Computation tooShort = new Computation(Netlib.arpack(), Line.LAPLACIAN, 1, 0, "LA", 2, 7);
        assertThatThrownBy(() -> Netlib.arpack()
                .dsaupd(tooShort.ido, "I", N, "LA", 2, tooShort.tol, new double[9], 7, tooShort.v, N, tooShort.iparam,
                        tooShort.ipntr, tooShort.workd, tooShort.workl, 200, tooShort.info))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void otherModesReachNetlib() {
        long before = Netlib.delegated().getOrDefault("dsaupd", 0L);
        Computation c = new Computation(Netlib.arpack(), Line.LAPLACIAN, 4, 0.1, "LM", 2, 7);
        c.step();
        assertThat(Netlib.delegated().get("dsaupd")).isEqualTo(before + 1);
    }

    @Test
    void singlePrecision() {
        int nev = 3;
        int ncv = 9;
        intW ido = new intW(0);
        intW info = new intW(0);
        floatW tol = new floatW(0);
        float[] resid = new float[N];
        float[] v = new float[N * ncv];
        int[] iparam = new int[11];
        int[] ipntr = new int[11];
        float[] workd = new float[3 * N];
        float[] workl = new float[ncv * (ncv + 8)];
        iparam[0] = 1;
        iparam[2] = 500;
        iparam[6] = 1;
        ARPACK arpack = Netlib.arpack();
        arpack.ssaupd(ido, "I", N, "LA", nev, tol, resid, ncv, v, N, iparam, ipntr, workd, workl, workl.length, info);
        while (ido.val != 99) {
            for (int i = 0; i < N; i++) {
                workd[ipntr[1] - 1 + i] = workd[ipntr[0] - 1 + i] * i;
            }
            arpack.ssaupd(ido, "I", N, "LA", nev, tol, resid, ncv, v, N, iparam, ipntr, workd, workl, workl.length,
                    info);
        }
        assertThat(info.val).isZero();
        float[] d = new float[nev];
        arpack.sseupd(true, "A", new boolean[ncv], d, v, N, 0, "I", N, "LA", new intW(nev), tol.val, resid, ncv, v, N,
                iparam, ipntr, workd, workl, workl.length, info);
        for (int i = 0; i < nev; i++) {
            assertThat(d[i]).isCloseTo(N - 3 + i, within(1e-3f));
            assertThat(Math.abs(v[i * N + N - 3 + i])).isCloseTo(1, within(1e-3f));
        }
    }

    /** Products with a diagonal matrix of evenly spaced values, until the largest are there. */
    private static int products(ARPACK arpack, int nev) {
        int n = 100;
        int ncv = 2 * nev;
        double[] resid = new Random(5).doubles(n, -0.5, 0.5).toArray();
        double[] v = new double[n * ncv];
        double[] workd = new double[3 * n];
        double[] workl = new double[ncv * (ncv + 8)];
        int[] iparam = {1, 0, 300, 0, 0, 0, 1, 0, 0, 0, 0};
        int[] ipntr = new int[11];
        intW ido = new intW(0);
        intW info = new intW(1);
        int products = 0;
        while (true) {
            arpack.dsaupd(ido, "I", n, "LM", nev, new doubleW(1e-10), resid, ncv, v, n, iparam, ipntr, workd, workl,
                    workl.length, info);
            if (ido.val == 99) {
                assertThat(info.val).isZero();
                return products;
            }
            for (int i = 0; i < n; i++) {
                workd[ipntr[1] - 1 + i] = (i + 1) * workd[ipntr[0] - 1 + i];
            }
            products++;
        }
    }

    @Test
    void asManyProductsAsNetlibTakes() {
        for (int nev : new int[] {2, 5, 10}) {
            assertThat(products(Netlib.arpack(), nev)).as("nev = %s", nev)
                    .isLessThanOrEqualTo(products(JavaARPACK.getInstance(), nev) * 21 / 20);
        }
    }
}
