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
 * Routines with exactly the workspace of each of their tiers, with a chunk less, and with none, over many shapes. The list is a choice;
 * {@code EveryWorkspaceTest} has every tier of every routine of the table, and one that is added needs no entry here.
 */
class TiersTest {
    private static final Map<String, Consumer<Trial>> ROUTINES = new TreeMap<>(
            Map.ofEntries(entry("dotu", Level1::dotu), entry("dotc", Level1::dotc), entry("asum", Level1::asum),
                    entry("nrm2", Level1::nrm2), entry("iamax", Level1::iamax), entry("iamin", Level1::iamin),
                    entry("gemv", Level2::gemvLong), entry("symv", Level2::symvLong), entry("trmv", Level2::trmv),
                    entry("gemm", Level3::gemm), entry("symm", Level3::symm), entry("syrk", Level3::syrk),
                    entry("trmm", Level3::trmm), entry("trsm", Level3::trsm), entry("trtri", Level3::trtri),
                    entry("getrf", Factorisations::getrf), entry("getrs", Factorisations::getrs),
                    entry("gesv", Factorisations::gesv), entry("potrf", Factorisations::potrf),
                    entry("potrs", Factorisations::potrs), entry("posv", Factorisations::posv),
                    entry("set_vector", Transfers::setVector), entry("get_vector", Transfers::getVector)));

    private static final Map<String, Consumer<Trial>> COMPLEX =
            Map.of("hemv", Level2::hemvLong, "hemm", Level3::hemm, "herk", Level3::herk);

    static Stream<Arguments> calls() {
        return Target.all().stream().flatMap(target -> {
            Map<String, Consumer<Trial>> routines = new TreeMap<>(ROUTINES);
            if (target.type().isComplex()) {
                routines.putAll(COMPLEX);
            }
            return routines.entrySet()
                    .stream()
                    .filter(e -> Target.share("tiers " + e.getKey()).contains(target))
                    .map(e -> Arguments.of(e.getKey(), target, e.getValue()));
        });
    }

    @OnDevice
    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("calls")
    void everyTierIsRight(String routine, Target target, Consumer<Trial> trial) {
        target.trials(routine, Profile.TIERS, 8, trial);
    }
}
