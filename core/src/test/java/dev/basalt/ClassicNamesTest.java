package dev.basalt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import dev.basalt.internal.signature.Signatures;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The generated methods: that they are all there, with BLAS's names and BLAS's arguments in BLAS's order. */
class ClassicNamesTest {
    private static final List<Class<?>> CLASSES =
            List.of(ClassicLevel1.class, ClassicLevel2.class, ClassicLevel3.class, ClassicLapack.class);

    /** As the reference BLAS, rocBLAS and rocSOLVER declare them, the types and the options' names apart. */
    private static final List<String> SIGNATURES =
            """
                    float scasum(Handle handle, long n, DevicePointer x, long incx)
                    double dznrm2(Handle handle, long n, DevicePointer x, long incx)
                    long isamax(Handle handle, long n, DevicePointer x, long incx)
                    Status izamin(Handle handle, long n, DevicePointer x, long incx, DevicePointer result)
                    float sdot(Handle handle, long n, DevicePointer x, long incx, DevicePointer y, long incy)
                    Complex cdotc(Handle handle, long n, DevicePointer x, long incx, DevicePointer y, long incy)
                    Status ddotBatched(Handle handle, long n, DevicePointer x, long incx, DevicePointer y, long incy, \
                    long batchCount, DevicePointer result)
                    Status zdotuStridedBatched(Handle handle, long n, DevicePointer x, long incx, long strideX, DevicePointer y, \
                    long incy, long strideY, long batchCount, DevicePointer result)
                    Status saxpy(Handle handle, long n, float alpha, DevicePointer x, long incx, DevicePointer y, long incy)
                    Status daxpy(Handle handle, long n, DevicePointer alpha, DevicePointer x, long incx, DevicePointer y, long incy)
                    Status csscal(Handle handle, long n, float alpha, DevicePointer x, long incx)
                    Status zdscalStridedBatched(Handle handle, long n, double alpha, DevicePointer x, long incx, long strideX, \
                    long batchCount)
                    Status srot(Handle handle, long n, DevicePointer x, long incx, DevicePointer y, long incy, float c, float s)
                    Status zrot(Handle handle, long n, DevicePointer x, long incx, DevicePointer y, long incy, double c, Complex s)
                    Status csrot(Handle handle, long n, DevicePointer x, long incx, DevicePointer y, long incy, float c, float s)
                    Status crotBatched(Handle handle, long n, DevicePointer x, long incx, DevicePointer y, long incy, \
                    DevicePointer c, DevicePointer s, long batchCount)
                    Status zdrotStridedBatched(Handle handle, long n, DevicePointer x, long incx, long strideX, DevicePointer y, \
                    long incy, long strideY, double c, double s, long batchCount)
                    Status dgemv(Handle handle, Op trans, long m, long n, double alpha, DevicePointer a, long lda, \
                    DevicePointer x, long incx, double beta, DevicePointer y, long incy)
                    Status zgerc(Handle handle, long m, long n, Complex alpha, DevicePointer x, long incx, DevicePointer y, \
                    long incy, DevicePointer a, long lda)
                    Status chemv(Handle handle, Uplo uplo, long n, Complex alpha, DevicePointer a, long lda, DevicePointer x, \
                    long incx, Complex beta, DevicePointer y, long incy)
                    Status dtrsv(Handle handle, Uplo uplo, Op trans, Diag diag, long n, DevicePointer a, long lda, \
                    DevicePointer x, long incx)
                    Status sgemm(Handle handle, Op transA, Op transB, long m, long n, long k, float alpha, DevicePointer a, \
                    long lda, DevicePointer b, long ldb, float beta, DevicePointer c, long ldc)
                    Status dgemmBatched(Handle handle, Op transA, Op transB, long m, long n, long k, double alpha, \
                    DevicePointer a, long lda, DevicePointer b, long ldb, double beta, DevicePointer c, long ldc, long batchCount)
                    Status zgemmStridedBatched(Handle handle, Op transA, Op transB, long m, long n, long k, DevicePointer alpha, \
                    DevicePointer a, long lda, long strideA, DevicePointer b, long ldb, long strideB, DevicePointer beta, \
                    DevicePointer c, long ldc, long strideC, long batchCount)
                    Status zhemm(Handle handle, Side side, Uplo uplo, long m, long n, Complex alpha, DevicePointer a, long lda, \
                    DevicePointer b, long ldb, Complex beta, DevicePointer c, long ldc)
                    Status cherk(Handle handle, Uplo uplo, Op trans, long n, long k, float alpha, DevicePointer a, long lda, \
                    float beta, DevicePointer c, long ldc)
                    Status dtrmm(Handle handle, Side side, Uplo uplo, Op transA, Diag diag, long m, long n, double alpha, \
                    DevicePointer a, long lda, DevicePointer b, long ldb)
                    Status dtrmm(Handle handle, Side side, Uplo uplo, Op transA, Diag diag, long m, long n, double alpha, \
                    DevicePointer a, long lda, DevicePointer b, long ldb, DevicePointer c, long ldc)
                    Status dtrtriStridedBatched(Handle handle, Uplo uplo, Diag diag, long n, DevicePointer a, long lda, \
                    long strideA, DevicePointer invA, long ldinvA, long strideInvA, long batchCount)
                    Status dgetrf(Handle handle, long m, long n, DevicePointer a, long lda, DevicePointer ipiv, DevicePointer info)
                    Status dgetrfBatched(Handle handle, long m, long n, DevicePointer a, long lda, DevicePointer ipiv, \
                    long strideP, DevicePointer info, long batchCount)
                    Status zgetrsStridedBatched(Handle handle, Op trans, long n, long nrhs, DevicePointer a, long lda, \
                    long strideA, DevicePointer ipiv, long strideP, DevicePointer b, long ldb, long strideB, long batchCount)
                    Status dgesv(Handle handle, long n, long nrhs, DevicePointer a, long lda, DevicePointer ipiv, DevicePointer b, \
                    long ldb, DevicePointer info)
                    Status sposvBatched(Handle handle, Uplo uplo, long n, long nrhs, DevicePointer a, long lda, DevicePointer b, \
                    long ldb, DevicePointer info, long batchCount)
                    """
                    .lines()
                    .toList();

    private static Stream<Method> methods() {
        return CLASSES.stream().flatMap(c -> Arrays.stream(c.getDeclaredMethods()));
    }

    private static String signature(Method method) {
        return method.getReturnType().getSimpleName() + " " + method.getName() + "("
                + Arrays.stream(method.getParameters())
                        .map(p -> p.getType().getSimpleName() + " " + p.getName())
                        .collect(Collectors.joining(", "))
                + ")";
    }

    /** The names of the table, and no others. */
    @Test
    void everyNameHasThreeForms() {
        Set<String> expected = new TreeSet<>();
        for (Routine routine : Signatures.all()) {
            for (Typing typing : routine.signature().typings()) {
                String name = typing.name();
                String end = name.endsWith("Ex") ? "Ex" : "";
                String start = name.substring(0, name.length() - end.length());
                expected.addAll(List.of(name, start + "Batched" + end, start + "StridedBatched" + end));
            }
        }
        Set<String> names = methods().map(Method::getName).collect(Collectors.toCollection(TreeSet::new));
        assertThat(names).isEqualTo(expected);
    }

    @Test
    void signaturesAreThoseOfBlas() {
        assertThat(methods().map(ClassicNamesTest::signature)).containsAll(SIGNATURES);
    }

    @Test
    void everyMethodIsPublicStaticAndBeginsWithTheHandle() {
        assertThat(methods()).allSatisfy(m -> {
            assertThat(m.getModifiers()).isEqualTo(Modifier.PUBLIC | Modifier.STATIC);
            assertThat(m.getParameters()[0].getType()).isEqualTo(Handle.class);
        });
    }

    /** Each operand is followed by its distances, and the batch count is last but for the results. */
    @Test
    void stridesFollowTheirOperands() {
        assertThat(methods()).allSatisfy(m -> {
            List<String> names = new ArrayList<>(Arrays.stream(m.getParameters()).map(Parameter::getName).toList());
            boolean strided = m.getName().contains("StridedBatched");
            boolean batch = m.getName().contains("Batched");
            boolean typed = names.remove("compute");
            assertThat(names.removeIf(name -> name.endsWith("Type"))).isEqualTo(typed);
            assertThat(names.contains("batchCount")).isEqualTo(batch);
            if (batch) {
                int end = names.size() - (names.contains("result") ? 2 : 1);
                assertThat(names.indexOf("batchCount")).isEqualTo(end);
            }
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i);
                if (name.startsWith("ld") || name.startsWith("inc")) {
                    String operand = name.substring(name.startsWith("ld") ? 2 : 3);
                    assertThat(names.get(i - 1)).isEqualTo(operand);
                    if (strided) {
                        assertThat(names.get(i + 1)).isEqualToIgnoringCase("stride" + operand);
                    }
                }
                if (name.equals("ipiv") && batch) {
                    assertThat(names.get(i + 1)).isEqualTo("strideP");
                }
            }
        });
    }

    @Test
    void noHandleIsReportedByAllOfThem() {
        assertThat(methods()).allSatisfy(m -> {
            Object[] arguments = Arrays.stream(m.getParameterTypes()).map(ClassicNamesTest::nothing).toArray();
            assertThat(catchThrowable(() -> m.invoke(null, arguments))).cause()
                    .isInstanceOfSatisfying(BlasException.class,
                            e -> assertThat(e.status()).isEqualTo(Status.INVALID_HANDLE));
        });
    }

    private static Object nothing(Class<?> type) {
        if (type == long.class) {
            return 0L;
        }
        return type == double.class ? (Object) 0.0 : type == float.class ? (Object) 0f : null;
    }
}
