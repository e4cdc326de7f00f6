package dev.basalt.cli;

import dev.basalt.ByteSize;
import dev.basalt.cli.MarketHeader.Field;
import dev.basalt.cli.MarketHeader.Format;
import dev.basalt.cli.MarketHeader.Symmetry;
import java.nio.file.Path;

/**
 * Reads a Matrix Market file: the header at once, so that shapes can be judged before a long body is read, then the body.
 * Elements of a symmetric file are mirrored; elements given twice add up.
 */
final class MarketReader implements MatrixFile {
    private static final int FIRST_GUESS = 1 << 20;

    private final Path file;
    private final MarketLines lines;
    private final MarketHeader header;

    private MarketReader(Path file, MarketLines lines, MarketHeader header) {
        this.file = file;
        this.lines = lines;
        this.header = header;
    }

    /**
     * Reads the header.
     *
     * @param input the file
     * @return reader
     * @throws Failure with file, line and reason
     */
    static MarketReader open(Input input) {
        MarketLines lines = new MarketLines(input);
        return new MarketReader(input.file(), lines, MarketHeader.read(lines));
    }

    /**
     * Opens a file and reads its header.
     *
     * @param file file
     * @param progress is told how far the file is read
     * @return reader
     * @throws Failure with file, line and reason
     */
    static MarketReader open(Path file, Progress progress) {
        Input input = Input.open(file, progress);
        try {
            return open(input);
        } catch (RuntimeException e) {
            input.close();
            throw e;
        }
    }

    @Override
    public Path file() {
        return file;
    }

    @Override
    public MarketHeader header() {
        return header;
    }

    @Override
    public Matrix read() {
        Matrix matrix = header.format() == Format.ARRAY ? array() : coordinate();
        if (lines.nextContent()) {
            throw lines.error("more follows after the " + header.entries() + " values that the size line tells of");
        }
        return matrix;
    }

    private Matrix coordinate() {
        int rows = (int) header.rows();
        int cols = (int) header.cols();
        boolean mirrored = header.symmetry() != Symmetry.GENERAL;
        // The size line may promise anything, so memory follows what is really there.
        long promised = Math.min(MarketHeader.MOST, mirrored ? 2 * header.entries() : header.entries());
        Triplets triplets = new Triplets(header.isComplex(), (int) Math.min(promised, FIRST_GUESS));
        int parts = header.field() == Field.PATTERN ? 0 : header.isComplex() ? 2 : 1;
        boolean integer = header.field() == Field.INTEGER;
        for (long e = 0; e < header.entries(); e++) {
            int i;
            int j;
            double re;
            double im;
            if (lines.plain(rows, cols, parts, integer)) {
                i = lines.row();
                j = lines.col();
                re = lines.re();
                im = lines.im();
            } else {
                if (!lines.nextContent()) {
                    throw truncated(e);
                }
                i = index("row index", rows);
                lines.word("the column index");
                j = index("column index", cols);
                re = parts == 0 ? 1 : part("the value");
                im = parts == 2 ? part("the imaginary part") : 0;
                lines.endOfLine(words() + " numbers are all that is");
            }
            if (!triplets.hasRoom()) {
                throw lines.error("more than " + MarketHeader.MOST + " elements");
            }
            triplets.add(i, j, re, im);
            if (mirrored) {
                mirror(triplets, i, j, re, im);
            }
        }
        try {
            return triplets.compress(rows, cols);
        } catch (Failure e) {
            throw lines.fileError(e.getMessage());
        }
    }

    private int words() {
        return header.field() == Field.PATTERN ? 2 : header.isComplex() ? 4 : 3;
    }

    private double part(String what) {
        lines.word(what);
        return number(what);
    }

    private double number(String what) {
        return header.field() == Field.INTEGER ? integer(what) : lines.number(what);
    }

    private double integer(String what) {
        lines.integer(what);
        return lines.number(what);
    }

    private int index(String what, int limit) {
        long index = lines.integer("the " + what);
        if (index < 1 || index > limit) {
            throw lines.error("the " + what + " " + lines.quoted() + " is outside 1.." + limit);
        }
        return (int) index - 1;
    }

    private void mirror(Triplets triplets, int i, int j, double re, double im) {
        if (i < j) {
            throw lines.error("row " + (i + 1) + ", column " + (j + 1) + " is in the upper triangle; a "
                    + (header.symmetry() == Symmetry.HERMITIAN ? "hermitian" : "symmetric")
                    + " file gives the lower triangle only");
        }
        if (i == j) {
            diagonal(re, im);
            return;
        }
        double sign = header.symmetry() == Symmetry.SKEW_SYMMETRIC ? -1 : 1;
        double conjugate = header.symmetry() == Symmetry.HERMITIAN ? -1 : sign;
        triplets.add(j, i, sign * re, conjugate * im);
    }

    private void diagonal(double re, double im) {
        if (header.symmetry() == Symmetry.HERMITIAN && im != 0) {
            throw lines.error("the diagonal of a hermitian matrix is real, but the imaginary part is " + im);
        }
        if (header.symmetry() == Symmetry.SKEW_SYMMETRIC && (re != 0 || im != 0)) {
            throw lines.error("the diagonal of a skew-symmetric matrix is 0, but the value is not");
        }
    }

    private Matrix array() {
        int rows = (int) header.rows();
        int cols = (int) header.cols();
        int parts = header.isComplex() ? 2 : 1;
        room(rows, cols, parts);
        double[][] columns = new double[cols][];
        Symmetry symmetry = header.symmetry();
        boolean mirrored = symmetry != Symmetry.GENERAL;
        long read = 0;
        for (int j = 0; j < cols; j++) {
            double[] column = new double[rows * parts];
            columns[j] = column;
            for (int k = 0; mirrored && k < j; k++) {
                mirror(columns[k], j, column, k, parts);
            }
            int first = !mirrored ? 0 : symmetry == Symmetry.SKEW_SYMMETRIC ? j + 1 : j;
            for (int i = first; i < rows; i++, read++) {
                if (parts == 1 && !mirrored && header.field() != Field.INTEGER) {
                    int behind = lines.brief(column, i);
                    read += behind - i;
                    i = behind;
                    if (i == rows) {
                        break;
                    }
                }
                value(column, i, parts, read);
                if (i == j && mirrored) {
                    diagonal(column[i * parts], parts == 2 ? column[i * 2 + 1] : 0);
                }
            }
        }
        return new DenseMatrix(rows, header.isComplex(), columns);
    }

    private void value(double[] column, int i, int parts, long read) {
        if (lines.plain(0, 0, parts, header.field() == Field.INTEGER)) {
            column[i * parts] = lines.re();
            if (parts == 2) {
                column[i * 2 + 1] = lines.im();
            }
            return;
        }
        if (!lines.nextContent()) {
            throw truncated(read);
        }
        column[i * parts] = number("the value");
        if (parts == 2) {
            column[i * 2 + 1] = part("the imaginary part");
        }
        lines.endOfLine(parts == 2 ? "two numbers are all that is" : "one number is all that is");
    }

    /** Element (k, j) is the image of element (j, k), which column k has. */
    private void mirror(double[] from, int j, double[] to, int k, int parts) {
        double sign = header.symmetry() == Symmetry.SKEW_SYMMETRIC ? -1 : 1;
        to[k * parts] = sign * from[j * parts];
        if (parts == 2) {
            to[k * 2 + 1] = (header.symmetry() == Symmetry.HERMITIAN ? -1 : sign) * from[j * 2 + 1];
        }
    }

    private void room(long rows, long cols, int parts) {
        if (rows * parts > MarketHeader.MOST) {
            throw lines.error("a column of " + rows + " complex numbers is longer than a Java array");
        }
        double bytes = (double) rows * cols * parts * Double.BYTES;
        long heap = Runtime.getRuntime().maxMemory();
        if (bytes > heap) {
            throw lines.fileError("not enough memory: " + rows + " x " + cols + (parts == 2 ? " complex" : "")
                    + " numbers need " + ByteSize.format((long) bytes) + " of Java heap, which may grow to "
                    + ByteSize.format(heap) + "; set BASALT_JAVA_OPTS=-Xmx... to allow more");
        }
    }

    private Failure truncated(long read) {
        return lines.error("the file ends after " + read + " of " + header.entries() + " values");
    }

    @Override
    public void close() {
        lines.close();
    }
}
