package dev.basalt.conformance.numbers;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.Profile;
import dev.basalt.conformance.support.Share;
import dev.basalt.conformance.support.Target;
import dev.basalt.conformance.support.Trial;
import dev.basalt.type.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bits of a result do not depend on the number of threads, over shapes that all threads have a share of. The list is a choice,
 * for orders beyond those of {@link EveryThreadCountTest}, which has every routine of the table; one that is added needs no entry here.
 */
class SameBitsTest {
    private static final Map<String, Consumer<Trial>> ROUTINES =
            new TreeMap<>(Map.ofEntries(entry("dotc", Level1::dotc), entry("asum", Level1::asum),
                    entry("nrm2", Level1::nrm2), entry("axpy", Level1::axpy), entry("rot", Level1::rot),
                    entry("gemv", Level2::gemvLong), entry("ger", Level2::ger), entry("hemv", Level2::hemvLong),
                    entry("trmv", Level2::trmv), entry("symv", Level2::symvLong), entry("trsv", Level2::trsv),
                    entry("gemm", Level3::gemm), entry("symm", Level3::symm), entry("hemm", Level3::hemm),
                    entry("herk", Level3::herk), entry("trtri", Level3::trtri), entry("syrk", Level3::syrk),
                    entry("trmm", Level3::trmm), entry("trsm", Level3::trsm), entry("getrf", Factorisations::getrf),
                    entry("getrs", Factorisations::getrs), entry("gesv", Factorisations::gesv),
                    entry("potrf", Factorisations::potrf), entry("potrs", Factorisations::potrs),
                    entry("posv", Factorisations::posv)));

    /** How many of them a run tries for each engine and type; {@link EveryThreadCountTest} tries every routine. */
    private static final int FEW = 5;

    /** What there is for complex elements alone. */
    private static final Set<String> COMPLEX = Set.of("hemv", "hemm", "herk");

    static Stream<Arguments> engines() {
        return Devices.ENGINES.stream()
                .flatMap(engine -> Stream.of(ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64)
                        .map(type -> Arguments.of(engine, type)));
    }

    @ParameterizedTest
    @MethodSource("engines")
    void whateverTheNumberOfThreads(String engine, ElementType type) {
        List<String> names = List.copyOf(ROUTINES.keySet());
        for (int number : Share.draw(engine + type, names.size(), FEW)) {
            String routine = names.get(number);
            Consumer<Trial> trial = ROUTINES.get(routine);
            if (COMPLEX.contains(routine) && !type.isComplex()) {
                continue;
            }
            Map<String, long[][]> one = results(Devices.host(engine, 1), type, routine, trial);
            for (int threads = 2; threads <= 3; threads++) {
                int count = threads;
                Map<String, long[][]> some = results(Devices.host(engine, threads), type, routine, trial);
                assertThat(some.keySet()).isEqualTo(one.keySet());
                one.forEach((description, bits) -> assertThat(Arrays.deepEquals(bits, some.get(description)))
                        .as("%s: one thread and %d have the same bits: %s", routine, count, description)
                        .isTrue());
            }
        }
    }

    /** The bits of each trial's results, by its description. */
    private static Map<String, long[][]> results(String device, ElementType type, String routine,
            Consumer<Trial> trial) {
        Map<String, long[][]> results = new TreeMap<>();
        new Target(device, type).trials(routine, Profile.LARGE, 1, "same bits " + type, t -> {
            trial.accept(t);
            results.put(t.toString(), t.written());
        });
        return results;
    }
}
