package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jhdf.HdfFile;
import io.jhdf.WritableHdfFile;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datasets that are read in several slices, the last of which is shorter. */
class HdfSlicesTest {
    private static final int ROWS = 1003;
    private static final int COLS = 139;

    @TempDir
    private Path folder;

    private static double element(int i, int j) {
        return i - 7 * j;
    }

    private Path file(Object rows, boolean matlab) {
        Path file = folder.resolve("A.h5");
        try (WritableHdfFile hdf = HdfFile.write(file)) {
            var dataset = hdf.putDataset("A", rows);
            if (matlab) {
                dataset.putAttribute("MATLAB_class", "double");
            }
        }
        return file;
    }

    private static double[][] doubles() {
        double[][] rows = new double[ROWS][COLS];
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < COLS; j++) {
                rows[i][j] = element(i, j);
            }
        }
        return rows;
    }

    private static Object rows(String type) {
        double[][] rows = doubles();
        return switch (type) {
            case "double" -> rows;
            case "float" -> Arrays.stream(rows).map(row -> {
                float[] floats = new float[row.length];
                for (int j = 0; j < row.length; j++) {
                    floats[j] = (float) row[j];
                }
                return floats;
            }).toArray(float[][]::new);
            default -> Arrays.stream(rows)
                    .map(row -> Arrays.stream(row).mapToInt(x -> (int) x).toArray())
                    .toArray(int[][]::new);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"double", "float", "int"})
    void slicesGoToTheirColumns(String type) {
        for (boolean matlab : new boolean[] {false, true}) {
            try (Progress progress = new Progress(new PrintWriter(Writer.nullWriter()), false, 0, Progress.Amount.NONE);
                    MatrixFile opened = MatrixFile.open(file(rows(type), matlab), progress)) {
                DenseMatrix matrix = (DenseMatrix) opened.read();
                assertThat(matrix.rows()).isEqualTo(matlab ? COLS : ROWS);
                assertThat(matrix.cols()).isEqualTo(matlab ? ROWS : COLS);
                for (int j = 0; j < matrix.cols(); j++) {
                    for (int i = 0; i < matrix.rows(); i++) {
                        assertThat(matrix.column(j)[i]).isEqualTo(matlab ? element(j, i) : element(i, j));
                    }
                }
            }
        }
    }

    @Test
    void anElementThatIsNotFiniteIsNamed() {
        double[][] rows = doubles();
        rows[ROWS - 1][COLS - 2] = Double.NaN;
        assertThat(CommandRun.of("solve", file(rows, false)).failure(1))
                .contains("row " + ROWS + ", column " + (COLS - 1) + " is NaN");
        assertThat(CommandRun.of("solve", file(rows, true)).failure(1))
                .contains("row " + (COLS - 1) + ", column " + ROWS + " is NaN");
    }
}
