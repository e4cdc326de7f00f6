package dev.basalt.conformance.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.ChildJvm;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Executable memory that the system refuses after it had been allowed, in JVMs of their own. */
class LaterRefusalTest {
    /** The whole code cache from the start: the compiler of Java may get no more either. */
    private static final List<String> CACHE = List.of("-XX:ReservedCodeCacheSize=48m", "-XX:InitialCodeCacheSize=48m");

    /** Opens a device, loses the right to more code if told so, and calls what needs many kernels, twice on two devices. */
    static final class Child {
        private static final int[] ORDERS = {1, 2, 3, 7, 16, 33, 70, 130};

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
            for (int round = 0; round < 2; round++) {
                try (Device device = Device.open("host")) {
                    System.out.println("DEVICE " + device.deviceClass());
                    if (round == 0 && args.length > 0) {
                        System.out.println("FORBIDDEN " + LadderTest.Child.forbid());
                    }
                    for (ElementType type : List.of(ElementType.F32, ElementType.F64, ElementType.C32,
                            ElementType.C64)) {
                        for (int n : ORDERS) {
                            System.out.println("RESULT " + type + " " + n + " " + outcome(device, type, n));
                        }
                    }
                }
            }
            System.out.println("LOGGED " + messages.size() + " " + String.join(" | ", messages));
        }

        private static String outcome(Device device, ElementType type, int n) {
            try (Handle handle = device.createHandle(); DeviceArena arena = device.arena()) {
                return solve(handle, arena, type, n);
            } catch (BlasException e) {
                return "REFUSED " + e.getMessage();
            } catch (RuntimeException | Error e) {
                return "RAW " + e;
            }
        }

        /** n + 1 on the diagonal and ones elsewhere, times ones is 2n: solved by LU and by Cholesky, and multiplied again. */
        private static String solve(Handle handle, DeviceArena arena, ElementType type, int n) {
            MatrixView a = arena.matrix(type, n, n);
            MatrixView product = arena.matrix(type, n, 1);
            MatrixView b = arena.matrix(type, n, 1);
            VectorView pivots = arena.vector(ElementType.I64, n);
            VectorView info = arena.vector(ElementType.I32, 1);
            put(a, type, n);
            fill(b, type, n, 1);
            Blas.gemm(handle, Op.NONE, Op.NONE, 1, a, b, 0, product);
            double times = first(product, type, n);
            fill(b, type, n, 2.0 * n);
            Lapack.getrf(handle, a, pivots, info);
            Lapack.getrs(handle, Op.NONE, a, pivots, b);
            double lu = first(b, type, n);
            put(a, type, n);
            fill(b, type, n, 2.0 * n);
            Lapack.potrf(handle, Uplo.LOWER, a, info);
            Lapack.potrs(handle, Uplo.LOWER, a, b);
            double cholesky = first(b, type, n);
            boolean right = times == 2.0 * n && Math.abs(lu - 1) < 1e-4 && Math.abs(cholesky - 1) < 1e-4;
            return right ? "right" : "wrong " + times + " " + lu + " " + cholesky;
        }

        private static int parts(ElementType type) {
            return type.isComplex() ? 2 : 1;
        }

        private static void put(MatrixView a, ElementType type, int n) {
            double[] values = new double[n * n * parts(type)];
            for (int i = 0; i < n * n; i++) {
                values[i * parts(type)] = i % (n + 1) == 0 ? n + 1 : 1;
            }
            upload(a, type, values);
        }

        private static void fill(MatrixView b, ElementType type, int n, double value) {
            double[] values = new double[n * parts(type)];
            for (int i = 0; i < n; i++) {
                values[i * parts(type)] = value;
            }
            upload(b, type, values);
        }

        private static boolean single(ElementType type) {
            return type.real() == ElementType.F32;
        }

        private static void upload(MatrixView view, ElementType type, double[] values) {
            if (single(type)) {
                float[] floats = new float[values.length];
                Arrays.setAll(values, i -> floats[i] = (float) values[i]);
                view.upload(floats);
            } else {
                view.upload(values);
            }
        }

        private static double first(MatrixView view, ElementType type, int n) {
            if (single(type)) {
                float[] values = new float[n * parts(type)];
                view.download(values);
                return values[0];
            }
            double[] values = new double[n * parts(type)];
            view.download(values);
            return values[0];
        }
    }

    private static List<String> child(String codeMemory, String... args) {
        List<String> options = new ArrayList<>(CACHE);
        options.add("--add-modules=jdk.incubator.vector");
        options.add("-Dbasalt.codeMemory=" + codeMemory);
        List<String> lines = ChildJvm.run(Child.class, Map.of(), options, args).lines().toList();
        assertThat(lines).as("the child came to its end").anyMatch(line -> line.startsWith("LOGGED "));
        Assumptions.assumeTrue(lines.get(0).startsWith("DEVICE host-assembled"), "skipped: not assembled here");
        return lines;
    }

    private static List<String> starting(List<String> lines, String key) {
        return lines.stream().filter(line -> line.startsWith(key)).toList();
    }

    private static void allIsWell(List<String> lines) {
        assertThat(starting(lines, "DEVICE")).hasSize(2).allMatch(line -> line.startsWith("DEVICE host-assembled"));
        assertThat(starting(lines, "RESULT")).isNotEmpty().allMatch(line -> line.endsWith(" right"));
        assertThat(starting(lines, "LOGGED")).containsExactly("LOGGED 0 ");
    }

    @Test
    void aProgramThatForbidsItselfExecutableMemoryGetsNewKernels() {
        List<String> lines = child("", "forbid");
        Assumptions.assumeTrue(lines.contains("FORBIDDEN true"), "skipped: the system cannot forbid it");
        allIsWell(lines);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"mprotect=1", "mmap=2", "pwrite=5", "memfd_create=0", "ftruncate=0", "memfd_create=0,pwrite=0"})
    void oneWayToCodeIsEnough(String codeMemory) {
        allIsWell(child(codeMemory));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"memfd_create=0,mprotect=4", "memfd_create=0,mmap=9", "mmap=2,pwrite=3", "pwrite=0,mprotect=7"})
    void whereNoneIsLeftTheCallSaysWhatToDoAndTheNextDeviceStepsDown(String codeMemory) {
        List<String> lines = child(codeMemory);
        List<String> devices = starting(lines, "DEVICE");
        assertThat(devices).hasSize(2);
        assertThat(devices.get(1)).doesNotStartWith("DEVICE host-assembled");
        List<String> results = starting(lines, "RESULT");
        assertThat(results).noneMatch(line -> line.contains(" wrong ") || line.contains(" RAW "))
                .anyMatch(line -> line.contains(" REFUSED "))
                .allMatch(line -> line.endsWith(" right") || line.contains("the system refuses executable memory")
                        && line.contains("open the device again"));
        assertThat(results.subList(results.size() / 2, results.size())).allMatch(line -> line.endsWith(" right"));
        assertThat(starting(lines, "LOGGED")).singleElement()
                .asString()
                .startsWith("LOGGED 1 CPU kernels come from the ")
                .contains("SELinux: execmem");
    }
}
