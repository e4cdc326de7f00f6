package dev.basalt.host.engine;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.batch.BatchKernels;
import dev.basalt.host.assembled.mixed.MixedKernels;
import dev.basalt.host.assembled.mixed.MixedPanels;
import dev.basalt.host.assembled.product.Product;
import dev.basalt.host.assembled.product.ProductTable;
import dev.basalt.host.assembled.reflect.Reflectors;
import dev.basalt.host.assembled.stream.EachVector;
import dev.basalt.host.assembled.x86.CpuFeatures;
import dev.basalt.host.vector.Tridiagonal;
import dev.basalt.host.vector.VectorBits;
import dev.basalt.host.vector.VectorDTridiagonal;
import dev.basalt.host.vector.VectorSTridiagonal;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.MixedWork;
import dev.basalt.type.ElementType;

/**
 * Kernels in machine code that Java writes at run time. They are at full speed from the first call. What is not assembled comes
 * from the Vector API where its module is there, or else from the portable kernels.
 */
final class AssembledEngine implements Engine {
    private final int bits;
    private final AssembledKernels sKernels;
    private final AssembledKernels dKernels;
    private final AssembledKernels cKernels;
    private final AssembledKernels zKernels;
    private final Leaf s;
    private final Leaf d;
    private final Leaf c;
    private final Leaf z;
    private final Tridiagonal sSystems;
    private final Tridiagonal dSystems;
    private final EachVector sVectors;
    private final EachVector dVectors;
    private final EachVector cVectors;
    private final EachVector zVectors;
    /** Of each type, from the first batch on. */
    private final BatchKernels[] batches = new BatchKernels[ElementType.values().length];
    /** From the first launch of mixed types on. */
    private volatile MixedKernels mixed;

    /** With vectors of 256 or 512 bits, whatever the processor has. */
    AssembledEngine(int bits) {
        this.bits = bits;
        this.sKernels = AssembledKernels.real(bits, 4);
        this.dKernels = AssembledKernels.real(bits, 8);
        this.cKernels = AssembledKernels.complex(bits, 4);
        this.zKernels = AssembledKernels.complex(bits, 8);
        if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
            this.s = new AssembledVectorSLeaf(sKernels);
            this.d = new AssembledVectorDLeaf(dKernels);
            this.c = new LanesCLeaf(cKernels);
            this.z = new LanesZLeaf(zKernels);
            this.sSystems = new VectorSTridiagonal();
            this.dSystems = new VectorDTridiagonal();
        } else {
            this.s = new AssembledSLeaf(sKernels);
            this.d = new AssembledDLeaf(dKernels);
            this.c = new AssembledCLeaf(cKernels);
            this.z = new AssembledZLeaf(zKernels);
            this.sSystems = null;
            this.dSystems = null;
        }
        this.sVectors = sKernels.level1().batches(s, StreamSLeaf.LEAST, StreamSLeaf.SAFE, StreamSLeaf.LARGEST);
        this.dVectors = dKernels.level1().batches(d, StreamDLeaf.LEAST, StreamDLeaf.SAFE, StreamDLeaf.LARGEST);
        this.cVectors = cKernels.level1().batches(c, StreamCLeaf.LEAST, StreamCLeaf.SAFE, StreamCLeaf.LARGEST);
        this.zVectors = zKernels.level1().batches(z, StreamZLeaf.LEAST, StreamZLeaf.SAFE, StreamZLeaf.LARGEST);
    }

    /**
     * Opens the engine for the ladder; its most used kernel is written and checked here.
     *
     * @return the engine
     * @throws Engines.Declined with the reason, if assembled kernels cannot run in this process
     */
    static Engine open() {
        return open(512);
    }

    /** The same with no more than AVX2, which an AVX-512 machine has too. */
    static Engine openNarrow() {
        return open(256);
    }

    private static Engine open(int widest) {
        try {
            int bits = VectorBits.of(Math.min(widest, AssembledKernels.vectorBits()));
            if (bits < 256) {
                throw new Engines.Declined("there are no assembled kernels for vectors of " + bits + " bits");
            }
            AssembledEngine engine = new AssembledEngine(bits);
            engine.dKernels.check();
            return engine;
        } catch (UnsupportedOperationException | IllegalStateException | DriverException e) {
            throw new Engines.Declined(e.getMessage());
        } catch (LinkageError e) {
            throw new Engines.Declined("it failed to start: " + (e.getCause() == null ? e : e.getCause()));
        }
    }

    @Override
    public boolean reachesHeap() {
        return true;
    }

    @Override
    public String refusal() {
        return AssembledKernels.refusal();
    }

    @Override
    public String name() {
        return "assembled";
    }

    @Override
    public String description() {
        return "machine code for " + (bits == 512 ? "AVX-512" : "AVX2 with FMA");
    }

    @Override
    public Leaf leaf(ElementType type) {
        return switch (type) {
            case F32 -> s;
            case F64 -> d;
            case C32 -> c;
            default -> z;
        };
    }

    @Override
    public GemmBlocking gemm(ElementType type) {
        return switch (type) {
            case F32 -> sKernels.blocking();
            case F64 -> dKernels.blocking();
            case C32 -> cKernels.blocking();
            default -> zKernels.blocking();
        };
    }

    @Override
    public GemmBlocking mixedBlocking() {
        return Product.mixedBlocking(sKernels.products().shape());
    }

    @Override
    public MixedWork mixedWork(int threads) {
        return new MixedPanels(mixedBlocking(), mixed().halves(), threads);
    }

    @Override
    public MixedKernels mixed() {
        MixedKernels found = mixed;
        return found != null ? found : makeMixed();
    }

    private synchronized MixedKernels makeMixed() {
        if (mixed == null) {
            ProductTable products = sKernels.products();
            mixed = new MixedKernels(products, CpuFeatures.detect().extensions(products.shape().isa()));
        }
        return mixed;
    }

    @Override
    public int reflectors(ElementType type) {
        return Reflectors.WIDEST;
    }

    @Override
    public int triangle() {
        return dKernels.triangle();
    }

    @Override
    public boolean sameBitsUnpacked() {
        return true;
    }

    @Override
    public BatchKernels batches(ElementType type) {
        if (!type.isFloating()) {
            return null;
        }
        BatchKernels found = batches[type.ordinal()];
        return found != null ? found : makeBatches(type);
    }

    private synchronized BatchKernels makeBatches(ElementType type) {
        int i = type.ordinal();
        if (batches[i] == null) {
            batches[i] = new BatchKernels(bits, type.real().bytes(), type.isComplex(), leaf(type));
        }
        return batches[i];
    }

    @Override
    public EachVector vectors(ElementType type) {
        return switch (type) {
            case F32 -> sVectors;
            case F64 -> dVectors;
            case C32 -> cVectors;
            case C64 -> zVectors;
            default -> null;
        };
    }

    @Override
    public Tridiagonal tridiagonal(ElementType type) {
        return type == ElementType.F32 ? sSystems : type == ElementType.F64 ? dSystems : null;
    }

    @Override
    public int vectorBits() {
        return bits;
    }
}
