package dev.basalt.sim;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.SystemMemory;
import dev.basalt.type.ElementType;
import java.util.ArrayList;
import java.util.List;

/** A simulated device with a few streams, events and blocks, and short names for what tests do to it. */
final class Rig implements AutoCloseable {
    static final long BLOCK = 4096;

    final SimDriver sim;
    final long[] stream = new long[4];
    final long[] event = new long[8];
    /** A block of 4096 bytes. */
    final long x;
    /** Another one. */
    final long y;
    /** Host memory of 4096 bytes. */
    final long host;

    private final List<Long> hosts = new ArrayList<>();

    Rig(SimBuilder builder) {
        sim = builder.open();
        for (int i = 1; i < stream.length; i++) {
            stream[i] = sim.createStream();
        }
        for (int i = 0; i < event.length; i++) {
            event[i] = sim.createEvent();
        }
        x = sim.allocate(BLOCK);
        y = sim.allocate(BLOCK);
        host = host(BLOCK);
    }

    static Rig of(Scheduling mode, long seed) {
        return new Rig(SimDriver.builder().scheduling(mode).seed(seed));
    }

    /** Host memory, freed when the rig is closed. */
    long host(long bytes) {
        long address = SystemMemory.allocate(bytes, 64);
        Memory.fill(address, bytes, (byte) 0);
        hosts.add(address);
        return address;
    }

    void fill(int s, long address, long bytes) {
        sim.fill(address, bytes, (byte) 1, stream[s]);
    }

    void upload(int s, long from, long to, long bytes) {
        sim.upload(from, bytes, to, bytes, bytes, 1, stream[s]);
    }

    void download(int s, long from, long bytes) {
        download(s, from, host, bytes);
    }

    void download(int s, long from, long to, long bytes) {
        sim.download(from, bytes, to, bytes, bytes, 1, stream[s]);
    }

    /** Orders one stream behind another. */
    void order(int before, int after) {
        long passing = sim.createEvent();
        sim.recordEvent(passing, stream[before]);
        sim.waitEvent(stream[after], passing);
        sim.destroyEvent(passing);
    }

    void launch(int s, Launch launch) {
        sim.launch(launch, stream[s]);
    }

    /** A vector copy of doubles, increments 1. */
    static Launch copy(long n, long from, long to) {
        Launch launch = new Launch().reset(Kernel.COPY, ElementType.F64, 1);
        launch.n = n;
        launch.a.vector(ElementType.F64, from, n, 1, 0);
        launch.c.vector(ElementType.F64, to, n, 1, 0);
        return launch;
    }

    /** A matrix copy of doubles. */
    static Launch copyMatrix(long m, long n, long from, long ldFrom, long to, long ldTo) {
        Launch launch = new Launch().reset(Kernel.COPY_MATRIX, ElementType.F64, 1);
        launch.m = m;
        launch.n = n;
        launch.a.matrix(ElementType.F64, from, m, n, ldFrom, 0);
        launch.c.matrix(ElementType.F64, to, m, n, ldTo, 0);
        return launch;
    }

    /** y := alpha·x + y. */
    static Launch axpy(long n, double alpha, long from, long to) {
        Launch launch = copy(n, from, to);
        launch.kernel = Kernel.AXPY;
        launch.alpha.set(alpha, 0);
        return launch;
    }

    /** A square product of doubles with workspace. */
    static Launch gemm(long n, long a, long b, long c, long work, long workBytes) {
        Launch launch = new Launch().reset(Kernel.GEMM, ElementType.F64, 1);
        launch.m = n;
        launch.n = n;
        launch.k = n;
        launch.a.matrix(ElementType.F64, a, n, n, n, 0);
        launch.b.matrix(ElementType.F64, b, n, n, n, 0);
        launch.c.matrix(ElementType.F64, c, n, n, n, 0);
        launch.work = work;
        launch.workBytes = workBytes;
        return launch;
    }

    @Override
    public void close() {
        sim.close();
        hosts.forEach(SystemMemory::free);
    }
}
