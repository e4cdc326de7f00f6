package dev.basalt.internal.routine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.BlasException;
import dev.basalt.Status;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.vector.Elementwise;
import dev.basalt.internal.vector.Reduction;
import dev.basalt.internal.vector.Rotation;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The decisions of level 1 in their order (rocBLAS facts 3.2). There is no INVALID_SIZE. */
class Level1RulesTest extends RawCalls {
    private static final ElementType F64 = ElementType.F64;
    private static final Consumer<Call> NO_ALPHA = f -> f.missingScalar("alpha");
    private static final Consumer<Call> NOTHING =
            NO_ALPHA.andThen(absent(0)).andThen(absent(1)).andThen(absent(2)).andThen(absent(3));

    private void pair(Call f) {
        f.args.n = 5;
        f.args.alpha.set(2, 0);
        vector(f, 0, F64, 5, 1);
        vector(f, 2, F64, 5, 1);
    }

    private void single(Call f) {
        f.args.n = 5;
        f.args.alpha.set(2, 0);
        vector(f, 2, F64, 5, 1);
    }

    private Consumer<Call> valid(Elementwise routine) {
        return routine.family().equals("scal") ? this::single : this::pair;
    }

    private void reduction(Call f, Reduction routine) {
        f.args.n = 5;
        vector(f, 0, F64, 5, 1);
        if (isDot(routine)) {
            vector(f, 1, F64, 5, 1);
        }
        vector(f, 3, routine.family().startsWith("iam") ? ElementType.I64 : F64, 1, 1);
        f.args.d.stride = 1;
    }

    private Consumer<Call> valid(Reduction routine) {
        return f -> reduction(f, routine);
    }

    private static boolean isDot(Reduction routine) {
        return routine.family().startsWith("dot");
    }

    static Stream<Elementwise> elementwise() {
        return Stream.of(Elementwise.AXPY, Elementwise.SCAL, Elementwise.SCAL_REAL, Elementwise.COPY, Elementwise.SWAP);
    }

    static Stream<Reduction> dots() {
        return Stream.of(Reduction.DOT, Reduction.DOTU, Reduction.DOTC);
    }

    static Stream<Reduction> singles() {
        return Stream.of(Reduction.ASUM, Reduction.NRM2, Reduction.IAMAX, Reduction.IAMIN);
    }

    static Stream<Reduction> reductions() {
        return Stream.concat(dots(), singles());
    }

    @ParameterizedTest
    @MethodSource("elementwise")
    void emptyShapesReturnBeforeAnyPointer(Elementwise routine) {
        for (long n : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThat(call(routine, F64, valid(routine), NOTHING, f -> f.args.n = n)).isEqualTo(Status.SUCCESS);
        }
        for (long count : new long[] {0, -1}) {
            assertThat(call(routine, F64, valid(routine), f -> f.args.count = count, NOTHING))
                    .isEqualTo(Status.SUCCESS);
        }
        assertThat(driver.launches).isZero();
    }

    @TestFactory
    List<DynamicTest> axpyPointers() {
        return inOrder(Elementwise.AXPY, F64, this::pair,
                List.of(pointer("alpha", NO_ALPHA), pointer("x", absent(0)), pointer("y", absent(2))));
    }

    @TestFactory
    List<DynamicTest> scalPointers() {
        return inOrder(Elementwise.SCAL, F64, this::single,
                List.of(pointer("alpha", NO_ALPHA), pointer("x", absent(2))));
    }

    @TestFactory
    List<DynamicTest> copyPointers() {
        return inOrder(Elementwise.COPY, F64, this::pair, List.of(pointer("x", absent(0)), pointer("y", absent(2))));
    }

    @TestFactory
    List<DynamicTest> swapPointers() {
        return inOrder(Elementwise.SWAP, F64, this::pair, List.of(pointer("x", absent(0)), pointer("y", absent(2))));
    }

    @TestFactory
    List<DynamicTest> rotPointers() {
        return inOrder(Rotation.ROT, F64, this::pair, List.of(pointer("c", NO_ALPHA),
                pointer("s", f -> f.missingScalar("beta")), pointer("x", absent(0)), pointer("y", absent(2))));
    }

    @Test
    void rotHasNoWrongSizesAndNoSpecialScalars() {
        for (Rotation rot : List.of(Rotation.ROT, Rotation.ROT_REAL)) {
            for (long n : new long[] {0, -1, Long.MIN_VALUE}) {
                assertThat(call(rot, F64, this::pair, NOTHING, f -> f.args.n = n)).isEqualTo(Status.SUCCESS);
            }
            for (long count : new long[] {0, -1}) {
                assertThat(call(rot, F64, this::pair, f -> f.args.count = count, NOTHING)).isEqualTo(Status.SUCCESS);
            }
            driver.launches = 0;
            for (long inc : new long[] {0, -1, 3}) {
                assertThat(call(rot, F64, this::pair, f -> f.args.a.ld = inc, f -> f.args.c.ld = -inc))
                        .isEqualTo(Status.SUCCESS);
            }
            assertThat(call(rot, F64, this::pair, f -> f.args.alpha.set(1, 0), f -> f.args.beta.set(0, 0)))
                    .isEqualTo(Status.SUCCESS);
            assertThat(driver.launches).isEqualTo(4);
            assertThat(driver.last.kernel).isEqualTo(Kernel.ROT);
            driver.launches = 0;
        }
    }

    @Test
    void theCosineIsReal() {
        ElementType type = ElementType.C64;
        Consumer<Call> pair = f -> {
            f.args.n = 5;
            vector(f, 0, type, 5, 1);
            vector(f, 2, type, 5, 1);
        };
        Consumer<Call> sine = f -> f.beta(raw, address(4), type);
        assertThat(call(Rotation.ROT, type, pair, sine, f -> f.alpha(raw, address(4), F64))).isEqualTo(Status.SUCCESS);
        BlasException e = failure(Rotation.ROT, type, pair, sine, f -> f.alpha(raw, address(4), type));
        assertThat(e.status()).isEqualTo(Status.INVALID_VALUE);
        assertThat(e.argument()).isEqualTo("c");
        e = failure(Rotation.ROT, F64, this::pair, f -> f.args.beta.set(1, 2));
        assertThat(e.status()).isEqualTo(Status.INVALID_VALUE);
        assertThat(e.argument()).isEqualTo("s");
    }

    @Test
    void axpyByZeroLooksAtNoVector() {
        assertThat(call(Elementwise.AXPY, F64, this::pair, f -> f.args.alpha.set(0, 0), absent(0), absent(2)))
                .isEqualTo(Status.SUCCESS);
        assertThat(driver.launches).isZero();
    }

    @Test
    void scalByOneLooksAtNoVector() {
        for (Elementwise scal : List.of(Elementwise.SCAL, Elementwise.SCAL_REAL)) {
            assertThat(call(scal, F64, this::single, f -> f.args.alpha.set(1, 0), absent(2))).isEqualTo(Status.SUCCESS);
        }
        assertThat(driver.launches).isZero();
    }

    @Test
    void aScalarOnTheDeviceIsNotLookedAt() {
        Memory.f64(address(4), 0);
        Consumer<Call> onDevice = f -> f.alpha(raw, address(4), F64);
        assertThat(call(Elementwise.AXPY, F64, this::pair, onDevice)).isEqualTo(Status.SUCCESS);
        assertThat(driver.launches).isOne();
        assertThat(failure(Elementwise.AXPY, F64, this::pair, onDevice, absent(0)).argument()).isEqualTo("x");
    }

    @Test
    void scalReturnsForIncrementsThatAreNotPositive() {
        for (long inc : new long[] {0, -1}) {
            assertThat(call(Elementwise.SCAL, F64, this::single, f -> f.args.c.ld = inc, NO_ALPHA))
                    .isEqualTo(Status.SUCCESS);
        }
        assertThat(driver.launches).isZero();
    }

    @ParameterizedTest
    @MethodSource("elementwise")
    void otherIncrementsAreAllAllowed(Elementwise routine) {
        if (routine.family().equals("scal")) {
            return;
        }
        for (long inc : new long[] {0, -1, 3}) {
            assertThat(call(routine, F64, this::pair, f -> f.args.a.ld = inc, f -> f.args.c.ld = -inc))
                    .isEqualTo(Status.SUCCESS);
        }
        assertThat(driver.launches).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("reductions")
    void anEmptyVectorGivesZeroButNeedsAPlaceForIt(Reduction routine) {
        for (long n : new long[] {0, -3}) {
            Memory.i64(address(3), -1);
            driver.launches = 0;
            assertThat(call(routine, F64, valid(routine), f -> f.args.n = n, absent(0), absent(1)))
                    .isEqualTo(Status.SUCCESS);
            assertThat(driver.launches).isOne();
            assertThat(driver.last.kernel).isEqualTo(Kernel.FILL);
            assertThat(Memory.i64(address(3))).as("0 of any type").isZero();
            BlasException e = failure(routine, F64, valid(routine), f -> f.args.n = n, absent(3));
            assertThat(e.status()).isEqualTo(Status.INVALID_POINTER);
            assertThat(e.argument()).isEqualTo("result");
        }
    }

    @ParameterizedTest
    @MethodSource("singles")
    void anIncrementThatIsNotPositiveGivesZero(Reduction routine) {
        for (long inc : new long[] {0, -1}) {
            Memory.i64(address(3), -1);
            assertThat(call(routine, F64, valid(routine), f -> f.args.a.ld = inc)).isEqualTo(Status.SUCCESS);
            assertThat(Memory.i64(address(3))).isZero();
            assertThat(failure(routine, F64, valid(routine), f -> f.args.a.ld = inc, absent(3)).argument())
                    .isEqualTo("result");
        }
    }

    @ParameterizedTest
    @MethodSource("dots")
    void dotTakesAnyIncrement(Reduction routine) {
        for (long inc : new long[] {0, -1, 2}) {
            assertThat(call(routine, F64, valid(routine), f -> f.args.a.ld = inc, f -> f.args.b.ld = -inc))
                    .isEqualTo(Status.SUCCESS);
            assertThat(driver.last.kernel).isEqualTo(Kernel.DOT);
        }
    }

    @ParameterizedTest
    @MethodSource("dots")
    void dotOfAnEmptyBatchNeedsNothing(Reduction routine) {
        for (long count : new long[] {0, -1}) {
            assertThat(call(routine, F64, f -> f.args.count = count, valid(routine), NOTHING))
                    .isEqualTo(Status.SUCCESS);
        }
        assertThat(driver.launches).isZero();
    }

    @ParameterizedTest
    @MethodSource("singles")
    void anEmptyBatchOfTheOthersWritesNothing(Reduction routine) {
        for (long count : new long[] {0, -1}) {
            assertThat(call(routine, F64, f -> f.args.count = count, valid(routine), absent(0)))
                    .isEqualTo(Status.SUCCESS);
        }
        assertThat(driver.launches).isZero();
    }

    @ParameterizedTest
    @MethodSource("singles")
    void anEmptyBatchOfTheOthersNeedsAPlaceForItsResults(Reduction routine) {
        BlasException e = failure(routine, F64, f -> f.args.count = 0, valid(routine), absent(3));
        assertThat(e).isNotNull();
        assertThat(e.argument()).isEqualTo("result");
    }

    @TestFactory
    List<DynamicTest> dotPointers() {
        return inOrder(Reduction.DOT, F64, valid(Reduction.DOT),
                List.of(pointer("x", absent(0)), pointer("y", absent(1)), pointer("result", absent(3))));
    }

    @TestFactory
    List<DynamicTest> asumPointers() {
        return inOrder(Reduction.ASUM, F64, valid(Reduction.ASUM),
                List.of(pointer("x", absent(0)), pointer("result", absent(3))));
    }

    @Test
    void dotDoesNotGuessOnComplexElements() {
        BlasException e = failure(Reduction.DOT, ElementType.C64, f -> {});
        assertThat(e.status()).isEqualTo(Status.INVALID_VALUE);
        assertThat(e).hasMessageContaining("dotc");
    }

    @Test
    void namesAreThoseOfBlas() {
        assertThat(Elementwise.SCAL.name(ElementType.C32)).isEqualTo("cscal");
        assertThat(Elementwise.SCAL_REAL.name(ElementType.C32)).isEqualTo("csscal");
        assertThat(Elementwise.SCAL_REAL.name(ElementType.C64)).isEqualTo("zdscal");
        assertThat(Elementwise.SCAL_REAL.name(F64)).isEqualTo("dscal");
        assertThat(Rotation.ROT.name(ElementType.C32)).isEqualTo("crot");
        assertThat(Rotation.ROT_REAL.name(ElementType.C32)).isEqualTo("csrot");
        assertThat(Rotation.ROT_REAL.name(ElementType.C64)).isEqualTo("zdrot");
        assertThat(Rotation.ROT_REAL.name(F64)).isEqualTo("drot");
        assertThat(Reduction.DOTC.name(ElementType.C32)).isEqualTo("cdotc");
        assertThat(Reduction.DOTU.name(F64)).isEqualTo("ddot");
        assertThat(Reduction.ASUM.name(ElementType.C32)).isEqualTo("scasum");
        assertThat(Reduction.NRM2.name(ElementType.C64)).isEqualTo("dznrm2");
        assertThat(Reduction.IAMIN.name(ElementType.C64)).isEqualTo("izamin");
    }
}
