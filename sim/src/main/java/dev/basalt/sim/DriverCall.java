package dev.basalt.sim;

import dev.basalt.spi.DeviceDriver;

/**
 * The calls of a {@link DeviceDriver}, as the simulator counts, logs and prices them. The simulated prices are the host
 * times measured on an H100 (CUDA 13.0); where none was measured, a guess of the same magnitude stands in.
 */
public enum DriverCall {
    /** {@link DeviceDriver#allocate}. */
    ALLOCATE(60_000),
    /** {@link DeviceDriver#free}, which also waits for the whole device. */
    FREE(31_000),
    /** {@link DeviceDriver#createPool}. */
    CREATE_POOL(10_000),
    /** {@link DeviceDriver#destroyPool}. */
    DESTROY_POOL(10_000),
    /** {@link DeviceDriver#trimPool}. */
    TRIM_POOL(48_000),
    /** {@link DeviceDriver#allocateAsync}. */
    ALLOCATE_ASYNC(350),
    /** Not a call: an {@link #ALLOCATE_ASYNC} that found nothing in the pool and took new memory from the device. */
    POOL_GROWTH(48_000),
    /** {@link DeviceDriver#freeAsync}. */
    FREE_ASYNC(490),
    /** {@link DeviceDriver#reserve}. */
    RESERVE(2_000),
    /** {@link DeviceDriver#commit}; 80 µs beside a busy kernel. */
    COMMIT(57_000),
    /** {@link DeviceDriver#release}. */
    RELEASE(50_000),
    /** {@link DeviceDriver#createStream}. */
    CREATE_STREAM(5_000),
    /** {@link DeviceDriver#destroyStream}. */
    DESTROY_STREAM(5_000),
    /** {@link DeviceDriver#synchronizeStream}. */
    SYNCHRONIZE_STREAM(460),
    /** {@link DeviceDriver#synchronize}. */
    SYNCHRONIZE(630),
    /** {@link DeviceDriver#createEvent}. */
    CREATE_EVENT(300),
    /** {@link DeviceDriver#destroyEvent}. */
    DESTROY_EVENT(300),
    /** {@link DeviceDriver#recordEvent}. */
    RECORD_EVENT(280),
    /** {@link DeviceDriver#waitEvent}. */
    WAIT_EVENT(260),
    /** {@link DeviceDriver#fork}: an event and who waits for it. */
    FORK(540),
    /** {@link DeviceDriver#join}. */
    JOIN(540),
    /** {@link DeviceDriver#queryEvent}. */
    QUERY_EVENT(220),
    /** {@link DeviceDriver#synchronizeEvent}. */
    SYNCHRONIZE_EVENT(460),
    /** {@link DeviceDriver#upload}. */
    UPLOAD(3_700),
    /** {@link DeviceDriver#download}. */
    DOWNLOAD(3_700),
    /** {@link DeviceDriver#fill}. */
    FILL(3_600),
    /** {@link DeviceDriver#launch}. */
    LAUNCH(3_700),
    /** {@link DeviceDriver#beginCapture}. */
    BEGIN_CAPTURE(2_000),
    /** {@link DeviceDriver#isCapturing}. */
    IS_CAPTURING(80),
    /** {@link DeviceDriver#endCapture}. */
    END_CAPTURE(20_000),
    /** {@link DeviceDriver#launchGraph}. */
    LAUNCH_GRAPH(6_000),
    /** {@link DeviceDriver#destroyGraph}. */
    DESTROY_GRAPH(5_000),
    /** {@link DeviceDriver#freeMemory}. */
    FREE_MEMORY(5_200);

    /** Host time of one call in simulated nanoseconds. */
    final long nanos;

    DriverCall(long nanos) {
        this.nanos = nanos;
    }
}
