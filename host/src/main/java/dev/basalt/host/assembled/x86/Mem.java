package dev.basalt.host.assembled.x86;

/**
 * An operand in memory: base + index·scale + disp.
 *
 * @param base base register
 * @param index index register, null if none; never RSP
 * @param scale 1, 2, 4 or 8
 * @param disp bytes
 */
public record Mem(Gp base, Gp index, int scale, int disp) {
    public Mem {
        if (index == Gp.RSP) {
            throw new IllegalArgumentException("RSP cannot be an index");
        }
    }

    public static Mem at(Gp base, int disp) {
        return new Mem(base, null, 1, disp);
    }

    public static Mem at(Gp base, Gp index, int scale, int disp) {
        return new Mem(base, index, scale, disp);
    }
}
