package dev.basalt.conformance.engines;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.conformance.support.ChildJvm;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Which engine a machine gets, on processors and systems that are not this one, each in a JVM of its own. */
class LadderTest {
    private static final String VECTORS = "--add-modules=jdk.incubator.vector";

    /** Opens the device twice, multiplies, and says what it is, whether the product is right, and what was logged. */
    static final class Child {
        /** Memory deny write execute, of Linux 6.3. */
        private static final int PR_SET_MDWE = 65;

        private static final int N = 70;

        private Child() {}

        public static void main(String[] args) throws Throwable {
            // The logger is held: a logger that nobody holds loses its handlers.
            Logger logger = Logger.getLogger("dev.basalt.host");
            List<String> messages = new ArrayList<>();
            logger.addHandler(new Handler() {
                @Override
                public void publish(LogRecord record) {
                    messages.add(record.getMessage());
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            });
            if (args.length > 0) {
                System.out.println("FORBIDDEN " + forbid());
            }
            String description = multiply();
            System.out.println("DEVICE " + description + (description.equals(multiply()) ? "" : " once"));
            System.out.println("LOGGED " + messages.size() + " " + String.join(" | ", messages));
        }

        /** From here on no page that was not executable from the start becomes so. */
        @SuppressWarnings("restricted")
        static boolean forbid() throws Throwable {
            Linker linker = Linker.nativeLinker();
            FunctionDescriptor signature =
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
            return (int) linker
                    .downcallHandle(linker.defaultLookup().find("prctl").orElseThrow(), signature,
                            Linker.Option.firstVariadicArg(1))
                    .invokeExact(PR_SET_MDWE, 1L, 0L, 0L, 0L) == 0;
        }

        private static String multiply() {
            try (Device device = Device.open("host");
                    Handle handle = device.createHandle();
                    DeviceArena arena = device.arena()) {
                MatrixView a = arena.matrix(ElementType.F64, N, N);
                MatrixView c = arena.matrix(ElementType.F64, N, N);
                double[] ones = new double[N * N];
                java.util.Arrays.fill(ones, 1);
                a.upload(ones);
                Blas.gemm(handle, Op.NONE, Op.TRANS, 0.5, a, a, 0, c);
                double[] products = new double[N * N];
                c.download(products);
                for (double product : products) {
                    if (product != N / 2.0) {
                        return "wrong: " + product;
                    }
                }
                return device.deviceClass() + " " + device.description();
            }
        }
    }

    private static String line(String out, String key) {
        return out.lines()
                .filter(line -> line.startsWith(key + " "))
                .findFirst()
                .map(line -> line.substring(key.length() + 1))
                .orElseThrow(() -> new AssertionError("no " + key + " in: " + out));
    }

    private static String child(List<String> options, String... args) {
        return ChildJvm.run(Child.class, Map.of(), options, args);
    }

    private static String here() {
        String device = line(child(List.of(VECTORS)), "DEVICE");
        Assumptions.assumeTrue(device.startsWith("host-assembled"), "skipped: not assembled here: " + device);
        return device;
    }

    @Test
    void aProcessorWithAvx2AloneRunsItsKernels() {
        here();
        String out = child(List.of(VECTORS, "-Dbasalt.processor=avx2"));
        assertThat(line(out, "DEVICE")).startsWith("host-assembled256-")
                .contains("assembled engine (machine code for AVX2 with FMA)")
                .doesNotContain("; not ");
        assertThat(line(out, "LOGGED")).startsWith("0");
    }

    @Test
    void anOlderProcessorGetsCompiledVectors() {
        here();
        String out = child(List.of(VECTORS, "-Dbasalt.processor=none"));
        assertThat(line(out, "DEVICE")).contains("; not assembled: the processor has neither AVX2 with FMA nor AVX-512")
                .doesNotContain("wrong");
        assertThat(line(out, "LOGGED")).startsWith("1 ").contains("neither AVX2");
    }

    @Test
    void withoutVectorsEitherJavaIsScalarAndBothReasonsAreSaid() {
        here();
        String out = child(List.of("-Dbasalt.processor=none"));
        assertThat(line(out, "DEVICE")).startsWith("host-scalar-")
                .contains("; not assembled: the processor has neither", "; vector: Java runs without module");
        assertThat(line(out, "LOGGED")).startsWith("1 ").contains("--add-modules jdk.incubator.vector");
    }

    @Test
    void aSystemThatRefusesExecutableMemoryGetsTheNextEngineAndOneHint() {
        here();
        // All of the code cache from the start: the compiler may get no more either.
        String out = child(List.of(VECTORS, "-XX:ReservedCodeCacheSize=48m", "-XX:InitialCodeCacheSize=48m"), "forbid");
        Assumptions.assumeTrue(line(out, "FORBIDDEN").equals("true"), "skipped: the system cannot forbid it");
        assertThat(line(out, "DEVICE")).doesNotStartWith("host-assembled")
                .doesNotContain("wrong")
                .contains("; not assembled: the system refuses executable memory (mprotect); allow it");
        assertThat(line(out, "LOGGED")).as("one hint for two devices").startsWith("1 ").contains("refuses executable");
    }

    @Test
    void aDeviceIsTheSameWhenItIsOpenedAgain() {
        assertThat(here()).doesNotEndWith(" once");
    }
}
