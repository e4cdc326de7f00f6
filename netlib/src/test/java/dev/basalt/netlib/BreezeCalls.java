package dev.basalt.netlib;

import breeze.generic.UFunc;
import breeze.linalg.DenseMatrix;
import breeze.linalg.DenseVector;
import breeze.linalg.LU$primitive$LU_DM_Impl_Double$;
import breeze.linalg.inv;
import breeze.linalg.operators.HasOps$;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;

/** Calls of Breeze on matrices of given orders: what each takes, by the clock and of the thread's processor, and numbers that do not depend on signs. */
final class BreezeCalls {
    /** Calls that are made, as a pattern. */
    private static final String WANTED = System.getProperty("basalt.breeze.calls", ".*");

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private BreezeCalls() {}

    /** Takes orders and how often each call is made, in turn. */
    public static void main(String[] args) {
        for (int i = 0; i < args.length; i += 2) {
            calls(Integer.parseInt(args[i]), Integer.parseInt(args[i + 1]));
        }
        System.out.println("served " + Netlib.served());
    }

    private static void calls(int n, int rounds) {
        double[] numbers = new Random(1).doubles((long) n * n, -1, 1).toArray();
        DenseMatrix<Object> a = new DenseMatrix<>(n, n, numbers);
        double[] product = new double[n * n];
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                for (int k = 0; k < n; k++) {
                    product[i + j * n] += numbers[k + i * n] * numbers[k + j * n];
                }
            }
            product[j * (n + 1)] += 1;
        }
        DenseMatrix<Object> positive = new DenseMatrix<>(n, n, product);
        System.out.println("order " + n);
        time("solve", rounds,
                () -> numbers(a.$bslash(positive, HasOps$.MODULE$.impl_OpSolveMatrixBy_DMD_DMD_eq_DMD())));
        time("inv", rounds, () -> numbers(inv.canInvUsingLU_Double(LU$primitive$LU_DM_Impl_Double$.MODULE$).apply(a)));
        time("svd", rounds, () -> numbers(part(call("svd$Svd_DM_Impl$", a), 1)));
        time("eig", rounds, () -> {
            double[] values = numbers(part(call("eig$Eig_DM_Impl$", a), 0));
            Arrays.sort(values);
            return values;
        });
        time("qr", rounds, () -> absolute(numbers(part(call("qr$impl_DM_Double$", a), 1))));
        time("cholesky", rounds, () -> numbers(call("cholesky$ImplCholesky_DM$", positive)));
    }

    /** What Scala would find as an implicit value; Java cannot name such classes. */
    @SuppressWarnings("unchecked")
    private static Object call(String implementation, Object argument) {
        try {
            Object module = Class.forName("breeze.linalg." + implementation).getField("MODULE$").get(null);
            return ((UFunc.UImpl<Object, Object, Object>) module).apply(argument);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object part(Object result, int index) {
        return ((scala.Product) result).productElement(index);
    }

    private static double[] numbers(Object result) {
        Object data = result instanceof DenseMatrix<?> matrix ? matrix.data() : ((DenseVector<?>) result).data();
        return ((double[]) data).clone();
    }

    private static double[] absolute(double[] x) {
        return Arrays.stream(x).map(Math::abs).toArray();
    }

    private static void time(String name, int rounds, Supplier<double[]> call) {
        if (!name.matches(WANTED)) {
            return;
        }
        double[] seconds = new double[rounds];
        double[] processor = new double[rounds];
        double[] result = {};
        for (int i = 0; i < rounds; i++) {
            long used = THREADS.getCurrentThreadCpuTime();
            long start = System.nanoTime();
            result = call.get();
            seconds[i] = (System.nanoTime() - start) / 1e9;
            processor[i] = (THREADS.getCurrentThreadCpuTime() - used) / 1e9;
        }
        Arrays.sort(seconds);
        Arrays.sort(processor);
        System.out.printf(Locale.ROOT, "seconds %s %.6f%n", name, seconds[rounds / 2]);
        System.out.printf(Locale.ROOT, "processor %s %.6f%n", name, processor[rounds / 2]);
        StringBuilder line = new StringBuilder("learnt ").append(name);
        for (int i = 0; i < Math.min(result.length, 64); i++) {
            line.append(' ').append(result[i]);
        }
        System.out.println(line);
    }
}
