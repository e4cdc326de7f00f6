package dev.basalt.benchmarks;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** What one core can do at most: multiply-adds in registers, and reads of memory. Measured, since a clock on paper is not one. */
@SuppressWarnings("restricted")
final class Limits {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    /** All memory, so that addresses are offsets. */
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /** Chains in flight: latency 4 times two units needs 8; more hide nothing else. */
    private static final int CHAINS = 12;

    private static final int ROUNDS = 100_000;

    private static volatile double sink;

    private Limits() {}

    /** Multiply-adds on registers alone; returns the flops. */
    static double multiplyAdd() {
        DoubleVector x = DoubleVector.broadcast(SPECIES, 0.999);
        DoubleVector y = DoubleVector.broadcast(SPECIES, 0.001);
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = a;
        DoubleVector c = a;
        DoubleVector d = a;
        DoubleVector e = a;
        DoubleVector f = a;
        DoubleVector g = a;
        DoubleVector h = a;
        DoubleVector i = a;
        DoubleVector j = a;
        DoubleVector k = a;
        DoubleVector l = a;
        for (int r = 0; r < ROUNDS; r++) {
            a = a.fma(x, y);
            b = b.fma(x, y);
            c = c.fma(x, y);
            d = d.fma(x, y);
            e = e.fma(x, y);
            f = f.fma(x, y);
            g = g.fma(x, y);
            h = h.fma(x, y);
            i = i.fma(x, y);
            j = j.fma(x, y);
            k = k.fma(x, y);
            l = l.fma(x, y);
        }
        DoubleVector sum = a.add(b).add(c).add(d).add(e).add(f).add(g).add(h).add(i).add(j).add(k).add(l);
        sink = sum.lane(0);
        return 2.0 * CHAINS * SPECIES.length() * ROUNDS;
    }

    /** Adds up two vectors side by side, as a dot product reads them; returns the bytes read. */
    static double read(long x, long y, int n) {
        long step = SPECIES.vectorByteSize();
        long bytes = (long) n * Double.BYTES / (4 * step) * (4 * step);
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = a;
        DoubleVector c = a;
        DoubleVector d = a;
        DoubleVector e = a;
        DoubleVector f = a;
        DoubleVector g = a;
        DoubleVector h = a;
        for (long at = 0; at < bytes; at += 4 * step) {
            a = a.add(DoubleVector.fromMemorySegment(SPECIES, ALL, x + at, ORDER));
            b = b.add(DoubleVector.fromMemorySegment(SPECIES, ALL, y + at, ORDER));
            c = c.add(DoubleVector.fromMemorySegment(SPECIES, ALL, x + at + step, ORDER));
            d = d.add(DoubleVector.fromMemorySegment(SPECIES, ALL, y + at + step, ORDER));
            e = e.add(DoubleVector.fromMemorySegment(SPECIES, ALL, x + at + 2 * step, ORDER));
            f = f.add(DoubleVector.fromMemorySegment(SPECIES, ALL, y + at + 2 * step, ORDER));
            g = g.add(DoubleVector.fromMemorySegment(SPECIES, ALL, x + at + 3 * step, ORDER));
            h = h.add(DoubleVector.fromMemorySegment(SPECIES, ALL, y + at + 3 * step, ORDER));
        }
        sink = a.add(b).add(c).add(d).add(e).add(f).add(g).add(h).lane(0);
        return 2.0 * bytes;
    }
}
