package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The size formulas alone: monotone in every dimension, exact, and never wrapping around. */
class FormulaTest {
    /** A query with up to three dimensions. */
    @FunctionalInterface
    interface Query {
        void ask(Handle h, ElementType t, long m, long n, long k);
    }

    private static final Map<String, Query> QUERIES = new LinkedHashMap<>();

    static {
        QUERIES.put("gemm",
                (h, t, m, n, k) -> Blas.gemm(h, Op.NONE, Op.NONE, 1, mat(t, m, k), mat(t, k, n), 0, mat(t, m, n)));
        QUERIES.put("gemv", (h, t, m, n, k) -> Blas.gemv(h, Op.TRANS, 1, mat(t, m, n), vec(t, m), 0, vec(t, n)));
        QUERIES.put("symv", (h, t, m, n, k) -> Blas.symv(h, Uplo.LOWER, 1, mat(t, m, m), vec(t, m), 0, vec(t, m)));
        QUERIES.put("trmv", (h, t, m, n, k) -> Blas.trmv(h, Uplo.LOWER, Op.NONE, Diag.UNIT, mat(t, m, m), vec(t, m)));
        QUERIES.put("asum", (h, t, m, n, k) -> Blas.asum(h, vec(t, m), vec(t.real(), 1)));
        QUERIES.put("symmL", (h, t, m, n, k) -> symm(h, t, Side.LEFT, m, n));
        QUERIES.put("symmR", (h, t, m, n, k) -> symm(h, t, Side.RIGHT, m, n));
        QUERIES.put("syrk", (h, t, m, n, k) -> Blas.syrk(h, Uplo.UPPER, Op.NONE, 1, mat(t, m, k), 0, mat(t, m, m)));
        QUERIES.put("trmmL", (h, t, m, n, k) -> trmm(h, t, Side.LEFT, m, n));
        QUERIES.put("trmmR", (h, t, m, n, k) -> trmm(h, t, Side.RIGHT, m, n));
        QUERIES.put("trsmL", (h, t, m, n, k) -> trsm(h, t, Side.LEFT, m, n));
        QUERIES.put("trsmR", (h, t, m, n, k) -> trsm(h, t, Side.RIGHT, m, n));
        QUERIES.put("trtri", (h, t, m, n, k) -> Blas.trtri(h, Uplo.UPPER, Diag.UNIT, mat(t, m, m), mat(t, m, m)));
        QUERIES.put("getrf", (h, t, m, n, k) -> Lapack.getrf(h, mat(t, m, n), null, null));
        QUERIES.put("getrs", (h, t, m, n, k) -> Lapack.getrs(h, Op.NONE, mat(t, m, m), null, mat(t, m, n)));
        QUERIES.put("gesv", (h, t, m, n, k) -> Lapack.gesv(h, mat(t, m, m), null, mat(t, m, n), null));
        QUERIES.put("potrf", (h, t, m, n, k) -> Lapack.potrf(h, Uplo.LOWER, mat(t, m, m), null));
        QUERIES.put("potrs", (h, t, m, n, k) -> Lapack.potrs(h, Uplo.LOWER, mat(t, m, m), mat(t, m, n)));
        QUERIES.put("posv", (h, t, m, n, k) -> Lapack.posv(h, Uplo.LOWER, mat(t, m, m), mat(t, m, n), null));
        QUERIES.put("gels", (h, t, m, n, k) -> Lapack.gels(h, Op.NONE, mat(t, m, n), mat(t, Math.max(m, n), k), null));
        QUERIES.put("geqrf", (h, t, m, n, k) -> Lapack.geqrf(h, mat(t, m, n), null));
        QUERIES.put("gelqf", (h, t, m, n, k) -> Lapack.gelqf(h, mat(t, m, n), null));
        QUERIES.put("orgqr", (h, t, m, n, k) -> Lapack.orgqr(h, mat(t, Math.max(m, n), n), vec(t, Math.min(n, k))));
        QUERIES.put("ormqr",
                (h, t, m, n, k) -> Lapack.ormqr(h, Side.LEFT, Op.NONE, mat(t, m, Math.min(m, k)), null, mat(t, m, n)));
    }

    private static void symm(Handle h, ElementType t, Side side, long m, long n) {
        long order = side == Side.LEFT ? m : n;
        Blas.symm(h, side, Uplo.LOWER, 1, mat(t, order, order), mat(t, m, n), 0, mat(t, m, n));
    }

    private static void trmm(Handle h, ElementType t, Side side, long m, long n) {
        long order = side == Side.LEFT ? m : n;
        MatrixView b = mat(t, m, n);
        Blas.trmm(h, side, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, mat(t, order, order), b, b);
    }

    private static void trsm(Handle h, ElementType t, Side side, long m, long n) {
        long order = side == Side.LEFT ? m : n;
        Blas.trsm(h, side, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, mat(t, order, order), mat(t, m, n));
    }

    private static MatrixView mat(ElementType t, long m, long n) {
        return MatrixView.shape(t, m, n);
    }

    private static VectorView vec(ElementType t, long n) {
        return VectorView.shape(t, n);
    }

    static List<String> devices() {
        return Devices.names();
    }

    private static long size(Handle h, Query q, ElementType t, long m, long n, long k) {
        h.startDeviceMemorySizeQuery();
        try {
            q.ask(h, t, m, n, k);
        } finally {
            m = h.stopDeviceMemorySizeQuery();
        }
        return m;
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void monotoneForAllSquareSizesTo2048(String name) {
        try (Device device = Devices.open(name, 1); Handle h = device.createHandle()) {
            QUERIES.forEach((routine, q) -> {
                for (ElementType t : List.of(ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64)) {
                    long before = 0;
                    for (long n = 1; n <= 2048; n++) {
                        long now = size(h, q, t, n, n, n);
                        assertThat(now).as("%s %s n = %d", routine, t, n).isGreaterThanOrEqualTo(before);
                        assertThat(now % 64).isZero();
                        before = now;
                    }
                }
            });
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void monotoneInEveryDimension(String name) {
        long seed = Long.getLong("basalt.test.seed", 7);
        Random random = new Random(seed);
        List<Map.Entry<String, Query>> all = List.copyOf(QUERIES.entrySet());
        try (Device device = Devices.open(name, 1); Handle h = device.createHandle()) {
            for (int i = 0; i < 100_000; i++) {
                Map.Entry<String, Query> e = all.get(random.nextInt(all.size()));
                ElementType t = ElementType.values()[random.nextInt(4)];
                long m = dim(random);
                long n = dim(random);
                long k = dim(random);
                long dm = random.nextBoolean() ? dim(random) : 0;
                long dn = random.nextBoolean() ? dim(random) : 0;
                long dk = random.nextBoolean() ? dim(random) : 0;
                assertThat(size(h, e.getValue(), t, m + dm, n + dn, k + dk))
                        .as("%s %s (%d, %d, %d) + (%d, %d, %d), seed %d", e.getKey(), t, m, n, k, dm, dn, dk, seed)
                        .isGreaterThanOrEqualTo(size(h, e.getValue(), t, m, n, k));
            }
        }
    }

    private static long dim(Random random) {
        return 1 + random.nextInt(1 << random.nextInt(1, 15));
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void hugeShapesAnswerOrRefuseButNeverWrap(String name) {
        long seed = Long.getLong("basalt.test.seed", 8);
        Random random = new Random(seed);
        try (Device device = Devices.open(name, 1); Handle h = device.createHandle()) {
            QUERIES.forEach((routine, q) -> {
                for (int i = 0; i < 2000; i++) {
                    long m = random.nextLong() >>> random.nextInt(1, 63);
                    long n = random.nextLong() >>> random.nextInt(1, 63);
                    long k = random.nextLong() >>> random.nextInt(1, 63);
                    String label = routine + " " + m + " " + n + " " + k + ", seed " + seed;
                    long small = 0;
                    long large;
                    try {
                        large = size(h, q, ElementType.C64, m, n, k);
                        small = size(h, q, ElementType.C64, m / 2, n / 2, k / 2);
                    } catch (BlasException e) {
                        assertThat(e.status()).as(label).isEqualTo(Status.INVALID_SIZE);
                        continue;
                    }
                    assertThat(large).as(label).isGreaterThanOrEqualTo(small);
                }
            });
            refused(() -> size(h, QUERIES.get("gemv"), ElementType.C64, 1L << 50, 1L << 60, 1));
            Query trmm = QUERIES.get("trmmL");
            if (device.deviceClass().startsWith("host-assembled")) {
                // This engine packs triangles itself: it needs packing memory alone, and no more for a larger shape.
                assertThat(size(h, trmm, ElementType.C64, 1L << 40, 1L << 60, 1))
                        .isEqualTo(size(h, trmm, ElementType.C64, 1L << 20, 1L << 20, 1));
            } else {
                refused(() -> size(h, trmm, ElementType.C64, 1L << 40, 1L << 60, 1));
            }
        }
    }

    private static void refused(ThrowingCallable overflowing) {
        BlasException e = catchThrowableOfType(BlasException.class, overflowing);
        assertThat(e).as("a need beyond 64 bits is refused").isNotNull();
        assertThat(e.status()).isEqualTo(Status.INVALID_SIZE);
        assertThat(e.getMessage()).contains("64 bits");
    }
}
