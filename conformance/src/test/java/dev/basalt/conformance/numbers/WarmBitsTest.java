package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.BandView;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Loops of vectors wait for the JVM's compiler, and loops of single elements do the work until then: the same bits, however often a call is made. */
class WarmBitsTest {
    private static final int CALLS = 80;

    static Stream<Arguments> engines() {
        return Devices.ENGINES.stream()
                .flatMap(engine -> Stream.of(ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64)
                        .map(type -> Arguments.of(engine, type)));
    }

    private interface Call {
        void run(MatrixView a, MatrixView left, MatrixView right, VectorView values, VectorView e, VectorView f,
                VectorView info);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void stay(String engine, ElementType type) {
        try (Device device = Device.open(Devices.host(engine, 1)); Handle h = device.createHandle()) {
            stays(device, type, 20, 9,
                    (a, left, right, w, e, f, info) -> Lapack.syev(h, Evect.ORIGINAL, Uplo.LOWER, a, e, f, info));
            stays(device, type, 20, 9, (a, left, right, w, e, f, info) -> Lapack.gesdd(h, Svect.SINGULAR,
                    Svect.SINGULAR, a, e, left, right, info));
            stays(device, type, 1, 70,
                    (a, left, right, w, e, f, info) -> Lapack.syevd(h, Evect.ORIGINAL, Uplo.LOWER, a, e, f, info));
            stays(device, type, 1, 40, (a, left, right, w, e, f, info) -> {
                if (type.isComplex()) {
                    Lapack.geev(h, Evect.ORIGINAL, Evect.ORIGINAL, a, w, left, right, info);
                } else {
                    Lapack.geev(h, Evect.ORIGINAL, Evect.ORIGINAL, a, e, f, left, right, info);
                }
            });
        }
    }

    /** Columns of narrow bands with one vector of multipliers, with two, and with more. */
    @ParameterizedTest
    @MethodSource("engines")
    void bandsStay(String engine, ElementType type) {
        try (Device device = Device.open(Devices.host(engine, 1));
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            for (int k : new int[] {1, 3, 6, 10, 12, 15}) {
                int n = 3 * k + 1;
                VectorView ipiv = arena.vector(ElementType.I64, n);
                stays(device, type, 1, n,
                        (a, left, right, w, e, f, info) -> Lapack.gbtrf(h, BandView.of(a, n, k, k), ipiv, info));
            }
        }
    }

    private static void stays(Device device, ElementType type, int count, int n, Call call) {
        try (DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(type, n, n, count);
            MatrixView left = arena.matrix(type, n, n, count);
            MatrixView right = arena.matrix(type, n, n, count);
            VectorView w = arena.vector(type, n, count);
            VectorView e = arena.vector(type.real(), n, count);
            VectorView f = arena.vector(type.real(), n, count);
            VectorView info = arena.vector(ElementType.I32, count);
            double[] first = null;
            for (int i = 0; i < CALLS; i++) {
                Random random = new Random(n);
                for (int p = 0; p < count; p++) {
                    Orthogonal.upload(a.problem(p), SymmetricMatrices.RANDOM.matrix(random, type, n));
                }
                call.run(a, left, right, w, e, f, info);
                double[] last = Orthogonal.download(a.problem(count - 1), n, n).re;
                first = first == null ? last : first;
                assertThat(last).as("n=%d call %d", n, i).isEqualTo(first);
            }
        }
    }
}
