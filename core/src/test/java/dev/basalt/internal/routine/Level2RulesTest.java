package dev.basalt.internal.routine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.BlasException;
import dev.basalt.Status;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.matvec.Gemv;
import dev.basalt.internal.matvec.Ger;
import dev.basalt.internal.matvec.Symv;
import dev.basalt.internal.matvec.Trmv;
import dev.basalt.internal.matvec.Trsv;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The argument rules of level 2 in their order (rocBLAS facts 3.3). */
class Level2RulesTest extends RawCalls {
    private static final ElementType F64 = ElementType.F64;
    private static final ElementType C64 = ElementType.C64;
    private static final Consumer<Call> NO_ALPHA = f -> f.missingScalar("alpha");
    private static final Consumer<Call> NO_BETA = f -> f.missingScalar("beta");
    private static final Consumer<Call> NO_POINTERS = NO_ALPHA.andThen(absent(0)).andThen(absent(1)).andThen(absent(2));
    private static final Rule BATCH = size("batch_count", f -> f.args.count = -1);

    private void gemv(Call f) {
        f.args.m = 3;
        f.args.n = 4;
        f.args.alpha.set(2, 0);
        f.args.beta.set(1, 0);
        matrix(f, 0, f.args.type, 3, 4, 3);
        vector(f, 1, f.args.type, 4, 1);
        vector(f, 2, f.args.type, 3, 1);
    }

    private void ger(Call f) {
        f.args.m = 3;
        f.args.n = 4;
        f.args.alpha.set(2, 0);
        vector(f, 0, f.args.type, 3, 1);
        vector(f, 1, f.args.type, 4, 1);
        matrix(f, 2, f.args.type, 3, 4, 3);
    }

    private void symv(Call f) {
        f.args.n = 3;
        f.args.alpha.set(2, 0);
        f.args.beta.set(1, 0);
        matrix(f, 0, f.args.type, 3, 3, 3);
        vector(f, 1, f.args.type, 3, 1);
        vector(f, 2, f.args.type, 3, 1);
    }

    private void triangular(Call f) {
        f.args.n = 3;
        matrix(f, 0, f.args.type, 3, 3, 3);
        vector(f, 2, f.args.type, 3, 1);
    }

    private Consumer<Call> valid(Routine routine) {
        return switch (routine.family()) {
            case "gemv" -> this::gemv;
            case "ger", "geru", "gerc" -> this::ger;
            case "symv", "hemv" -> this::symv;
            default -> this::triangular;
        };
    }

    static Stream<Routine> all() {
        return Stream.of(Gemv.ROUTINE, Ger.GER, Ger.GERU, Ger.GERC, Symv.SYMV, Symv.HEMV, Trmv.ROUTINE, Trsv.ROUTINE);
    }

    static Stream<Routine> withMatrixAsInput() {
        return Stream.of(Gemv.ROUTINE, Symv.SYMV, Symv.HEMV);
    }

    @TestFactory
    List<DynamicTest> gemvRules() {
        return inOrder(Gemv.ROUTINE, F64, this::gemv, List.of(value("trans", f -> f.args.opA = null),
                size("m", f -> f.args.m = -1), size("n", f -> f.args.n = -1), size("lda", f -> f.args.a.ld = 2),
                size("incx", f -> f.args.b.ld = 0), size("incy", f -> f.args.c.ld = 0), BATCH,
                pointer("alpha", NO_ALPHA), pointer("A", absent(0)), pointer("x", absent(1)), pointer("y", absent(2))));
    }

    @TestFactory
    List<DynamicTest> gerRules() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Ger routine : List.of(Ger.GER, Ger.GERU, Ger.GERC)) {
            tests.addAll(inOrder(routine, C64, this::ger,
                    List.of(size("m", f -> f.args.m = -1), size("n", f -> f.args.n = -1),
                            size("lda", f -> f.args.c.ld = 2), size("incx", f -> f.args.a.ld = 0),
                            size("incy", f -> f.args.b.ld = 0), BATCH, pointer("alpha", NO_ALPHA),
                            pointer("x", absent(0)), pointer("y", absent(1)), pointer("A", absent(2)))));
        }
        return tests;
    }

    @TestFactory
    List<DynamicTest> symvRules() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Symv routine : List.of(Symv.SYMV, Symv.HEMV)) {
            tests.addAll(inOrder(routine, C64, this::symv,
                    List.of(value("uplo", f -> f.args.uplo = null), size("n", f -> f.args.n = -1),
                            size("lda", f -> f.args.a.ld = 2), size("incx", f -> f.args.b.ld = 0),
                            size("incy", f -> f.args.c.ld = 0), BATCH, pointer("alpha", NO_ALPHA),
                            pointer("A", absent(0)), pointer("x", absent(1)), pointer("y", absent(2)))));
        }
        return tests;
    }

    @TestFactory
    List<DynamicTest> trmvAndTrsvRules() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Routine routine : List.of(Trmv.ROUTINE, Trsv.ROUTINE)) {
            tests.addAll(inOrder(routine, F64, this::triangular,
                    List.of(value("uplo", f -> f.args.uplo = null), value("trans", f -> f.args.opA = null),
                            value("diag", f -> f.args.diag = null), size("n", f -> f.args.n = -1),
                            size("lda", f -> f.args.a.ld = 2), size("incx", f -> f.args.c.ld = 0), BATCH,
                            pointer("A", absent(0)), pointer("x", absent(2)))));
        }
        return tests;
    }

    @Test
    void hemvIsForComplexElements() {
        BlasException e = failure(Symv.HEMV, F64, this::symv, f -> f.args.n = -1);
        assertThat(e.status()).isEqualTo(Status.INVALID_VALUE);
        assertThat(e).hasMessageContaining("symv");
    }

    @ParameterizedTest
    @MethodSource("all")
    void theLeadingDimensionIsAtLeastOneEvenForEmptyMatrices(Routine routine) {
        Consumer<Call> zero = f -> {
            f.args.m = 0;
            f.args.n = 0;
            f.args.operand(routine instanceof Ger ? 2 : 0).ld = 0;
        };
        assertThat(failure(routine, C64, valid(routine), zero).argument()).isEqualTo("lda");
    }

    @ParameterizedTest
    @MethodSource("all")
    void emptyShapesReturnBeforeAnyPointer(Routine routine) {
        Consumer<Call> valid = valid(routine);
        assertThat(call(routine, C64, valid, NO_POINTERS, f -> f.args.n = 0)).isEqualTo(Status.SUCCESS);
        assertThat(call(routine, C64, f -> f.args.count = 0, valid, NO_POINTERS)).isEqualTo(Status.SUCCESS);
        if (routine instanceof Gemv || routine instanceof Ger) {
            assertThat(call(routine, C64, valid, NO_POINTERS, f -> f.args.m = 0)).isEqualTo(Status.SUCCESS);
        }
        assertThat(driver.launches).isZero();
    }

    @ParameterizedTest
    @MethodSource("withMatrixAsInput")
    void betaIsNeededToo(Routine routine) {
        assertThat(failure(routine, C64, valid(routine), NO_BETA, absent(0)).argument()).isEqualTo("beta");
    }

    @ParameterizedTest
    @MethodSource("withMatrixAsInput")
    void alphaZeroNeedsNeitherMatrixNorX(Routine routine) {
        Consumer<Call> zero = f -> f.args.alpha.set(0, 0);
        Consumer<Call> scaled = f -> f.args.beta.set(2, 0);
        assertThat(call(routine, C64, valid(routine), zero, scaled, absent(0), absent(1))).isEqualTo(Status.SUCCESS);
        assertThat(driver.launches).isOne();
        assertThat(failure(routine, C64, valid(routine), zero, scaled, absent(0), absent(1), absent(2)).argument())
                .isEqualTo("y");
        assertThat(call(routine, C64, valid(routine), zero, absent(0), absent(1), absent(2)))
                .as("alpha = 0 and beta = 1")
                .isEqualTo(Status.SUCCESS);
        assertThat(driver.launches).isOne();
    }

    @ParameterizedTest
    @MethodSource("withMatrixAsInput")
    void scalarsOnTheDeviceDecideNothingOnTheHost(Routine routine) {
        Memory.f64(address(4), 0);
        Consumer<Call> onDevice = f -> f.alpha(raw, address(4), F64);
        assertThat(call(routine, C64, valid(routine), onDevice)).isEqualTo(Status.SUCCESS);
        assertThat(driver.launches).isOne();
        assertThat(failure(routine, C64, valid(routine), onDevice, absent(0)).argument()).isEqualTo("A");
    }

    @Test
    void gerByZeroLooksAtNothing() {
        for (Ger routine : List.of(Ger.GER, Ger.GERU, Ger.GERC)) {
            assertThat(call(routine, C64, this::ger, f -> f.args.alpha.set(0, 0), absent(0), absent(1), absent(2)))
                    .isEqualTo(Status.SUCCESS);
        }
        assertThat(driver.launches).isZero();
    }

    @ParameterizedTest
    @MethodSource("all")
    void incrementsMayBeNegative(Routine routine) {
        int x = routine instanceof Gemv || routine instanceof Symv ? 1 : routine instanceof Ger ? 0 : 2;
        assertThat(call(routine, C64, valid(routine), f -> f.args.operand(x).ld = -2)).isEqualTo(Status.SUCCESS);
    }

    @Test
    void flagsReachTheKernel() {
        call(Ger.GERC, C64, this::ger);
        assertThat(driver.last.kernel).isEqualTo(Kernel.GER);
        assertThat(driver.last.conjugated).isTrue();
        call(Ger.GERU, C64, this::ger);
        assertThat(driver.last.conjugated).isFalse();
        call(Symv.HEMV, C64, this::symv);
        assertThat(driver.last.kernel).isEqualTo(Kernel.SYMV);
        assertThat(driver.last.hermitian).isTrue();
        call(Symv.SYMV, C64, this::symv);
        assertThat(driver.last.hermitian).isFalse();
    }

    @Test
    void positionsAreThoseOfBlas() {
        assertThat(failure(Gemv.ROUTINE, F64, this::gemv, absent(2)).position()).isEqualTo(10);
        assertThat(failure(Gemv.ROUTINE, F64, this::gemv, f -> f.args.b.ld = 0).position()).isEqualTo(8);
        assertThat(failure(Ger.GER, F64, this::ger, absent(2)).position()).isEqualTo(8);
        assertThat(failure(Symv.SYMV, F64, this::symv, absent(2)).position()).isEqualTo(9);
        assertThat(failure(Trsv.ROUTINE, F64, this::triangular, absent(2)).position()).isEqualTo(7);
        assertThat(failure(Trsv.ROUTINE, F64, this::triangular, f -> f.args.opA = (Op) null).position()).isEqualTo(2);
    }

    @Test
    void namesAreThoseOfBlas() {
        assertThat(Ger.GER.name(F64)).isEqualTo("dger");
        assertThat(Ger.GERC.name(F64)).isEqualTo("dger");
        assertThat(Ger.GER.name(C64)).isEqualTo("zgeru");
        assertThat(Ger.GERC.name(ElementType.C32)).isEqualTo("cgerc");
        assertThat(Symv.HEMV.name(ElementType.C32)).isEqualTo("chemv");
        assertThat(Symv.SYMV.name(C64)).isEqualTo("zsymv");
        assertThat(Trmv.ROUTINE.name(ElementType.F32)).isEqualTo("strmv");
    }
}
