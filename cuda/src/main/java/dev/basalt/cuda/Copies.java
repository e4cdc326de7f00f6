package dev.basalt.cuda;

import dev.basalt.spi.Memory;

/**
 * Copies between host and device in stream order. A matrix whose columns lie apart is one strided copy; the driver refuses
 * distances above its maximum pitch, and then the columns go one by one.
 */
final class Copies {
    private final long maxPitch;

    Copies(long maxPitch) {
        this.maxPitch = maxPitch;
    }

    void upload(long stream, long struct, long host, long hostPitch, long device, long devicePitch, long width,
            long columns) {
        if (width <= 0 || columns <= 0) {
            return;
        }
        if (columns == 1 || hostPitch == width && devicePitch == width) {
            up(stream, host, device, width * columns);
        } else if (hostPitch >= width && devicePitch >= width && hostPitch <= maxPitch && devicePitch <= maxPitch) {
            Structs.clearCopy(struct);
            Memory.i32(struct + Structs.COPY_SOURCE_TYPE, Structs.MEMORY_TYPE_HOST);
            Memory.i64(struct + Structs.COPY_SOURCE_HOST, host);
            Memory.i32(struct + Structs.COPY_TARGET_TYPE, Structs.MEMORY_TYPE_DEVICE);
            Memory.i64(struct + Structs.COPY_TARGET_DEVICE, device);
            Structs.copyShape(struct, hostPitch, devicePitch, width, columns);
            CudaErrors.check(Libcuda.call(Libcuda.MEMCPY_2D_ASYNC, struct, stream), "cuMemcpy2DAsync");
        } else {
            for (long j = 0; j < columns; j++) {
                up(stream, host + j * hostPitch, device + j * devicePitch, width);
            }
        }
    }

    void download(long stream, long struct, long device, long devicePitch, long host, long hostPitch, long width,
            long columns) {
        if (width <= 0 || columns <= 0) {
            return;
        }
        if (columns == 1 || hostPitch == width && devicePitch == width) {
            down(stream, device, host, width * columns);
        } else if (hostPitch >= width && devicePitch >= width && hostPitch <= maxPitch && devicePitch <= maxPitch) {
            Structs.clearCopy(struct);
            Memory.i32(struct + Structs.COPY_SOURCE_TYPE, Structs.MEMORY_TYPE_DEVICE);
            Memory.i64(struct + Structs.COPY_SOURCE_DEVICE, device);
            Memory.i32(struct + Structs.COPY_TARGET_TYPE, Structs.MEMORY_TYPE_HOST);
            Memory.i64(struct + Structs.COPY_TARGET_HOST, host);
            Structs.copyShape(struct, devicePitch, hostPitch, width, columns);
            CudaErrors.check(Libcuda.call(Libcuda.MEMCPY_2D_ASYNC, struct, stream), "cuMemcpy2DAsync");
        } else {
            for (long j = 0; j < columns; j++) {
                down(stream, device + j * devicePitch, host + j * hostPitch, width);
            }
        }
    }

    private static void up(long stream, long host, long device, long bytes) {
        CudaErrors.check(Libcuda.call(Libcuda.MEMCPY_HTOD_ASYNC, device, host, bytes, stream), "cuMemcpyHtoDAsync",
                bytes);
    }

    private static void down(long stream, long device, long host, long bytes) {
        CudaErrors.check(Libcuda.call(Libcuda.MEMCPY_DTOH_ASYNC, host, device, bytes, stream), "cuMemcpyDtoHAsync",
                bytes);
    }
}
