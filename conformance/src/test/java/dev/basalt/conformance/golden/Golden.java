package dev.basalt.conformance.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A golden file: what the library did on the day that it was made. With the system property {@value #WRITE} the files are made
 * anew: {@code mvn -pl conformance -am -Dtest='Golden*' -Dsurefire.failIfNoSpecifiedTests=false -Dbasalt.golden.write=true test}.
 */
final class Golden {
    static final String WRITE = "basalt.golden.write";

    private static final int DIGEST = 8;

    private Golden() {}

    /** Compares line by line, or writes the file. */
    static void check(String file, List<String> lines) {
        if (Boolean.getBoolean(WRITE)) {
            write(Path.of("src", "test", "resources", "golden", file), lines);
            return;
        }
        // What was found, beside the golden file for whoever compares the two.
        write(Path.of("target", "golden", file), lines);
        assertThat(lines).as(file).isEqualTo(read(file));
    }

    static void write(Path path, List<String> lines) {
        try {
            Files.createDirectories(path.getParent());
            Files.write(path, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> read(String file) {
        try (InputStream in = Golden.class.getResourceAsStream("/golden/" + file)) {
            assertThat(in).as("the golden file %s", file).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String text(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest(), 0, DIGEST);
    }
}
