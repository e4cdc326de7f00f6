package dev.basalt.host.assembled.x86;

/**
 * Instructions on four numbers: the lower 128 bits of a register for floats, 256 for doubles. What is above becomes 0 where a register is written. The same
 * bytes serve both instruction sets.
 */
public final class Quads {
    /** Numbers of a quad. */
    public static final int LANES = 4;
    /** Every lane, for {@link #blend}. */
    public static final int ALL = 15;

    private final Emitter code;
    private final Real precision;
    private final int length;

    public Quads(Emitter code, Real precision) {
        this.code = code;
        this.precision = precision;
        this.length = precision == Real.F64 ? 1 : 0;
    }

    public void load(int to, Mem m) {
        code.vex(1, precision.packed(), 0, length, 0x10, to, 0, m);
    }

    public void store(Mem m, int from) {
        code.vex(1, precision.packed(), 0, length, 0x11, from, 0, m);
    }

    public void move(int to, int from) {
        code.vex(1, precision.packed(), 0, length, 0x28, to, 0, from);
    }

    /** Loads the lanes whose highest bit is set in the mask, zeros elsewhere; touches no other memory. */
    public void loadMasked(int to, Mem m, int mask) {
        code.vex(2, 1, 0, length, 0x2c + precision.w(), to, mask, m);
    }

    public void and(int to, int a, int b) {
        code.vex(1, precision.packed(), 0, length, 0x54, to, a, b);
    }

    public void add(int to, int a, int b) {
        code.vex(1, precision.packed(), 0, length, 0x58, to, a, b);
    }

    public void sub(int to, int a, int b) {
        code.vex(1, precision.packed(), 0, length, 0x5c, to, a, b);
    }

    /** sum := a·b + sum. */
    public void fma(int sum, int a, int b) {
        code.vex(2, 1, precision.w(), length, 0xb8, sum, a, b);
    }

    /** sum := a·b + sum. */
    public void fma(int sum, int a, Mem b) {
        code.vex(2, 1, precision.w(), length, 0xb8, sum, a, b);
    }

    /** sum := sum - a·b. */
    public void fnma(int sum, int a, Mem b) {
        code.vex(2, 1, precision.w(), length, 0xbc, sum, a, b);
    }

    /** Lanes become those of b where the mask has a bit, else those of a. */
    public void blend(int to, int a, int b, int mask) {
        code.vex(3, 1, 0, length, precision == Real.F64 ? 0x0d : 0x0c, to, a, b);
        code.immediate8(mask);
    }
}
