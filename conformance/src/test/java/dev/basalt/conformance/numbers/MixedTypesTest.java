package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

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
import dev.basalt.spi.Semiring;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
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

    /** D may be C or lie elsewhere; C stays, even where it is no number and not looked at. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void theResultOfGemmExMayLieElsewhere(String device) {
        on(device, (handle, arena) -> {
            MatrixView a = arena.matrix(ElementType.F16, 2, 2);
            MatrixView c = arena.matrix(ElementType.F16, 2, 2);
            MatrixView d = arena.matrix(ElementType.F16, 2, 2);
            a.upload(new float[] {1, 2, 3, 4});
            float[] none = {Float.NaN, 1, Float.NaN, 1};
            float[] four = new float[4];
            c.upload(none);
            d.upload(none);
            Blas.gemmEx(handle, Op.NONE, Op.TRANS, 1.0, a, a, 0.0, c, d);
            d.download(four);
            assertThat(four).containsExactly(10, 14, 14, 20);
            c.download(four);
            assertThat(four).containsExactly(none);
            // Scalars that change nothing in place still bring C over.
            c.upload(new float[] {5, 6, 7, 8});
            Blas.gemmEx(handle, Op.NONE, Op.NONE, 0.0, a, a, 1.0, c, d);
            d.download(four);
            assertThat(four).containsExactly(5, 6, 7, 8);
            Blas.gemmEx(handle, Op.NONE, Op.NONE, 1.0, a, a, -1.0, d, d);
            d.download(four);
            assertThat(four).containsExactly(2, 4, 8, 14);
            MatrixView wide = arena.matrix(ElementType.F16, 3, 2);
            MatrixView upper = MatrixView.of(ElementType.F16, wide.pointer(), 2, 2, 3);
            MatrixView dense = MatrixView.of(ElementType.F16, wide.pointer(), 2, 2, 2);
            assertThatThrownBy(() -> Blas.gemmEx(handle, Op.NONE, Op.NONE, 1.0, a, a, 1.0, upper, dense))
                    .isInstanceOfSatisfying(BlasException.class,
                            e -> assertThat(e.status()).isEqualTo(Status.INVALID_VALUE))
                    .hasMessageContaining("ldd")
                    .hasMessageContaining("D is C");
            assertThatThrownBy(() -> ClassicLevel3.gemmEx(handle, Op.NONE, Op.NONE, 2, 2, 2, 1.0, a.pointer(),
                    ElementType.F16, 2, a.pointer(), ElementType.F16, 2, 0.0, c.pointer(), ElementType.F16, 2,
                    d.pointer(), ElementType.F16, 1, ElementType.F32))
                    .isInstanceOfSatisfying(BlasException.class, e -> assertThat(e.position()).isEqualTo(19));
        });
    }

    /** Products over semirings of halves: NaN wins, and what zeros multiply is not looked at. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void semiringsOfHalves(String device) {
        on(device, (handle, arena) -> {
            MatrixView a = arena.matrix(ElementType.F16, 2, 2);
            MatrixView c = arena.matrix(ElementType.F16, 2, 2);
            float[] four = new float[4];
            a.upload(new float[] {1, 2, 3, 2048});
            c.upload(new float[] {9, 9, 9, Float.NaN});
            Blas.geamEx(handle, Semiring.MIN_PLUS, Op.NONE, Op.NONE, 1.0, a, a, 1.0, c, c);
            c.download(four);
            assertThat(four).containsExactly(2, 3, 4, Float.NaN);
            Blas.geamEx(handle, Semiring.PLUS_MIN, Op.NONE, Op.TRANS, 1.0, a, a, 0.0, c, c);
            c.download(four);
            assertThat(four).containsExactly(4, 4, 4, 2050);
            Blas.geamEx(handle, Semiring.PLUS_MIN, Op.NONE, Op.NONE, 0.0, a, a, 0.5, c, c);
            c.download(four);
            assertThat(four).containsExactly(2, 2, 2, 1025);
        });
    }

    /** A scalar in device memory may have the type of the operands or that of the computation. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void scalarsOfHalves(String device) {
        on(device, (handle, arena) -> {
            for (ElementType type : new ElementType[] {ElementType.F16, ElementType.BF16}) {
                VectorView x = arena.vector(type, 2);
                x.upload(new float[] {2, 4});
                VectorView half = arena.scalar(type, new Complex(0.5, 0));
                VectorView single = arena.scalar(ElementType.F32, new Complex(0.5, 0));
                ClassicLevel1.scalEx(handle, 2, half.pointer(), type, x.pointer(), type, 1, ElementType.F32);
                ClassicLevel1.axpyEx(handle, 2, half.pointer(), type, x.pointer(), type, 1, x.pointer(), type, 1,
                        ElementType.F32);
                ClassicLevel1.axpyEx(handle, 2, single.pointer(), ElementType.F32, x.pointer(), type, 1, x.pointer(),
                        type, 1, ElementType.F32);
                float[] two = new float[2];
                x.download(two);
                assertThat(two).containsExactly(2.25f, 4.5f);
                assertThatThrownBy(() -> ClassicLevel1.scalEx(handle, 2, half.pointer(), ElementType.F64, x.pointer(),
                        type, 1, ElementType.F32)).hasMessageContaining("alpha of type F64");
                assertThatThrownBy(() -> ClassicLevel1.scalEx(handle, 2, half.pointer(), null, x.pointer(), type, 1,
                        ElementType.F32)).hasMessageContaining("alphaType is null");
                // The scalar's type stands before x too.
                assertThatThrownBy(
                        () -> ClassicLevel1.scalEx(handle, 2, half.pointer(), type, null, type, 1, ElementType.F32))
                        .isInstanceOfSatisfying(BlasException.class, e -> assertThat(e.position()).isEqualTo(4));
            }
        });
    }

    /** Rounded products are those of floats within their bound on every device, and exact for numbers of ten bits. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void roundedProducts(String device) {
        on(device, (handle, arena) -> {
            int n = 64;
            long seed = 20261123;
            Random random = new Random(seed);
            float[] x = new float[n * n];
            float[] y = new float[n * n];
            for (int i = 0; i < x.length; i++) {
                x[i] = random.nextFloat() - 0.5f;
                y[i] = random.nextFloat() - 0.5f;
            }
            MatrixView a = arena.matrix(ElementType.F32, n, n);
            MatrixView b = arena.matrix(ElementType.F32, n, n);
            MatrixView c = arena.matrix(ElementType.F32, n, n);
            a.upload(x);
            b.upload(y);
            assertThat(handle.mathMode()).isEqualTo(MathMode.DEFAULT);
            handle.setMathMode(MathMode.TF32);
            Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, a, b, 0.0, c);
            float[] found = new float[n * n];
            c.download(found);
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < n; i++) {
                    double sum = 0;
                    double size = 0;
                    for (int l = 0; l < n; l++) {
                        double term = (double) x[i + l * n] * y[l + j * n];
                        sum += term;
                        size += Math.abs(term);
                    }
                    // A vendor's library may cut digits off where this one rounds.
                    assertThat((double) found[i + j * n]).as("(%d, %d), seed %d", i, j, seed)
                            .isCloseTo(sum, within(size * (0x1p-9 + n * 0x1p-23)));
                }
            }
            for (int i = 0; i < x.length; i++) {
                x[i] = random.nextInt(2048) - 1024;
                y[i] = i % (n + 1) == 0 ? 1 : 0;
            }
            a.upload(x);
            b.upload(y);
            Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, a, b, 0.0, c);
            c.download(found);
            assertThat(found).containsExactly(x);
            assertThatThrownBy(() -> handle.setMathMode(null))
                    .hasMessageContaining("accepted are DEFAULT, TF32, F16, BF16 and EMULATED");
        });
    }

    /** Large enough that GPUs round factors before they multiply, with as much workspace as they want, and with next to none. Integers stay as they are. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void roundedProductsInEveryTier(String device) {
        on(device, (handle, arena) -> {
            int m = 400;
            int n = 390;
            int k = 300;
            Random random = new Random(20261127);
            MatrixView a = integers(arena, m, k, random);
            MatrixView b = integers(arena, n, k, random);
            MatrixView c = integers(arena, m, n, random);
            float[] before = new float[m * n];
            c.download(before);
            float[] expected = new float[m * n];
            float[] found = new float[m * n];
            Blas.gemm(handle, Op.NONE, Op.TRANS, -1.0, a, b, 2.0, c);
            c.download(expected);
            for (MathMode mode : List.of(MathMode.TF32, MathMode.F16, MathMode.BF16)) {
                handle.setMathMode(mode);
                long optimal = handle.plan(h -> Blas.gemm(h, Op.NONE, Op.TRANS, -1.0, a, b, 2.0, c)).optimal();
                for (long bytes : new long[] {64, Math.max(64, optimal)}) {
                    handle.setDeviceMemorySize(bytes);
                    c.upload(before);
                    Blas.gemm(handle, Op.NONE, Op.TRANS, -1.0, a, b, 2.0, c);
                    c.download(found);
                    assertThat(found).as("%s in %d bytes", mode, bytes).isEqualTo(expected);
                }
            }
        });
    }

    private static MatrixView integers(DeviceArena arena, int rows, int cols, Random random) {
        float[] numbers = new float[rows * cols];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = random.nextInt(17) - 8;
        }
        MatrixView x = arena.matrix(ElementType.F32, rows, cols);
        x.upload(numbers);
        return x;
    }
}
