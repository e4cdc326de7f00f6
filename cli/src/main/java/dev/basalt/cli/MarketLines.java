package dev.basalt.cli;

import java.io.Closeable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The lines of a text file, one at a time and without copies, and the words on the current line. */
final class MarketLines implements Closeable {
    private static final int BUFFER = 1 << 16;
    private static final int SHOWN = 40;
    /** No plain line is longer. */
    private static final int PLENTY = 256;

    private final Input input;
    private final int longest;
    private int capacity;
    /** Behind what was read there is always room for eight bytes that are 0. */
    private byte[] buffer;

    private final PlainNumbers numbers;
    private boolean over;

    /** What {@link #plain} has read. */
    private int row;

    private int col;
    private double re;
    private double im;

    /** Read but not yet given out: buffer[next … end). */
    private int next;

    private int end;
    private long line;

    /** The current line. */
    private int from;

    private int to;

    /** The current word. */
    private int wordFrom;

    private int wordTo;
    private int fieldTo;

    /**
     * The lines of a text; before the first.
     *
     * @param input bytes
     */
    MarketLines(Input input) {
        this(input, BUFFER);
    }

    /** Lines that may be longer than those of a Matrix Market file: the buffer grows with them, and stays in the caches while they are short. */
    MarketLines(Input input, int longest) {
        this.input = input;
        this.longest = longest;
        this.capacity = BUFFER;
        this.buffer = new byte[capacity + Long.BYTES];
        this.numbers = new PlainNumbers(buffer);
    }

    /**
     * Goes to the next line, whatever is on it.
     *
     * @return false at the end of the file
     */
    boolean next() {
        int scan = next;
        while (true) {
            scan = numbers.newline(scan, end);
            if (scan < end) {
                return take(scan, scan + 1);
            }
            if (end == capacity && next > 0) {
                System.arraycopy(buffer, next, buffer, 0, end - next);
                scan -= next;
                end -= next;
                next = 0;
            } else if (end == capacity && capacity < longest) {
                capacity = Math.min(longest, 2 * capacity);
                buffer = Arrays.copyOf(buffer, capacity + Long.BYTES);
                numbers.in(buffer);
            } else if (end == capacity) {
                if (buffer[0] != '%') {
                    line++;
                    throw error("the line is longer than " + capacity + " bytes; this is not a Matrix Market file");
                }
                // Of a long comment only the first byte matters.
                end = 1;
                scan = 1;
            }
            if (!fill()) {
                return next < end && take(end, end);
            }
        }
    }

    private boolean take(int stop, int following) {
        from = next;
        to = stop;
        wordTo = from;
        fieldTo = from;
        next = following;
        line++;
        return true;
    }

    private boolean fill() {
        int read = input.read(buffer, end, capacity - end);
        if (read > 0) {
            end += read;
        }
        over = read <= 0;
        Arrays.fill(buffer, end, end + Long.BYTES, (byte) 0);
        return read > 0;
    }

    /** Reads on until there is plenty, or the end of the file. */
    private void refill() {
        System.arraycopy(buffer, next, buffer, 0, end - next);
        end -= next;
        next = 0;
        while (end < PLENTY && fill()) {
            // A pipe gives little at a time.
        }
    }

    /**
     * Goes to the next line and reads it in one pass, if it is plain: indices within bounds where they are wanted, numbers that are
     * finite, nothing else. Whatever else there is stays for {@link #nextContent}, which knows what to say.
     *
     * @param rows bound of the first index; 0 for lines without indices
     * @param cols bound of the second
     * @param parts how many numbers follow, 0 to 2
     * @param integer whether they are integers
     * @return false if nothing was read
     */
    boolean plain(int rows, int cols, int parts, boolean integer) {
        if (end - next < PLENTY && !over) {
            refill();
        }
        numbers.from(next);
        numbers.blanks();
        if (rows > 0) {
            long i = numbers.index();
            boolean apart = numbers.blanks();
            long j = numbers.index();
            if (!apart || i < 1 || i > rows || j < 1 || j > cols || (parts > 0 && !numbers.blanks())) {
                return false;
            }
            row = (int) i - 1;
            col = (int) j - 1;
        }
        re = parts > 0 ? numbers.number(integer) : 1;
        im = 0;
        if (parts > 1) {
            im = numbers.blanks() ? numbers.number(integer) : Double.NaN;
        }
        if (Double.isNaN(re) || Double.isNaN(im) || !numbers.lineEnd() || numbers.at() > end) {
            return false;
        }
        next = numbers.at();
        line++;
        return true;
    }

    /**
     * Reads lines that have one brief number each, as many as come one behind the other and lie in the buffer. Those that are otherwise stay for {@link #plain}.
     *
     * @param into where the numbers go
     * @param begin the first place
     * @return behind the last place that got one
     */
    int brief(double[] into, int begin) {
        numbers.from(next);
        int stop = numbers.lines(into, begin, into.length, end - PLENTY);
        next = numbers.at();
        line += stop - begin;
        return stop;
    }

    int row() {
        return row;
    }

    int col() {
        return col;
    }

    double re() {
        return re;
    }

    double im() {
        return im;
    }

    /**
     * Goes to the next line that is neither blank nor a comment, and to its first word.
     *
     * @return false at the end of the file
     */
    boolean nextContent() {
        while (next()) {
            if (word() && buffer[wordFrom] != '%') {
                return true;
            }
        }
        return false;
    }

    /**
     * Goes to the next word of the line.
     *
     * @return false at the end of the line
     */
    boolean word() {
        int i = wordTo;
        while (i < to && isSpace(buffer[i])) {
            i++;
        }
        wordFrom = i;
        while (i < to && !isSpace(buffer[i])) {
            i++;
        }
        wordTo = i;
        return wordFrom < i;
    }

    private static boolean isSpace(byte c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\f';
    }

    /**
     * Goes to the next field of a line of a table; the first of a line begins it.
     *
     * @param separator what is between fields; 0 for blanks
     * @return false at the end of the line
     */
    boolean field(byte separator) {
        if (separator == 0) {
            return word();
        }
        int i = fieldTo;
        if (i > to) {
            return false;
        }
        wordFrom = i;
        while (i < to && buffer[i] != separator) {
            i++;
        }
        fieldTo = i + 1;
        wordTo = i;
        while (wordFrom < wordTo && isAround(buffer[wordFrom])) {
            wordFrom++;
        }
        while (wordTo > wordFrom && isAround(buffer[wordTo - 1])) {
            wordTo--;
        }
        return true;
    }

    /** The first byte of the line that is no blank; 0 if there is none. */
    byte first() {
        for (int i = from; i < to; i++) {
            if (!isSpace(buffer[i])) {
                return buffer[i];
            }
        }
        return 0;
    }

    /**
     * Reads the fields of the line in one pass, if all of them are plain and finite numbers. Whatever else there is stays for {@link #field}, and for
     * {@link #number}, which knows what to say.
     *
     * @param separator what is between fields; 0 for blanks
     * @param into where they go
     * @return how many there are; -1 if they are not plain, or more than have room
     */
    int plainFields(byte separator, double[] into) {
        if (separator == ';') {
            pointForComma(from, to);
        }
        numbers.from(from);
        int fields = separator == 0 ? 0 : numbers.fields(separator, into);
        while (fields < into.length) {
            numbers.blanks(separator);
            double value = numbers.number(false);
            if (!Double.isFinite(value)) {
                return -1;
            }
            into[fields++] = value;
            boolean apart = numbers.blanks(separator);
            int at = numbers.at();
            if (at == to || at == to - 1 && buffer[at] == '\r') {
                return fields;
            }
            if (separator != 0) {
                apart = buffer[at] == separator;
                numbers.from(at + 1);
            }
            if (!apart) {
                return -1;
            }
        }
        return -1;
    }

    private void pointForComma(int begin, int stop) {
        for (int i = begin; i < stop; i++) {
            buffer[i] = buffer[i] == ',' ? (byte) '.' : buffer[i];
        }
    }

    private static boolean isAround(byte c) {
        return isSpace(c) || c == '"';
    }

    /** Whether the field is a number; where a comma is the decimal point it becomes one. */
    boolean isNumber(boolean comma) {
        if (comma) {
            pointForComma(wordFrom, wordTo);
        }
        return !Double.isNaN(Decimal.parse(buffer, wordFrom, wordTo));
    }

    /** How often a byte is on the line. */
    int count(byte what) {
        int count = 0;
        for (int i = from; i < to; i++) {
            count += buffer[i] == what ? 1 : 0;
        }
        return count;
    }

    /** Goes to the next word, which must be there. */
    void word(String what) {
        if (!word()) {
            throw error("the line ends where " + what + " belongs");
        }
    }

    /** Refuses anything more on the line. */
    void endOfLine(String what) {
        if (word()) {
            throw error(what + " expected on the line, but " + quoted() + " follows");
        }
    }

    /**
     * The current word as a number.
     *
     * @param what what it is, for the message
     * @return a finite number
     */
    double number(String what) {
        double value = Decimal.parse(buffer, wordFrom, wordTo);
        if (Double.isNaN(value)) {
            throw error(quoted() + " where " + what + " belongs is not a finite number");
        }
        if (Double.isInfinite(value)) {
            throw error(what + " " + quoted() + " is beyond the range of double precision");
        }
        return value;
    }

    /**
     * The current word as an integer, or the nearest long.
     *
     * @param what what it is, for the message
     * @return an integer
     */
    long integer(String what) {
        if (!Decimal.isInteger(buffer, wordFrom, wordTo)) {
            throw error(quoted() + " where " + what + " belongs is not an integer");
        }
        return Decimal.integer(buffer, wordFrom, wordTo);
    }

    /** The current word, or a beginning of it, fit to be printed. */
    String quoted() {
        StringBuilder text = new StringBuilder("\"");
        for (int i = wordFrom; i < wordTo && i < wordFrom + SHOWN; i++) {
            text.append(buffer[i] > ' ' && buffer[i] < 0x7f ? (char) buffer[i] : '?');
        }
        return text.append(wordTo - wordFrom > SHOWN ? "...\"" : "\"").toString();
    }

    /** The current word. */
    String text() {
        return new String(buffer, wordFrom, wordTo - wordFrom, StandardCharsets.ISO_8859_1);
    }

    /** A failure at the current line. */
    Failure error(String message) {
        return new Failure(input.file() + ":" + line + ": " + message);
    }

    /** A failure of the whole file. */
    Failure fileError(String message) {
        return new Failure(input.file() + ": " + message);
    }

    /** How many lines were given out. */
    long line() {
        return line;
    }

    @Override
    public void close() {
        input.close();
    }
}
