package dev.basalt.conformance.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.arrays.ArrayBlas;
import dev.basalt.arrays.ArrayWorkspace;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Products of few rows or columns with a long inner dimension in arrays: bit by bit what they are on views, whatever is left over of whole vectors. */
class FewLinesInPlaceTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261127);
    private static final double[] FACTORS = {0, 1, -0.5};

    @AfterAll
    static void release() {
        ArrayWorkspace.release();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void haveTheBitsOfViews(boolean single) {
        Random random = new Random(SEED);
        try (Device device = Device.open("host:threads=1"); Handle handle = device.createHandle()) {
            for (int round = 0; round < 150; round++) {
                int few = 1 + random.nextInt(13);
                int many = random.nextInt(3) == 0 ? 1 + random.nextInt(40) : 1 + random.nextInt(560);
                int k = random.nextBoolean() ? 60 + random.nextInt(20) : 1 + random.nextInt(1300);
                Op opA = random.nextBoolean() ? Op.NONE : Op.TRANS;
                Op opB = random.nextBoolean() ? Op.NONE : Op.TRANS;
                boolean rows = random.nextBoolean();
                double beta = FACTORS[random.nextInt(3)];
                try (DeviceArena arena = device.arena()) {
                    Case c = new Case(arena, single, random);
                    c.product(handle, opA, opB, rows ? few : many, rows ? many : few, k, beta);
                    c.update(handle, Uplo.values()[random.nextInt(2)], opA, few, k, beta);
                }
            }
        }
    }

    private record Case(DeviceArena arena, boolean single, Random random) {
        private void product(Handle handle, Op opA, Op opB, int m, int n, int k, double beta) {
            boolean plainA = opA == Op.NONE;
            boolean plainB = opB == Op.NONE;
            MatrixView a = filled(plainA ? m : k, plainA ? k : m);
            MatrixView b = filled(plainB ? k : n, plainB ? n : k);
            MatrixView c = filled(m, n);
            Object x = numbers(a);
            Object y = numbers(b);
            Object z = numbers(c);
            int lda = (int) a.rows();
            int ldb = (int) b.rows();
            Blas.gemm(handle, opA, opB, -0.75, a, b, beta, c);
            if (single) {
                ArrayBlas.sgemm(opA, opB, m, n, k, -0.75f, (float[]) x, lda, (float[]) y, ldb, (float) beta,
                        (float[]) z, m);
            } else {
                ArrayBlas.dgemm(opA, opB, m, n, k, -0.75, (double[]) x, lda, (double[]) y, ldb, beta, (double[]) z, m);
            }
            assertThat(z).as("gemm %s %s %dx%dx%d, beta %s, single %s, seed %d", opA, opB, m, n, k, beta, single, SEED)
                    .isEqualTo(numbers(c));
        }

        private void update(Handle handle, Uplo uplo, Op op, int n, int k, double beta) {
            boolean plain = op == Op.NONE;
            MatrixView a = filled(plain ? n : k, plain ? k : n);
            MatrixView c = filled(n, n);
            Object x = numbers(a);
            Object z = numbers(c);
            int lda = (int) a.rows();
            Blas.syrk(handle, uplo, op, 1.25, a, beta, c);
            if (single) {
                ArrayBlas.ssyrk(uplo, op, n, k, 1.25f, (float[]) x, lda, (float) beta, (float[]) z, n);
            } else {
                ArrayBlas.dsyrk(uplo, op, n, k, 1.25, (double[]) x, lda, beta, (double[]) z, n);
            }
            assertThat(z).as("syrk %s %s %dx%d, beta %s, single %s, seed %d", uplo, op, n, k, beta, single, SEED)
                    .isEqualTo(numbers(c));
        }

        private MatrixView filled(int rows, int cols) {
            MatrixView view = arena.matrix(single ? ElementType.F32 : ElementType.F64, rows, cols);
            double[] numbers = random.doubles((long) rows * cols, -1, 1).toArray();
            if (single) {
                float[] floats = new float[numbers.length];
                for (int i = 0; i < floats.length; i++) {
                    floats[i] = (float) numbers[i];
                }
                view.upload(floats);
            } else {
                view.upload(numbers);
            }
            return view;
        }

        private Object numbers(MatrixView view) {
            int count = (int) (view.rows() * view.cols());
            if (single) {
                float[] floats = new float[count];
                view.download(floats);
                return floats;
            }
            double[] numbers = new double[count];
            view.download(numbers);
            return numbers;
        }
    }
}
