package dev.basalt.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Handle;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** As {@link DirectCallsTest}, of a few vectors in a batch and of results in device memory: elements, results, errors and reports are those of the long way. */
class DirectBatchesTest {
    private interface Operation {
        Object run(Handle h, VectorView x, VectorView y, VectorView result);
    }

    private static final Map<String, Operation> MAPS = new LinkedHashMap<>();
    private static final Map<String, Operation> REDUCTIONS = new LinkedHashMap<>();

    static {
        for (double alpha : new double[] {0, 1, -0.75, Double.NaN}) {
            MAPS.put("axpy " + alpha, (h, x, y, r) -> Blas.axpy(h, alpha, x, y));
            MAPS.put("scal " + alpha, (h, x, y, r) -> Blas.scal(h, alpha, x));
            MAPS.put("rot " + alpha, (h, x, y, r) -> Blas.rot(h, x, y, alpha, 0.5));
            Complex z = new Complex(alpha, 1.5);
            MAPS.put("axpy " + z, (h, x, y, r) -> Blas.axpy(h, z, x, y));
            MAPS.put("scal " + z, (h, x, y, r) -> Blas.scal(h, z, x));
            MAPS.put("rot " + z, (h, x, y, r) -> Blas.rot(h, x, y, 0.5, z));
        }
        MAPS.put("copy", (h, x, y, r) -> Blas.copy(h, x, y));
        MAPS.put("swap", (h, x, y, r) -> Blas.swap(h, x, y));
        REDUCTIONS.put("dot", Blas::dot);
        REDUCTIONS.put("dotu", Blas::dotu);
        REDUCTIONS.put("dotc", Blas::dotc);
        REDUCTIONS.put("asum", (h, x, y, r) -> Blas.asum(h, x, r));
        REDUCTIONS.put("nrm2", (h, x, y, r) -> Blas.nrm2(h, x, r));
        REDUCTIONS.put("iamax", (h, x, y, r) -> Blas.iamax(h, x, r));
        REDUCTIONS.put("iamin", (h, x, y, r) -> Blas.iamin(h, x, r));
    }

    /** A batch of vectors, each in memory of its own and with a place between them. */
    private static VectorView batch(DirectSide side, ElementType type, long n, long inc, int count, boolean pointers,
            long seed) {
        long each = (n - 1) * Math.abs(inc) + 2;
        VectorView all = side.arena.vector(type, each * count);
        side.fill(all, seed);
        VectorView strided = VectorView.strided(type, all.pointer(), n, inc, count, each);
        if (!pointers) {
            return strided;
        }
        VectorView[] problems = new VectorView[count];
        Arrays.setAll(problems, i -> strided.problem(i));
        return side.arena.pointers(problems);
    }

    private static Operation operation(String reduction) {
        return REDUCTIONS.get(reduction);
    }

    private static String content(VectorView v) {
        if (v.type() == ElementType.I64) {
            long[] values = new long[(int) (v.size() * v.count())];
            v.download(values);
            return Arrays.toString(values);
        }
        return DirectSide.bits(v);
    }

    private static void compare(Map<String, Operation> operations, DirectSide[] sides, VectorView[] x, VectorView[] y,
            VectorView[] result, String what) {
        operations.forEach((name, operation) -> {
            String[] left = new String[2];
            for (int s = 0; s < 2; s++) {
                DirectSide side = sides[s];
                int at = s;
                left[s] = side.outcome(() -> operation.run(side.handle, x[at], y[at], result[at]))
                        .replaceAll("#\\d+|0x[0-9a-f]+", "") + content(x[s]) + content(y[s])
                        + (operations.equals(REDUCTIONS) ? content(result[s]) : "");
            }
            assertThat(left[0]).as("%s, %s", name, what).isEqualTo(left[1]);
        });
    }

    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void bothWaysGiveTheSameBitsAndReports(ElementType type) {
        for (int count : new int[] {1, 2, 3, 17, 24, 25}) {
            for (long n : count == 3
                    ? new long[] {1, 2, 7, 15, 16, 31, 32, 33, 300, 2100}
                    : new long[] {1, 8, 32, 33}) {
                for (long inc : n > 300 ? new long[] {1} : new long[] {1, 2, -1, 0}) {
                    for (boolean pointers : new boolean[] {false, true}) {
                        String what = type + " n=" + n + " incx=" + inc + " count=" + count + " pointers=" + pointers;
                        both(type, n, inc, count, pointers, what);
                    }
                }
            }
        }
    }

    private static void both(ElementType type, long n, long inc, int count, boolean pointers, String what) {
        try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
            DirectSide[] sides = {direct, hidden};
            VectorView[] x = new VectorView[2];
            VectorView[] y = new VectorView[2];
            VectorView[] none = new VectorView[2];
            for (int s = 0; s < 2; s++) {
                x[s] = batch(sides[s], type, n, inc, count, pointers, n);
                y[s] = batch(sides[s], type, n, 1, count, pointers, n + 1);
            }
            for (ElementType of : new ElementType[] {type, type.real(), ElementType.I64}) {
                for (boolean single : new boolean[] {false, true}) {
                    VectorView[] results = new VectorView[2];
                    for (int s = 0; s < 2; s++) {
                        VectorView all = sides[s].arena.vector(of, count);
                        sides[s].fill(all, 9);
                        results[s] = single ? VectorView.strided(of, all.pointer(), 1, 1, count, 1) : all;
                    }
                    compare(REDUCTIONS, sides, x, y, results, what + " results " + results[0]);
                }
            }
            compare(MAPS, sides, x, y, none, what);
        }
    }

    private static VectorView[] odd(DirectSide side) {
        return new VectorView[] {
                batch(side, ElementType.F64, 5, 1, 3, false, 1),
                batch(side, ElementType.F64, 5, 1, 2, false, 2),
                batch(side, ElementType.F64, 5, 1, 3, true, 3),
                batch(side, ElementType.F64, 6, 1, 3, false, 4),
                batch(side, ElementType.F32, 5, 1, 3, false, 5),
                batch(side, ElementType.F64, 5, 1, 1, false, 6),
                batch(side, ElementType.F64, 3, 1, 1, false, 7),
                batch(side, ElementType.F64, 3, -1, 1, false, 8),
                batch(side, ElementType.F64, 1, 1, 3, true, 9)};
    }

    /** Operands that do not go together: another number of problems, one for all, other types and lengths, memory that has ended. */
    @Test
    void bothWaysRefuseTheSame() {
        try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
            DirectSide[] sides = {direct, hidden};
            VectorView[][] odd = {odd(direct), odd(hidden)};
            VectorView[][] results = {odd(direct), odd(hidden)};
            for (int i = 0; i < odd[0].length; i++) {
                for (int j = 0; j < odd[0].length; j++) {
                    for (int r = 0; r < odd[0].length; r++) {
                        VectorView[] x = {odd[0][i], odd[1][i]};
                        VectorView[] y = {odd[0][j], odd[1][j]};
                        VectorView[] result = {results[0][r], results[1][r]};
                        compare(REDUCTIONS, sides, x, y, result, i + ", " + j + ", " + r);
                        if (r == 0) {
                            compare(MAPS, sides, x, y, result, i + ", " + j);
                        }
                    }
                }
            }
            VectorView[] x = {odd[0][0], odd[1][0]};
            direct.arena.close();
            hidden.arena.close();
            String one = direct.outcome(() -> Blas.copy(direct.handle, x[0], x[0])).replaceAll("#\\d+|0x[0-9a-f]+", "");
            String two = hidden.outcome(() -> Blas.copy(hidden.handle, x[1], x[1])).replaceAll("#\\d+|0x[0-9a-f]+", "");
            assertThat(one).isEqualTo(two);
        }
    }

    @Test
    void aFewVectorsLaunchNothing() {
        AtomicLong launches = new AtomicLong();
        try (DirectSide side = DirectSide.counting(launches)) {
            VectorView x = batch(side, ElementType.F64, 20, 1, 5, false, 1);
            VectorView y = batch(side, ElementType.F64, 20, 1, 5, true, 2);
            VectorView results = side.arena.vector(ElementType.F64, 5);
            VectorView indices = side.arena.vector(ElementType.I64, 5);
            assertThat(Blas.copy(side.handle, x, x)).isEqualTo(Status.SUCCESS);
            MAPS.forEach((name, operation) -> {
                if (!name.contains("Complex")) {
                    operation.run(side.handle, x, x, null);
                }
            });
            REDUCTIONS.forEach((name, operation) -> {
                operation.run(side.handle, x, x, name.startsWith("ia") ? indices : results);
                operation.run(side.handle, y, y, name.startsWith("ia") ? indices : results);
                operation.run(side.handle, x, y, name.startsWith("ia") ? indices : results);
            });
            assertThat(launches).hasValue(0);
            VectorView many = batch(side, ElementType.F64, 20, 1, 25, false, 3);
            operation("dot").run(side.handle, many, many, side.arena.vector(ElementType.F64, 25));
            assertThat(launches).hasValue(1);
        }
    }

    /** Real dots have a kernel for batches: its bits are those of any number of problems, with strides and pointers, and where results lie among the operands. */
    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64"})
    void shortDotsHaveTheBitsOfAnyNumberOfProblems(ElementType type) {
        int most = 40;
        try (DirectSide side = new DirectSide(false)) {
            for (long n = 1; n <= 33; n++) {
                VectorView[] x = new VectorView[2];
                VectorView[] y = new VectorView[2];
                for (int p = 0; p < 2; p++) {
                    x[p] = batch(side, type, n, 1, most, p == 1, n);
                    y[p] = batch(side, type, n, 1, most, p == 1, n + 1);
                }
                VectorView all = side.arena.vector(type, most);
                Blas.dot(side.handle, x[0], y[0], all);
                for (int count = 2; count <= 25; count++) {
                    String expected = DirectSide.bits(all.slice(0, count));
                    for (int p = 0; p < 4; p++) {
                        VectorView left = some(side, x[p & 1], count);
                        VectorView right = some(side, y[p >> 1], count);
                        VectorView results =
                                VectorView.strided(type, side.arena.vector(type, 3L * count).pointer(), 1, 1, count, 3);
                        Blas.dot(side.handle, left, right, results);
                        String found = DirectSide.bits(results.problem(0));
                        for (int i = 1; i < count; i++) {
                            found += DirectSide.bits(results.problem(i));
                        }
                        assertThat(found.replaceAll("[^0-9a-fA-F-]+", " ").trim())
                                .as("%s n=%d count=%d %d", type, n, count, p)
                                .isEqualTo(expected.replaceAll("[^0-9a-fA-F-]+", " ").trim());
                    }
                }
            }
        }
    }

    /** The first problems of a batch. */
    private static VectorView some(DirectSide side, VectorView batch, int count) {
        VectorView[] problems = new VectorView[count];
        Arrays.setAll(problems, i -> batch.problem(i));
        return batch.isPointers()
                ? side.arena.pointers(problems)
                : VectorView.strided(batch.type(), problems[0].pointer(), batch.size(), 1, count, batch.size() + 1);
    }

    /** One result for all problems, and results that lie where operands do: both ways do the same, whatever that is. */
    @Test
    void dotsWithOddResultsAreThoseOfTheLongWay() {
        try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
            DirectSide[] sides = {direct, hidden};
            for (int count : new int[] {2, 9, 24}) {
                for (int kind = 0; kind < 3; kind++) {
                    VectorView[] x = new VectorView[2];
                    VectorView[] result = new VectorView[2];
                    for (int s = 0; s < 2; s++) {
                        x[s] = batch(sides[s], ElementType.F64, 11, 1, count, false, count);
                        VectorView apart = sides[s].arena.vector(ElementType.F64, 1);
                        sides[s].fill(apart, 3);
                        result[s] = kind == 0
                                ? VectorView.strided(ElementType.F64, apart.pointer(), 1, 1, count, 0)
                                : VectorView.strided(ElementType.F64, x[s].problem(0).pointer(), 1, 1, count,
                                        kind == 1 ? 1 : 12);
                    }
                    compare(Map.of("dot", operation("dot")), sides, x, x, result, "count=" + count + " kind=" + kind);
                }
            }
        }
    }
}
