package dev.basalt.host.engine;

import dev.basalt.host.vector.Tridiagonal;
import dev.basalt.host.vector.VectorCGemm;
import dev.basalt.host.vector.VectorCLeaf;
import dev.basalt.host.vector.VectorDGemm;
import dev.basalt.host.vector.VectorDLeaf;
import dev.basalt.host.vector.VectorDTridiagonal;
import dev.basalt.host.vector.VectorSGemm;
import dev.basalt.host.vector.VectorSLeaf;
import dev.basalt.host.vector.VectorSTridiagonal;
import dev.basalt.host.vector.VectorWidth;
import dev.basalt.host.vector.VectorZGemm;
import dev.basalt.host.vector.VectorZLeaf;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.type.ElementType;

/** Kernels written with the Vector API, which C2 turns into vector instructions. Needs module jdk.incubator.vector. */
final class VectorEngine implements Engine {
    private final Leaf s = new VectorSLeaf();
    private final Leaf d = new VectorDLeaf();
    private final Leaf c = new VectorCLeaf();
    private final Leaf z = new VectorZLeaf();

    private final Tridiagonal sSystems = new VectorSTridiagonal();
    private final Tridiagonal dSystems = new VectorDTridiagonal();

    VectorEngine() {}

    @Override
    public String name() {
        return "vector";
    }

    @Override
    public String description() {
        return "Vector API, " + VectorWidth.BITS + " bits";
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
            case F32 -> VectorSGemm.BLOCKING;
            case F64 -> VectorDGemm.BLOCKING;
            case C32 -> VectorCGemm.BLOCKING;
            default -> VectorZGemm.BLOCKING;
        };
    }

    @Override
    public Tridiagonal tridiagonal(ElementType type) {
        return type == ElementType.F32 ? sSystems : type == ElementType.F64 ? dSystems : null;
    }

    @Override
    public int vectorBits() {
        return VectorWidth.BITS;
    }
}
