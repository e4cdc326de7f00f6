package dev.basalt.host;

import static dev.basalt.host.VectorDLanes.ADDRESSES;
import static dev.basalt.host.VectorDLanes.SIZE;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.spi.Memory;
import java.util.Arrays;

/** Packs micro-panels of complex elements, real part beside imaginary part; the counterpart of {@link VectorDPack}. */
final class VectorZPack {
    private VectorZPack() {}

    /**
     * Groups whose elements lie {@code stride} bytes apart and whose steps are neighbours in memory: a transposition.
     *
     * @param count complex elements of a group
     * @param to array of kc·width reals from {@code at} on
     * @param width reals of a group
     */
    static void columns(int count, int kc, long from, long stride, double[] to, int at, int width) {
        if (2 * count < width) {
            Arrays.fill(to, at, at + kc * width, 0);
        }
        int i = 0;
        for (; i + 2 <= count; i += 2) {
            columns2(kc, from + i * stride, stride, to, at + 2 * i, width);
        }
        if (i < count) {
            long source = (from + i * stride) & ADDRESSES;
            int target = at + 2 * i;
            for (int p = 0; p < kc; p++) {
                to[target] = f64(source);
                to[target + 1] = f64(source + SIZE);
                source = (source + 2 * SIZE) & ADDRESSES;
                target += width;
            }
        }
    }

    /** As {@link #columns(int, int, long, long, double[], int, int)}, into memory. */
    static void columns(int count, int kc, long from, long stride, long to, int width) {
        if (2 * count < width) {
            Memory.fill(to, (long) kc * width * SIZE, (byte) 0);
        }
        for (int i = 0; i < count; i++) {
            long source = (from + i * stride) & ADDRESSES;
            long target = (to + (long) (2 * i) * SIZE) & ADDRESSES;
            for (int p = 0; p < kc; p++) {
                f64(target, f64(source));
                f64(target + SIZE, f64(source + SIZE));
                source = (source + 2 * SIZE) & ADDRESSES;
                target = (target + (long) width * SIZE) & ADDRESSES;
            }
        }
    }

    private static void columns2(int kc, long from, long stride, double[] to, int at, int width) {
        long next = (from + stride) & ADDRESSES;
        from &= ADDRESSES;
        for (int p = 0; p < kc; p++) {
            to[at] = f64(from);
            to[at + 1] = f64(from + SIZE);
            to[at + 2] = f64(next);
            to[at + 3] = f64(next + SIZE);
            from = (from + 2 * SIZE) & ADDRESSES;
            next = (next + 2 * SIZE) & ADDRESSES;
            at += width;
        }
    }
}
