package dev.basalt.host.assembled.batch;

import static dev.basalt.host.assembled.x86.Isa.AVX512;
import static dev.basalt.host.assembled.x86.Real.F64;

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;
import dev.basalt.host.assembled.x86.X86Op;

/**
 * The instructions of kernels that run one problem a vector lane, beside those of {@link Vectors}: transpositions that turn
 * one problem's elements into a lane, and arithmetic that divides, compares and chooses lane by lane.
 */
public final class BatchLanes {
    /** The mask register of comparisons. */
    private static final int CHOICE = 2;

    public final Emitter code;
    public final Vectors v;
    /** Problems that a vector holds an element of. */
    public final int count;
    /** Bytes of a vector. */
    public final int bytes;

    private final boolean wide;
    private final Real precision;

    public BatchLanes(Emitter code, Shape shape) {
        this.code = code;
        this.v = new Vectors(code, shape.isa(), shape.precision());
        this.count = shape.lanes();
        this.bytes = shape.isa().bytes;
        this.wide = shape.isa() == AVX512;
        this.precision = shape.precision();
    }

    /** How many times the bits of 1 shift to the left for the size of a number. */
    public int shift() {
        return precision == F64 ? 3 : 2;
    }

    /** Lane by lane the sum of whole numbers. */
    public void addWhole(int to, int a, int b) {
        v.op(precision == F64 ? X86Op.PADDQ : X86Op.PADDD, to, a, b);
    }

    /** All lanes become the low bits of a register. */
    public void spread(int to, Gp from) {
        v.bits(to, from);
        v.broadcast(to, to);
    }

    /** The larger of two numbers without a sign, compared by their bits: NaN is largest. */
    public void largest(int to, int a, int b, int scratch) {
        if (precision != F64) {
            v.op(X86Op.PMAXSD, to, a, b);
        } else if (wide) {
            v.op(X86Op.PMAXSQ, to, a, b);
        } else {
            v.op(X86Op.PCMPGTQ, scratch, a, b);
            choose(to, b, a, scratch);
        }
    }

    /** Lane by lane: where the bits of {@code a} and {@code b} are the same, {@code yes}, else what was in {@code to}. */
    public void whereEqual(int to, int a, int b, int yes, int scratch) {
        if (wide) {
            v.op(precision == F64 ? X86Op.PCMPEQQ_MASK : X86Op.PCMPEQD_MASK, CHOICE, a, b);
            // The second source where the mask is set.
            code.evex(X86Op.PBLENDM, precision, bytes, to, to, yes, CHOICE);
        } else {
            v.op(precision == F64 ? X86Op.PCMPEQQ : X86Op.PCMPEQD, scratch, a, b);
            choose(to, to, yes, scratch);
        }
    }

    /** AVX2: {@code yes} where the sign bit of the mask vector is set, else {@code no}. */
    private void choose(int to, int no, int yes, int mask) {
        v.op(X86Op.BLENDVP, to, no, yes);
        code.immediate8(mask << 4);
    }

    /** One bit a lane: whether it is NaN. */
    public void notNumbers(Gp to, int from, int scratch) {
        int result = wide ? CHOICE : scratch;
        v.compare(result, from, from, Vectors.Relation.UNORDERED);
        v.compared(to, result);
    }

    /** Sets the mask for the first numbers of a vector; {@code ones} is where AVX2's mask vectors end. */
    public void mask(Gp numbers, Gp scratch, Mem ones, int vector) {
        if (wide) {
            code.mov(scratch, -1);
            code.bzhi(scratch, scratch, numbers);
            v.mask(scratch, vector);
        } else {
            code.shl(numbers, shift());
            code.load(scratch, ones);
            code.sub(scratch, numbers);
            v.mask(scratch, vector);
            code.shr(numbers, shift());
        }
    }

    /**
     * Transposes the square of numbers in as many registers as a vector has lanes.
     *
     * @param r registers, row by row; afterwards those of the transposed rows
     * @param free one more register
     * @return a register that is free now
     */
    public int transpose(int[] r, int free) {
        int f = free;
        int inQuarter = 16 / precision.bytes;
        for (int g = 0; g < count; g += inQuarter) {
            if (precision == F64) {
                f = interleave(r, g, g + 1, F64, f);
            } else {
                f = interleave(r, g, g + 1, Real.F32, f);
                f = interleave(r, g + 2, g + 3, Real.F32, f);
                f = interleave(r, g, g + 2, F64, f);
                f = interleave(r, g + 1, g + 3, F64, f);
                swap(r, g + 1, g + 2);
            }
        }
        // Now row e of group g holds element e of each quarter; the quarters of all groups change places.
        for (int e = 0; e < inQuarter; e++) {
            if (wide) {
                int g1 = e + inQuarter;
                int g2 = g1 + inQuarter;
                int g3 = g2 + inQuarter;
                f = exchange(r, e, g1, f);
                f = exchange(r, g2, g3, f);
                f = exchange(r, e, g2, f);
                f = exchange(r, g1, g3, f);
            } else {
                f = exchange(r, e, e + inQuarter, f);
            }
        }
        return f;
    }

    /**
     * Sums the numbers of each of as many vectors as a vector has lanes.
     *
     * @param r registers; their sums are in the lanes of {@code r[0]} in this order
     * @param free two more registers
     */
    public void sums(int[] r, int free) {
        // Neighbours in a quarter first, so that pairs of problems, then fours, share a vector.
        int n = count;
        for (int size = precision.bytes; size < 16; size *= 2, n /= 2) {
            for (int i = 0; i < n; i += 2) {
                Real by = size == 4 ? Real.F32 : F64;
                v.unpackLanes(by, false, free, r[i], r[i + 1]);
                v.unpackLanes(by, true, free + 1, r[i], r[i + 1]);
                v.add(r[i / 2], free, free + 1);
            }
        }
        for (; n > 1; n /= 2) {
            for (int i = 0; i < n; i += 2) {
                v.lanes(false, free, r[i], r[i + 1]);
                v.lanes(true, free + 1, r[i], r[i + 1]);
                v.add(r[i / 2], free, free + 1);
            }
        }
    }

    private int interleave(int[] r, int a, int b, Real by, int free) {
        v.unpackLanes(by, false, free, r[a], r[b]);
        v.unpackLanes(by, true, r[b], r[a], r[b]);
        int next = r[a];
        r[a] = free;
        return next;
    }

    private int exchange(int[] r, int a, int b, int free) {
        v.lanes(false, free, r[a], r[b]);
        v.lanes(true, r[b], r[a], r[b]);
        int next = r[a];
        r[a] = free;
        return next;
    }

    private static void swap(int[] r, int a, int b) {
        int t = r[a];
        r[a] = r[b];
        r[b] = t;
    }
}
