package dev.basalt.cuda;

import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.GemmEngine;
import java.util.Locale;

/**
 * Whose matrix products a device uses: the system property {@code basalt.gemm}. {@code own} are the kernels of this library,
 * {@code cublaslt} is NVIDIA's cuBLASLt for every single product that it can do and is an error where it is not installed,
 * {@code auto} takes it where it is installed, for products that are large enough.
 */
final class Engine {
    /** What NVIDIA's guide recommends on Hopper, the alignment of its start included. */
    private static final long WORKSPACE = 32L << 20;

    /**
     * On an H100 dgemm of 1024 and more runs at 0.83 to 0.99 of cuBLAS's speed by the kernels of this library and at 0.99 to 1.00 by
     * the engine; smaller products are too short for 32 MiB of workspace to be worth it.
     */
    private static final int LEAST = 512;

    private static final int LEAST_DEPTH = 32;

    /**
     * Products of that many multiplications take 4 to 7 µs on an H200 by the engine. By the kernels of this library slightly smaller ones take as long (64×1000×128 in s, d and c, 200×200×200 in s and d), larger ones
     * up to four times as long (256×1000×128 in s), and up to thirteen times where the inner dimension is long: results/h200-thin-products.csv.
     */
    private static final long VOLUME = 1 << 23;

    private Engine() {}

    /** The engine by the setting; null for the kernels of this library. */
    static GemmEngine ofSetting() {
        String set = System.getProperty("basalt.gemm", "auto").strip().toLowerCase(Locale.ROOT);
        return switch (set) {
            case "own" -> null;
            case "auto" -> CublasLt.installed() == null ? null : engine(LEAST, LEAST_DEPTH, VOLUME);
            case "cublaslt" -> {
                if (CublasLt.installed() == null) {
                    throw new DriverException(Code.NOT_SUPPORTED,
                            "basalt.gemm = cublaslt, but cuBLASLt is not to be found; tried "
                                    + String.join(", ", CublasLt.tried())
                                    + "; install it or set the system property basalt.cublasLt");
                }
                yield engine(1, 1, 1);
            }
            default -> throw new DriverException(Code.INVALID_VALUE,
                    "basalt.gemm = \"" + set + "\": accepted are auto, own and cublaslt");
        };
    }

    private static GemmEngine engine(int least, int leastDepth, long volume) {
        return new GemmEngine("cublaslt", WORKSPACE, least, leastDepth, volume);
    }
}
