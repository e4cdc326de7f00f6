package dev.basalt.benchmarks;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** What one core can do at most: multiply-adds in registers, and reads of memory. Measured, since a clock on paper is not one. */
@SuppressWarnings("restricted")
final class Limits {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Double> WIDE = DoubleVector.SPECIES_512;
    private static final VectorSpecies<Double> NARROW = DoubleVector.SPECIES_256;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    /** All memory, so that addresses are offsets. */
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /** Chains in flight: latency 4 times two units needs 8; more hide nothing else. */
    private static final int CHAINS = 12;

    private static final int ROUNDS = 100_000;

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
        DoubleVector sum = a.add(b)
                .add(c)
                .add(d)
                .add(e)
                .add(f)
                .add(g)
                .add(h)
                .add(i)
                .add(j)
                .add(k)
                .add(l);
        Sink.last = sum.lane(0);
        return 2.0 * CHAINS * SPECIES.length() * ROUNDS;
    }

    /**
     * Adds up two vectors side by side, as a dot product reads them.
     *
     * @param loop 0 for vectors of 512 bits, 1 for 256: the wider ones are the slower ones where the data fill an eighth of the
     *     second-level cache of a Zen 5
     * @param x address
     * @param y address
     * @param n elements of each
     * @return the bytes read, 0 if there is no such loop
     */
    static double read(int loop, long x, long y, int n) {
        return switch (loop) {
            case 0 -> readWide(x, y, n);
            case 1 -> readNarrow(x, y, n);
            default -> 0;
        };
    }

    private static double readWide(long x, long y, int n) {
        long bytes = (long) n * Double.BYTES / 256 * 256;
        DoubleVector a = DoubleVector.zero(WIDE);
        DoubleVector b = a;
        DoubleVector c = a;
        DoubleVector d = a;
        DoubleVector e = a;
        DoubleVector f = a;
        DoubleVector g = a;
        DoubleVector h = a;
        for (long at = 0; at < bytes; at += 256) {
            a = a.add(DoubleVector.fromMemorySegment(WIDE, ALL, x + at, ORDER));
            b = b.add(DoubleVector.fromMemorySegment(WIDE, ALL, y + at, ORDER));
            c = c.add(DoubleVector.fromMemorySegment(WIDE, ALL, x + at + 64, ORDER));
            d = d.add(DoubleVector.fromMemorySegment(WIDE, ALL, y + at + 64, ORDER));
            e = e.add(DoubleVector.fromMemorySegment(WIDE, ALL, x + at + 128, ORDER));
            f = f.add(DoubleVector.fromMemorySegment(WIDE, ALL, y + at + 128, ORDER));
            g = g.add(DoubleVector.fromMemorySegment(WIDE, ALL, x + at + 192, ORDER));
            h = h.add(DoubleVector.fromMemorySegment(WIDE, ALL, y + at + 192, ORDER));
        }
        Sink.last = a.add(b).add(c).add(d).add(e).add(f).add(g).add(h).lane(0);
        return 2.0 * bytes;
    }

    private static double readNarrow(long x, long y, int n) {
        long bytes = (long) n * Double.BYTES / 128 * 128;
        DoubleVector a = DoubleVector.zero(NARROW);
        DoubleVector b = a;
        DoubleVector c = a;
        DoubleVector d = a;
        DoubleVector e = a;
        DoubleVector f = a;
        DoubleVector g = a;
        DoubleVector h = a;
        for (long at = 0; at < bytes; at += 128) {
            a = a.add(DoubleVector.fromMemorySegment(NARROW, ALL, x + at, ORDER));
            b = b.add(DoubleVector.fromMemorySegment(NARROW, ALL, y + at, ORDER));
            c = c.add(DoubleVector.fromMemorySegment(NARROW, ALL, x + at + 32, ORDER));
            d = d.add(DoubleVector.fromMemorySegment(NARROW, ALL, y + at + 32, ORDER));
            e = e.add(DoubleVector.fromMemorySegment(NARROW, ALL, x + at + 64, ORDER));
            f = f.add(DoubleVector.fromMemorySegment(NARROW, ALL, y + at + 64, ORDER));
            g = g.add(DoubleVector.fromMemorySegment(NARROW, ALL, x + at + 96, ORDER));
            h = h.add(DoubleVector.fromMemorySegment(NARROW, ALL, y + at + 96, ORDER));
        }
        Sink.last = a.add(b).add(c).add(d).add(e).add(f).add(g).add(h).lane(0);
        return 2.0 * bytes;
    }
}
