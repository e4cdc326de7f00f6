package dev.basalt.host.engine;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.portable.Leaf;
import dev.basalt.type.ElementType;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

/** The assembled kernels of matrices and vectors agree with the portable ones, with vectors of 512 bits. */
class AssembledMatvecTest extends VectorLevel2Test {
    private AssembledEngine engine;

    int bits() {
        return 512;
    }

    @BeforeEach
    void open() {
        int widest = 0;
        try {
            widest = AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            System.out.println("AssembledMatvecTest: " + e.getMessage());
        }
        Assumptions.assumeTrue(bits() <= widest, "skipped: vectors of " + bits() + " bits cannot be assembled here");
        engine = new AssembledEngine(bits());
    }

    @Override
    Leaf tested(ElementType type) {
        return engine.leaf(type);
    }
}
