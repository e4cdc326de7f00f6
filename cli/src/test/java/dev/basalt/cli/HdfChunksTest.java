package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.XZInputStream;

/** Datasets in chunks, as h5py writes them ({@code chunked.py} beside the files), with the tables of chunks of the oldest and of the newest format. */
class HdfChunksTest {
    private static final int ROWS = 45;
    private static final int COLS = 27;

    @TempDir
    private Path folder;

    @BeforeEach
    void unpack() throws IOException {
        for (String name : new String[] {"chunked.h5", "chunked_latest.h5"}) {
            Path packed = CommandRun.matrix(folder, name + ".xz");
            try (InputStream in = new XZInputStream(Files.newInputStream(packed))) {
                Files.copy(in, folder.resolve(name));
            }
        }
    }

    private DenseMatrix read(String file, String name) {
        try (Progress progress = new Progress(new PrintWriter(Writer.nullWriter()), false, 0, Progress.Amount.NONE);
                MatrixFile opened = MatrixFile.open(folder.resolve(file + "#" + name), progress)) {
            return (DenseMatrix) opened.read();
        }
    }

    private static double element(int i, int j) {
        return i - 7 * j;
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "packed", "bigendian", "integers", "complex", "matlab"})
    void everyChunkGoesToItsPlace(String name) {
        // The packed file comes as a stream, so that all of it is in memory.
        for (String file : new String[] {"chunked.h5", "chunked_latest.h5", "chunked.h5.xz"}) {
            DenseMatrix matrix = read(file, name);
            int parts = name.equals("complex") ? 2 : 1;
            assertThat(matrix.isComplex()).isEqualTo(parts == 2);
            assertThat(matrix.rows()).isEqualTo(ROWS);
            assertThat(matrix.cols()).isEqualTo(COLS);
            for (int j = 0; j < COLS; j++) {
                double[] column = matrix.column(j);
                assertThat(column).hasSize(ROWS * parts);
                for (int i = 0; i < ROWS; i++) {
                    assertThat(column[i * parts]).isEqualTo(element(i, j));
                    if (parts == 2) {
                        assertThat(column[2 * i + 1]).isEqualTo(element(i, j) + 1);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked.h5", "chunked_latest.h5"})
    void anArrayOfOneDimensionIsAColumn(String file) {
        DenseMatrix matrix = read(file, "vector");
        assertThat(matrix.cols()).isOne();
        assertThat(matrix.column(0)).hasSize(ROWS);
        for (int i = 0; i < ROWS; i++) {
            assertThat(matrix.column(0)[i]).isEqualTo(element(i, 0));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked.h5", "chunked_latest.h5"})
    void chunksThatWereNeverWrittenHaveWhatTheFileSays(String file) {
        DenseMatrix missing = read(file, "missing");
        DenseMatrix empty = read(file, "empty");
        for (int j = 0; j < COLS; j++) {
            for (int i = 0; i < ROWS; i++) {
                assertThat(missing.column(j)[i]).isEqualTo(i < 8 && j < 5 ? element(i, j) : 3);
                assertThat(empty.column(j)[i]).isZero();
            }
        }
    }

    /** Whichever chunk is unpacked first. */
    @ParameterizedTest
    @CsvSource({"chunked.h5", "chunked_latest.h5"})
    void theFirstElementThatIsNotFiniteIsNamed(String file) {
        assertThat(CommandRun.of("svd", folder.resolve(file + "#notfinite")).failure(1))
                .contains("the element in row 31, column 21 is Infinity");
    }
}
