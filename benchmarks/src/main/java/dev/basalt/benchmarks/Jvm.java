package dev.basalt.benchmarks;

/**
 * Arguments of the JVMs that measure, the same for JMH and {@link Paired}: a heap of one size that is touched before the
 * clock starts, since on a virtual machine the first touch of memory costs more than the arithmetic.
 */
final class Jvm {
    static final String HEAP_START = "-Xms1g";
    static final String HEAP_MOST = "-Xmx1g";
    static final String TOUCH = "-XX:+AlwaysPreTouch";
    /** The JIT compiler works while the program waits for it, so that a busy machine delays nothing but the warming up. */
    static final String BATCH = "-Xbatch";
    /** OpenBLAS keeps buffers on the stack. */
    static final String STACK = "-Xss16m";

    static final String VECTORS = "--add-modules=jdk.incubator.vector";
    static final String NATIVE = "--enable-native-access=ALL-UNNAMED";
    static final String ONE_THREAD = "-Dbasalt.threads=1";
    /** Basalt takes its 256-bit kernels. */
    static final String AVX2 = "-Dbasalt.vectorBits=256";

    /** System property with the peer's name in benchmarks of JMH. */
    static final String PEER = "basalt.benchmarks.core";

    /** OpenBLAS takes its AVX-512 kernels, which it does not do by itself on every CPU that could run them. */
    static final String SKYLAKE_X = "-D" + PEER + "=SkylakeX";

    private Jvm() {}

    static String threads(int threads) {
        return "-Dbasalt.threads=" + threads;
    }
}
