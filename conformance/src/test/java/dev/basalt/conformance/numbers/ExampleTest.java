package dev.basalt.conformance.numbers;

import static dev.basalt.type.ElementType.F64;
import static dev.basalt.type.ElementType.I32;
import static dev.basalt.type.ElementType.I64;
import static dev.basalt.type.Op.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Plan;
import dev.basalt.VectorView;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example of the design, line by line. */
class ExampleTest {
    @ParameterizedTest
    @ValueSource(strings = {"host", "sim"})
    void solvesAsInTheDesign(String name) {
        int n = 3;
        int nrhs = 2;
        double[] hostA = {2, 1, 0, 1, 3, 1, 0, 1, 4};
        double[] hostB = {3, 5, 5, 2, 1, 0};
        double[] hostX = new double[n * nrhs];

        try (Device gpu = Device.open(name); Handle handle = gpu.createHandle(); DeviceArena arena = gpu.arena()) {
            MatrixView a = arena.matrix(F64, n, n), b = arena.matrix(F64, n, nrhs);
            VectorView pivots = arena.vector(I64, n), info = arena.vector(I32, 1);
            a.upload(hostA);
            b.upload(hostB);
            Plan plan = handle.plan(h -> {
                Lapack.getrf(h, a, pivots, info);
                Lapack.getrs(h, NONE, a, pivots, b);
            });
            handle.reserve(plan);
            Lapack.getrf(handle, a, pivots, info);
            Lapack.getrs(handle, NONE, a, pivots, b);
            b.download(hostX);
        }

        assertThat(hostX).containsExactly(new double[] {1, 1, 1, 1, 0, 0}, within(1e-15));
    }
}
