package dev.basalt.host;

import java.lang.reflect.Method;

/** Measures garbage. By reflection, since the module under test reads no management module. */
public final class Garbage {
    private Garbage() {}

    /** Beside other work the compiler may come long after the last warm-up. */
    private static final int MOST = 200;

    /**
     * Bytes that the current thread allocates while something runs, after it has run often enough to be compiled: what is
     * garbage after that stays, however often it runs.
     *
     * @param warmups runs before the first that counts
     * @param few how many bytes are as good as none
     * @param run what runs
     * @return the first number below {@code few}, or the least of many
     */
    public static long of(int warmups, long few, Runnable run) throws ReflectiveOperationException {
        long least = Long.MAX_VALUE;
        for (int i = -warmups; i < MOST && least >= few; i++) {
            long before = allocated();
            long own = allocated() - before;
            long start = allocated();
            run.run();
            long taken = allocated() - start - own;
            least = i < 0 ? least : Math.min(least, taken);
        }
        return least;
    }

    private static long allocated() throws ReflectiveOperationException {
        Object bean = Class.forName("java.lang.management.ManagementFactory").getMethod("getThreadMXBean").invoke(null);
        Method method = Class.forName("com.sun.management.ThreadMXBean").getMethod("getCurrentThreadAllocatedBytes");
        return (long) method.invoke(bean);
    }
}
