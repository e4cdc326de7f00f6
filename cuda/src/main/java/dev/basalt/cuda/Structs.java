package dev.basalt.cuda;

import dev.basalt.spi.Memory;

/**
 * The driver's structs that are passed by address: offsets of their members and constants of their enums, all held against
 * {@code cuda.h} by a test.
 */
final class Structs {
    /** {@code CUmemAllocationProp}. */
    static final int ALLOCATION_BYTES = 32;

    static final int ALLOCATION_TYPE = 0;
    static final int ALLOCATION_LOCATION = 8;

    /** {@code CUmemLocation} inside others. */
    static final int LOCATION_TYPE = 0;

    static final int LOCATION_ID = 4;

    /** {@code CUmemAccessDesc}. */
    static final int ACCESS_BYTES = 12;

    static final int ACCESS_LOCATION = 0;
    static final int ACCESS_FLAGS = 8;

    /** {@code CUmemPoolProps}. */
    static final int POOL_BYTES = 88;

    static final int POOL_ALLOCATION_TYPE = 0;
    static final int POOL_LOCATION = 8;

    /** {@code CUDA_MEMCPY2D}. */
    static final int COPY_BYTES = 128;

    static final int COPY_SOURCE_TYPE = 16;
    static final int COPY_SOURCE_HOST = 24;
    static final int COPY_SOURCE_DEVICE = 32;
    static final int COPY_SOURCE_PITCH = 48;
    static final int COPY_TARGET_TYPE = 72;
    static final int COPY_TARGET_HOST = 80;
    static final int COPY_TARGET_DEVICE = 88;
    static final int COPY_TARGET_PITCH = 104;
    static final int COPY_WIDTH = 112;
    static final int COPY_HEIGHT = 120;

    /** {@code CUlaunchConfig}. */
    static final int CONFIG_BYTES = 56;

    static final int CONFIG_GRID_X = 0;
    static final int CONFIG_GRID_Z = 8;
    static final int CONFIG_BLOCK_Y = 16;
    static final int CONFIG_SHARED = 24;
    static final int CONFIG_STREAM = 32;
    static final int CONFIG_ATTRIBUTES = 40;
    static final int CONFIG_COUNT = 48;

    /** {@code CUlaunchAttribute}. */
    static final int LAUNCH_ATTRIBUTE_BYTES = 72;

    static final int LAUNCH_ATTRIBUTE_ID = 0;
    static final int LAUNCH_ATTRIBUTE_VALUE = 8;

    static final int LAUNCH_PROGRAMMATIC_SERIALIZATION = 6;
    static final int ALLOCATION_TYPE_PINNED = 1;
    static final int LOCATION_TYPE_DEVICE = 1;
    static final int ACCESS_READ_WRITE = 3;
    static final int GRANULARITY_MINIMUM = 0;
    static final int POOL_RELEASE_THRESHOLD = 4;
    static final int MEMORY_TYPE_HOST = 1;
    static final int MEMORY_TYPE_DEVICE = 2;
    static final int POINTER_MEMORY_TYPE = 2;
    static final int POINTER_IS_MANAGED = 8;
    static final int POINTER_DEVICE_ORDINAL = 9;
    static final int HOST_ALLOC_PORTABLE = 1;
    static final int STREAM_NON_BLOCKING = 1;
    static final int EVENT_DISABLE_TIMING = 2;
    static final int CAPTURE_THREAD_LOCAL = 1;
    static final int CAPTURE_RELAXED = 2;
    static final int GRAPH_FREE_ON_LAUNCH = 1;
    static final int FUNCTION_MAX_DYNAMIC_SHARED = 8;
    static final int FUNCTION_NON_PORTABLE_CLUSTER = 14;

    private Structs() {}

    /** Writes a {@code CUmemAllocationProp}: pinned memory of a device. */
    static void allocation(long at, int device) {
        Memory.fill(at, ALLOCATION_BYTES, (byte) 0);
        Memory.i32(at + ALLOCATION_TYPE, ALLOCATION_TYPE_PINNED);
        location(at + ALLOCATION_LOCATION, device);
    }

    /**
     * Writes a {@code CUlaunchConfig} but for grid, threads and shared memory, of kernels that may be put onto the GPU before those
     * ahead of them in the stream have ended.
     */
    static void overlapping(long config, long attribute, long stream) {
        Memory.fill(config, CONFIG_BYTES, (byte) 0);
        Memory.i32(config + CONFIG_BLOCK_Y, 1);
        Memory.i32(config + CONFIG_BLOCK_Y + 4, 1);
        Memory.i64(config + CONFIG_STREAM, stream);
        Memory.i64(config + CONFIG_ATTRIBUTES, attribute);
        Memory.i32(config + CONFIG_COUNT, 1);
        Memory.fill(attribute, LAUNCH_ATTRIBUTE_BYTES, (byte) 0);
        Memory.i32(attribute + LAUNCH_ATTRIBUTE_ID, LAUNCH_PROGRAMMATIC_SERIALIZATION);
        Memory.i32(attribute + LAUNCH_ATTRIBUTE_VALUE, 1);
    }

    /** Writes what a launch changes of it. */
    static void grid(long config, int x, int y, int z, int threads, int shared) {
        // Two numbers a store: GPUs' hosts are little-endian.
        Memory.i64(config + CONFIG_GRID_X, x & 0xffffffffL | (long) y << 32);
        Memory.i64(config + CONFIG_GRID_Z, z & 0xffffffffL | (long) threads << 32);
        Memory.i32(config + CONFIG_SHARED, shared);
    }

    /** Writes a {@code CUmemAccessDesc}: a device may read and write. */
    static void access(long at, int device) {
        location(at + ACCESS_LOCATION, device);
        Memory.i32(at + ACCESS_FLAGS, ACCESS_READ_WRITE);
    }

    /** Writes a {@code CUmemPoolProps}: a pool of a device's memory, not shared with other processes. */
    static void pool(long at, int device) {
        Memory.fill(at, POOL_BYTES, (byte) 0);
        Memory.i32(at + POOL_ALLOCATION_TYPE, ALLOCATION_TYPE_PINNED);
        location(at + POOL_LOCATION, device);
    }

    private static void location(long at, int device) {
        Memory.i32(at + LOCATION_TYPE, LOCATION_TYPE_DEVICE);
        Memory.i32(at + LOCATION_ID, device);
    }

    /** Clears a {@code CUDA_MEMCPY2D} whose members of the other direction may be left over. */
    static void clearCopy(long at) {
        Memory.fill(at, COPY_BYTES, (byte) 0);
    }

    /** Writes the shape of a {@code CUDA_MEMCPY2D}. */
    static void copyShape(long at, long sourcePitch, long targetPitch, long width, long columns) {
        Memory.i64(at + COPY_SOURCE_PITCH, sourcePitch);
        Memory.i64(at + COPY_TARGET_PITCH, targetPitch);
        Memory.i64(at + COPY_WIDTH, width);
        Memory.i64(at + COPY_HEIGHT, columns);
    }
}
