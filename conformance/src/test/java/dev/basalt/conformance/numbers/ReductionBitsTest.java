package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.ElementType;
import java.util.Random;

/** Reductions are summed block by block whether or not there is room for the partial sums: their bits are the same. */
class ReductionBitsTest {
    private static final int N = 20_011;

    @EveryTarget
    void whateverTheWorkspace(Target target) {
        ElementType type = target.type();
        boolean single = type.real() == ElementType.F32;
        try (Device device = Devices.open(target.device());
                Handle ample = device.createHandle();
                Handle none = device.handleBuilder().maxManagedBytes(0).create();
                DeviceArena arena = device.arena()) {
            VectorView x = arena.vector(type, N);
            x.upload(uniform(N * (type.isComplex() ? 2 : 1), single));
            VectorView results = arena.vector(type.real(), 8);
            VectorView dots = VectorView.of(type, results.pointer(), 2, 1);
            VectorView norms = results.slice(4, 4);
            assertThat(Blas.dotc(ample, x, x.reversed(), dots.slice(0, 1))).isEqualTo(Status.SUCCESS);
            assertThat(Blas.dotc(none, x, x.reversed(), dots.slice(1, 1))).isEqualTo(Status.PERF_DEGRADED);
            Blas.asum(ample, x, norms.slice(0, 1));
            Blas.asum(none, x, norms.slice(1, 1));
            Blas.nrm2(ample, x, norms.slice(2, 1));
            Blas.nrm2(none, x, norms.slice(3, 1));
            int[] bits = new int[single ? 8 : 16];
            VectorView.of(ElementType.I32, results.pointer(), bits.length, 1).download(bits);
            int element = type.bytes() / Integer.BYTES;
            int real = type.real().bytes() / Integer.BYTES;
            for (int i = 0; i < element; i++) {
                assertThat(bits[i]).as("word %d of dotc", i).isEqualTo(bits[element + i]);
            }
            for (int i = 0; i < real; i++) {
                assertThat(bits[4 * real + i]).as("word %d of asum", i).isEqualTo(bits[5 * real + i]);
                assertThat(bits[6 * real + i]).as("word %d of nrm2", i).isEqualTo(bits[7 * real + i]);
            }
        }
    }

    private static Object uniform(int n, boolean single) {
        Random random = new Random(1);
        if (!single) {
            return random.doubles(n, -0.5, 0.5).toArray();
        }
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = random.nextFloat() - 0.5f;
        }
        return values;
    }
}
