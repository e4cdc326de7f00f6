package dev.basalt.host;

import dev.basalt.host.assembled.AsmKernels;
import dev.basalt.portable.Leaf;
import dev.basalt.type.ElementType;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

/** The assembled kernels of matrices and vectors agree with the portable ones, with vectors of 512 bits. */
class AsmLevel2Test extends VectorLevel2Test {
    private AsmEngine engine;

    int bits() {
        return 512;
    }

    @BeforeEach
    void open() {
        int widest = 0;
        try {
            widest = AsmKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            System.out.println("AsmLevel2Test: " + e.getMessage());
        }
        Assumptions.assumeTrue(bits() <= widest, "skipped: vectors of " + bits() + " bits cannot be assembled here");
        engine = new AsmEngine(bits());
    }

    @Override
    Leaf tested(ElementType type) {
        return engine.leaf(type);
    }
}
