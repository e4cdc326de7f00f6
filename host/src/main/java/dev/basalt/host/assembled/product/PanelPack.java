package dev.basalt.host.assembled.product;

import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.portable.HeapOperands;
import dev.basalt.spi.Memory;

/** Packs micro-panels by {@link PackCode}; what its blocks leave over is moved by element. */
final class PanelPack {
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
        int blocks = kc / PackCode.BLOCK;
        int done = 0;
        if (blocks > 0) {
            int both = PackCode.columns(unit, 2);
            for (; done + both <= count; done += both) {
                NativeCall.code(kernels.transpose(unit, 2, false), blocks, from + done * stride, stride,
                        to + (long) done * unit, group, 0);
            }
            if (done + both / 2 <= count) {
                NativeCall.code(kernels.transpose(unit, 1, false), blocks, from + done * stride, stride,
                        to + (long) done * unit, group, 0);
                done += both / 2;
            }
        }
        int steps = blocks * PackCode.BLOCK;
        for (int j = 0; j < count; j++) {
            int first = j < done ? steps : 0;
            move(unit, kc - first, from + j * stride + (long) first * unit, to + (long) j * unit + first * group,
                    group);
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
        int rounds = kc / taken;
        int done = 0;
        for (; rounds > 0 && done + PackCode.BLOCK <= count; done += PackCode.BLOCK) {
            long first = from + (long) done * unit;
            NativeCall.code(kernels.transpose(unit, 2, true), rounds, first, group, to + done * stride, stride, 0);
        }
        int steps = rounds * taken;
        for (int p = done == count ? steps : 0; p < kc; p++) {
            int first = p < steps ? done : 0;
            long next = from + p * group + (long) first * unit;
            move(unit, count - first, next, to + (long) p * unit + first * stride, stride);
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
