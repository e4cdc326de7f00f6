package dev.basalt.cli;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** The lines of a text file, one at a time and without copies, and the words on the current line. Gzip is unpacked. */
final class MarketLines implements Closeable {
    private static final int BUFFER = 1 << 16;
    private static final int SHOWN = 40;
    /** No plain line is longer. */
    private static final int PLENTY = 256;

    private final Path file;
    private final FileChannel channel;
    private final long size;
    private final InputStream in;
    private final Progress progress;
    /** Behind what was read there is always room for eight bytes that are 0. */
    private final byte[] buffer = new byte[BUFFER + Long.BYTES];

    private final PlainNumbers numbers = new PlainNumbers(buffer);
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

    private MarketLines(Path file, FileChannel channel, Progress progress) throws IOException {
        this.file = file;
        this.channel = channel;
        this.size = channel.size();
        this.progress = progress;
        // The two magic bytes decide, so that a packed file is read whatever it is called.
        PushbackInputStream raw = new PushbackInputStream(Channels.newInputStream(channel), 2);
        byte[] magic = raw.readNBytes(2);
        raw.unread(magic);
        boolean packed = magic.length == 2 && (magic[0] & 0xff) == 0x1f && (magic[1] & 0xff) == 0x8b;
        if (!packed && file.toString().endsWith(".gz") && magic.length > 0) {
            throw new Failure(file + ": the name ends in .gz, but it is not a gzip file");
        }
        this.in = packed ? new GZIPInputStream(raw, BUFFER) : raw;
    }

    /**
     * Opens a file.
     *
     * @param file a text file, or one packed by gzip
     * @param progress is told how far the file is read
     * @return its lines; before the first
     */
    static MarketLines open(Path file, Progress progress) {
        if (Files.isDirectory(file)) {
            throw new Failure(file + ": is a directory, not a Matrix Market file");
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(file);
            return new MarketLines(file, channel, progress);
        } catch (IOException | RuntimeException e) {
            closeQuietly(channel);
            if (e instanceof RuntimeException failure) {
                throw failure;
            }
            throw failure(file, (IOException) e);
        }
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // The reason for closing it is the better story.
        }
    }

    /** Java cannot find a file whose name has letters that the locale does not know; it puts this sign in their place. */
    private static String otherLetters(String name) {
        return name.indexOf('\ufffd') < 0
                ? ""
                : "; its name has letters that the locale (" + System.getProperty("sun.jnu.encoding")
                        + ") does not know: set LC_ALL=C.UTF-8";
    }

    private static Failure failure(Path file, IOException e) {
        String what;
        if (e instanceof NoSuchFileException) {
            what = "no such file" + otherLetters(file.toString());
        } else if (e instanceof AccessDeniedException) {
            what = "permission denied";
        } else if (e instanceof EOFException) {
            what = "the gzip data is truncated";
        } else if (e instanceof ZipException) {
            what = "the gzip data is damaged (" + e.getMessage() + ")";
        } else {
            what = "cannot be read: " + (e.getMessage() == null ? e : e.getMessage());
        }
        return new Failure(file + ": " + what, e);
    }

    /**
     * Goes to the next line, whatever is on it.
     *
     * @return false at the end of the file
     */
    boolean next() {
        int scan = next;
        while (true) {
            for (; scan < end; scan++) {
                if (buffer[scan] == '\n') {
                    return take(scan, scan + 1);
                }
            }
            if (end == BUFFER && next > 0) {
                System.arraycopy(buffer, next, buffer, 0, end - next);
                scan -= next;
                end -= next;
                next = 0;
            } else if (end == BUFFER) {
                if (buffer[0] != '%') {
                    line++;
                    throw error("the line is longer than " + BUFFER + " bytes; this is not a Matrix Market file");
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
        next = following;
        line++;
        return true;
    }

    private boolean fill() {
        try {
            int read = in.read(buffer, end, BUFFER - end);
            if (read > 0) {
                end += read;
            }
            over = read <= 0;
            Arrays.fill(buffer, end, end + Long.BYTES, (byte) 0);
            if (size > 0) {
                progress.at(channel.position() / (double) size);
            }
            return read > 0;
        } catch (IOException e) {
            throw failure(file, e);
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
            System.arraycopy(buffer, next, buffer, 0, end - next);
            end -= next;
            next = 0;
            while (end < PLENTY && fill()) {
                // A pipe gives little at a time.
            }
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
        return new Failure(file + ":" + line + ": " + message);
    }

    /** A failure of the whole file. */
    Failure fileError(String message) {
        return new Failure(file + ": " + message);
    }

    /** How many lines were given out. */
    long line() {
        return line;
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            // Everything that was wanted has been read.
        }
    }
}
