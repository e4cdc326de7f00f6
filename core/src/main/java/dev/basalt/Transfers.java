package dev.basalt;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.basalt.internal.call.DeviceFailure;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.lang.foreign.MemorySegment;

/**
 * Blocking copies between a Java array and device memory, problem after problem. They wait for all work on the device first:
 * simple and always right; the asynchronous way is {@link Blas#setMatrix}.
 */
final class Transfers implements AutoCloseable {
    private final DeviceMemory memory;
    private final HostArray array;
    private final MemorySegment host;
    private final int size;
    private final boolean up;
    /** Null where the CPU reaches the device's memory. */
    private final Staging staging;

    private long position;

    private Transfers(DeviceMemory memory, DeviceDriver driver, HostArray array, int size, boolean up) {
        this.memory = memory;
        this.array = array;
        this.host = array.elements;
        this.size = size;
        this.up = up;
        this.staging = driver.traits().hostAccessible() ? null : new Staging(driver, host, up);
    }

    static Transfers begin(String what, boolean up, DeviceMemory memory, ElementType type, Object array, long rows,
            long cols, long count) {
        Shapes.hold(what, memory);
        Transfers begun = null;
        try {
            begun = begin(what, up, memory, type, HostArray.of(what, up, type, array), rows, cols, count);
            return begun;
        } catch (DriverException e) {
            throw DeviceFailure.of(what, e);
        } finally {
            if (begun == null) {
                memory.core.letGo();
            }
        }
    }

    private static Transfers begin(String what, boolean up, DeviceMemory memory, ElementType type, HostArray array,
            long rows, long cols, long count) {
        long elements = Shapes.product(what, Shapes.product(what, rows, cols), count);
        long bytes = Shapes.bytes(what, type, elements);
        long given = array.elements.byteSize();
        if (given != bytes) {
            long parts = type.isComplex() ? 2 : 1;
            throw new BlasException(Status.INVALID_SIZE, what,
                    "the array has " + given / (type.bytes() / parts) + " numbers, but " + rows + " x " + cols
                            + (count == 1 ? "" : " x " + count + " problems") + " of " + type + " need "
                            + elements * parts);
        }
        memory.driver().synchronize();
        return new Transfers(memory, memory.driver(), array, type.bytes(), up);
    }

    /** A column-major matrix, as many columns at a time as the staging memory holds; longer columns in pieces. */
    void matrix(long address, long rows, long cols, long ld) {
        long column = rows * size;
        long pitch = ld * size;
        if (column == 0 || cols == 0) {
            return;
        }
        if (staging == null) {
            for (long j = 0; j < cols; j++) {
                direct(address + j * pitch, column);
            }
        } else if (column <= staging.stepBytes()) {
            long step = staging.stepBytes() / column;
            for (long j = 0; j < cols; j += step) {
                staged(address + j * pitch, column, pitch, Math.min(step, cols - j));
            }
        } else {
            for (long j = 0; j < cols; j++) {
                for (long at = 0; at < column; at += staging.stepBytes()) {
                    staged(address + j * pitch + at, Math.min(staging.stepBytes(), column - at), pitch, 1);
                }
            }
        }
    }

    /** A vector: contiguous if inc = 1, else element by element, from the far end if inc is negative. */
    void vector(long address, long n, long inc) {
        if (inc == 1) {
            matrix(address, n, 1, n);
            return;
        }
        for (long i = 0; i < n; i++) {
            matrix(address + (inc >= 0 ? i * inc : (n - 1 - i) * -inc) * size, 1, 1, 1);
        }
    }

    private void direct(long device, long width) {
        if (up) {
            MemorySegment.copy(host, JAVA_BYTE, position, Memory.ALL, JAVA_BYTE, device, width);
        } else {
            MemorySegment.copy(Memory.ALL, JAVA_BYTE, device, host, JAVA_BYTE, position, width);
        }
        position += width;
    }

    private void staged(long address, long width, long pitch, long columns) {
        staging.move(position, address, width, pitch, columns);
        position += width * columns;
    }

    /** Waits until all of it is there. */
    @Override
    public void close() {
        try {
            if (staging != null) {
                staging.close();
            }
            if (!up) {
                array.arrived();
            }
        } finally {
            memory.core.letGo();
        }
    }
}
