package dev.basalt.host;

import java.lang.reflect.Method;

/** Measures garbage. By reflection, since the module under test reads no management module. */
final class Garbage {
    private Garbage() {}

    /** Bytes that the current thread allocates while something runs, after it has run often enough to be compiled. */
    static long of(int warmups, Runnable run) throws ReflectiveOperationException {
        for (int i = 0; i < warmups; i++) {
            run.run();
        }
        long before = allocated();
        long own = allocated() - before;
        long start = allocated();
        run.run();
        return allocated() - start - own;
    }

    private static long allocated() throws ReflectiveOperationException {
        Object bean = Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        Method method = Class.forName("com.sun.management.ThreadMXBean").getMethod("getCurrentThreadAllocatedBytes");
        return (long) method.invoke(bean);
    }
}
