package dev.basalt.host.assembled.x86;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What factorisations need beyond {@link Vectors}: single elements of a vector, ranges of elements, comparisons.
 * Constants lie in memory that is never freed, and kernels hold its address.
 */
public final class Lanes {
    /** The mask register of comparisons. */
    private static final int COMPARED = 2;

    /** The mask register of {@link #choose}. */
    private static final int CHOSEN = 3;

    private final Emitter code;
    private final Vectors v;
    private final Shape shape;
    private final int lanes;
    private final int bytes;
    private final boolean avx512;
    private final long constants;

    public Lanes(Vectors v, Shape shape, long constants) {
        this.code = v.code;
        this.v = v;
        this.shape = shape;
        this.lanes = shape.lanes();
        this.bytes = shape.isa().bytes;
        this.avx512 = shape.isa() == Isa.AVX512;
        this.constants = constants;
    }

    /** Writes the constants of a shape: ranges of elements, positions for permutations, and some numbers. */
    public static long constants(Shape shape) {
        int size = shape.precision().bytes;
        int lanes = shape.lanes();
        int vectors = (lanes + 1) * (lanes + 1) + lanes + 4;
        MemorySegment memory = Arena.global().allocate((long) vectors * shape.isa().bytes, 64);
        long at = memory.address();
        for (int from = 0; from <= lanes; from++) {
            for (int to = 0; to <= lanes; to++) {
                for (int i = 0; i < lanes; i++, at += size) {
                    integer(size, at, i >= from && i < to ? -1 : 0);
                }
            }
        }
        for (int lane = 0; lane < lanes; lane++) {
            for (int i = 0; i < lanes; i++, at += size) {
                integer(size, at, lane);
            }
        }
        for (int sign = 0; sign < 2; sign++) {
            for (int i = 0; i < lanes; i++, at += size) {
                integer(size, at, i % 2 == sign ? 1L << 8 * size - 1 : 0);
            }
        }
        double[] numbers = {1, -1, size == 8 ? Double.MIN_NORMAL : Float.MIN_NORMAL, size == 8 ? 0x1p108 : 0x1p48};
        for (double number : numbers) {
            if (size == 8) {
                f64(at, number);
            } else {
                f32(at, (float) number);
            }
            at += size;
        }
        integer(size, at, Long.MAX_VALUE >>> 64 - 8 * size);
        return memory.address();
    }

    private static void integer(int size, long at, long value) {
        if (size == 8) {
            f64(at, Double.longBitsToDouble(value));
        } else {
            f32(at, Float.intBitsToFloat((int) value));
        }
    }

    /** A register comes to hold the address of the constants, which the operands below then count from. */
    public void constants(Gp base) {
        code.mov(base, constants);
    }

    /** All bits of elements {@code from} to {@code to - 1}, none of the others. */
    public Mem range(Gp base, int from, int to) {
        return Mem.at(base, (from * (lanes + 1) + to) * bytes);
    }

    private int numbers() {
        return ((lanes + 1) * (lanes + 1) + lanes + 2) * bytes;
    }

    public Mem one(Gp base) {
        return Mem.at(base, numbers());
    }

    public Mem minusOne(Gp base) {
        return Mem.at(base, numbers() + shape.precision().bytes);
    }

    public Mem minNormal(Gp base) {
        return Mem.at(base, numbers() + 2 * shape.precision().bytes);
    }

    /** A power of two that makes every number below {@link #minNormal} a good deal larger than that. */
    public Mem lift(Gp base) {
        return Mem.at(base, numbers() + 3 * shape.precision().bytes);
    }

    /** All bits but the sign, of one number. */
    public Mem magnitude(Gp base) {
        return Mem.at(base, numbers() + 4 * shape.precision().bytes);
    }

    /** The mask of the first elements, as many as a register says, which is overwritten; {@code vector} is AVX2's mask. */
    public void first(Gp count, Gp other, int vector) {
        if (avx512) {
            code.mov(other, -1);
            code.bzhi(count, other, count);
            v.mask(count, vector);
            return;
        }
        // The masks of 0…count-1 elements follow each other.
        code.mov(other, constants);
        code.shl(count, Integer.numberOfTrailingZeros(bytes));
        code.add(count, other);
        v.mask(count, vector);
    }

    /** The mask of elements {@code from} to {@code to - 1}. */
    public void mask(int from, int to, Gp other, int vector) {
        if (avx512) {
            code.mov(other, (1 << to) - (1 << from));
        } else {
            code.mov(other, constants + range(Gp.RAX, from, to).disp());
        }
        v.mask(other, vector);
    }

    /** Every element becomes one of a register; {@code positions} are those of {@link #positions}. */
    public void spread(int to, int from, int lane, int positions) {
        boolean f64 = shape.precision() == Real.F64;
        if (avx512 || !f64) {
            v.op(f64 ? X86Op.PERMPD : X86Op.PERMPS, to, positions, from);
        } else {
            v.op(X86Op.PERMPD_FIXED, to, 0, from);
            code.immediate8(lane * 0x55);
        }
    }

    /** Loads what {@link #spread} needs for an element. */
    public void positions(int to, int lane, Gp base) {
        if (avx512 || shape.precision() == Real.F32) {
            v.load(to, Mem.at(base, ((lanes + 1) * (lanes + 1) + lane) * bytes));
        }
    }

    /**
     * Complex numbers times i, or -i: {@code sum - turned·y} is then {@code sum - x·iy} for real y.
     *
     * @param conjugate whether times -i
     */
    public void turn(int to, int from, boolean conjugate, Gp base) {
        v.swapPairs(to, from);
        Mem signs = Mem.at(base, ((lanes + 1) * (lanes + 1) + lanes + (conjugate ? 1 : 0)) * bytes);
        v.xor(to, to, signs);
    }

    /** Chooses the elements that {@link #subtractIn} changes. */
    public void choose(int from, int to, Gp other) {
        if (avx512) {
            code.mov(other, (1 << to) - (1 << from));
            // 16 bits are enough for either precision.
            code.vex(X86Op.KMOV_FROM_GP, Real.F32, 16, CHOSEN, 0, other.number());
        }
    }

    /**
     * sum := sum - a·b in a range of elements, which with AVX-512 must have been chosen. The others stay, whatever a and b are
     * there: zeros would not do, since they make a NaN of an infinity. AVX2 overwrites a and b.
     */
    public void subtractIn(int from, int to, int sum, int a, int b, Gp base) {
        if (avx512) {
            code.evex(X86Op.FNMADD231P, shape.precision(), bytes, sum, a, b, CHOSEN);
        } else {
            v.and(a, a, range(base, from, to));
            v.and(b, b, range(base, from, to));
            v.fnma(sum, a, b);
        }
    }

    /** Bits, one an element, of where the relation holds; {@code scratch} is overwritten. */
    public void compare(Gp bits, Vectors.Relation relation, int a, int b, int scratch) {
        int result = avx512 ? COMPARED : scratch;
        v.compare(result, a, b, relation);
        v.compared(bits, result);
    }

    // One number, in element 0 of registers below 16.

    /** Sets the flags zero, parity and carry: equal 100, less 001, greater 000, unordered 111. */
    public void compareOne(int a, int b) {
        v.low(X86Op.UCOMIS, 16, a, 0, b);
    }

    public void compareOne(int a, Mem b) {
        v.low(X86Op.UCOMIS, 16, a, 0, b);
    }

    /** Element 0 becomes the largest of all; overwrites {@code other}. Both must be below 16. */
    public void maxOne(int register, int other) {
        v.reduce(X86Op.MAXP, register, other);
    }
}
