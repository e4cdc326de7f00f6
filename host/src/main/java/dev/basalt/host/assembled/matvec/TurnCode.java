package dev.basalt.host.assembled.matvec;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R14;
import static dev.basalt.host.assembled.x86.Gp.R15;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.R9;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RBP;
import static dev.basalt.host.assembled.x86.Gp.RBX;
import static dev.basalt.host.assembled.x86.Gp.RCX;
import static dev.basalt.host.assembled.x86.Gp.RDI;
import static dev.basalt.host.assembled.x86.Gp.RDX;
import static dev.basalt.host.assembled.x86.Gp.RSI;
import static dev.basalt.host.assembled.x86.Gp.RSP;

import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;

/**
 * Sums of matrices of which one or both are transposed, in registers, by blocks of four columns and the rows of a 256-bit vector. Both instruction sets have the
 * same bytes: what bounds a transposition are loads of 128 bits.
 *
 * <p>Arguments: blocks down, panels of four columns, C, bytes between its columns, what is transposed (A, or B alone), bytes between its columns; the
 * other, bytes between its columns, and the factors of {@link MapCode}. The blocks of a panel should touch no more columns of what is transposed than the
 * first-level cache has room for their lines.
 */
final class TurnCode extends TransposedSum {
    /** Columns of a panel. */
    static final int WIDTH = 4;

    private static final int BYTES = 32;
    /** Fetched so far ahead: two panels of doubles. */
    private static final int AHEAD = 128;

    private static final int OTHERS = 4;
    private static final int FACTORS = 8;
    private static final int T = 12;
    /** And the next register. */
    private static final int SUM = 13;

    private static final Gp DOWN = RDI;
    private static final Gp PANELS = RSI;
    private static final Gp C = RDX;
    private static final Gp LDC = RCX;
    private static final Gp TURNED = R8;
    private static final Gp LD = R9;
    private static final Gp LD3 = R10;
    private static final Gp COUNT = R11;
    private static final Gp OTHER = R12;
    private static final Gp LDO = R13;
    private static final Gp LDO3 = R14;
    private static final Gp LDC3 = R15;
    private static final Gp[] SAVED = {RBX, RBP, R12, R13, R14, R15};

    private TurnCode(Real precision, boolean complex, TurnKind kind, boolean past) {
        super(Isa.AVX2, precision, complex, kind, past, SUM);
    }

    /** Rows of a block, for elements of so many bytes. */
    static int rows(long unit) {
        return (int) (BYTES / unit);
    }

    /**
     * Writes a kernel.
     *
     * @param past whether C is stored past the caches, to multiples of 32 bytes
     */
    static byte[] write(Real precision, boolean complex, TurnKind kind, boolean past) {
        TurnCode turn = new TurnCode(precision, complex, kind, past);
        turn.write();
        return turn.code.code();
    }

    private void write() {
        for (Gp saved : SAVED) {
            code.push(saved);
        }
        int pushed = 8 * SAVED.length;
        code.load(OTHER, Mem.at(RSP, pushed + 8));
        code.load(LDO, Mem.at(RSP, pushed + 16));
        code.load(RAX, Mem.at(RSP, pushed + 24));
        for (int i = 0; i < 4; i++) {
            v.load(FACTORS + i, Mem.at(RAX, i * MapCode.FACTOR_BYTES));
        }
        code.lea(LD3, Mem.at(LD, LD, 2, 0));
        code.lea(LDO3, Mem.at(LDO, LDO, 2, 0));
        code.lea(LDC3, Mem.at(LDC, LDC, 2, 0));
        Label panel = new Label();
        code.bind(panel);
        code.mov(RAX, TURNED);
        code.mov(RBX, OTHER);
        code.mov(RBP, C);
        code.mov(COUNT, DOWN);
        Label block = new Label();
        code.align(32);
        code.bind(block);
        turn(RAX, LD, LD3, 0);
        if (kind == TurnKind.BOTH) {
            turn(RBX, LDO, LDO3, OTHERS);
        }
        for (int j = 0; j < WIDTH; j++) {
            combine(j);
        }
        if (beside()) {
            code.add(RBX, BYTES);
        }
        code.add(RBP, BYTES);
        code.dec(COUNT);
        code.jump(NOT_ZERO, block);
        code.add(TURNED, WIDTH * unit);
        if (kind == TurnKind.BOTH) {
            code.add(OTHER, WIDTH * unit);
        } else {
            code.lea(OTHER, Mem.at(OTHER, LDO, 4, 0));
        }
        code.lea(C, Mem.at(C, LDC, 4, 0));
        code.dec(PANELS);
        code.jump(NOT_ZERO, panel);
        if (past) {
            code.fence();
        }
        for (int i = SAVED.length; i > 0; i--) {
            code.pop(SAVED[i - 1]);
        }
        code.finish();
    }

    /** Four columns of the transpose in registers from {@code to} on; moves the pointer. Overwrites the registers from {@link #T} on. */
    private void turn(Gp base, Gp ld, Gp ld3, int to) {
        int half = rows(unit) / 2;
        if (unit == 8) {
            fetch(base, ld, ld3, 4);
            for (int h = 0; h < 2; h++) {
                for (int j = 0; j < 2; j++) {
                    v.loadQuarter(T + j, column(base, ld, ld3, j, 16 * h));
                    v.insertUpper(T + j, T + j, column(base, ld, ld3, j + 2, 16 * h));
                }
                v.unpack(Real.F64, false, 2, to + 2 * h, T, T + 1);
                v.unpack(Real.F64, true, 2, to + 2 * h + 1, T, T + 1);
            }
            code.lea(base, Mem.at(base, ld, 4, 0));
            return;
        }
        if (unit == 16) {
            fetch(base, ld, ld3, 2);
            for (int j = 0; j < WIDTH; j++) {
                v.loadQuarter(to + j, column(base, ld, ld3, 0, 16 * j));
                v.insertUpper(to + j, to + j, column(base, ld, ld3, half, 16 * j));
            }
            code.lea(base, Mem.at(base, ld, 2, 0));
            return;
        }
        for (int part = 0; part < 2; part++) {
            fetch(base, ld, ld3, 4);
            for (int j = 0; j < WIDTH; j++) {
                if (part == 0) {
                    v.loadQuarter(to + j, column(base, ld, ld3, j, 0));
                } else {
                    v.insertUpper(to + j, to + j, column(base, ld, ld3, j, 0));
                }
            }
            code.lea(base, Mem.at(base, ld, 4, 0));
        }
        for (int i = 0; i < 4; i++) {
            v.unpack(Real.F32, i % 2 == 1, 2, T + i, to + i / 2 * 2, to + i / 2 * 2 + 1);
        }
        for (int i = 0; i < 4; i++) {
            v.unpack(Real.F64, i % 2 == 1, 2, to + i, T + i / 2, T + i / 2 + 2);
        }
    }

    private void fetch(Gp base, Gp ld, Gp ld3, int columns) {
        for (int j = 0; j < columns; j++) {
            code.prefetch(column(base, ld, ld3, j, AHEAD));
        }
    }

    /** One column of a block of C, rounded as {@link MapCode} rounds. */
    private void combine(int j) {
        Mem other = column(RBX, LDO, LDO3, j, 0);
        int first = j;
        if (kind == TurnKind.SECOND) {
            v.load(T, other);
            first = T;
        }
        begin(first, FACTORS);
        if (kind != TurnKind.ALONE) {
            int second = kind == TurnKind.BOTH ? OTHERS + j : kind == TurnKind.SECOND ? j : T;
            if (kind == TurnKind.FIRST) {
                v.load(T, other);
            }
            add(second, FACTORS + 2);
        }
        store(column(RBP, LDC, LDC3, j, 0));
    }
}
