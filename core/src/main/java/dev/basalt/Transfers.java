package dev.basalt;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.Memory;
import dev.basalt.spi.SystemMemory;
import java.lang.foreign.MemorySegment;

/**
 * Blocking copies between a Java array and device memory, problem after problem. They wait for all work on the device first:
 * simple and always right; the asynchronous way is {@link Blas#setMatrix}.
 */
final class Transfers {
    private static final long STAGING = 4L << 20;

    private final DeviceDriver driver;
    private final MemorySegment host;
    private final int size;
    private final boolean direct;
    private final long staging;
    private final long stagingBytes;
    private long position;

    private Transfers(DeviceDriver driver, MemorySegment host, int size, long columnBytes) {
        this.driver = driver;
        this.host = host;
        this.size = size;
        this.direct = driver.traits().hostAccessible();
        this.stagingBytes = Math.max(columnBytes, STAGING);
        this.staging = direct ? 0 : SystemMemory.allocate(stagingBytes, 64);
    }

    static Transfers begin(
            String what, DeviceDriver driver, ElementType type, Object array, long rows, long cols, long count) {
        MemorySegment host = segment(what, type, array);
        long elements = Shapes.product(what, Shapes.product(what, rows, cols), count);
        long bytes = Shapes.bytes(what, type, elements);
        if (host.byteSize() != bytes) {
            long parts = type.isComplex() ? 2 : 1;
            throw new BlasException(
                    Status.INVALID_SIZE,
                    what,
                    "the array has " + host.byteSize() / (type.bytes() / parts) + " numbers, but " + rows + " x " + cols
                            + (count == 1 ? "" : " x " + count + " problems") + " of " + type + " need "
                            + elements * parts);
        }
        driver.synchronize();
        return new Transfers(driver, host, type.bytes(), rows * type.bytes());
    }

    private static MemorySegment segment(String what, ElementType type, Object array) {
        MemorySegment segment = null;
        if (array instanceof double[] d && (type == ElementType.F64 || type == ElementType.C64)) {
            segment = MemorySegment.ofArray(d);
        } else if (array instanceof float[] f && (type == ElementType.F32 || type == ElementType.C32)) {
            segment = MemorySegment.ofArray(f);
        } else if (array instanceof int[] i && type == ElementType.I32) {
            segment = MemorySegment.ofArray(i);
        } else if (array instanceof long[] l && type == ElementType.I64) {
            segment = MemorySegment.ofArray(l);
        } else if (array instanceof MemorySegment s) {
            segment = s;
        }
        if (segment == null) {
            throw new BlasException(
                    Status.INVALID_VALUE,
                    what,
                    "elements of " + type + " go from or to a "
                            + switch (type) {
                                case F64, C64 -> "double[]";
                                case F32, C32 -> "float[]";
                                case I32 -> "int[]";
                                default -> "long[]";
                            }
                            + " or a MemorySegment, not "
                            + (array == null ? "null" : array.getClass().getSimpleName()));
        }
        return segment;
    }

    /** A column-major matrix, as many columns at a time as the staging memory holds. */
    void matrix(boolean up, long address, long rows, long cols, long ld) {
        long column = rows * size;
        long step = direct || column == 0 ? cols : Math.max(1, stagingBytes / column);
        for (long j = 0; j < cols; j += step) {
            long now = Math.min(step, cols - j);
            block(up, address + j * ld * size, column, ld * size, now);
        }
    }

    /** A vector: contiguous if inc = 1, else element by element, from the far end if inc is negative. */
    void vector(boolean up, long address, long n, long inc) {
        if (inc == 1) {
            matrix(up, address, n, n == 0 ? 0 : 1, n);
            return;
        }
        for (long i = 0; i < n; i++) {
            long at = inc >= 0 ? i * inc : (n - 1 - i) * -inc;
            block(up, address + at * size, size, size, 1);
        }
    }

    private void block(boolean up, long address, long width, long pitch, long columns) {
        if (width == 0 || columns == 0) {
            return;
        }
        if (direct) {
            for (long j = 0; j < columns; j++) {
                long device = address + j * pitch;
                if (up) {
                    MemorySegment.copy(host, JAVA_BYTE, position, Memory.ALL, JAVA_BYTE, device, width);
                } else {
                    MemorySegment.copy(Memory.ALL, JAVA_BYTE, device, host, JAVA_BYTE, position, width);
                }
                position += width;
            }
            return;
        }
        if (up) {
            MemorySegment.copy(host, JAVA_BYTE, position, Memory.ALL, JAVA_BYTE, staging, width * columns);
            driver.upload(staging, width, address, pitch, width, columns, 0);
            driver.synchronizeStream(0);
        } else {
            driver.download(address, pitch, staging, width, width, columns, 0);
            driver.synchronizeStream(0);
            MemorySegment.copy(Memory.ALL, JAVA_BYTE, staging, host, JAVA_BYTE, position, width * columns);
        }
        position += width * columns;
    }

    void end() {
        if (!direct) {
            SystemMemory.free(staging);
        }
    }
}
