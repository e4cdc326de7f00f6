package dev.basalt.cli;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.bzip2.BZip2HadoopStreams;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
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
import org.tukaani.xz.CorruptedInputException;
import org.tukaani.xz.XZFormatException;
import org.tukaani.xz.XZInputStream;

/** A file or standard input as bytes, unpacked where its first bytes say that it is packed. */
final class Input implements Closeable {
    /** The name that stands for standard input and output. */
    static final String STANDARD = "-";

    private static final int BUFFER = 1 << 16;
    private static final int BEGINNING = 64;
    private static final int UTF8 = 0xEFBBBF;

    private final Path file;
    private final String member;
    private final FileChannel channel;
    private final long size;
    private final Progress progress;
    private final PushbackInputStream in;
    private final byte[] beginning;
    private String packing;

    private Input(Path file, String member, FileChannel channel, Progress progress) throws IOException {
        this.file = file;
        this.member = member;
        this.channel = channel;
        this.size = channel == null ? 0 : channel.size();
        this.progress = progress;
        InputStream raw = channel == null ? System.in : told(Channels.newInputStream(channel));
        this.in = new PushbackInputStream(unpacked(new PushbackInputStream(raw, BEGINNING)), BEGINNING);
        this.beginning = withoutMark();
    }

    /** Says how far the file is read. */
    private InputStream told(InputStream raw) {
        return size == 0 ? raw : new FilterInputStream(raw) {
            @Override
            public int read() throws IOException {
                return in.read();
            }

            @Override
            public int read(byte[] to, int from, int length) throws IOException {
                int read = in.read(to, from, length);
                progress.at(channel.position() / (double) size, size);
                return read;
            }
        };
    }

    /**
     * Opens a file.
     *
     * @param file a file, {@code -}, or a file and the name of a matrix in it after {@code #}
     * @param progress is told how far it is read
     */
    static Input open(Path file, Progress progress) {
        String text = file.toString();
        int hash = text.lastIndexOf('#');
        boolean named = hash > 0 && !Files.exists(file);
        Path path = named ? Path.of(text.substring(0, hash)) : file;
        String member = named ? text.substring(hash + 1) : null;
        if (path.toString().equals(STANDARD)) {
            return open(path, member, null, progress);
        }
        if (Files.isDirectory(path)) {
            throw new Failure(path + ": is a directory, not a Matrix Market file");
        }
        FileChannel channel;
        try {
            channel = FileChannel.open(path);
        } catch (IOException e) {
            throw failure(path, null, e);
        }
        return open(path, member, channel, progress);
    }

    private static Input open(Path file, String member, FileChannel channel, Progress progress) {
        boolean done = false;
        try {
            Input input = new Input(file, member, channel, progress);
            done = true;
            return input;
        } catch (IOException e) {
            throw failure(file, null, e);
        } finally {
            if (!done && channel != null) {
                closeQuietly(channel);
            }
        }
    }

    private static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            // The reason for closing it is the better story, or everything that was wanted has been read.
        }
    }

    private InputStream unpacked(PushbackInputStream raw) throws IOException {
        byte[] magic = raw.readNBytes(6);
        raw.unread(magic);
        long first = 0;
        for (int i = 0; i < 6; i++) {
            first = first << 8 | (i < magic.length ? magic[i] & 0xff : 0);
        }
        InputStream buffered = new BufferedInputStream(raw, BUFFER);
        if (first >>> 32 == 0x1F8B) {
            packing = "gzip";
            return new GZIPInputStream(buffered, BUFFER);
        } else if (first >>> 24 == 0x425A68) {
            packing = "bzip2";
            return new BZip2HadoopStreams().createInputStream(buffered);
        } else if (first == 0xFD377A585A00L) {
            packing = "xz";
            return new XZInputStream(buffered);
        } else if (first >>> 16 == 0x28B52FFDL) {
            packing = "zstd";
            return new ZstdInputStream(buffered);
        }
        if (file.toString().endsWith(".gz") && magic.length > 0) {
            throw new Failure(file + ": the name ends in .gz, but it is not a gzip file");
        }
        return raw;
    }

    /** Skips the mark that some editors put before UTF-8. */
    private byte[] withoutMark() throws IOException {
        byte[] start;
        try {
            start = in.readNBytes(BEGINNING);
        } catch (IOException | RuntimeException e) {
            throw failure(e);
        }
        int three = start.length < 3 ? 0 : (start[0] & 0xff) << 16 | (start[1] & 0xff) << 8 | start[2] & 0xff;
        if (three >>> 8 == 0xFFFE || three >>> 8 == 0xFEFF) {
            throw new Failure(file + ": the text is UTF-16; save it as UTF-8");
        }
        byte[] rest = three == UTF8 ? Arrays.copyOfRange(start, 3, start.length) : start;
        in.unread(rest);
        return rest;
    }

    /** The first bytes, fewer at the end of the file; they are still to be read. */
    byte[] beginning() {
        return beginning.clone();
    }

    Path file() {
        return file;
    }

    /** The name of the matrix that is wanted of several; null if there was none. */
    String member() {
        return member;
    }

    /** Whether it is a file that lies on disk as it is read; a pipe may have a name, too. */
    boolean isPlainFile() {
        return packing == null && channel != null && Files.isRegularFile(file);
    }

    /** The bytes as a stream. Its failures are the caller's. */
    InputStream stream() {
        return in;
    }

    /** Reads some bytes; 0 or less at the end. */
    int read(byte[] to, int from, int length) {
        try {
            return in.read(to, from, length);
        } catch (IOException | RuntimeException e) {
            throw failure(e);
        }
    }

    /** Says how far a file is that is not read as a stream. */
    void at(double done) {
        progress.at(done, size);
    }

    /** What to say of a failure of reading. */
    Failure failure(Exception e) {
        return e instanceof Failure said ? said : failure(file, packing, e);
    }

    private static Failure failure(Path file, String packing, Exception e) {
        String data = "the " + (packing == null ? "file's" : packing) + " data is ";
        String what;
        if (e instanceof NoSuchFileException) {
            what = "no such file" + otherLetters(file.toString());
        } else if (e instanceof AccessDeniedException) {
            what = "permission denied";
        } else if (e instanceof EOFException || String.valueOf(e.getMessage()).contains("Reached end of stream")) {
            what = data + "truncated";
        } else if (e instanceof ZipException || e instanceof CorruptedInputException || e instanceof XZFormatException
                || e instanceof MalformedInputException || packing != null) {
            what = data + "damaged (" + e.getMessage() + ")";
        } else {
            what = "cannot be read: " + (e.getMessage() == null ? e : e.getMessage());
        }
        return new Failure(file + ": " + what, e);
    }

    /** Java cannot find a file whose name has letters that the locale does not know; it puts this sign in their place. */
    private static String otherLetters(String name) {
        return name.indexOf('\ufffd') < 0
                ? ""
                : "; its name has letters that the locale (" + System.getProperty("sun.jnu.encoding")
                        + ") does not know: set LC_ALL=C.UTF-8";
    }

    /** A text that must be plain letters. */
    static String ascii(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        closeQuietly(in);
    }
}
