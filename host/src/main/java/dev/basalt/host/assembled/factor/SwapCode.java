package dev.basalt.host.assembled.factor;

import static dev.basalt.host.assembled.x86.Emitter.Condition.BELOW;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_BELOW;
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
import static dev.basalt.host.assembled.x86.Gp.RBX;
import static dev.basalt.host.assembled.x86.Gp.RCX;
import static dev.basalt.host.assembled.x86.Gp.RDI;
import static dev.basalt.host.assembled.x86.Gp.RDX;
import static dev.basalt.host.assembled.x86.Gp.RSI;

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * Exchanges rows by a list of pivots, four columns at a time: each pivot is loaded once for all of them. More columns would
 * crowd each other out of the L1 cache where they lie a power of two apart. What the next columns need is fetched on the way,
 * since no prefetcher foresees pivots: beyond the L2 cache that makes it three times as fast. Elements of 4, 8 or 16 bytes.
 *
 * <p>Each pivot is compared with the rows there are when it is used, since it is data that anybody may have written, even while this runs. The first that
 * names no row ends all. Arguments: columns; the first of them; bytes between columns; the first pivot, how many, and the row that it belongs
 * to; in the vector registers, as bits, the rows, and the pivot that names the first. Returns 0, or 1 if a pivot named no row.
 */
final class SwapCode {
    private static final Gp COLUMNS = RDI;
    private static final Gp TOP = RSI;
    private static final Gp LDA = RDX;
    private static final Gp PIVOTS = RCX;
    private static final Gp COUNT = R8;
    private static final Gp ROW = R9;
    private static final Gp LDA3 = R10;

    private static final Gp PIVOT = R11;
    private static final Gp LEFT = RAX;
    private static final Gp X = RBX;
    private static final Gp Y = R12;
    private static final Gp NEXT = R13;
    private static final Gp ROWS = R14;
    private static final Gp FIRST = R15;
    private static final Gp[] SAVED = {RBX, R12, R13, R14, R15};
    private static final int[] GROUPS = {4, 1};

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final int element;
    private final boolean backward;
    private final Label wrong = new Label();
    private final Label leave = new Label();

    private SwapCode(int element, boolean backward) {
        this.v = new Vectors(code, Isa.AVX2, element == 4 ? Real.F32 : Real.F64);
        this.element = element;
        this.backward = backward;
    }

    /**
     * Writes a kernel.
     *
     * @param element bytes of an element
     * @param backward whether the pivots and rows count down
     * @return code
     */
    static byte[] write(int element, boolean backward) {
        SwapCode swap = new SwapCode(element, backward);
        swap.write();
        return swap.code.code();
    }

    private void write() {
        for (Gp register : SAVED) {
            code.push(register);
        }
        v.bits(ROWS, 0);
        v.bits(FIRST, 1);
        code.lea(LDA3, Mem.at(LDA, LDA, 2, 0));
        for (int columns : GROUPS) {
            group(columns, true);
            group(columns, false);
        }
        code.mov(RAX, 0);
        code.bind(leave);
        for (int i = SAVED.length - 1; i >= 0; i--) {
            code.pop(SAVED[i]);
        }
        code.finish();
        code.bind(wrong);
        code.mov(RAX, 1);
        code.jump(leave);
    }

    /** While there are so many columns, and with {@code ahead} some behind them, which are fetched. */
    private void group(int columns, boolean ahead) {
        Label top = new Label();
        Label end = new Label();
        Label next = new Label();
        code.bind(top);
        code.compare(COLUMNS, ahead ? columns + 1 : columns);
        code.jump(BELOW, end);
        code.mov(PIVOT, PIVOTS);
        code.mov(LEFT, COUNT);
        code.mov(X, ROW);
        code.align(32);
        code.bind(next);
        code.load(Y, Mem.at(PIVOT, 0));
        code.sub(Y, FIRST);
        code.compare(Y, ROWS);
        code.jump(NOT_BELOW, wrong);
        if (element == 16) {
            code.shl(Y, 4);
            code.add(Y, TOP);
        } else {
            code.lea(Y, Mem.at(TOP, Y, element, 0));
        }
        for (int q = 0; q < columns; q++) {
            load(2 * q, at(X, q));
            load(2 * q + 1, at(Y, q));
        }
        for (int q = 0; q < columns; q++) {
            store(at(X, q), 2 * q + 1);
            store(at(Y, q), 2 * q);
        }
        if (ahead) {
            // The same row in the next columns; right of the last ones, fetching does no harm.
            code.lea(NEXT, Mem.at(Y, LDA, columns, 0));
            for (int q = 0; q < columns; q++) {
                code.prefetch(at(NEXT, q));
            }
        }
        code.add(X, backward ? -element : element);
        code.add(PIVOT, backward ? -8 : 8);
        code.dec(LEFT);
        code.jump(NOT_ZERO, next);
        code.sub(COLUMNS, columns);
        code.lea(ROW, Mem.at(ROW, LDA, columns, 0));
        code.lea(TOP, Mem.at(TOP, LDA, columns, 0));
        code.jump(top);
        code.bind(end);
    }

    private static Mem at(Gp base, int columns) {
        return switch (columns) {
            case 0 -> Mem.at(base, 0);
            case 1 -> Mem.at(base, LDA, 1, 0);
            case 2 -> Mem.at(base, LDA, 2, 0);
            default -> Mem.at(base, LDA3, 1, 0);
        };
    }

    private void load(int to, Mem m) {
        if (element == 16) {
            v.loadQuarter(to, m);
        } else {
            v.loadOne(to, m);
        }
    }

    private void store(Mem m, int from) {
        if (element == 16) {
            v.storeHalves(m, 1, from);
        } else {
            v.storeOne(m, from);
        }
    }
}
