package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ludovic.netlib.blas.JavaBLAS;
import dev.ludovic.netlib.lapack.JavaLAPACK;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Each method that Basalt serves, with offsets, increments of both signs and leading dimensions, against netlib's own Java. */
class EveryServedMethodTest {
    private static final int TRIALS = Integer.getInteger("basalt.netlib.trials", 12);
    private static final String METHODS = System.getProperty("basalt.netlib.methods", ".*");
    private static final long SEED = Long.getLong("basalt.netlib.seed", 1);

    @TestFactory
    Stream<DynamicTest> blas() {
        return tests(Netlib.blas(), JavaBLAS.getInstance(), BasaltBLAS.CALLS);
    }

    @TestFactory
    Stream<DynamicTest> lapack() {
        return tests(Netlib.lapack(), JavaLAPACK.getInstance(), BasaltLAPACK.CALLS);
    }

    private static Stream<DynamicTest> tests(Object basalt, Object java, Calls calls) {
        Map<String, Method> methods = new HashMap<>();
        for (Method method : basalt.getClass().getDeclaredMethods()) {
            // The form with offsets has more parameters than the other.
            methods.merge(method.getName(), method, (a, b) -> a.getParameterCount() > b.getParameterCount() ? a : b);
        }
        Recipes recipes = new Recipes(java, methods);
        assertThat(calls.servedMethods()).isNotEmpty();
        return calls.servedMethods()
                .stream()
                .filter(name -> name.matches(METHODS))
                .map(name -> DynamicTest.dynamicTest(name, () -> {
                    Method method = methods.get(name);
                    for (int trial = 0; trial < TRIALS; trial++) {
                        compare(method, basalt, java, recipes, new Random(SEED * 1000 + trial + name.hashCode()));
                    }
                }));
    }

    private static void compare(Method method, Object basalt, Object java, Recipes recipes, Random random) {
        String routine = routine(method.getName());
        Arguments arguments = new Arguments(method, random);
        recipes.prepare(routine, arguments);
        String what = method.getName() + " " + arguments;
        Arguments expected = arguments.copy();
        Object right = expected.call(java, method);
        Object result = arguments.call(basalt, method);
        double tolerance = arguments.isSingle() ? 2e-3 : 1e-9;
        if (right instanceof Number number) {
            assertThat(((Number) result).doubleValue()).as(what).isCloseTo(number.doubleValue(), within(tolerance));
        }
        Recipes.settle(routine, expected);
        Recipes.settle(routine, arguments);
        Map<String, double[]> results = arguments.results();
        expected.results().forEach((name, wanted) -> {
            double[] numbers = results.get(name);
            if (Recipes.isPromised(routine, name)) {
                for (int i = 0; i < wanted.length; i++) {
                    same(what + name + "[" + i + "]", Recipes.isSignOpen(routine), Recipes.isEstimate(name), numbers[i],
                            wanted[i], tolerance);
                }
            }
        });
    }

    private static void same(String what, boolean signOpen, boolean estimate, double number, double wanted,
            double tolerance) {
        double x = signOpen ? Math.abs(number) : number;
        double y = signOpen ? Math.abs(wanted) : wanted;
        boolean equal = Double.doubleToLongBits(x) == Double.doubleToLongBits(y);
        if (!equal && estimate) {
            assertThat(x).as(what).isBetween(y / 8 - tolerance, y * 8 + tolerance);
        } else if (!equal) {
            assertThat(x).as(what).isCloseTo(y, within(tolerance * Math.max(1, Math.abs(y))));
        }
    }

    private static String routine(String name) {
        return name.startsWith("i") ? name : name.substring(1);
    }
}
