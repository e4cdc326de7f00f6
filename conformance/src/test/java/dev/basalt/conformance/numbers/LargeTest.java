package dev.basalt.conformance.numbers;

import static java.util.Map.entry;

import dev.basalt.conformance.support.OnDevice;
import dev.basalt.conformance.support.Profile;
import dev.basalt.conformance.support.Target;
import dev.basalt.conformance.support.Trial;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Shapes over which every blocking and every share of work among threads goes, with OpenBLAS for the products. The list is a choice,
 * for orders up to 700, pivots that are far away, and small blocks of the simulated device. {@code EveryLargeTest} is made from the table
 * and has every family; one that is added needs no entry here.
 */
class LargeTest {
    private static final Map<String, Consumer<Trial>> ROUTINES =
            new TreeMap<>(Map.ofEntries(entry("axpy", Level1::axpy), entry("scal", Level1::scal),
                    entry("copy", Level1::copy), entry("swap", Level1::swap), entry("rot", Level1::rot),
                    entry("dotc", Level1::dotc), entry("asum", Level1::asum), entry("nrm2", Level1::nrm2),
                    entry("iamax", Level1::iamax), entry("iamin", Level1::iamin), entry("gemv", Level2::gemv),
                    entry("gemv, long", Level2::gemvLong), entry("ger", Level2::ger), entry("symv", Level2::symv),
                    entry("trmv", Level2::trmv), entry("trsv", Level2::trsv), entry("gemm", Level3::gemm),
                    entry("symm", Level3::symm), entry("syrk", Level3::syrk), entry("trmm", Level3::trmm),
                    entry("trsm", Level3::trsm), entry("trtri", Level3::trtri), entry("getrf", Factorisations::getrf),
                    entry("getrf, pivots", Factorisations::getrfPivots), entry("gesv", Factorisations::gesv),
                    entry("potrf", Factorisations::potrf), entry("posv", Factorisations::posv)));

    static Stream<Arguments> calls() {
        return Target.all()
                .stream()
                .flatMap(target -> ROUTINES.entrySet()
                        .stream()
                        .filter(e -> Target.share("large " + e.getKey()).contains(target))
                        .map(e -> Arguments.of(e.getKey(), target, e.getValue())));
    }

    @OnDevice
    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("calls")
    void largeShapesAreRight(String routine, Target target, Consumer<Trial> trial) {
        target.trials(routine, Profile.LARGE, 1, trial);
    }
}
