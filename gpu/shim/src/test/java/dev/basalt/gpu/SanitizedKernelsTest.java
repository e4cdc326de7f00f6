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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every kernel for GPUs on the CPU under AddressSanitizer, which sees every read and write beside an operand, a static array or the
 * dynamic shared memory. In two processes of their own, since the sanitizer must be there before anything else is; in two orders of threads.
 */
class SanitizedKernelsTest {
    /** The profile long has large trials, too. */
    private static final int ROUNDS =
            Integer.getInteger("basalt.sanitizedRounds", Boolean.getBoolean("basalt.test.long") ? 8 : 4);
    private static final long SEED = Seed.OF_RUN;
    private static final int ADDRESS_TAKEN = 3;
    private static final int ATTEMPTS = 5;
    private static final int PROCESSES = 2;
    /**
     * To compile takes longer than to run, so a run has one precision: complex types use kernels of the real one. Double precision alone
     * has tiles of Cholesky and of LU and emulated products; an odd seed takes single, the profile long both.
     */
    private static final List<ElementType> TYPES =
            Boolean.getBoolean("basalt.test.long") ? List.of(KernelsMatchPortableTest.TYPES)
                    : SEED % 2 == 0 ? List.of(ElementType.F64, ElementType.C64)
                    : List.of(ElementType.F32, ElementType.C32);

    @TempDir
    private Path folder;

    @Test
    void noKernelReachesBesideItsOperands() throws IOException, InterruptedException, ExecutionException {
        String absent = absent();
        if (absent != null) {
            System.out.println("skipped: the kernels are not run under AddressSanitizer: " + absent);
        }
        assumeTrue(absent == null, absent);
        String given = System.getProperty("basalt.sanitized");
        Compilation ofProgram =
                given == null ? start("sanitized", false, List.of(), List.of("-rdynamic", "-ldl")) : null;
        String givenCapped = System.getProperty("basalt.sanitized.capped");
        Compilation ofCapped = givenCapped != null
                ? null
                : start("capped.so", true, List.of("-DBASALT_CAPPED", "-fPIC", "-fno-gnu-unique"),
                        List.of("-shared", "-Wl,-Bsymbolic"));
        Path program = ofProgram == null ? Path.of(given) : ofProgram.done();
        Path capped = ofCapped == null ? Path.of(givenCapped) : ofCapped.done();
        // One process uses one processor.
        try (ExecutorService both = Executors.newFixedThreadPool(PROCESSES)) {
            List<Future<?>> parts = new ArrayList<>();
            for (int part = 0; part < PROCESSES; part++) {
                int number = part;
                parts.add(both.submit(() -> part(number, program, capped)));
            }
            for (Future<?> part : parts) {
                part.get();
            }
        }
    }

    /** The kernels of one process. */
    private Void part(int part, Path program, Path capped) throws IOException, InterruptedException {
        Path report = folder.resolve("report" + part);
        int code = ADDRESS_TAKEN;
        for (int attempt = 0; attempt < ATTEMPTS && code == ADDRESS_TAKEN; attempt++) {
            code = run(part, program, capped, report);
        }
        assertThat(code).as("seed %d: %s", SEED, Files.readString(report)).isZero();
        assertThat(Files.readString(report)).endsWith(" launches\n");
        System.out.println("under AddressSanitizer: " + Files.readString(report).strip());
        return null;
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
        // Not optimised, no load whose value is not needed goes, and to compile takes a third of the time; so do calls of the checks.
        List<String> options = new ArrayList<>(
                List.of("-O0", "-fsanitize=address", "--param", "asan-instrumentation-with-call-threshold=0",
                        "-Wno-unknown-pragmas", "-DBASALT_SHIM", "-I" + Compilation.KERNELS, "-I" + Compilation.CPP));
        for (ElementType type : TYPES) {
            options.add("-DBASALT_TYPE_" + Character.toUpperCase(type.letter()));
        }
        options.addAll(more);
        List<Path> sources = new ArrayList<>(Compilation.sources(capped));
        if (!capped) {
            sources.add(Compilation.CPP.resolve("shim.cpp"));
            sources.add(Compilation.CPP.resolve("sanitized.cpp"));
        }
        List<String> all = new ArrayList<>(linking);
        all.add("-fsanitize=address");
        return new Compilation(folder.resolve(name), sources, options, all);
    }

    private static int run(int part, Path program, Path capped, Path report) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(program.toString(), capped.toString()).redirectErrorStream(true)
                .redirectOutput(report.toFile());
        // What is under way when a fiber is left for good is no leak of the kernels'.
        builder.environment().put("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0");
        Process process = builder.start();
        try (SanitizedKernels kernels = new SanitizedKernels(process.getOutputStream())) {
            trials(part, kernels);
        } catch (IOException e) {
            // It has ended, and said why.
            assertThat(process.waitFor()).as("seed %d: %s, %s", SEED, e, Files.readString(report)).isNotZero();
        }
        return process.waitFor();
    }

    private static void trials(int part, SanitizedKernels kernels) throws IOException {
        Launcher<Boolean> plain = new Launcher<>(kernels, 8);
        Launcher<Boolean> tensor = new Launcher<>(kernels, 8, true);
        try (Arena arena = Arena.ofConfined()) {
            long arguments = arena.allocate(Arguments.BYTES, 64).fill((byte) 0xA5).address();
            for (Kernel kernel : KernelsMatchPortableTest.offered()) {
                if (kernel.ordinal() % PROCESSES != part) {
                    continue;
                }
                for (int round = 0; round < ROUNDS; round++) {
                    for (ElementType type : TYPES) {
                        if (!KernelsMatchPortableTest.offered(kernel, type)) {
                            continue;
                        }
                        long seed = SEED + 31L * round + type.ordinal();
                        synchronized (Trial.MEMORY) {
                            Trial trial = KernelsMatchPortableTest.trial(kernel, type, new Random(seed), round);
                            String label = kernel + " " + type + " round " + round + ": "
                                    + KernelsMatchPortableTest.describe(trial.l);
                            kernels.trial(label, trial, round % 2 == 0 ? plain : tensor, arguments);
                        }
                        kernels.send();
                    }
                }
            }
        }
    }
}
