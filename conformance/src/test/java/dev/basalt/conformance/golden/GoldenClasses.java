package dev.basalt.conformance.golden;

import dev.basalt.gpu.Cores;
import dev.basalt.gpu.Launcher;
import dev.basalt.sim.SimDriver;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.GemmEngine;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Reach;
import dev.basalt.type.ElementType;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The device classes that the golden files speak of. Those of the host are written out, since a golden file may not depend on the
 * processor that the test runs on; {@link GoldenClassesTest} holds them against the engines that this machine has.
 */
final class GoldenClasses {
    /** Workspace and least sizes of cuBLASLt, as the CUDA device sets them. */
    private static final GemmEngine CUBLASLT = new GemmEngine("cublaslt", 32L << 20, 512, 32, 1 << 23);

    private static final int ASSEMBLED_TRIANGLE = 256;
    private static final int BLOCK = 64;

    private GoldenClasses() {}

    /** By the name that the golden files use. */
    static Map<String, DeviceTraits> all() {
        Map<String, DeviceTraits> all = new LinkedHashMap<>();
        for (int workers : new int[] {1, 3}) {
            add(all, assembled512(workers));
            add(all, assembled256(workers));
            add(all, vector512(workers));
            add(all, scalar(workers));
        }
        all.put("sim", sim());
        all.put("cuda-sm80", Launcher.traits("cuda-sm80", 32L << 20, true, true, false, Cores.HALVES, 108, 163 << 10));
        all.put("cuda-sm90", cuda());
        all.put("cuda-sm90-cublaslt", cuda().withEngine(CUBLASLT));
        return all;
    }

    private static void add(Map<String, DeviceTraits> all, DeviceTraits traits) {
        all.put(traits.deviceClass(), traits);
    }

    static DeviceTraits assembled512(int workers) {
        return host("assembled512", workers, ASSEMBLED_TRIANGLE, 256, 192);
    }

    static DeviceTraits vector512(int workers) {
        return host("vector512", workers, BLOCK, 64, 64);
    }

    /** Products of real and single complex numbers go to one order without packing memory, those of double complex ones to another. */
    private static DeviceTraits host(String engine, int workers, int triangle, int small, int doubleComplex) {
        return host(engine, workers, triangle, new GemmBlocking(48, 8, 480, 256, 2048, 1, small),
                new GemmBlocking(24, 8, 240, 256, 2048, 1, small), new GemmBlocking(24, 4, 240, 256, 1024, 1, small),
                new GemmBlocking(12, 4, 120, 256, 1024, 1, doubleComplex));
    }

    static DeviceTraits assembled256(int workers) {
        return host("assembled256", workers, ASSEMBLED_TRIANGLE, new GemmBlocking(24, 4, 504, 256, 2048, 1, 256),
                new GemmBlocking(12, 4, 252, 256, 2048, 1, 256), new GemmBlocking(12, 2, 252, 256, 1024, 1, 256),
                new GemmBlocking(6, 2, 126, 256, 1024, 1, 192));
    }

    static DeviceTraits scalar(int workers) {
        GemmBlocking none = GemmBlocking.NONE;
        return host("scalar", workers, BLOCK, none, none, none, none);
    }

    static DeviceTraits sim() {
        try (SimDriver driver = SimDriver.builder().open()) {
            return driver.traits();
        }
    }

    static DeviceTraits cuda() {
        return Launcher.traits("cuda-sm90", 32L << 20, true, true, false, Cores.WARPGROUPS, 132, 227 << 10);
    }

    private static DeviceTraits host(String engine, int workers, int triangle, GemmBlocking s, GemmBlocking d,
            GemmBlocking c, GemmBlocking z) {
        Reach blocks = Reach.ofBlocks(BLOCK)
                .without(Kernel.ORM2R, Kernel.ORG2R, Kernel.GEQP3)
                .upTo(Reach.ANY, Kernel.TRMV, Kernel.SYEVJ, Kernel.GESVJ);
        for (ElementType type : ElementType.values()) {
            if (type.isFloating()) {
                long reflectors = engine.startsWith("assembled") ? 32 : 0;
                blocks = blocks.upTo(reflectors, Kernel.ORM2R, type)
                        .upTo(reflectors, Kernel.ORG2R, type)
                        .upTo(16, Kernel.GBTF2, type);
            }
        }
        Reach reach = triangle == BLOCK
                ? blocks
                : blocks.upTo(triangle, Kernel.SYMM, Kernel.SYRK, Kernel.SYR2K, Kernel.GEMMT, Kernel.TRMM, Kernel.TRSM,
                        Kernel.POTF2)
                        .upTo(Reach.ANY, Kernel.TRSV)
                        .upTo(triangle, Kernel.POTF2_STORED, Kernel.POSV_STORED, Kernel.POTRI_STORED)
                        .packing(Kernel.SYMM, Kernel.SYRK, Kernel.SYR2K, Kernel.GEMMT, Kernel.TRMM, Kernel.TRSM);
        boolean assembled = triangle != BLOCK;
        return DeviceTraits.of("host-" + engine + "-t" + workers)
                .memory(64, true, true, false) // there is no memory behind the addresses of paper
                .workers(workers)
                .workspace(32L << 20)
                .sums(16384, 2048)
                .reach(reach)
                .gemm(beside(assembled, s), beside(assembled, d), beside(assembled, c), beside(assembled, z))
                .build();
    }

    /** Assembled kernels pack nothing beside few lines. */
    private static GemmBlocking beside(boolean assembled, GemmBlocking blocks) {
        return assembled ? blocks.beside(32, 64, 4096) : blocks;
    }
}
