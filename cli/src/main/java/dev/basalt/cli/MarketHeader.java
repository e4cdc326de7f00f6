package dev.basalt.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The banner and the size line of a Matrix Market file (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, 1996).
 *
 * @param format how the elements are listed
 * @param field what an element is
 * @param symmetry which part is listed
 * @param rows rows
 * @param cols columns
 * @param entries how many elements are listed
 */
record MarketHeader(Format format, Field field, Symmetry symmetry, long rows, long cols, long entries)
        implements MatrixHeader {
    /** Java arrays end a little below 2^31. */
    static final long MOST = Integer.MAX_VALUE - 8;

    private static final String BANNER = "%%MatrixMarket";

    /** How the elements are listed. */
    enum Format {
        COORDINATE, ARRAY
    }

    /** What an element is. */
    enum Field {
        REAL, COMPLEX, INTEGER, PATTERN
    }

    /** Which part is listed: everything, or the lower triangle. */
    enum Symmetry {
        GENERAL, SYMMETRIC, HERMITIAN, SKEW_SYMMETRIC
    }

    @Override
    public long listed() {
        return format == Format.COORDINATE ? entries : -1;
    }

    /** Reads banner and size line. */
    static MarketHeader read(MarketLines lines) {
        if (!lines.next()) {
            throw lines.fileError("the file is empty");
        }
        if (!lines.word() || !lines.text().equalsIgnoreCase(BANNER)) {
            throw lines.error("not a Matrix Market file: it begins with " + lines.quoted() + ", not with " + BANNER);
        }
        lines.word("\"matrix\"");
        if (!lines.text().equalsIgnoreCase("matrix")) {
            throw lines.error("the object is " + lines.quoted() + "; only \"matrix\" can be read");
        }
        Format format = choice(lines, "the format", Format.values());
        Field field = choice(lines, "the field", Field.values());
        Symmetry symmetry = choice(lines, "the symmetry", Symmetry.values());
        lines.endOfLine("matrix, format, field and symmetry are all that is");
        combination(lines, format, field, symmetry);
        return size(lines, format, field, symmetry);
    }

    private static <T extends Enum<T>> T choice(MarketLines lines, String what, T[] accepted) {
        lines.word(what);
        for (T one : accepted) {
            if (lines.text().equalsIgnoreCase(word(one))) {
                return one;
            }
        }
        List<String> words = Arrays.stream(accepted).map(MarketHeader::word).toList();
        throw lines.error(what + " is " + lines.quoted() + "; accepted are " + String.join(", ", words));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static void combination(MarketLines lines, Format format, Field field, Symmetry symmetry) {
        if (format == Format.ARRAY && field == Field.PATTERN) {
            throw lines.error("an array has no pattern; pattern goes with coordinate");
        }
        if (field == Field.PATTERN && symmetry != Symmetry.GENERAL && symmetry != Symmetry.SYMMETRIC) {
            throw lines.error("a pattern is general or symmetric, not " + word(symmetry));
        }
        if (symmetry == Symmetry.HERMITIAN && field != Field.COMPLEX) {
            throw lines.error("hermitian goes with complex; a matrix that is " + word(field) + " is called symmetric");
        }
    }

    private static MarketHeader size(MarketLines lines, Format format, Field field, Symmetry symmetry) {
        if (!lines.nextContent()) {
            throw lines.error("the file ends before the line with the size");
        }
        long rows = extent(lines, "the number of rows");
        lines.word("the number of columns");
        long cols = extent(lines, "the number of columns");
        long entries;
        if (format == Format.COORDINATE) {
            lines.word("the number of entries");
            entries = extent(lines, "the number of entries");
            lines.endOfLine("rows, columns and entries are all that is");
        } else {
            lines.endOfLine("rows and columns are all that is");
            entries = listed(rows, cols, symmetry);
        }
        if (symmetry != Symmetry.GENERAL && rows != cols) {
            throw lines.error("a matrix that is " + word(symmetry) + " is square, not " + rows + " x " + cols);
        }
        return new MarketHeader(format, field, symmetry, rows, cols, entries);
    }

    private static long extent(MarketLines lines, String what) {
        long value = lines.integer(what);
        if (value < 0) {
            throw lines.error(what + " is " + lines.quoted() + "; it cannot be negative");
        }
        if (value > MOST) {
            throw lines.error(what + " is " + lines.quoted() + "; at most " + MOST + " can be read");
        }
        return value;
    }

    /** How many elements an array lists; rows and columns are below 2^31, so nothing overflows. */
    private static long listed(long rows, long cols, Symmetry symmetry) {
        return switch (symmetry) {
            case GENERAL -> rows * cols;
            case SKEW_SYMMETRIC -> rows * (rows - 1) / 2;
            default -> rows * (rows + 1) / 2;
        };
    }

    @Override
    public boolean isComplex() {
        return field == Field.COMPLEX;
    }

    @Override
    public String toString() {
        return rows + " x " + cols + " " + word(field) + " " + word(symmetry) + ", "
                + (format == Format.ARRAY ? "array" : "coordinate, " + entries + " entries");
    }
}
