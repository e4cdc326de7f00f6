package dev.basalt.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.DoubleConsumer;

/** Writes a dense matrix as a Matrix Market array, with just the digits that give back the same numbers. */
final class MarketWriter {
    private MarketWriter() {}

    /**
     * Finds out early whether a file can be written, so that nobody computes for an hour in vain.
     *
     * @param file file, which may exist
     */
    static void check(Path file) {
        if (file.toString().equals(Input.STANDARD)) {
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw new Failure(file + ": cannot be written: is a directory");
        }
        if (folder != null && !Files.isDirectory(folder)) {
            throw new Failure(file + ": cannot be written: there is no directory " + folder);
        }
        if (!Files.isWritable(Files.exists(file) || folder == null ? file : folder)) {
            throw new Failure(file + ": cannot be written: permission denied");
        }
    }

    /**
     * Writes a matrix as text.
     *
     * @param out stream, which stays open
     * @param matrix matrix
     * @param single whether the numbers are of single precision
     * @param comment one line for people
     * @param share is told how much is done
     * @throws IOException of the stream
     */
    static void write(OutputStream out, DenseMatrix matrix, boolean single, String comment, DoubleConsumer share)
            throws IOException {
        text(out, "%%MatrixMarket matrix array " + (matrix.isComplex() ? "complex" : "real") + " general\n");
        text(out, "% " + comment + "\n");
        text(out, matrix.rows() + " " + matrix.cols() + "\n");
        StringBuilder line = new StringBuilder();
        int parts = matrix.isComplex() ? 2 : 1;
        for (int j = 0; j < matrix.cols(); j++) {
            double[] column = matrix.column(j);
            for (int i = 0; i < column.length; i++) {
                number(line, column[i], single);
                line.append((i + 1) % parts == 0 ? '\n' : ' ');
            }
            text(out, line.toString());
            line.setLength(0);
            share.accept((j + 1.0) / matrix.cols());
        }
    }

    private static void number(StringBuilder line, double value, boolean single) {
        if (single) {
            line.append((float) value);
        } else {
            line.append(value);
        }
    }

    /**
     * Writes a text.
     *
     * @param file file; replaced if it exists
     * @param text text
     */
    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw failure(file, e);
        }
    }

    /**
     * What to say of a file that could not be written.
     *
     * @param file the file
     * @param e why
     */
    static Failure failure(Path file, IOException e) {
        String reason = e instanceof AccessDeniedException ? "permission denied"
                : e instanceof NoSuchFileException ? "there is no such directory"
                : e.getMessage();
        return Failure.lostOutput(file + ": cannot be written: " + reason, e);
    }

    private static void text(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
