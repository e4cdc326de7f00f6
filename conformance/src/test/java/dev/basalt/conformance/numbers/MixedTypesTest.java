package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.ClassicLevel1;
import dev.basalt.ClassicLevel3;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operands of several types: arrays that are converted on their way, sums that are not rounded too soon, and types that do not go together. */
class MixedTypesTest {
    static Stream<String> devices() {
        return Devices.NAMES.stream();
    }

    private static void on(String device, BiConsumer<Handle, DeviceArena> test) {
        try (Device opened = Devices.open(device);
                Handle handle = opened.createHandle();
                DeviceArena arena = opened.arena()) {
            test.accept(handle, arena);
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void numbersAreRoundedOnTheirWay(String device) {
        on(device, (handle, arena) -> {
            float[] numbers =
                    {1, 1 + 0x1p-11f, 1 + 0x3p-11f, 65504, 1e9f, 0x1p-24f, -0f, Float.NaN, Float.NEGATIVE_INFINITY};
            float[] halves = {
                    1,
                    1,
                    1 + 0x1p-9f,
                    65504,
                    Float.POSITIVE_INFINITY,
                    0x1p-24f,
                    -0f,
                    Float.NaN,
                    Float.NEGATIVE_INFINITY};
            VectorView v = arena.vector(ElementType.F16, numbers.length);
            v.upload(numbers);
            float[] back = new float[numbers.length];
            v.download(back);
            assertThat(back).containsExactly(halves);
            short[] bits = new short[numbers.length];
            v.download(bits);
            assertThat(bits[0]).isEqualTo((short) 0x3c00);
            VectorView strided = VectorView.of(ElementType.BF16, arena.vector(ElementType.BF16, 9).pointer(), 3, -4);
            strided.upload(new float[] {1, 2, 1 + 0x1p-8f});
            float[] three = new float[3];
            strided.download(three);
            assertThat(three).containsExactly(1, 2, 1);
            MatrixView m = arena.matrix(ElementType.F8_E4M3, 2, 2);
            m.upload(new float[] {1, 500, -0x1p-9f, 17});
            float[] four = new float[4];
            m.download(four);
            assertThat(four).containsExactly(1, 448, -0x1p-9f, 16);
            MatrixView bytes = arena.matrix(ElementType.I8, 2, 1);
            bytes.upload(new byte[] {-128, 127});
            byte[] two = new byte[2];
            bytes.download(two);
            assertThat(two).containsExactly(-128, 127);
        });
    }

    /** 4096 ones would stop at 2048 in half precision. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void sumsAreInSinglePrecision(String device) {
        on(device, (handle, arena) -> {
            int k = 4096;
            float[] ones = new float[k];
            Arrays.fill(ones, 1);
            VectorView x = arena.vector(ElementType.F16, k);
            x.upload(ones);
            assertThat(Blas.dot(handle, x, x)).isEqualTo(k);
            assertThat(Blas.nrm2(handle, x)).isEqualTo(64);
            MatrixView a = arena.matrix(ElementType.F16, 1, k);
            MatrixView b = arena.matrix(ElementType.F16, k, 1);
            MatrixView c = arena.matrix(ElementType.F32, 1, 1);
            MatrixView half = arena.matrix(ElementType.F16, 1, 1);
            a.upload(ones);
            b.upload(ones);
            c.upload(new float[] {Float.NaN});
            half.upload(new float[] {Float.NaN});
            Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, a, b, 0.0, c);
            Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, a, b, 0.0, half);
            float[] one = new float[1];
            c.download(one);
            assertThat(one).containsExactly(k);
            half.download(one);
            assertThat(one).containsExactly(k);
        });
    }

    /** Products of bytes wrap around 32 bits and lose nothing before. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void productsOfBytesAreExact(String device) {
        on(device, (handle, arena) -> {
            int k = 300;
            byte[] least = new byte[k];
            Arrays.fill(least, (byte) -128);
            MatrixView a = arena.matrix(ElementType.I8, k, 1);
            MatrixView c = arena.matrix(ElementType.I32, 1, 1);
            a.upload(least);
            c.upload(new int[] {7});
            Blas.gemm(handle, Op.TRANS, Op.NONE, 1000.0, a, a, 3.0, c);
            int[] sum = new int[1];
            c.download(sum);
            assertThat(sum).containsExactly(1000 * (k << 14) + 21);
        });
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void typesThatDoNotGoTogetherAreRefused(String device) {
        on(device, (handle, arena) -> {
            MatrixView half = arena.matrix(ElementType.F16, 2, 2);
            MatrixView bf = arena.matrix(ElementType.BF16, 2, 2);
            MatrixView d = arena.matrix(ElementType.F64, 2, 2);
            VectorView x = arena.vector(ElementType.F16, 2);
            assertThatThrownBy(() -> Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, half, bf, 0.0, half))
                    .isInstanceOfSatisfying(BlasException.class, e -> {
                        assertThat(e.status()).isEqualTo(Status.INVALID_VALUE);
                        assertThat(e).hasMessageContaining("F16 BF16 F16 do not go together")
                                .hasMessageContaining("BF16 BF16 F32");
                    });
            assertThatThrownBy(() -> Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, half, half, 0.0, d))
                    .isInstanceOf(BlasException.class);
            assertThatThrownBy(() -> Blas.symm(handle, Side.LEFT, Uplo.UPPER, 1.0, half, half, 0.0, half))
                    .hasMessageContaining("F16 are not offered");
            assertThatThrownBy(() -> ClassicLevel3.gemmEx(handle, Op.NONE, Op.NONE, 2, 2, 2, 1.0, half.pointer(),
                    ElementType.F16, 2, half.pointer(), ElementType.F16, 2, 0.0, d.pointer(), ElementType.F32, 2,
                    ElementType.F64)).hasMessageContaining("in F64 do not go together");
            assertThatThrownBy(() -> ClassicLevel3.gemmEx(handle, Op.NONE, Op.NONE, 2, 2, 2, 1.0, half.pointer(), null,
                    2, half.pointer(), ElementType.F16, 2, 0.0, d.pointer(), ElementType.F32, 2, ElementType.F32))
                    .hasMessageContaining("aType is null");
            assertThatThrownBy(() -> ClassicLevel1.scalEx(handle, 2, 1.5, x.pointer(), ElementType.F16, 1, null))
                    .hasMessageContaining("compute is null");
            // The types stand between the operands, so positions are those of this call.
            assertThatThrownBy(() -> ClassicLevel3.gemmEx(handle, Op.NONE, Op.NONE, 2, 2, 2, 1.0, half.pointer(),
                    ElementType.F16, 2, half.pointer(), ElementType.F16, 1, 0.0, d.pointer(), ElementType.F32, 2,
                    ElementType.F32))
                    .isInstanceOfSatisfying(BlasException.class, e -> assertThat(e.position()).isEqualTo(12));
            assertThatThrownBy(() -> x.upload(new double[2])).hasMessageContaining("float[]");
        });
    }
}
