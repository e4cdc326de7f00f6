package dev.basalt.gpu;

import dev.basalt.spi.Memory;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes launches down for the process that runs them under AddressSanitizer; runs nothing itself. */
final class SanitizedKernels implements Functions<Boolean>, AutoCloseable {
    /** Marks what the library of capped kernels has. */
    private static final String CAPPED = "capped ";

    private final OutputStream out;
    private final ByteArrayOutputStream whole = new ByteArrayOutputStream();
    private final ByteArrayOutputStream launches = new ByteArrayOutputStream();
    private int count;

    SanitizedKernels(OutputStream out) throws IOException {
        this.out = new BufferedOutputStream(out, 1 << 16);
        number(this.out, Trial.MEMORY.address());
        number(this.out, Trial.ROOM);
        number(this.out, Launcher.SYNC_BYTES);
    }

    /** Writes one trial down: what its operands own, and the launches that the rules make of it. */
    void trial(String label, Trial trial, Launcher<Boolean> launcher, long arguments) throws IOException {
        whole.reset();
        launches.reset();
        count = 0;
        launcher.run(trial.l, arguments, Trial.MEMORY.address() + Trial.ROOM, false);
        text(whole, label);
        number(whole, trial.regions.size());
        for (Trial.Region region : trial.regions) {
            number(whole, region.address());
            number(whole, region.bytes());
            whole.write(Memory.ALL.asSlice(region.address(), region.bytes()).toArray(ValueLayout.JAVA_BYTE));
        }
        number(whole, count);
        launches.writeTo(whole);
    }

    /** Hands the trial to the process, which may have to take earlier ones first. */
    void send() throws IOException {
        whole.writeTo(out);
    }

    @Override
    public void launch(KernelFunction function, int gridX, int gridY, int gridZ, int threads, int shared,
            long arguments, Boolean backwards) {
        try {
            text(launches, function.capped() == null ? CAPPED + function.name() : function.name());
            for (int n : new int[] {
                    gridX,
                    gridY,
                    gridZ,
                    threads,
                    shared,
                    function.cooperative() ? 0 : function.cluster()}) {
                launches.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(n).array());
            }
            launches.write(Memory.ALL.asSlice(arguments, Arguments.BYTES).toArray(ValueLayout.JAVA_BYTE));
            count++;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void number(OutputStream to, long value) throws IOException {
        to.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array());
    }

    private static void text(OutputStream to, String value) throws IOException {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        number(to, bytes.length);
        to.write(bytes);
    }

    /** Says that there are no more trials. */
    @Override
    public void close() throws IOException {
        text(out, "");
        out.close();
    }
}
