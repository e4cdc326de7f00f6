package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Vectors;

/** What kernels for sums of transposed matrices have in common: where columns lie, and how a vector of C is summed, rounded as {@link MapCode} rounds. */
abstract class TransposedSum {
    final Emitter code = new Emitter();
    final Vectors v;
    final TurnKind kind;
    final boolean past;
    /** Bytes of an element. */
    final int unit;
    private final boolean complex;
    private final int sum;

    /** Sums in a register, behind which one is scratch. */
    TransposedSum(Isa isa, Real precision, boolean complex, TurnKind kind, boolean past, int sum) {
        this.v = new Vectors(code, isa, precision);
        this.complex = complex;
        this.kind = kind;
        this.past = past;
        this.unit = precision.bytes * (complex ? 2 : 1);
        this.sum = sum;
    }

    /** Whether the other operand lies as C does. */
    final boolean beside() {
        return kind == TurnKind.FIRST || kind == TurnKind.SECOND;
    }

    /** Column j of four; those before are passed. */
    static Mem column(Gp base, Gp ld, Gp ld3, int j, int disp) {
        return switch (j % 4) {
            case 0 -> Mem.at(base, disp);
            case 1 -> Mem.at(base, ld, 1, disp);
            case 2 -> Mem.at(base, ld, 2, disp);
            default -> Mem.at(base, ld3, 1, disp);
        };
    }

    /** The sum := a vector times a factor, which is two registers. */
    final void begin(int value, int factor) {
        v.mul(sum, value, factor);
        swapped(value, factor + 1);
    }

    /** The sum := the sum + a vector times a factor. */
    final void add(int value, int factor) {
        v.fma(sum, value, factor);
        swapped(value, factor + 1);
    }

    private void swapped(int value, int factor) {
        if (complex) {
            v.swapPairs(sum + 1, value);
            v.fma(sum, sum + 1, factor);
        }
    }

    /** Stores the sum. */
    final void store(Mem c) {
        if (past) {
            v.storePast(c, sum);
        } else {
            v.store(c, sum);
        }
    }
}
