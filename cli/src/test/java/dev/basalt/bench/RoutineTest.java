package dev.basalt.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.basalt.internal.signature.Operations;
import dev.basalt.type.ElementType;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Names, operations and bytes of the table, counted by hand. */
class RoutineTest {
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
            "GEMM, F64, dgemm",
            "DOT, F64, ddot",
            "DOT, C32, cdotu",
            "DOTC, C64, zdotc",
            "ASUM, C32, scasum",
            "NRM2, C64, dznrm2",
            "IAMAX, F32, isamax",
            "IAMIN, C64, izamin",
            "GER, C64, zgeru",
            "GERC, C32, cgerc",
            "ROT, C64, zrot",
            "POTRF, F32, spotrf"})
    void symbols(Routine routine, ElementType type, String symbol) {
        assertThat(routine.symbol(type)).isEqualTo(symbol);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
            // arguments, operations, bytes
            "function=gemm precision=d m=2 n=3 k=5, 60, 248",
            "function=gemm precision=z m=2 n=3 k=5, 240, 496",
            "function=gemm precision=d m=2 n=3 k=5 beta=1, 60, 296",
            "function=dot precision=s n=10, 20, 80",
            "function=axpy precision=d n=10, 20, 240",
            "function=scal precision=d n=10, 10, 160",
            "function=swap precision=d n=10, 0, 320",
            "function=rot precision=d n=10, 60, 320",
            "function=rot precision=z n=10, 200, 640",
            "function=gemv precision=d m=4 n=6, 48, 272",
            "function=gemv precision=d m=4 n=6 transposeA=T, 48, 272",
            "function=ger precision=d m=4 n=6, 48, 464",
            "function=symv precision=d n=10, 200, 600",
            "function=trsv precision=d n=10, 100, 600",
            "function=trsm precision=d m=4 n=6, 96, 464",
            "function=trsm precision=d m=4 n=6 side=R, 144, 552",
            "function=syrk precision=d n=4 k=6, 120, 272",
            "function=getrf precision=d n=3, 16, 144",
            "function=potrf precision=d n=3, 14, 96",
            "function=gemm_strided_batched precision=d n=2 batch_count=5, 80, 480"})
    void work(String arguments, double flops, double bytes) {
        Workload w = Arguments.of(arguments).workload();
        assertThat(w.flops()).isEqualTo(flops);
        assertThat(w.bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @EnumSource(Routine.class)
    void theTableOfRoutinesCountsTheSame(Routine routine) {
        boolean real = routine.types().contains("d");
        Map<String, Long> sizes = Map.of("m", 4000L, "n", 3000L, "k", 500L, "nrhs", 7L, "order", 4000L);
        StringBuilder arguments =
                new StringBuilder("function=" + routine.family() + " precision=" + (real ? "d" : "z"));
        sizes.forEach((name, size) -> arguments.append(routine.has(name) ? " " + name + "=" + size : ""));
        double flops = Arguments.of(arguments.toString()).workload().flops() / (real ? 1 : 4);
        // The table has the terms of highest order.
        assertThat(Operations.of(routine.family(), sizes::get)).isCloseTo(flops, withinPercentage(0.1));
    }
}
