package dev.basalt.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskCacheTest {
    private static final byte[] MATERIAL = {1, 2, 3};

    @TempDir
    private Path folder;

    private final AtomicInteger made = new AtomicInteger();

    private byte[] content() {
        byte[] content = new byte[100_000];
        new Random(7).nextBytes(content);
        return content;
    }

    private byte[] make() {
        made.incrementAndGet();
        return content();
    }

    private List<Path> files() throws IOException {
        try (var list = Files.list(folder)) {
            return list.toList();
        }
    }

    @Test
    void isMadeOnceAndThenRead() throws IOException {
        for (int i = 0; i < 3; i++) {
            assertThat(new DiskCache(folder).get(MATERIAL, this::make)).isEqualTo(content());
        }
        assertThat(made).hasValue(1);
        assertThat(files()).hasSize(1);
        assertThat(new DiskCache(folder).get(new byte[] {4}, () -> new byte[0])).isEmpty();
        assertThat(files()).hasSize(2);
    }

    @Test
    void everyKindOfDamageIsFoundAndMended() throws IOException {
        new DiskCache(folder).get(MATERIAL, this::make);
        Path file = files().get(0);
        byte[] good = Files.readAllBytes(file);
        List<byte[]> damaged = new ArrayList<>();
        for (int cut : new int[] {0, 1, 8, 39, 40, 41, good.length - 1}) {
            damaged.add(Arrays.copyOf(good, cut));
        }
        damaged.add(Arrays.copyOf(good, good.length + 1));
        Random random = new Random(3);
        for (int i = 0; i < 20; i++) {
            byte[] flipped = good.clone();
            flipped[i == 0 ? 0 : random.nextInt(good.length)] ^= (byte) (1 << random.nextInt(8));
            damaged.add(flipped);
        }
        for (byte[] bytes : damaged) {
            Files.write(file, bytes);
            made.set(0);
            DiskCache cache = new DiskCache(folder);
            assertThat(cache.get(MATERIAL, this::make)).isEqualTo(content());
            assertThat(made).hasValue(1);
            assertThat(cache.trouble()).contains("damaged");
            assertThat(Files.readAllBytes(file)).isEqualTo(good);
        }
    }

    @Test
    void aFolderThatCannotBeWrittenCostsACompilationOnly() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        DiskCache cache = new DiskCache(file.resolve("below"));
        assertThat(cache.get(MATERIAL, this::make)).isEqualTo(content());
        assertThat(cache.get(MATERIAL, this::make)).isEqualTo(content());
        assertThat(made).hasValue(2);
        assertThat(cache.trouble()).contains("cannot write");
    }

    @Test
    void aReadOnlyFolderCostsACompilationOnly() throws IOException {
        Path locked = Files.createDirectory(folder.resolve("locked"));
        Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
        if (Files.isWritable(locked)) {
            System.out.println("a read-only cache is not tested: this user may write everywhere");
        }
        assumeTrue(!Files.isWritable(locked), "this user may write everywhere");
        DiskCache cache = new DiskCache(locked);
        assertThat(cache.get(MATERIAL, this::make)).isEqualTo(content());
        assertThat(cache.trouble()).contains("cannot write");
    }

    /** /dev/full answers every write with "no space left"; a file system of its own needs rights that a test has not. */
    @Test
    void aFullDiskLeavesNothingBehindAndCostsACompilationOnly() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "there is no /dev/full");
        DiskCache cache = new DiskCache(folder, (where, bytes) -> Files.write(full, bytes));
        assertThat(cache.get(MATERIAL, this::make)).isEqualTo(content());
        assertThat(cache.trouble()).contains("cannot write").containsIgnoringCase("space");
        assertThat(files()).isEmpty();
    }

    /** Fills a cache again and again while another process does the same. */
    static final class Filler {
        private Filler() {}

        public static void main(String[] args) throws IOException {
            Path folder = Path.of(args[0]);
            Random order = new Random(Long.parseLong(args[1]));
            for (int i = 0; i < 400; i++) {
                byte key = (byte) order.nextInt(5);
                byte[] expected = new byte[20_000 + key];
                Arrays.fill(expected, key);
                byte[] found = new DiskCache(folder).get(new byte[] {key}, expected::clone);
                if (!Arrays.equals(found, expected)) {
                    throw new AssertionError("entry " + key + " is wrong in round " + i);
                }
                if (order.nextInt(4) == 0) {
                    try (var list = Files.list(folder)) {
                        for (Path file : list.filter(f -> f.toString().endsWith(".bin")).toList()) {
                            Files.deleteIfExists(file); // so that both write all the time
                        }
                    }
                }
            }
        }
    }

    @Test
    void twoProcessesNeverSeeHalfAnEntry() throws IOException, InterruptedException {
        List<Process> processes = new ArrayList<>();
        for (int seed = 0; seed < 2; seed++) {
            processes.add(new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xshare:auto", "-Xmx64m", "-cp",
                    Path.of("target/classes").toAbsolutePath() + File.pathSeparator
                            + Path.of("target/test-classes").toAbsolutePath(),
                    Filler.class.getName(), folder.toString(), "" + seed).redirectErrorStream(true)
                    .redirectOutput(Files.createTempFile("basalt", ".out").toFile())
                    .start());
        }
        for (Process process : processes) {
            assertThat(process.waitFor()).isZero();
        }
        assertThat(files()).allMatch(f -> f.toString().endsWith(".bin"));
    }
}
