package dev.basalt.host.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EarlySumsTest {
    private static final int SEED = 20281128;

    private static double[] doubles(Random random, int n) {
        return random.doubles(n).map(v -> v - 0.5).toArray();
    }

    private static float[] floats(Random random, int n) {
        float[] all = new float[n];
        for (int i = 0; i < n; i++) {
            all[i] = random.nextFloat() - 0.5f;
        }
        return all;
    }

    @Test
    @DisplayName("Sums by plain Java and by vectors have the same bits, whatever the length")
    void sums() {
        Random random = new Random(SEED);
        for (int n = 33; n < 700; n++) {
            int offset = random.nextInt(9);
            double[] x = doubles(random, n + 9);
            double[] y = doubles(random, n + 9);
            assertThat(EarlyDSums.pairDot(n, x, offset, y, 3)).isEqualTo(VectorDSums.pairDot(n, x, offset, y, 3));
            assertThat(EarlyDSums.manyDot(n, x, offset, y, 3)).isEqualTo(VectorDSums.manyDot(n, x, offset, y, 3));
            float[] u = floats(random, n + 9);
            float[] v = floats(random, n + 9);
            assertThat(EarlySSums.pairDot(n, u, offset, v, 3)).isEqualTo(VectorSSums.pairDot(n, u, offset, v, 3));
            assertThat(EarlySSums.manyDot(n, u, offset, v, 3)).isEqualTo(VectorSSums.manyDot(n, u, offset, v, 3));
            assertThat(EarlyDSums.squares(n, x, offset)).isEqualTo(VectorDSums.manySquares(n, x, offset));
            assertThat(EarlyDSums.someAsum(n, x, offset)).isEqualTo(VectorDSums.someAsum(n, x, offset));
            assertThat(EarlyDSums.manyAsum(n, x, offset)).isEqualTo(VectorDSums.manyAsum(n, x, offset));
            assertThat(EarlySSums.squares(n, u, offset)).isEqualTo(VectorSSums.manySquares(n, u, offset));
            assertThat(EarlySSums.someAsum(n, u, offset)).isEqualTo(VectorSSums.someAsum(n, u, offset));
            assertThat(EarlySSums.manyAsum(n, u, offset)).isEqualTo(VectorSSums.manyAsum(n, u, offset));
        }
    }

    @Test
    @DisplayName("Updates, exchanges and copies by vectors have the bits of plain loops, whatever the length, and touch nothing else")
    void updates() {
        Random random = new Random(SEED);
        for (int n = 1; n < 300; n++) {
            // Often enough for each of them to be taken for machine code at some length.
            for (int round = 0; round < 20; round++) {
                int offset = random.nextInt(9);
                double alpha = random.nextGaussian();
                double[] x = doubles(random, n + 12);
                double[] y = doubles(random, n + 12);
                double[] expected = y.clone();
                EarlyDSums.axpy(n, alpha, x, offset, expected, 3);
                VectorDStreams.axpy(n, alpha, x, offset, y, 3);
                assertThat(y).as("axpy of %d", n).isEqualTo(expected);
                double[] other = x.clone();
                EarlyDSums.swap(n, other, offset, expected, 3);
                VectorDStreams.swap(n, x, offset, y, 3);
                assertThat(x).as("swap of %d", n).isEqualTo(other);
                assertThat(y).as("swap of %d", n).isEqualTo(expected);
                EarlyDSums.rot(n, other, offset, expected, 3, 0.6, 0.8);
                VectorDStreams.rot(n, x, offset, y, 3, 0.6, 0.8);
                assertThat(x).as("rot of %d", n).isEqualTo(other);
                assertThat(y).as("rot of %d", n).isEqualTo(expected);
                // Into the same array, where the vectors meet.
                System.arraycopy(expected, 3, expected, offset, n);
                if (!VectorDStreams.copy(n, y, 3, y, offset)) {
                    System.arraycopy(y, 3, y, offset, n);
                }
                assertThat(y).as("copy of %d", n).isEqualTo(expected);
                float[] u = floats(random, n + 12);
                float[] v = floats(random, n + 12);
                float[] wanted = v.clone();
                EarlySSums.axpy(n, (float) alpha, u, offset, wanted, 3);
                VectorSStreams.axpy(n, (float) alpha, u, offset, v, 3);
                assertThat(v).as("axpy of %d floats", n).isEqualTo(wanted);
                float[] before = u.clone();
                EarlySSums.swap(n, before, offset, wanted, 3);
                VectorSStreams.swap(n, u, offset, v, 3);
                assertThat(u).as("swap of %d floats", n).isEqualTo(before);
                assertThat(v).as("swap of %d floats", n).isEqualTo(wanted);
                System.arraycopy(wanted, 3, wanted, offset, n);
                if (!VectorSStreams.copy(n, v, 3, v, offset)) {
                    System.arraycopy(v, 3, v, offset, n);
                }
                assertThat(v).as("copy of %d floats", n).isEqualTo(wanted);
            }
        }
    }

    @Test
    @DisplayName("Products of a matrix and a vector by plain Java and by vectors have the same bits, whatever the shape")
    void products() {
        Random random = new Random(SEED);
        for (int round = 0; round < 2000; round++) {
            int most = round % 4 == 0 ? 120 : round % 50 == 1 ? 400 : 40;
            int m = 8 + random.nextInt(most);
            int n = 1 + random.nextInt(most);
            int lda = m + random.nextInt(3);
            boolean transposed = random.nextBoolean();
            int rows = transposed ? n : m;
            double alpha = random.nextGaussian();
            double beta = round % 3 == 0 ? 0 : random.nextGaussian();
            double[] a = doubles(random, lda * n + 2);
            double[] x = doubles(random, 1 + Math.max(m, n));
            double[] y = doubles(random, 3 + rows);
            double[] expected = y.clone();
            VectorDMatvec.vectors(round % 2 == 0, transposed, m, n, alpha, a, 2, lda, x, 1, beta, expected, 3);
            EarlyDMatvec.gemv(transposed, m, n, alpha, a, 2, lda, x, 1, beta, y, 3);
            assertThat(y).as("%d x %d, transposed %s", m, n, transposed).isEqualTo(expected);
            float[] b = floats(random, lda * n + 2);
            float[] u = floats(random, 1 + Math.max(m, n));
            float[] v = floats(random, 3 + rows);
            float[] wanted = v.clone();
            VectorSMatvec.vectors(round % 2 == 0, transposed, m, n, (float) alpha, b, 2, lda, u, 1, (float) beta,
                    wanted, 3);
            EarlySMatvec.gemv(transposed, m, n, (float) alpha, b, 2, lda, u, 1, (float) beta, v, 3);
            assertThat(v).as("%d x %d, transposed %s", m, n, transposed).isEqualTo(wanted);
        }
    }

    @Test
    @DisplayName("A loop of vectors has one turn in four until it was quick four times, or was called often")
    void warmth() {
        Warmth quick = new Warmth();
        Warmth slow = new Warmth();
        int turns = 0;
        for (int call = 0; call < 16; call++) {
            assertThat(quick.isWarm()).isFalse();
            if (quick.hasTurn()) {
                turns++;
                quick.took(100, 10);
            }
            if (slow.hasTurn()) {
                slow.took(10_000, 10);
            }
        }
        assertThat(turns).isEqualTo(4);
        assertThat(quick.isWarm()).isTrue();
        assertThat(slow.isWarm()).isFalse();
        for (int call = 16; call < 1 << 20; call++) {
            slow.hasTurn();
        }
        assertThat(slow.isWarm()).isTrue();
    }
}
