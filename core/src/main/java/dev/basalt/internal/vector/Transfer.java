package dev.basalt.internal.vector;

import dev.basalt.Status;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;

/**
 * set/get vector and matrix between the host and device memory, in stream order. A vector that is not contiguous on the device is
 * gathered into (scattered from) the workspace there, so that one contiguous piece crosses the bus; without workspace its
 * elements cross one by one.
 *
 * <p>In the frame: operand a is the host side (its memory checked by {@link TransferSignature}), c the device side; {@code p} is the bytes there
 * are on the host; {@code flag} means towards the host.
 */
public final class Transfer extends Routine {
    /** Host to device, vector. */
    public static final Transfer SET_VECTOR = new Transfer("set_vector", true, false);

    /** Device to host, vector. */
    public static final Transfer GET_VECTOR = new Transfer("get_vector", true, true);

    /** Host to device, matrix. */
    public static final Transfer SET_MATRIX = new Transfer("set_matrix", false, false);

    /** Device to host, matrix. */
    public static final Transfer GET_MATRIX = new Transfer("get_matrix", false, true);

    private final boolean vector;
    private final boolean toHost;

    private Transfer(String family, boolean vector, boolean toHost) {
        super(new TransferSignature(family, vector));
        this.vector = vector;
        this.toHost = toHost;
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        boolean gather = vector && g.c.ld != 1;
        need.tier("gathered").slot("contiguous", gather ? Chunks.times(g.n, g.type.bytes()) : 0);
        need.tier("element by element").slot("contiguous", 0);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        checkHost(c, g.a.spanBytes());
        int size = g.type.bytes();
        long device = g.c.at(0);
        if (!vector) {
            move(c, g.a.base, g.a.ld * size, device, g.c.ld * size, g.m * size, g.n);
        } else if (c.slot(0) == 0) {
            move(c, g.a.base, g.a.ld * size, device, g.c.ld * size, size, g.n);
        } else if (toHost) {
            gather(c, g.c, c.slot(0), true);
            strip(c, c.slot(0), size);
        } else {
            strip(c, c.slot(0), size);
            gather(c, g.c, c.slot(0), false);
        }
    }

    /** The rules of the JVM's memory hold although the copy goes by its address. */
    private void checkHost(Call c, long bytes) {
        String text = null;
        if (c.host == null || c.args.a.base == 0) {
            text = c.host == null ? "it is null" : "it is a Java array, which may move; use upload or download";
        } else if (MemoryCore.segmentObjection(c.host) != null) {
            text = MemoryCore.segmentObjection(c.host);
        } else if (toHost && c.host.isReadOnly()) {
            text = "it is a read-only MemorySegment";
        } else if (bytes > c.host.byteSize()) {
            text = "it needs " + bytes + " bytes, but has only " + c.host.byteSize();
        }
        if (text != null) {
            throw c.failure(Status.INVALID_POINTER, "host", signature().position(0), text);
        }
        c.keepHost();
    }

    /** A vector that is contiguous on the device; one copy if it is so on the host too. */
    private void strip(Call c, long contiguous, int size) {
        Launch g = c.args;
        if (g.a.ld == 1) {
            move(c, g.a.base, size, contiguous, size, g.n * size, 1);
        } else {
            move(c, g.a.base, g.a.ld * size, contiguous, size, size, g.n);
        }
    }

    private void move(Call c, long host, long hostPitch, long device, long devicePitch, long width, long columns) {
        if (toHost) {
            c.driver().download(device, devicePitch, host, hostPitch, width, columns, c.stream());
        } else {
            c.driver().upload(host, hostPitch, device, devicePitch, width, columns, c.stream());
        }
    }

    private static void gather(Call c, Operand strided, long contiguous, boolean fromStrided) {
        Launch l = c.kernel(Kernel.COPY);
        l.n = c.args.n;
        Operand dense = fromStrided ? l.c : l.a;
        dense.vector(c.args.type, contiguous, c.args.n, 1, 0);
        (fromStrided ? l.a : l.c).set(strided);
        c.launch();
    }
}
