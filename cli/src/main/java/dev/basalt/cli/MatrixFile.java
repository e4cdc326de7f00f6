package dev.basalt.cli;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/** A file with a matrix, in any format that is known. Its content decides which; names are for text alone. */
interface MatrixFile extends Closeable {
    /** The file, for messages. */
    Path file();

    /** What the file says of its matrix. */
    MatrixHeader header();

    /**
     * Reads the elements.
     *
     * @return the whole matrix
     * @throws Failure with file and reason
     */
    Matrix read();

    @Override
    void close();

    /**
     * Opens a file.
     *
     * @param file file; {@code -} is standard input; {@code FILE#NAME} is one matrix of several in a file
     * @param progress is told how far the file is read
     * @return the file, its header read
     * @throws Failure with file and reason
     */
    static MatrixFile open(Path file, Progress progress) {
        Input input = Input.open(file, progress);
        try {
            return of(input);
        } catch (RuntimeException e) {
            input.close();
            throw e;
        }
    }

    private static MatrixFile of(Input input) {
        String start = new String(input.beginning(), StandardCharsets.ISO_8859_1);
        if (start.startsWith("\u0093NUMPY")) {
            return NumpyFile.array(input);
        }
        if (start.startsWith("PK\3\4")) {
            return NumpyFile.archive(input);
        }
        if (start.startsWith("\u0089HDF\r\n") || start.startsWith("MATLAB 7.3 ")) {
            return HdfMatrix.open(input);
        }
        if (start.startsWith("MATLAB 5.0 ")) {
            return MatlabFile.open(input);
        }
        if (isOldMatlab(input.beginning())) {
            throw new Failure(input.file()
                    + ": a MAT file of version 4; save it as version 5 or newer, as MATLAB's save -v7 and Octave's save -6 do");
        }
        return isTable(input.file().toString().toLowerCase(Locale.ROOT), start)
                ? TextTable.open(input)
                : MarketReader.open(input);
    }

    /** Five numbers of 32 bits and a name that ends: the type, rows, columns, whether there are imaginary parts, and how long the name is. */
    private static boolean isOldMatlab(byte[] start) {
        if (start.length < 5 * Integer.BYTES + 2) {
            return false;
        }
        ByteBuffer numbers = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN);
        int type = numbers.getInt();
        int rows = numbers.getInt();
        int cols = numbers.getInt();
        int imaginary = numbers.getInt();
        int length = numbers.getInt();
        boolean name = length >= 2 && length <= numbers.remaining() && start[5 * Integer.BYTES + length - 1] == 0
                && Character.isLetter(start[5 * Integer.BYTES]);
        return type >= 0 && type <= 52 && rows >= 0 && cols >= 0 && (imaginary == 0 || imaginary == 1) && name;
    }

    /** Numbers in lines, as a spreadsheet writes them; files that call themselves otherwise are what they say. */
    private static boolean isTable(String name, String start) {
        String unpacked = name.replaceFirst("\\.(gz|bz2|xz|zst)$", "");
        if (unpacked.matches(".*\\.(csv|tsv|txt|dat)")) {
            return !start.startsWith("%%");
        }
        return !unpacked.matches(".*\\.(mtx|mm)") && start.matches("(?s)[-+.\"#]?[0-9][\\s!-~]*");
    }
}
