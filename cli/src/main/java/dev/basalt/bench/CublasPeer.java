package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * cuBLAS, cuSOLVER and cuSPARSE on the GPU's own memory and on the stream of the site, with host scalars and results on the device.
 * What they lack is no case of theirs, but a batch of dot products, which their users write as a batch of 1×1 products.
 */
public final class CublasPeer implements Peer {
    private static final long WORKSPACE = 64L << 20;
    private static final int HOST_POINTERS = 0;
    private static final int DEVICE_POINTERS = 1;

    private final Device device;
    private final CudaSite site;
    private final CudaLibraries libraries;
    private final Functions cublas;
    private final Functions cusolver;
    private final long blas;
    private final long solver;
    private final DeviceArena memory;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment word = arena.allocate(JAVA_LONG);

    /**
     * Loads the libraries.
     *
     * @param device a {@code cuda} device
     * @param site where calls are timed
     * @param folder the folder with all; null to search
     * @throws IllegalStateException that says what was tried, if cuBLAS is not to be found
     */
    public CublasPeer(Device device, CudaSite site, Path folder) {
        this.device = device;
        this.site = site;
        libraries = CudaLibraries.load(folder, site.nativeStream());
        cublas = libraries.of("cublasCreate_v2");
        blas = libraries.handle("cublasCreate_v2");
        cusolver = libraries.solves() ? libraries.of("cusolverDnCreate") : null;
        solver = libraries.solves() ? libraries.handle("cusolverDnCreate") : 0;
        memory = device.arena();
        cublas.call("cublasSetWorkspace_v2", blas, memory.allocate(WORKSPACE).address(), WORKSPACE);
        site.productLimit(this::product);
    }

    /** The speed of a large product, in 10⁹ operations a second. */
    private double product(ElementType type) {
        Workload w =
                Arguments.of("function=gemm precision=" + type.letter() + " n=" + CudaSite.PRODUCT_ORDER).workload();
        try (Operands operands = new Operands(device, w, 1, site)) {
            return w.flops() / site.best(bind(w, operands)[0]);
        }
    }

    @Override
    public String name() {
        return "cublas";
    }

    @Override
    public String description() {
        return libraries.description();
    }

    @Override
    public Call[] bind(Workload w, Operands operands) {
        cublas.call("cublasSetPointerMode_v2", blas, w.routine.reduces() ? DEVICE_POINTERS : HOST_POINTERS);
        Call[] calls = new Call[operands.count()];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = w.routine.consumes() ? factorisation(w, operands.copy(i)) : product(w, operands.copy(i));
            if (calls[i] == null) {
                return null;
            }
        }
        return calls;
    }

    @Override
    public List<PeerCall> calls(TableCase c, TableOperands o) {
        // Elements that reductions leave and rotations take lie on the device, scalars on the host.
        boolean onDevice = !c.scaled() && !c.isLapack();
        cublas.call("cublasSetPointerMode_v2", blas, onDevice ? DEVICE_POINTERS : HOST_POINTERS);
        return c.isLapack() || !PeerTable.NVIDIA.of(c).isEmpty()
                ? CudaCalls.bind(libraries, arena, c, o, site)
                : List.of(TableCublas.bind(libraries, arena, c, o));
    }

    private static char letter(Workload w) {
        return Character.toUpperCase(w.type.letter());
    }

    // ---- BLAS

    private Call product(Workload w, Operands.Copy o) {
        boolean pointers = w.form == Form.BATCHED || (w.form != Form.SINGLE && w.routine == Routine.TRSM);
        String symbol = w.routine.symbol(w.type);
        String name = "cublas" + symbol.substring(0, 1).toUpperCase(Locale.ROOT) + symbol.substring(1);
        if (w.form == Form.SINGLE) {
            name += "_v2";
        } else if (w.routine == Routine.DOT && w.form == Form.STRIDED_BATCHED && !w.type.isComplex()) {
            return dots(w, o);
        } else {
            name += pointers ? "Batched" : "StridedBatched";
        }
        if (!cublas.has(name)) {
            return null;
        }
        List<Object> all = new ArrayList<>(List.of(blas));
        for (String argument : w.routine.arguments()) {
            argument(w, o, argument, pointers, all);
        }
        if (w.routine == Routine.TRMM) {
            // Out of place in cuBLAS; the same B for both is BLAS's form.
            argument(w, o, "B", false, all);
        }
        if (w.routine.reduces()) {
            all.add(o.peerResults.pointer().address());
        } else if (w.form != Form.SINGLE) {
            all.add((int) w.batch);
        }
        return cublas.bind(name, all.toArray());
    }

    private void argument(Workload w, Operands.Copy o, String argument, boolean pointers, List<Object> all) {
        switch (argument) {
            case "tA" -> all.add(operation(w.transA));
            case "tB" -> all.add(operation(w.transB));
            case "side" -> all.add(w.side == Side.LEFT ? 0 : 1);
            case "uplo" -> all.add(triangle(w));
            case "diag" -> all.add(w.diag == Diag.UNIT ? 1 : 0);
            case "m" -> all.add((int) w.m);
            case "n" -> all.add((int) w.n);
            case "k" -> all.add((int) w.k);
            case "alpha", "ralpha" -> all.add(number(w, w.alpha));
            case "beta", "rbeta" -> all.add(number(w, w.beta));
            case "cosine" -> all.add(number(w, w.cosine));
            case "sine" -> all.add(number(w, w.sine));
            default -> {
                Slot.Name slot = Slot.Name.valueOf(argument.toUpperCase(Locale.ROOT));
                all.add(pointers ? o.table(slot) : o.address(slot));
                all.add((int) w.leading(slot));
                if (w.form == Form.STRIDED_BATCHED && !pointers) {
                    all.add(w.stride(slot));
                }
            }
        }
    }

    private static int operation(Op op) {
        return op.ordinal();
    }

    private static int triangle(Workload w) {
        return w.uplo == Uplo.LOWER ? 0 : 1;
    }

    private long number(Workload w, Complex value) {
        return (w.type.real() == ElementType.F32
                ? arena.allocateFrom(JAVA_FLOAT, (float) value.re(), (float) value.im())
                : arena.allocateFrom(JAVA_DOUBLE, value.re(), value.im())).address();
    }

    /** Dot products of a batch as products of 1×n by n×1. */
    private Call dots(Workload w, Operands.Copy o) {
        if (w.leading(Slot.Name.X) != 1 || w.leading(Slot.Name.Y) != 1) {
            return null;
        }
        cublas.call("cublasSetPointerMode_v2", blas, HOST_POINTERS);
        int n = (int) w.n;
        return cublas.bind("cublas" + letter(w) + "gemmStridedBatched", blas, operation(Op.TRANS), operation(Op.NONE),
                1, 1, n, number(w, Complex.ONE), o.address(Slot.Name.X), n, w.stride(Slot.Name.X),
                o.address(Slot.Name.Y), n, w.stride(Slot.Name.Y), number(w, Complex.ZERO),
                o.peerResults.pointer().address(), 1, 1L, (int) w.batch);
    }

    // ---- LAPACK

    private Call factorisation(Workload w, Operands.Copy o) {
        int n = (int) w.n;
        int lda = (int) w.leading(Slot.Name.A);
        long info = o.info == null ? 0 : o.info.pointer().address();
        if (w.form != Form.SINGLE) {
            return batch(w, o, n, lda, info);
        }
        if (cusolver == null) {
            return null;
        }
        String name = "cusolverDn" + letter(w) + w.routine.family();
        long a = o.address(Slot.Name.A);
        return switch (w.routine) {
            case GETRF -> {
                int m = (int) w.m;
                cusolver.call(name + "_bufferSize", solver, m, n, a, lda, word.address());
                yield cusolver.bind(name, solver, m, n, a, lda, workspace(w), pivots(o), info);
            }
            case POTRF -> {
                cusolver.call(name + "_bufferSize", solver, triangle(w), n, a, lda, word.address());
                int size = word.get(JAVA_INT, 0);
                yield cusolver.bind(name, solver, triangle(w), n, a, lda, workspace(w), size, info);
            }
            case GETRS -> {
                int nrhs = (int) w.nrhs;
                long b = o.address(Slot.Name.B);
                int ldb = (int) w.leading(Slot.Name.B);
                yield cusolver.bind(name, solver, operation(w.transA), n, nrhs, a, lda, pivots(o), b, ldb, info);
            }
            case POTRS -> {
                int nrhs = (int) w.nrhs;
                long b = o.address(Slot.Name.B);
                int ldb = (int) w.leading(Slot.Name.B);
                yield cusolver.bind(name, solver, triangle(w), n, nrhs, a, lda, b, ldb, info);
            }
            default -> null;
        };
    }

    private Call batch(Workload w, Operands.Copy o, int n, int lda, long info) {
        int batch = (int) w.batch;
        return switch (w.routine) {
            case GETRF -> w.m != w.n
                    ? null
                    : cublas.bind("cublas" + letter(w) + "getrfBatched", blas, n, o.table(Slot.Name.A), lda, pivots(o),
                            info, batch);
            case GETRS -> cublas.bind("cublas" + letter(w) + "getrsBatched", blas, operation(w.transA), n, (int) w.nrhs,
                    o.table(Slot.Name.A), lda, pivots(o), o.table(Slot.Name.B), (int) w.leading(Slot.Name.B),
                    word.address(), batch);
            case POTRF -> cusolver == null
                    ? null
                    : cusolver.bind("cusolverDn" + letter(w) + "potrfBatched", solver, triangle(w), n,
                            o.table(Slot.Name.A), lda, info, batch);
            default -> null;
        };
    }

    private static long pivots(Operands.Copy o) {
        return o.pivots32.pointer().address();
    }

    /** Memory for as many elements as the last size query said; freed with this peer. */
    private long workspace(Workload w) {
        return memory.allocate((long) word.get(JAVA_INT, 0) * w.type.bytes()).address();
    }

    @Override
    public void close() {
        libraries.close();
        memory.close();
        arena.close();
    }
}
