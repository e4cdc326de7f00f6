package dev.basalt.gpu.device;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * Keeps compiled code on disk under a digest of everything it was made from. An entry carries a digest of its content and is
 * put in place by a rename, so two processes may fill the cache at once, and one that was cut off, damaged or cut short by a
 * full disk is made anew. A cache that cannot be used costs a compilation and never a failure.
 */
final class DiskCache {
    private static final byte[] MAGIC = {'B', 'A', 'S', 'A', 'L', 'T', 'K', '1'};
    private static final int DIGEST_BYTES = 32;
    private static final int HEADER_BYTES = MAGIC.length + DIGEST_BYTES;

    /** Puts bytes into a file. */
    interface Writer {
        /** Writes all of them, or throws. */
        void write(Path file, byte[] bytes) throws IOException;
    }

    private final Path folder;
    private final Writer writer;
    private volatile String trouble;

    /**
     * A cache.
     *
     * @param folder where; made when the first entry is written
     */
    DiskCache(Path folder) {
        this(folder, Files::write);
    }

    /** As {@link #DiskCache(Path)}, with another way to write. */
    DiskCache(Path folder, Writer writer) {
        this.folder = folder;
        this.writer = writer;
    }

    /** The user's cache: the system property {@code basalt.cache}, else where the desktop's rules say. */
    static DiskCache ofUser() {
        String set = System.getProperty("basalt.cache");
        if (set != null) {
            return new DiskCache(Path.of(set));
        }
        String xdg = System.getenv("XDG_CACHE_HOME");
        Path home = xdg != null && !xdg.isEmpty() ? Path.of(xdg) : Path.of(System.getProperty("user.home"), ".cache");
        return new DiskCache(home.resolve("basalt"));
    }

    /**
     * The content made from some material, from disk if it is there.
     *
     * @param material everything that the content depends on
     * @param make makes it
     * @return content
     */
    byte[] get(byte[] material, Supplier<byte[]> make) {
        Path file = folder.resolve(HexFormat.of().formatHex(digest(material)) + ".bin");
        byte[] known = read(file);
        if (known != null) {
            return known;
        }
        byte[] made = make.get();
        write(file, made);
        return made;
    }

    /** Why the cache could not be used the last time that it could not, or null. */
    String trouble() {
        return trouble;
    }

    private byte[] read(Path file) {
        try {
            byte[] entry = Files.readAllBytes(file);
            byte[] content = Arrays.copyOfRange(entry, Math.min(HEADER_BYTES, entry.length), entry.length);
            if (Arrays.equals(header(content), Arrays.copyOf(entry, Math.min(HEADER_BYTES, entry.length)))) {
                return content;
            }
            trouble = file + " is damaged and is made anew";
            Files.deleteIfExists(file);
        } catch (NoSuchFileException e) {
            return null; // the ordinary case at first use
        } catch (IOException | SecurityException e) {
            trouble = "cannot read " + file + ": " + e;
        }
        return null;
    }

    private void write(Path file, byte[] content) {
        Path temporary = null;
        try {
            makeFolder();
            temporary = Files.createTempFile(folder, "part", ".tmp");
            byte[] entry = Arrays.copyOf(header(content), HEADER_BYTES + content.length);
            System.arraycopy(content, 0, entry, HEADER_BYTES, content.length);
            writer.write(temporary, entry);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | SecurityException e) {
            trouble = "cannot write " + file + ": " + e;
            discard(temporary);
        }
    }

    private void makeFolder() throws IOException {
        try {
            Files.createDirectories(folder);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        }
    }

    private void discard(Path temporary) {
        try {
            if (temporary != null) {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException | SecurityException e) {
            trouble = trouble + "; and " + temporary + " stays: " + e;
        }
    }

    private static byte[] header(byte[] content) {
        byte[] header = Arrays.copyOf(MAGIC, HEADER_BYTES);
        System.arraycopy(digest(content), 0, header, MAGIC.length, DIGEST_BYTES);
        return header;
    }

    private static byte[] digest(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
