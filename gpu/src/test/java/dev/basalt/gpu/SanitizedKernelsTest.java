package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.spi.Kernel;
import dev.basalt.type.ElementType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every kernel for GPUs on the CPU under AddressSanitizer, which sees every read and write beside an operand, a static array or the
 * dynamic shared memory. In a process of its own, since the sanitizer must be there before anything else is; in two orders of threads.
 */
class SanitizedKernelsTest {
    private static final int ROUNDS = Integer.getInteger("basalt.sanitizedRounds", 8);
    private static final long SEED = Long.getLong("basalt.seed", System.nanoTime());
    private static final int ADDRESS_TAKEN = 3;
    private static final int ATTEMPTS = 5;

    @TempDir
    private Path folder;

    @Test
    void noKernelReachesBesideItsOperands() throws IOException, InterruptedException {
        String absent = absent();
        if (absent != null) {
            System.out.println("skipped: the kernels are not run under AddressSanitizer: " + absent);
        }
        assumeTrue(absent == null, absent);
        String given = System.getProperty("basalt.sanitized");
        Compilation ofProgram =
                given == null ? start("sanitized", false, List.of(), List.of("-rdynamic", "-ldl")) : null;
        Compilation ofCapped = start("capped.so", true, List.of("-DBASALT_CAPPED", "-fPIC", "-fno-gnu-unique"),
                List.of("-shared", "-Wl,-Bsymbolic"));
        Path program = ofProgram == null ? Path.of(given) : ofProgram.done();
        Path capped = ofCapped.done();
        Path report = folder.resolve("report");
        int code = ADDRESS_TAKEN;
        for (int attempt = 0; attempt < ATTEMPTS && code == ADDRESS_TAKEN; attempt++) {
            code = run(program, capped, report);
        }
        assertThat(code).as("seed %d: %s", SEED, Files.readString(report)).isZero();
        assertThat(Files.readString(report)).endsWith(" launches\n");
        System.out.println("under AddressSanitizer: " + Files.readString(report).strip());
    }

    /** Why it cannot be done here, or null. */
    private String absent() throws IOException, InterruptedException {
        Path source = Files.writeString(folder.resolve("empty.cpp"), "int main() {}\n");
        Path program = folder.resolve("empty");
        try {
            List<String> command = List.of("g++", "-fsanitize=address", "-o", program.toString(), source.toString());
            if (compile(command) != 0) {
                return "g++ has no AddressSanitizer";
            }
            return new ProcessBuilder(program.toString()).start().waitFor() == 0
                    ? null
                    : "a program with AddressSanitizer does not run";
        } catch (IOException e) {
            return "there is no g++";
        }
    }

    private int compile(List<String> command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start()
                .waitFor();
    }

    /** The kernels, or those for dimensions that the device alone knows, which have the names of the others. */
    private Compilation start(String name, boolean capped, List<String> more, List<String> linking) throws IOException {
        Path cpp = Path.of("src/test/cpp").toAbsolutePath();
        Path kernels = Path.of("src/main/resources/dev/basalt/gpu").toAbsolutePath();
        List<String> options = new ArrayList<>(List.of("-O1", "-g1", "-fsanitize=address", "-Wno-unknown-pragmas",
                "-DBASALT_SHIM", "-I" + kernels, "-I" + cpp));
        options.addAll(more);
        List<Path> sources = new ArrayList<>(Compilation.sources(kernels, capped));
        if (!capped) {
            sources.add(cpp.resolve("shim.cpp"));
            sources.add(cpp.resolve("sanitized.cpp"));
        }
        List<String> all = new ArrayList<>(linking);
        all.add("-fsanitize=address");
        return new Compilation(folder.resolve(name), sources, options, all);
    }

    private static int run(Path program, Path capped, Path report) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(program.toString(), capped.toString()).redirectErrorStream(true)
                .redirectOutput(report.toFile());
        // What is under way when a fiber is left for good is no leak of the kernels'.
        builder.environment().put("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0");
        Process process = builder.start();
        try (SanitizedKernels kernels = new SanitizedKernels(process.getOutputStream())) {
            trials(kernels);
        } catch (IOException e) {
            // It has ended, and said why.
            assertThat(process.waitFor()).as("seed %d: %s, %s", SEED, e, Files.readString(report)).isNotZero();
        }
        return process.waitFor();
    }

    private static void trials(SanitizedKernels kernels) throws IOException {
        Launcher<Boolean> plain = new Launcher<>(kernels, 8);
        Launcher<Boolean> tensor = new Launcher<>(kernels, 8, true);
        try (Arena arena = Arena.ofConfined()) {
            long arguments = arena.allocate(Arguments.BYTES, 64).fill((byte) 0xA5).address();
            for (Kernel kernel : KernelsMatchPortableTest.offered()) {
                for (int round = 0; round < ROUNDS; round++) {
                    for (ElementType type : KernelsMatchPortableTest.TYPES) {
                        if (!KernelsMatchPortableTest.offered(kernel, type)) {
                            continue;
                        }
                        long seed = SEED + 31L * round + type.ordinal();
                        Trial trial = KernelsMatchPortableTest.trial(kernel, type, new Random(seed), round);
                        String label = kernel + " " + type + " round " + round + ": "
                                + KernelsMatchPortableTest.describe(trial.l);
                        kernels.trial(label, trial, round % 2 == 0 ? plain : tensor, arguments);
                    }
                }
            }
        }
    }
}
