package dev.basalt.host.assembled.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.code.CodeMemory;
import dev.basalt.host.assembled.x86.CpuFeatures;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Only kernels that compute right are let through. */
class StreamCheckTest {
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
        StreamCheck check = new StreamCheck(shape, false);
        byte[] code = StreamCode.write(StreamCode.Kind.DOT, shape, false);
        assertThat(check.stream(CodeMemory.install(code), StreamCode.Kind.DOT)).isTrue();
        assertThat(check.stream(CodeMemory.install(code), StreamCode.Kind.SQUARES)).isFalse();
    }
}
