package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarketReaderTest {
    private static final long NEVER = Long.MAX_VALUE / 4;

    @TempDir
    private Path folder;

    private Matrix read(String text) {
        return read(CommandRun.file(folder, text));
    }

    private static Matrix read(Path file) {
        try (Progress progress = new Progress(new PrintWriter(new StringWriter()), false, NEVER, Progress.Amount.NONE);
                MarketReader reader = MarketReader.open(file, progress)) {
            return reader.read();
        }
    }

    /** Rows of numbers, real and imaginary parts alternating if it is complex. */
    private static double[][] rows(Matrix matrix) {
        int parts = matrix.isComplex() ? 2 : 1;
        double[][] rows = new double[matrix.rows()][matrix.cols() * parts];
        for (int j = 0; j < matrix.cols(); j++) {
            int col = j;
            matrix.column(j, (i, re, im) -> {
                rows[i][col * parts] = re;
                if (parts == 2) {
                    rows[i][col * 2 + 1] = im;
                }
            });
        }
        return rows;
    }

    private static double[] row(double... numbers) {
        return numbers;
    }

    @Test
    void coordinateRealGeneral() {
        Matrix a = read("%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1.5\n2 3 -2\n1 2 1D2\n");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(1.5, 100, 0), row(0, 0, -2)});
        assertThat(a.isComplex()).isFalse();
    }

    @Test
    void coordinateComplexGeneral() {
        Matrix a = read("%%MatrixMarket matrix coordinate complex general\n2 1 2\n1 1 1 2\n2 1 -3 0\n");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(1, 2), row(-3, 0)});
    }

    @Test
    void coordinatePatternSymmetric() {
        Matrix a = read("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(1, 1), row(1, 0)});
    }

    @Test
    void coordinateHermitianIsConjugated() {
        Matrix a = read("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 4 0\n2 1 1 2\n");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(4, 0, 1, -2), row(1, 2, 0, 0)});
        assertThat(a.asymmetry()).isNull();
    }

    @Test
    void coordinateComplexSymmetricIsNotConjugated() {
        Matrix a = read("%%MatrixMarket matrix coordinate complex symmetric\n2 2 1\n2 1 1 2\n");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(0, 0, 1, 2), row(1, 2, 0, 0)});
        assertThat(a.asymmetry()).containsExactly(1, 0);
    }

    @Test
    void coordinateSkewSymmetricIsNegated() {
        Matrix a = read("%%MatrixMarket matrix coordinate complex skew-symmetric\n2 2 2\n2 1 1 2\n1 1 0 0\n");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(0, 0, -1, -2), row(1, 2, 0, 0)});
    }

    @Test
    void arrayIsByColumns() {
        Matrix a = read("%%MatrixMarket matrix array integer general\n2 2\n1\n-2\n+3\n4\n");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(1, 3), row(-2, 4)});
    }

    @Test
    void arraySymmetricListsTheLowerTriangle() {
        Matrix a = read("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(1, 2, 3), row(2, 4, 5), row(3, 5, 6)});
        assertThat(a.asymmetry()).isNull();
    }

    @Test
    void arrayHermitian() {
        Matrix a = read("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(1, 0, 2, -3), row(2, 3, 4, 0)});
    }

    @Test
    void arraySkewSymmetricListsNoDiagonal() {
        Matrix a = read("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(-0.0, -1, -2), row(1, 0, -3), row(2, 3, 0)});
        assertThat(a.asymmetry()).containsExactly(1, 0);
    }

    @Test
    void whatIsGivenTwiceAddsUp() {
        Matrix a =
                read("%%MatrixMarket matrix coordinate real symmetric\n2 2 5\n1 1 1\n2 1 2\n1 1 4\n2 1 -0.5\n2 2 1\n");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(5, 1.5), row(1.5, 1)});
    }

    @Test
    void whatCancelsIsLeftOut() {
        Matrix a = read("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 2 1\n1 2 -1\n2 1 0\n");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(0, 0), row(0, 0)});
        assertThat(a.asymmetry()).isNull();
    }

    @Test
    void commentsBlanksCaseAndLineEndsDoNotMatter() {
        Matrix a =
                read("%%matrixmarket MATRIX Coordinate REAL General\r\n%\r\n\r\n% c\r\n 2\t2   2 \r\n\r\n  1 1  3\r\n"
                        + "%in between\r\n2 2 4\r\n\r\n");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(3, 0), row(0, 4)});
    }

    @Test
    void theLastLineNeedsNoEnd() {
        Matrix a = read("%%MatrixMarket matrix array real general\n1 1\n12.25");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(12.25)});
    }

    @Test
    void aLongCommentIsSkipped() {
        Matrix a = read("%%MatrixMarket matrix array real general\n%" + "x".repeat(300_000) + "\n1 1\n7\n");
        assertThat(rows(a)).isDeepEqualTo(new double[][] {row(7)});
    }

    @Test
    void linesMayLieAcrossBuffers() {
        int n = 40_000;
        StringBuilder text =
                new StringBuilder("%%MatrixMarket matrix coordinate real general\n" + n + " 1 " + n + "\n");
        for (int i = n; i >= 1; i--) {
            text.append(i).append(" 1 ").append(i).append(".5\n");
        }
        double[][] rows = rows(read(text.toString()));
        for (int i = 0; i < n; i++) {
            assertThat(rows[i][0]).isEqualTo(i + 1.5);
        }
    }

    @Test
    void gzipIsKnownByItsContent() throws IOException {
        Path file = folder.resolve("packed.mtx");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("%%MatrixMarket matrix array real general\n2 1\n7\n8\n".getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(rows(read(file))).isDeepEqualTo(new double[][] {row(7), row(8)});
    }

    @Test
    void emptyShapesAreRead() {
        assertThat(read("%%MatrixMarket matrix coordinate real general\n3 0 0\n").cols()).isZero();
        assertThat(read("%%MatrixMarket matrix array real general\n0 3\n").cols()).isEqualTo(3);
    }

    @Test
    void whatIsWrittenIsReadBack() {
        double[][] columns = {row(0.1, -1e300), row(Double.MIN_VALUE, 3)};
        for (String name : new String[] {"x.mtx", "x.mtx.gz"}) {
            Path file = folder.resolve(name);
            MatrixWriter.write(file, new DenseMatrix(2, false, columns), false, "test", done -> {});
            assertThat(rows(read(file))).isDeepEqualTo(new double[][] {row(0.1, Double.MIN_VALUE), row(-1e300, 3)});
            MatrixWriter.write(file, new DenseMatrix(1, true, columns), false, "test", done -> {});
            assertThat(rows(read(file))).isDeepEqualTo(new double[][] {row(0.1, -1e300, Double.MIN_VALUE, 3)});
        }
    }

    @Test
    void sparseAndDenseAgreeOnSymmetry() {
        Matrix sparse = read(CommandRun.matrix(folder, "spd3.mtx"));
        assertThat(sparse.asymmetry()).isNull();
        assertThat(DenseMatrix.of(sparse, false).asymmetry()).isNull();
        Matrix skew = read(CommandRun.matrix(folder, "skew4.mtx"));
        assertThat(skew.asymmetry()).containsExactly(1, 0);
        assertThat(DenseMatrix.of(skew, true).asymmetry()).containsExactly(1, 0);
    }

    @Test
    void roundingGoesToTheNearestFloat() {
        Matrix a = read("%%MatrixMarket matrix array real general\n2 1\n0.1\n3\n");
        a.roundToSingle();
        assertThat(Arrays.stream(rows(a)).mapToDouble(r -> r[0]).toArray()).containsExactly(0.1f, 3);
    }
}
