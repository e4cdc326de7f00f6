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
import dev.basalt.host.assembled.x86.X86Op;

/**
 * Sums of matrices of which one or both are transposed, with AVX-512: square blocks of as many rows as a line of 64 bytes has elements. So whole lines are read, and
 * whole lines are stored at once, past the caches too.
 *
 * <p>The arguments are those of {@link TurnCode}, and one more where runs are fetched: from this tile to the next one, in bytes of what is transposed. Each block then
 * fetches a run of as many lines as it has rows, down a column of the next tile. So memory is read in runs, although blocks meet a line of each column.
 * Behind the factors is room for a block.
 *
 * <p>Where columns of C lie differently to lines, a panel's own stay as they are from panel to panel. Then whole lines are made of what two blocks, one below the
 * other, have for a column, and stored past the caches. A panel begins one block earlier, of which nothing is stored, and ends within the last block: what no whole line takes
 * is left to others. Behind the room for a block are the positions that make a line of two blocks, and room for the block before.
 */
final class LineTurnCode extends TransposedSum {
    /** Bytes of a line, and of a vector. */
    static final int LINE = 64;

    /** Fetched so far ahead in each column. */
    private static final int AHEAD = 2 * LINE;

    /** Panels by which an operand that lies as C does is fetched ahead. */
    private static final int PANELS_AHEAD = 4;

    /** Where a block of the first operand waits for the second. */
    private static final int WAITING = 4 * MapCode.FACTOR_BYTES;

    /** Positions that make a line of each column, among the elements of two blocks. */
    static final int POSITIONS = WAITING + 16 * LINE;

    /** Where the block before waits for the next one down. */
    private static final int BEFORE = POSITIONS + 16 * LINE;

    /** Bytes of all that the factors begin. */
    static final int ROOM_BYTES = BEFORE + 16 * LINE;

    /** Vectors of a block, one of which is free; their number is at most 17. */
    private static final int SPARE = 16;

    /** And the next register. */
    private static final int SUM = 17;

    private static final int OTHER_LINE = 19;
    private static final int FACTORS = 20;
    private static final int JOINED = 24;
    private static final int POSITION = 25;

    private static final Gp DOWN = RDI;
    /** A place in C, where {@link #DOWN} waits on the stack. */
    private static final Gp LINE_PLACE = RDI;

    private static final Gp NEXT = RSI;
    private static final Gp COLUMN = RDX;
    private static final Gp LDC = RCX;
    private static final Gp OTHER_COLUMN = R8;
    private static final Gp LD = R9;
    private static final Gp LD3 = R10;
    private static final Gp COUNT = R11;
    private static final Gp PLACE = R12;
    private static final Gp LDO = R13;
    private static final Gp LDO3 = R14;
    private static final Gp LDC3 = R15;
    private static final Gp TURNED = RAX;
    private static final Gp OTHER = RBX;
    private static final Gp C = RBP;
    private static final Gp[] SAVED = {RBX, RBP, R12, R13, R14, R15};

    /** What a panel begins with, on the stack. */
    private static final Mem PANEL_C = Mem.at(RSP, 0);

    private static final Mem PANEL_TURNED = Mem.at(RSP, 8);
    private static final Mem PANEL_OTHER = Mem.at(RSP, 16);
    private static final Mem PANELS = Mem.at(RSP, 24);
    private static final Mem AHEAD_OF_OTHER = Mem.at(RSP, 32);
    private static final Mem FACTOR_PLACE = Mem.at(RSP, 40);
    private static final Mem BLOCKS_DOWN = Mem.at(RSP, 48);
    private static final int ROOM = 64;

    private final boolean runs;
    /** Whether columns of C lie differently to lines. */
    private final boolean joins;

    /** Rows and columns of a block. */
    private final int order;

    private LineTurnCode(Real precision, boolean complex, TurnKind kind, boolean past, boolean runs, boolean joins) {
        super(Isa.AVX512, precision, complex, kind, past, SUM);
        this.runs = runs;
        this.joins = joins;
        this.order = LINE / unit;
    }

    /**
     * Writes a kernel.
     *
     * @param past whether C is stored past the caches, to whole lines
     * @param runs whether the next tile is fetched in runs
     * @param joins whether lines that are stored past the caches are joined of two blocks
     */
    static byte[] write(Real precision, boolean complex, TurnKind kind, boolean past, boolean runs, boolean joins) {
        LineTurnCode turn = new LineTurnCode(precision, complex, kind, past, runs, joins);
        turn.write();
        return turn.code.code();
    }

    private void write() {
        for (Gp saved : SAVED) {
            code.push(saved);
        }
        code.sub(RSP, ROOM);
        int arguments = ROOM + 8 * SAVED.length + 8;
        code.store(PANELS, RSI);
        code.store(PANEL_C, RDX);
        code.store(PANEL_TURNED, R8);
        code.load(RAX, Mem.at(RSP, arguments));
        code.store(PANEL_OTHER, RAX);
        code.load(LDO, Mem.at(RSP, arguments + 8));
        code.load(PLACE, Mem.at(RSP, arguments + 16));
        code.store(FACTOR_PLACE, PLACE);
        code.store(BLOCKS_DOWN, DOWN);
        if (runs) {
            code.load(NEXT, Mem.at(RSP, arguments + 24));
            code.add(NEXT, R8);
        }
        for (int i = 0; i < 4; i++) {
            v.load(FACTORS + i, Mem.at(PLACE, i * MapCode.FACTOR_BYTES));
        }
        code.lea(LD3, Mem.at(LD, LD, 2, 0));
        code.lea(LDO3, Mem.at(LDO, LDO, 2, 0));
        code.lea(LDC3, Mem.at(LDC, LDC, 2, 0));
        if (fetchesOther()) {
            code.mov(RAX, order * PANELS_AHEAD);
            code.multiply(RAX, LDO);
            code.store(AHEAD_OF_OTHER, RAX);
        }
        Label panel = new Label();
        code.bind(panel);
        code.load(TURNED, PANEL_TURNED);
        code.load(OTHER, PANEL_OTHER);
        code.load(C, PANEL_C);
        if (joins) {
            block(true);
        }
        code.load(COUNT, BLOCKS_DOWN);
        Label block = new Label();
        code.align(32);
        code.bind(block);
        block(false);
        code.dec(COUNT);
        code.jump(NOT_ZERO, block);
        move(PANEL_TURNED, null);
        move(PANEL_OTHER, kind == TurnKind.BOTH ? null : LDO);
        move(PANEL_C, LDC);
        code.load(RAX, PANELS);
        code.dec(RAX);
        code.store(PANELS, RAX);
        code.jump(NOT_ZERO, panel);
        if (past) {
            code.fence();
        }
        code.add(RSP, ROOM);
        for (int i = SAVED.length; i > 0; i--) {
            code.pop(SAVED[i - 1]);
        }
        code.finish();
    }

    /** What the next panel begins with: a line on, or columns of C on. */
    private void move(Mem place, Gp ld) {
        code.load(RAX, place);
        if (ld == null) {
            code.add(RAX, LINE);
        } else {
            for (int j = 0; j < order; j += 4) {
                code.lea(RAX, Mem.at(RAX, ld, 4, 0));
            }
        }
        code.store(place, RAX);
    }

    /** Whether its lines are fetched some panels ahead; then {@link #PLACE} is where. */
    private boolean fetchesOther() {
        return beside() && (past || runs);
    }

    /** A block; nothing is stored of one that is the first of a panel whose lines are joined. */
    private void block(boolean before) {
        if (runs && !before) {
            for (int i = 0; i < order; i++) {
                code.prefetchFar(Mem.at(NEXT, i * LINE));
            }
            code.add(NEXT, LD);
        }
        int[] lines = turn(TURNED, LD, LD3);
        if (kind == TurnKind.BOTH) {
            for (int j = 0; j < order; j++) {
                begin(lines[j], FACTORS);
                v.store(Mem.at(PLACE, WAITING + j * LINE), SUM);
            }
            lines = turn(OTHER, LDO, LDO3);
        }
        boolean beside = beside();
        code.mov(COLUMN, C);
        if (beside) {
            code.mov(OTHER_COLUMN, OTHER);
        }
        if (fetchesOther()) {
            code.load(PLACE, AHEAD_OF_OTHER);
            code.add(PLACE, OTHER);
        }
        for (int j = 0; j < order; j++) {
            if (fetchesOther()) {
                code.prefetch(column(PLACE, LDO, LDO3, j, 0));
            }
            combine(j, lines[j], before);
            if (j % 4 == 3 && j < order - 1) {
                code.lea(COLUMN, Mem.at(COLUMN, LDC, 4, 0));
                if (beside) {
                    code.lea(OTHER_COLUMN, Mem.at(OTHER_COLUMN, LDO, 4, 0));
                }
                if (fetchesOther()) {
                    code.lea(PLACE, Mem.at(PLACE, LDO, 4, 0));
                }
            }
        }
        code.add(C, LINE);
        if (beside) {
            code.add(OTHER, LINE);
        }
    }

    /** The registers of the columns of a transposed block; moves the pointer on. */
    private int[] turn(Gp base, Gp ld, Gp ld3) {
        int[] r = new int[order];
        for (int j = 0; j < order; j++) {
            r[j] = j;
            v.load(j, column(base, ld, ld3, j, 0));
            if (past && (!runs || base == OTHER)) {
                code.prefetch(column(base, ld, ld3, j, AHEAD));
            }
            if (j % 4 == 3) {
                code.lea(base, Mem.at(base, ld, 4, 0));
            }
        }
        int spare = SPARE;
        // Of each pair of lines, then of each four, the elements with one number within their 16 bytes come together.
        for (int lines = 1; lines * unit < 16; lines *= 2) {
            Real by = lines * unit == 4 ? Real.F32 : Real.F64;
            int[] to = new int[order];
            for (int i = 0; i < order; i += 2 * lines) {
                for (int e = 0; e < lines; e++) {
                    int a = r[i + e];
                    int b = r[i + e + lines];
                    v.unpackLanes(by, false, spare, a, b);
                    v.unpackLanes(by, true, b, a, b);
                    to[i + 2 * e] = spare;
                    to[i + 2 * e + 1] = b;
                    spare = a;
                }
            }
            r = to;
        }
        // Lanes: what lies at e of four lines or groups of lines goes to the columns e, e + group and so on.
        int group = 16 / unit;
        int[] columns = new int[order];
        for (int e = 0; e < group; e++) {
            int a = r[e];
            int b = r[e + group];
            int c = r[e + 2 * group];
            int d = r[e + 3 * group];
            v.lanes(false, spare, a, b);
            v.lanes(true, b, a, b);
            v.lanes(false, a, c, d);
            v.lanes(true, d, c, d);
            v.lanes(false, c, spare, a);
            v.lanes(true, a, spare, a);
            v.lanes(false, spare, b, d);
            v.lanes(true, d, b, d);
            columns[e] = c;
            columns[e + group] = spare;
            columns[e + 2 * group] = a;
            columns[e + 3 * group] = d;
            spare = b;
        }
        return columns;
    }

    /** One column of a block of C, rounded as {@link MapCode} rounds. */
    private void combine(int j, int line, boolean before) {
        Mem other = column(OTHER_COLUMN, LDO, LDO3, j, 0);
        int first = line;
        int second = line;
        if (kind == TurnKind.SECOND) {
            v.load(OTHER_LINE, other);
            first = OTHER_LINE;
        } else if (kind == TurnKind.FIRST) {
            v.load(OTHER_LINE, other);
            second = OTHER_LINE;
        }
        if (kind == TurnKind.BOTH) {
            v.load(SUM, Mem.at(PLACE, WAITING + j * LINE));
        } else {
            begin(first, FACTORS);
        }
        if (kind != TurnKind.ALONE) {
            add(second, FACTORS + 2);
        }
        if (joins) {
            join(j, before);
        } else {
            store(column(COLUMN, LDC, LDC3, j, 0));
        }
    }

    /** Stores the line that begins in the block before, and keeps the sum for the next one. */
    private void join(int j, boolean before) {
        code.load(LINE_PLACE, FACTOR_PLACE);
        Mem waits = Mem.at(LINE_PLACE, BEFORE + j * LINE);
        if (before) {
            v.store(waits, SUM);
            return;
        }
        v.load(JOINED, waits);
        v.load(POSITION, Mem.at(LINE_PLACE, POSITIONS + j * LINE));
        v.store(waits, SUM);
        v.op(X86Op.PERMT2P, JOINED, POSITION, SUM);
        code.lea(LINE_PLACE, column(COLUMN, LDC, LDC3, j, 0));
        code.and(LINE_PLACE, -LINE);
        v.storePast(Mem.at(LINE_PLACE, 0), JOINED);
    }
}
