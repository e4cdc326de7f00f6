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
    private final int bytes;

    public Quads(Emitter code, Real precision) {
        this.code = code;
        this.precision = precision;
        this.bytes = LANES * precision.bytes;
    }

    private void op(X86Op op, int to, int a, int b) {
        code.vex(op, precision, bytes, to, a, b);
    }

    private void op(X86Op op, int to, int a, Mem b) {
        code.vex(op, precision, bytes, to, a, b);
    }

    public void load(int to, Mem m) {
        op(X86Op.MOVUP_LOAD, to, 0, m);
    }

    public void store(Mem m, int from) {
        op(X86Op.MOVUP_STORE, from, 0, m);
    }

    /** Loads the lanes whose highest bit is set in the mask, zeros elsewhere; touches no other memory. */
    public void loadMasked(int to, Mem m, int mask) {
        op(X86Op.MASKMOVP_LOAD, to, mask, m);
    }

    public void move(int to, int from) {
        op(X86Op.ORP, to, from, from);
    }

    public void and(int to, int a, int b) {
        op(X86Op.ANDP, to, a, b);
    }

    public void add(int to, int a, int b) {
        op(X86Op.ADDP, to, a, b);
    }

    public void sub(int to, int a, int b) {
        op(X86Op.SUBP, to, a, b);
    }

    /** sum := a·b + sum. */
    public void fma(int sum, int a, int b) {
        op(X86Op.FMADD231P, sum, a, b);
    }

    /** sum := a·b + sum. */
    public void fma(int sum, int a, Mem b) {
        op(X86Op.FMADD231P, sum, a, b);
    }

    /** sum := sum - a·b. */
    public void fnma(int sum, int a, Mem b) {
        op(X86Op.FNMADD231P, sum, a, b);
    }

    /** Lanes become those of b where the mask has a bit, else those of a. */
    public void blend(int to, int a, int b, int mask) {
        op(X86Op.BLENDP, to, a, b);
        code.immediate8(mask);
    }
}
