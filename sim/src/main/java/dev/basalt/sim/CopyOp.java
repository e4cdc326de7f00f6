package dev.basalt.sim;

import dev.basalt.spi.Memory;

/** A copy of a matrix of bytes between host and device. */
final class CopyOp extends Op {
    private static final long LATENCY = 4_000;
    private static final long BYTES_PER_NANO = 25;

    private final boolean toDevice;
    private final long host;
    private final long hostPitch;
    private final long device;
    private final long devicePitch;
    private final long width;
    private final long columns;

    CopyOp(boolean toDevice, long host, long hostPitch, long device, long devicePitch, long width, long columns) {
        super(toDevice ? "upload" : "download");
        this.toDevice = toDevice;
        this.host = host;
        this.hostPitch = hostPitch;
        this.device = device;
        this.devicePitch = devicePitch;
        this.width = width;
        this.columns = columns;
    }

    boolean isEmpty() {
        return width == 0 || columns == 0;
    }

    /** Whether the shape makes sense: columns that do not overlap, at addresses that are given. */
    boolean isValid() {
        boolean apart = columns <= 1 || (hostPitch >= width && devicePitch >= width);
        return width >= 0 && columns >= 0 && apart && (isEmpty() || (host != 0 && device != 0));
    }

    @Override
    public String toString() {
        return label + " of " + columns + " columns of " + width + " bytes between host 0x" + Long.toHexString(host)
                + " (pitch " + hostPitch + ") and device 0x" + Long.toHexString(device) + " (pitch " + devicePitch
                + ")";
    }

    @Override
    void touch(Touch.Sink sink) {
        sink.device(Footprint.of(device, width, devicePitch, columns, 0, 1), toDevice, "device memory");
        sink.host(Footprint.of(host, width, hostPitch, columns, 0, 1), !toDevice, "host memory");
    }

    @Override
    void run() {
        for (long c = 0; c < columns; c++) {
            long there = device + c * devicePitch;
            long here = host + c * hostPitch;
            Memory.copy(toDevice ? here : there, toDevice ? there : here, width);
        }
    }

    @Override
    long nanos() {
        return LATENCY + width * columns / BYTES_PER_NANO;
    }

    @Override
    Op again() {
        return new CopyOp(toDevice, host, hostPitch, device, devicePitch, width, columns);
    }
}
