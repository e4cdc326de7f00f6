package dev.basalt.host.engine;

import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.Leaf;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.type.ElementType;

/** The portable kernels: scalar Java that the JIT compiles, on any CPU. Their product needs no packing. */
final class ScalarEngine implements Engine {
    private final Leaf s = new SLeaf();
    private final Leaf d = new DLeaf();
    private final Leaf c = new CLeaf();
    private final Leaf z = new ZLeaf();

    ScalarEngine() {}

    @Override
    public String name() {
        return "scalar";
    }

    @Override
    public String description() {
        return "portable Java";
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
        return GemmBlocking.NONE;
    }
}
