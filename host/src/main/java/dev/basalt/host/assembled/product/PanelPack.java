package dev.basalt.host.assembled.product;

import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.portable.HeapOperands;
import dev.basalt.spi.Memory;
import java.lang.foreign.MemorySegment;

/** Packs micro-panels by {@link PackCode}; what its blocks leave over is moved by element. */
final class PanelPack {
    /** So many elements are sooner moved by machine code, beside others that have been moved already. */
    private static final int MOVED = 6;

    private final ProductTable kernels;
    private final int lanes;
    private final int size;

    PanelPack(ProductTable kernels) {
        this.kernels = kernels;
        this.lanes = kernels.shape().lanes();
        this.size = kernels.shape().precision().bytes;
    }

    /**
     * Groups that are contiguous in the source, filled up with zeros to whole vectors.
     *
     * @param count real numbers of a group
     * @param stride bytes from one group to the next
     */
    void rowsPadded(int count, int kc, long from, long stride, long to) {
        int vectors = (count + lanes - 1) / lanes;
        int part = count % lanes;
        NativeCall.code(kernels.copy(vectors, part != 0, part != 0), kc, from, stride, to,
                (long) vectors * lanes * size, kernels.mask(part));
    }

    /** The same with any number of vectors, {@code group} bytes apart in the target, which has room for whole vectors. */
    void rowsPadded(int count, int kc, long from, long stride, long to, long group) {
        int most = Shape.VECTORS * lanes;
        for (int i = 0; i < count; i += most) {
            int some = Math.min(most, count - i);
            int vectors = (some + lanes - 1) / lanes;
            boolean part = some % lanes != 0;
            NativeCall.code(kernels.copy(vectors, part, part), kc, from + (long) i * size, stride, to + (long) i * size,
                    group, kernels.mask(some % lanes));
        }
    }

    /** Whether {@link #turnOver} reads nothing beyond a square of some order. */
    static boolean isWhole(int unit, int order) {
        return order % Math.max(PackCode.BLOCK, PackCode.columns(unit, 2)) == 0;
    }

    /** Transposes a square in whole blocks: what is read and written beyond it must be nobody's. */
    void turnOver(int unit, int order, long from, long stride, long to, long group) {
        int columns = PackCode.columns(unit, 2);
        int blocks = (order + PackCode.BLOCK - 1) / PackCode.BLOCK;
        NativeCall.code(kernels.transpose(unit, 2, false), blocks, from, stride, to, group,
                (order + columns - 1) / columns);
    }

    /** Groups of up to a vector that are contiguous in the source, {@code group} bytes apart in the target. */
    void rows(int count, int kc, long from, long stride, long to, long group) {
        NativeCall.code(kernels.copy(1, count < lanes, false), kc, from, stride, to, group, kernels.mask(count));
    }

    /**
     * Groups that take one element of each of {@code count} columns.
     *
     * @param unit bytes of an element, 4, 8 or 16
     * @param stride bytes from one column to the next
     * @param group bytes from one group to the next
     */
    void columns(int unit, int count, int kc, long from, long stride, long to, long group) {
        int both = PackCode.columns(unit, 2);
        int half = both / 2;
        int done = 0;
        if (kc >= PackCode.BLOCK) {
            done = count / both * both;
            if (done > 0) {
                columns(unit, 2, done, kc, from, stride, to, group);
            }
            if (done + half <= count) {
                columns(unit, 1, half, kc, from + done * stride, stride, to + (long) done * unit, group);
                done += half;
            }
            if (done > 0 && done < count) {
                // Some columns once more, so that none is left over.
                int again = count - half;
                columns(unit, 1, half, kc, from + again * stride, stride, to + (long) again * unit, group);
                done = count;
            }
        }
        for (int j = done; j < count; j++) {
            move(unit, kc, from + j * stride, to + (long) j * unit, group);
        }
    }

    /** As many columns as transpositions take, at least a block long. */
    private void columns(int unit, int halves, int count, int kc, long from, long stride, long to, long group) {
        MemorySegment code = kernels.transpose(unit, halves, false);
        int times = count / PackCode.columns(unit, halves);
        NativeCall.code(code, kc / PackCode.BLOCK, from, stride, to, group, times);
        int rest = kc % PackCode.BLOCK;
        if (rest * count >= MOVED) {
            // The last block once more, from where it is whole.
            int first = kc - PackCode.BLOCK;
            NativeCall.code(code, 1, from + (long) first * unit, stride, to + first * group, group, times);
            return;
        }
        int first = kc - rest;
        for (int j = 0; j < count && rest > 0; j++) {
            move(unit, rest, from + j * stride + (long) first * unit, to + (long) j * unit + first * group, group);
        }
    }

    /**
     * The reverse of {@link #columns}: groups become columns.
     *
     * @param unit bytes of an element, 4, 8 or 16
     * @param count elements of a group: columns to be written
     * @param kc groups: elements of a column
     * @param group bytes from one group to the next
     * @param stride bytes from one column to the next
     */
    void unpack(int unit, int count, int kc, long from, long group, long to, long stride) {
        int taken = PackCode.columns(unit, 2);
        if (kc < taken || count < PackCode.BLOCK) {
            for (int p = 0; p < kc; p++) {
                move(unit, count, from + p * group, to + (long) p * unit, stride);
            }
            return;
        }
        unpack(unit, count / PackCode.BLOCK, kc, taken, from, group, to, stride);
        if (count % PackCode.BLOCK > 0) {
            // Some columns once more, so that none is left over.
            int again = count - PackCode.BLOCK;
            unpack(unit, 1, kc, taken, from + (long) again * unit, group, to + again * stride, stride);
        }
    }

    private void unpack(int unit, int times, int kc, int taken, long from, long group, long to, long stride) {
        MemorySegment code = kernels.transpose(unit, 2, true);
        NativeCall.code(code, kc / taken, from, group, to, stride, times);
        if (kc % taken > 0) {
            int again = kc - taken;
            NativeCall.code(code, 1, from + again * group, group, to + (long) again * unit, stride, times);
        }
    }

    private static void move(int unit, int count, long from, long to, long group) {
        if ((from | to) < 0) {
            // Real elements of an array of Java.
            HeapOperands.move(count, from, unit, to, group);
            return;
        }
        for (int p = 0; p < count; p++, from += unit, to += group) {
            if (unit == 4) {
                i32(to, i32(from));
            } else {
                i64(to, i64(from));
                if (unit == 16) {
                    i64(to + 8, i64(from + 8));
                }
            }
        }
    }

    /** Zeros for a panel whose vectors will have fewer real numbers than there is room for: what is beyond them must be some number. */
    void clear(int count, int width, int kc, long to) {
        if (count < width) {
            Memory.fill(to, (long) kc * width * size, (byte) 0);
        }
    }
}
