package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.basalt.arrays.ArrayBlas;
import dev.basalt.arrays.ArrayLapack;
import dev.ludovic.netlib.arpack.ARPACK;
import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.lapack.LAPACK;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.netlib.util.intW;

/** What netlib's interfaces have, of whichever version is on the class path, beside what Basalt has on arrays. */
class CompleteTest {
    /** Routines of one name whose arguments differ: docs/netlib.md says so. */
    private static final Set<String> OTHER_ARGUMENTS = Set.of("dtrexc", "strexc");

    private static Set<String> names(Class<?> type, Predicate<Method> which) {
        return Arrays.stream(type.getMethods())
                .filter(which)
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The routines of an interface: its methods but those of objects and the one that gives it. */
    private static Set<String> routines(Class<?> type) {
        return names(type, m -> m.getDeclaringClass() == type && !m.getName().equals("getInstance"));
    }

    @Test
    @DisplayName("Each method of netlib's BLAS and LAPACK that Basalt has on arrays is served, but for those whose arguments differ")
    void whateverBasaltHasIsServed() {
        Set<String> basalt = new TreeSet<>(names(ArrayBlas.class, m -> true));
        basalt.addAll(names(ArrayLapack.class, m -> true));
        Set<String> delegated = new TreeSet<>();
        for (Calls calls : new Calls[] {BasaltBLAS.CALLS, BasaltLAPACK.CALLS}) {
            delegated.addAll(calls.delegatedMethods());
        }
        delegated.retainAll(basalt);
        assertThat(delegated).isEqualTo(OTHER_ARGUMENTS);
    }

    @Test
    @DisplayName("What is not asked for needs no room: vectors, and eigenvalues outside of a range")
    void valuesAloneNeedNoRoomForVectors() {
        double[] a = {2, 0, 1, 3};
        double[] w = new double[2];
        double[] none = new double[1];
        intW m = new intW(0);
        intW info = new intW(-1);
        LAPACK lapack = Netlib.lapack();
        lapack.dsyevx("N", "A", "U", 2, a.clone(), 2, 0, 0, -7, -7, 0, m, w, none, 1, new double[64], 64, new int[16],
                new int[2], info);
        assertThat(new int[] {m.val, info.val}).containsExactly(2, 0);
        assertThat(w[0] + w[1]).isCloseTo(5, within(1e-14));
        lapack.dsyevr("N", "I", "U", 2, a.clone(), 2, 0, 0, 2, 2, 0, m, w, none, 1, new int[4], new double[64], 64,
                new int[64], 64, info);
        assertThat(new int[] {m.val, info.val}).containsExactly(1, 0);
        assertThat(w[0]).isCloseTo((5 + Math.sqrt(5)) / 2, within(1e-14));
        lapack.dhseqr("E", "N", 2, 1, 2, new double[] {2, 1, 1, 3}, 2, w, new double[2], none, 1, new double[64], 64,
                info);
        assertThat(info.val).isZero();
        assertThat(w[0] + w[1]).isCloseTo(5, within(1e-14));
    }

    @Test
    @DisplayName("Each method of netlib's interfaces is counted, as Basalt's or as netlib's own")
    void whateverNetlibHasIsCounted() {
        count(BLAS.class, BasaltBLAS.CALLS);
        count(LAPACK.class, BasaltLAPACK.CALLS);
        count(ARPACK.class, BasaltARPACK.CALLS);
    }

    private static void count(Class<?> type, Calls calls) {
        Set<String> routines = routines(type);
        Set<String> served = new TreeSet<>(calls.servedMethods());
        served.retainAll(routines);
        System.out.println(calls.interfaceName() + ": " + routines.size() + " methods, " + served.size()
                + " by Basalt, " + (routines.size() - served.size()) + " by netlib's own Java");
        Set<String> counted = Stream.concat(calls.servedMethods().stream(), calls.delegatedMethods().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(counted).containsAll(routines);
    }
}
