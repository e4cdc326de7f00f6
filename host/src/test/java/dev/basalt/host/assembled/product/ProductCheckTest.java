package dev.basalt.host.assembled.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.code.CodeMemory;
import dev.basalt.host.assembled.x86.CpuFeatures;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Only kernels that compute right are let through. */
class ProductCheckTest {
    private static Shape shape() {
        try {
            AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            Assumptions.abort("skipped: " + e.getMessage());
        }
        return new Shape(CpuFeatures.detect().best(), Real.F64);
    }

    @Test
    void aKernelThatComputesSomethingElseIsFound() {
        Shape shape = shape();
        ProductCheck check = new ProductCheck(shape);
        // Code that does less than it should: more would write beyond the check's operands.
        byte[] tile = TileCode.write(shape, 1, 2, false, false);
        assertThat(check.tile(CodeMemory.install(tile), 1, 2, false)).isTrue();
        byte[] narrow = TileCode.write(shape, 1, 1, false, false);
        assertThat(check.tile(CodeMemory.install(narrow), 1, 2, false)).isFalse();
        byte[] direct = DirectCode.write(shape, 1, 1, false, false);
        assertThat(check.direct(CodeMemory.install(direct), 1, 2, false)).isFalse();
        byte[] complex = TileCode.write(shape, 1, 2, false, true);
        assertThat(check.complexTile(CodeMemory.install(complex), 1, 2, false)).isTrue();
        assertThat(check.complexTile(CodeMemory.install(complex), 1, 4, false)).isFalse();
        byte[] plain = DirectCode.write(shape, 1, 2, false, true);
        assertThat(check.complexDirect(CodeMemory.install(plain), 1, 2, false)).isTrue();
        assertThat(check.complexDirect(CodeMemory.install(plain), 1, 4, false)).isFalse();
        byte[] turned = PackCode.transpose(8, 1, false);
        assertThat(check.transpose(CodeMemory.install(turned), 8, 1)).isTrue();
        assertThat(check.transpose(CodeMemory.install(turned), 8, 2)).isFalse();
    }
}
