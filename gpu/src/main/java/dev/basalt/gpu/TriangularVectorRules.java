package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Storage;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.Set;

/** Products and solutions of a triangle with a vector. */
final class TriangularVectorRules<C> extends Rules<C> implements Family<C> {
    /** Rows a multiprocessor from which the blocks of trmv have equal parts of the triangle. */
    private static final int TRMV_SHARED = 16;

    private static final KernelFunction[] TRMV_N = KernelFunction.floating("trmv_n");
    private static final KernelFunction[] TRMV_T = KernelFunction.floating("trmv_t");
    private static final KernelFunction[] TRMV_IN_PLACE = KernelFunction.floating("trmv_in_place");
    private static final KernelFunction[] TPMV_N = KernelFunction.floating("tpmv_n");
    private static final KernelFunction[] TPMV_T = KernelFunction.floating("tpmv_t");
    private static final KernelFunction[] TRMV_STORED_IN_PLACE = KernelFunction.floating("trmv_stored_in_place");
    private static final KernelFunction[] TRSV_STORED_N = KernelFunction.floating("trsv_stored_n");
    private static final KernelFunction[] TRSV_STORED_T = KernelFunction.floating("trsv_stored_t");
    private static final KernelFunction[] TRSV_N = KernelFunction.floating("trsv_n");
    private static final KernelFunction[] TRSV_T = KernelFunction.floating("trsv_t");

    /** Rows of complex triangles that a warp multiplies sooner than a block. */
    private static final int FEW = 8;

    /** Triangles of as many rows as a warp has lanes, in any storage. */
    private static final KernelFunction[] TRMV_WARP = KernelFunction.floating("trmv_warp");

    private static final KernelFunction[] TRSV_WARP = KernelFunction.floating("trsv_warp");

    private final VectorRules<C> vectors;
    private final BandRules<C> bands;

    TriangularVectorRules(Functions<C> functions, Chip chip, VectorRules<C> vectors, BandRules<C> bands) {
        super(functions, chip);
        this.vectors = vectors;
        this.bands = bands;
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.TRMV, Kernel.TRSV);
    }

    /** The triangle may be packed or a band. */
    @Override
    public boolean takes(Launch l) {
        return l.c.storage != Storage.BAND;
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        switch (l.kernel) {
            case TRMV -> trmv(t, l, at, channel);
            case TRSV -> trsv(t, l, at, channel);
            default -> throw new IllegalArgumentException("triangles with a vector do not run " + l.kernel);
        }
    }

    /** Whether a warp has a problem. */
    private static boolean byWarp(Launch l) {
        return l.extent == 0 && l.n <= WARP;
    }

    private void warps(KernelFunction f, Launch l, long at, C channel) {
        int each = (int) Math.min(l.count, f.threads() / WARP);
        functions.launch(f, (int) up(l.count, each), 1, 1, each * WARP, 0, at, channel);
    }

    private void trmv(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        if (byWarp(l) && (!l.type.isComplex() || l.n <= FEW)) {
            warps(TRMV_WARP[t], l, at, channel);
            return;
        }
        if (bands.inPlace(l)) {
            bands.run(t, l, at, channel);
            return;
        }
        boolean dense = l.a.storage == Storage.DENSE;
        if (l.n <= 64 || l.workBytes < l.n * l.count * l.type.bytes()) {
            launch((dense ? TRMV_IN_PLACE : TRMV_STORED_IN_PLACE)[t], 1, 1, l.count, at, channel);
            return;
        }
        // work := x, as COPY has its operands: a the source, c the target.
        Arguments.operand(at, l.c, l.uplo);
        Arguments.workspace(at + 2 * Arguments.OPERAND, l.work, l.n * l.type.bytes());
        vectors.copy(t, l, at, channel);
        Arguments.operand(at, l.a, l.uplo);
        Arguments.operand(at + 2 * Arguments.OPERAND, l.c, l.uplo);
        if (l.a.storage == Storage.BAND) {
            bands.run(t, l, at, channel);
        } else if (l.opA == Op.NONE) {
            // Where it is worth it each block has an equal part of the triangle; else one has all squares of a few
            // rows.
            boolean shared = l.n >= (long) TRMV_SHARED * multiprocessors;
            int lanes = !shared ? 4 : dense ? 16 : 32;
            long tiles = up(l.n, lanes * 16L / l.type.bytes());
            long most = dense ? Math.min(2L * multiprocessors, SCRATCH / 32) : Math.min(multiprocessors, SCRATCH / 64);
            Arguments.parameters(at, lanes, shared ? 0 : 1, 0);
            launch((dense ? TRMV_N : TPMV_N)[t], shared ? Math.max(1, most / l.count) : tiles, 1, l.count, at, channel);
        } else {
            launch((dense ? TRMV_T : TPMV_T)[t], up(l.n, 4), 1, l.count, at, channel);
        }
    }

    private void trsv(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        if (byWarp(l)) {
            warps(TRSV_WARP[t], l, at, channel);
            return;
        }
        long blocks = up(l.n, l.type == ElementType.C64 ? 32 : 64);
        // Many problems keep the device busy with one block each.
        long x = l.count <= multiprocessors / 4 ? blocks : 1;
        KernelFunction[] f = l.a.storage == Storage.DENSE ? l.opA == Op.NONE ? TRSV_N : TRSV_T
                : l.opA == Op.NONE ? TRSV_STORED_N
                : TRSV_STORED_T;
        launch(f[t], x, 1, l.count, at, channel);
    }
}
