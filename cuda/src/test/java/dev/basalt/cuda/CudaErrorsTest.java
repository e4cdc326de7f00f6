package dev.basalt.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;
import org.junit.jupiter.api.Test;

class CudaErrorsTest {
    @Test
    void successIsSilent() {
        CudaErrors.check(CudaErrors.SUCCESS, "cuInit");
        CudaErrors.check(CudaErrors.SUCCESS, "cuMemAlloc", 1);
    }

    @Test
    void everyResultHasItsKind() {
        assertThat(CudaErrors.code(2)).isEqualTo(Code.OUT_OF_MEMORY);
        assertThat(CudaErrors.code(1)).isEqualTo(Code.INVALID_VALUE);
        assertThat(CudaErrors.code(400)).isEqualTo(Code.INVALID_HANDLE);
        assertThat(CudaErrors.code(201)).isEqualTo(Code.INVALID_HANDLE);
        assertThat(CudaErrors.code(801)).isEqualTo(Code.NOT_SUPPORTED);
        assertThat(CudaErrors.code(209)).isEqualTo(Code.NOT_SUPPORTED);
        for (int capture = 900; capture <= 908; capture++) {
            assertThat(CudaErrors.code(capture)).as("%d", capture).isEqualTo(Code.CAPTURE);
        }
        assertThat(CudaErrors.code(700)).as("illegal address").isEqualTo(Code.FAILED);
        assertThat(CudaErrors.code(909)).isEqualTo(Code.FAILED);
        assertThat(CudaErrors.code(999)).isEqualTo(Code.FAILED);
    }

    @Test
    void messagesNameTheCallTheSizeAndTheResult() {
        assertThatThrownBy(() -> CudaErrors.check(2, "cuMemAlloc", 12345))
                .isInstanceOfSatisfying(DriverException.class, e -> assertThat(e.code()).isEqualTo(Code.OUT_OF_MEMORY))
                .hasMessageStartingWith("cuMemAlloc of 12345 bytes failed: ")
                .message()
                .containsAnyOf("error 2", "CUDA_ERROR_OUT_OF_MEMORY (2), out of memory");
    }

    @Test
    void whatKeepsTheDriverFromStartingIsExplained() {
        assertThat(Gpu.explain(CudaErrors.NO_DEVICE)).startsWith("no NVIDIA GPU: the driver is installed");
        assertThat(Gpu.explain(CudaErrors.STUB_LIBRARY)).contains("stub");
        assertThat(Gpu.explain(CudaErrors.SYSTEM_DRIVER_MISMATCH)).contains("reboot");
        assertThat(Gpu.explain(999)).startsWith("cuInit failed: ").contains("999");
    }
}
