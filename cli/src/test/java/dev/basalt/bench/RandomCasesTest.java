package dev.basalt.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.Device;
import dev.basalt.Handle;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the random sweep draws. */
class RandomCasesTest {
    private static final int MANY = 4000;
    private static final double BYTES = 24 << 20;
    private static final double FLOPS = 4e8;

    private static List<SweepCase> cases(long seed, int count) {
        return new RandomCases(seed, List.of(), "", c -> true).next(count);
    }

    private static List<String> options(List<SweepCase> cases) {
        return cases.stream().map(SweepCase::options).toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -7, Long.MAX_VALUE})
    void aSeedAlwaysGivesTheSameCases(long seed) {
        assertThat(options(cases(seed, 200))).isEqualTo(options(cases(seed, 200)));
        assertThat(options(cases(seed, 200))).isNotEqualTo(options(cases(seed + 1, 200)));
        assertThat(options(cases(seed, 200)).subList(0, 50)).isEqualTo(options(cases(seed, 50)));
    }

    @Test
    void everyRoutineTypeFormAndClass() {
        List<String> ofTable = List.of("gbmv", "spr2", "tbsv", "her2k", "geqrf", "gels", "gbtrf", "potri", "rotm");
        List<SweepCase> cases =
                new RandomCases(3, List.of(), "", c -> ofTable.contains(c.routine().family())).next(MANY);
        Set<String> functions = new HashSet<>();
        Set<String> names = new HashSet<>();
        cases.forEach(c -> functions.add(c.arguments().get("function")));
        cases.forEach(c -> names.add(c.type() + c.arguments().get("function")));
        for (Routine routine : Routine.values()) {
            for (Form form : Form.values()) {
                assertThat(functions.contains(routine.family() + form.suffix())).as(routine.family() + form.suffix())
                        .isTrue();
            }
            routine.types()
                    .chars()
                    .forEach(type -> assertThat(names.contains((char) type + routine.family()))
                            .as((char) type + routine.family())
                            .isTrue());
        }
        for (String family : ofTable) {
            assertThat(functions.contains(family)).as(family).isTrue();
        }
        for (SweepCase.Group group : SweepCase.Group.values()) {
            assertThat(cases.stream().filter(c -> c.group() == group)).as(group.toString()).hasSize(MANY / 5);
        }
    }

    /** Of a few families, so that what is drawn does not hang on how many the table has. */
    @Test
    void everyOptionAndAwkwardShape() {
        List<String> few = List.of("gemm", "trsm", "trmv", "tbmv", "gemv", "axpy", "getrs", "potrf", "dot");
        List<SweepCase> cases = new RandomCases(4, few, "", c -> true).next(MANY);
        assertThat(values(cases, "gemm", "transposeA")).containsExactlyInAnyOrder("N", "T", "C");
        assertThat(values(cases, "gemm", "transposeB")).containsExactlyInAnyOrder("N", "T", "C");
        assertThat(values(cases, "trsm", "side")).containsExactlyInAnyOrder("L", "R");
        assertThat(values(cases, "trmv", "uplo")).containsExactlyInAnyOrder("L", "U");
        assertThat(values(cases, "tbmv", "diag")).containsExactlyInAnyOrder("N", "U");
        has(cases, "a large leading dimension", w -> w.leading(Slot.Name.A) > w.m + 3 && !w.routine.reduces());
        has(cases, "a leading dimension of 2048", w -> w.leading(Slot.Name.A) == 2048);
        has(cases, "a vector backwards", w -> w.routine == Routine.GEMV && w.leading(Slot.Name.X) < 0);
        has(cases, "a vector with gaps", w -> w.routine == Routine.AXPY && w.leading(Slot.Name.Y) > 2);
        has(cases, "deep", w -> w.routine == Routine.GEMM && w.k > 20 * w.m && w.k > 20 * w.n);
        has(cases, "skinny", w -> w.routine == Routine.GEMM && w.n > 20 * w.m);
        has(cases, "one row", w -> w.routine == Routine.GEMM && w.m == 1 && w.n > 8);
        has(cases, "one right-hand side", w -> w.routine == Routine.GETRS && w.nrhs == 1 && w.n > 100);
        has(cases, "tiny", w -> w.routine == Routine.POTRF && w.n < 5);
        has(cases, "a long vector", w -> w.routine == Routine.DOT && w.n > 200_000);
        has(cases, "many problems", w -> w.batch > 1000 && w.n > 10);
    }

    private static Set<String> values(List<SweepCase> cases, String family, String argument) {
        Set<String> values = new HashSet<>();
        cases.stream()
                .map(SweepCase::arguments)
                .filter(a -> a.get("function").equals(family))
                .forEach(a -> values.add(a.get(argument)));
        return values;
    }

    private static void has(List<SweepCase> cases, String what, Predicate<Workload> wanted) {
        assertThat(cases.stream().filter(c -> c.tableCase().isEmpty()).map(c -> c.arguments().workload())).as(what)
                .anyMatch(wanted);
    }

    @Test
    void casesAreValidAndShort() {
        try (Device device = Device.open("host"); Handle handle = device.createHandle()) {
            for (SweepCase c : cases(5, 1500)) {
                if (c.tableCase().isPresent()) {
                    assertThat(c.tableCase().get().bytes()).as(c.options()).isLessThanOrEqualTo(BYTES);
                    handle.plan(h -> TableCalls.plan(h, c.tableCase().get()));
                } else {
                    Workload w = c.arguments().workload();
                    assertThat(w.flops()).as(c.options()).isLessThanOrEqualTo(FLOPS);
                    assertThat(w.operandBytes()).as(c.options()).isLessThanOrEqualTo(BYTES);
                }
            }
        }
    }

    @Test
    void optionsAreTheCaseAgain() {
        for (SweepCase c : cases(6, 500)) {
            Arguments again = new Arguments();
            String[] words = c.options().split(" ");
            for (int i = 0; i < words.length; i += 2) {
                String name = words[i].equals("-f") ? "function"
                        : words[i].equals("-r") ? "precision"
                        : words[i].replaceFirst("^--?", "");
                again.set(name, words[i + 1]);
            }
            assertThat(again.given()).isEqualTo(c.arguments().given());
        }
    }

    @Test
    void narrowed() {
        List<SweepCase> cases = new RandomCases(7, List.of("gemv", "sbmv"), "sz", c -> true).next(200);
        assertThat(cases).extracting(c -> c.arguments().get("function").replaceFirst("_.*", ""))
                .containsOnly("gemv", "sbmv");
        assertThat(cases).extracting(SweepCase::type).containsOnly('s', 'z');
        assertThat(new RandomCases(7, List.of(), "", c -> false).next(500)).allMatch(c -> c.tableCase().isEmpty());
        assertThatThrownBy(() -> new RandomCases(7, List.of("gemw"), "", c -> true)).hasMessageContaining("gemw");
    }

    @Test
    void sizes() {
        RandomSizes sizes = new RandomSizes(new SplittableRandom(8));
        long[] drawn = new long[10_000];
        Arrays.setAll(drawn, i -> sizes.size(3, 5000));
        assertThat(drawn).contains(3, 4, 63, 64, 65, 1023, 1024, 1025, 127, 997, 1000, 2000);
        assertThat(Arrays.stream(drawn).allMatch(size -> size >= 3 && size <= 5000)).isTrue();
        assertThat(Arrays.stream(drawn).filter(size -> size < 122).count()).isBetween(4000L, 6000L);
        for (long rows : new long[] {0, 1, 2, 64, 777}) {
            long[] leading = new long[200];
            Arrays.setAll(leading, i -> sizes.leading(rows));
            assertThat(Arrays.stream(leading).min().orElseThrow()).isEqualTo(Math.max(1, rows));
            assertThat(leading).contains(rows == 777 ? 1024 : rows == 0 ? 1 : rows);
        }
        assertThat(Arrays.stream(drawn).map(i -> sizes.increment(false)).min().orElseThrow()).isPositive();
        assertThat(Arrays.stream(drawn).map(i -> sizes.increment(true)).boxed()).contains(-1L, -2L, 1L, 2L, 64L, 7L)
                .doesNotContain(0L);
    }
}
