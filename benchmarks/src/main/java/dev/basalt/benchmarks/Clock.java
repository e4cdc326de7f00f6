package dev.basalt.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** What a measurement is timed by. */
enum Clock {
    /** Time that passed. A sample in which the thread had no core is dropped. */
    WALL {
        @Override
        long nanos() {
            return System.nanoTime();
        }
    },
    /** Time the thread had a core: for a machine whose cores are also used by others. */
    CPU {
        @Override
        long nanos() {
            return cpuNanos();
        }
    };

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    abstract long nanos();

    static long cpuNanos() {
        return THREADS.getCurrentThreadCpuTime();
    }
}
