package dev.basalt.conformance.numbers;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.ElementType;
import dev.basalt.conformance.support.Profile;
import dev.basalt.conformance.support.Target;
import dev.basalt.conformance.support.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bits of a result do not depend on the number of threads. */
class SameBitsTest {
    private static final Map<String, Consumer<Trial>> ROUTINES = new TreeMap<>(Map.ofEntries(
            entry("dotc", Level1::dotc),
            entry("asum", Level1::asum),
            entry("nrm2", Level1::nrm2),
            entry("axpy", Level1::axpy),
            entry("gemv", Level2::gemvLong),
            entry("symv", Level2::symvLong),
            entry("trsv", Level2::trsv),
            entry("gemm", Level3::gemm),
            entry("symm", Level3::symm),
            entry("syrk", Level3::syrk),
            entry("trmm", Level3::trmm),
            entry("trsm", Level3::trsm),
            entry("getrf", Factorisations::getrf),
            entry("potrf", Factorisations::potrf)));

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void whateverTheNumberOfThreads(ElementType type) {
        ROUTINES.forEach((routine, trial) -> assertThat(results("host:threads=1", type, routine, trial))
                .as("%s: results of one thread and of three", routine)
                .isEqualTo(results("host:threads=3", type, routine, trial)));
    }

    private static List<List<List<Long>>> results(
            String device, ElementType type, String routine, Consumer<Trial> trial) {
        List<List<List<Long>>> results = new ArrayList<>();
        new Target(device, type).trials(routine, Profile.LARGE, 3, "same bits " + type, t -> {
            trial.accept(t);
            results.add(t.written());
        });
        return results;
    }
}
