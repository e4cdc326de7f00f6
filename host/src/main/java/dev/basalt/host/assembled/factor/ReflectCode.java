package dev.basalt.host.assembled.factor;

import static dev.basalt.host.assembled.x86.Emitter.Condition.LESS;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.R9;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RBP;
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
import dev.basalt.host.assembled.x86.X86Op;

/**
 * Copies a triangle of a matrix to the other triangle of another: squares of four elements beside the diagonal in registers, the rest element by element.
 * Arguments: order, at least 1; source, bytes between its columns; target, bytes between its columns.
 */
final class ReflectCode {
    private static final Gp ORDER = RDI;
    private static final Gp SOURCE = RSI;
    private static final Gp SOURCE_STEP = RDX;
    private static final Gp TARGET = RCX;
    private static final Gp TARGET_STEP = R8;
    private static final Gp COUNT = R9;
    private static final Gp FROM = R10;
    private static final Gp TO = R11;
    private static final Gp SOURCE_STEP3 = RBX;
    private static final Gp TARGET_STEP3 = RBP;
    /** Rows and columns of a square. */
    private static final int SQUARE = 4;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final int size;
    private final boolean gather;

    private ReflectCode(Real precision, boolean gather) {
        this.v = new Vectors(code, Isa.AVX2, precision);
        this.size = precision.bytes;
        this.gather = gather;
    }

    /**
     * Writes a kernel.
     *
     * @param precision of the elements
     * @param gather whether the upper triangle's rows become the lower one's columns, or else the other way round
     * @return code
     */
    static byte[] write(Real precision, boolean gather) {
        ReflectCode reflect = new ReflectCode(precision, gather);
        reflect.write();
        return reflect.code.code();
    }

    private void write() {
        code.push(RBX);
        code.push(RBP);
        code.lea(SOURCE_STEP3, Mem.at(SOURCE_STEP, SOURCE_STEP, 2, 0));
        code.lea(TARGET_STEP3, Mem.at(TARGET_STEP, TARGET_STEP, 2, 0));
        Label squares = new Label();
        Label rest = new Label();
        Label end = new Label();
        code.bind(squares);
        code.compare(ORDER, SQUARE);
        code.jump(LESS, rest);
        diagonal();
        beside();
        code.lea(SOURCE, Mem.at(SOURCE, SOURCE_STEP, SQUARE, SQUARE * size));
        code.lea(TARGET, Mem.at(TARGET, TARGET_STEP, SQUARE, SQUARE * size));
        code.sub(ORDER, SQUARE);
        code.jump(squares);
        code.bind(rest);
        code.test(ORDER, ORDER);
        code.jump(ZERO, end);
        lines();
        code.bind(end);
        code.pop(RBP);
        code.pop(RBX);
        code.finish();
    }

    /** An element some columns behind a place. */
    private Mem at(Gp base, Gp step, Gp step3, int row, int column) {
        return switch (column) {
            case 0 -> Mem.at(base, row * size);
            case 3 -> Mem.at(base, step3, 1, row * size);
            default -> Mem.at(base, step, column, row * size);
        };
    }

    private Mem source(Gp base, int row, int column) {
        return at(base, SOURCE_STEP, SOURCE_STEP3, row, column);
    }

    private Mem target(Gp base, int row, int column) {
        return at(base, TARGET_STEP, TARGET_STEP3, row, column);
    }

    private void one(Mem from, Mem to) {
        v.loadOne(0, from);
        v.storeOne(to, 0);
    }

    /** The triangle of a square on the diagonal. */
    private void diagonal() {
        for (int j = 0; j < SQUARE; j++) {
            for (int i = j; i < SQUARE; i++) {
                one(source(SOURCE, gather ? j : i, gather ? i : j), target(TARGET, gather ? i : j, gather ? j : i));
            }
        }
    }

    /** The squares beside that, and what is left of their lines. */
    private void beside() {
        Label top = new Label();
        Label rest = new Label();
        Label line = new Label();
        Label end = new Label();
        code.lea(COUNT, Mem.at(ORDER, -SQUARE));
        code.mov(FROM, SOURCE);
        code.mov(TO, TARGET);
        advance(SQUARE);
        code.bind(top);
        code.compare(COUNT, SQUARE);
        code.jump(LESS, rest);
        square();
        advance(SQUARE);
        code.sub(COUNT, SQUARE);
        code.jump(top);
        code.bind(rest);
        code.test(COUNT, COUNT);
        code.jump(ZERO, end);
        code.bind(line);
        for (int e = 0; e < SQUARE; e++) {
            one(source(FROM, gather ? e : 0, gather ? 0 : e), target(TO, gather ? 0 : e, gather ? e : 0));
        }
        advance(1);
        code.dec(COUNT);
        code.jump(NOT_ZERO, line);
        code.bind(end);
    }

    /** The source goes on along a row and the target down a column, or the other way round. */
    private void advance(int by) {
        code.lea(gather ? FROM : TO, Mem.at(gather ? FROM : TO, gather ? SOURCE_STEP : TARGET_STEP, by, 0));
        code.add(gather ? TO : FROM, by * size);
    }

    private void square() {
        int bytes = SQUARE * size;
        for (int j = 0; j < SQUARE; j++) {
            v.low(X86Op.MOVUP_LOAD, bytes, j, 0, source(FROM, 0, j));
        }
        if (v.precision == Real.F64) {
            for (int j = 0; j < SQUARE; j++) {
                v.unpackLanes(Real.F64, j % 2 == 1, SQUARE + j, j & 2, (j & 2) + 1);
            }
            for (int j = 0; j < SQUARE; j++) {
                v.lanes(j >= 2, j, SQUARE + j % 2, SQUARE + 2 + j % 2);
            }
        } else {
            for (int j = 0; j < SQUARE; j++) {
                v.unpack(Real.F32, j % 2 == 1, 1, SQUARE + j, j & 2, (j & 2) + 1);
            }
            for (int j = 0; j < SQUARE; j++) {
                v.unpack(Real.F64, j % 2 == 1, 1, j, SQUARE + j / 2, SQUARE + 2 + j / 2);
            }
        }
        for (int j = 0; j < SQUARE; j++) {
            v.low(X86Op.MOVUP_STORE, bytes, j, 0, target(TO, 0, j));
        }
    }

    /** The last rows and columns, element by element. */
    private void lines() {
        Label outer = new Label();
        Label inner = new Label();
        code.bind(outer);
        code.mov(COUNT, ORDER);
        code.mov(FROM, SOURCE);
        code.mov(TO, TARGET);
        code.bind(inner);
        one(Mem.at(FROM, 0), Mem.at(TO, 0));
        advance(1);
        code.dec(COUNT);
        code.jump(NOT_ZERO, inner);
        code.lea(RAX, Mem.at(SOURCE_STEP, size));
        code.add(SOURCE, RAX);
        code.lea(RAX, Mem.at(TARGET_STEP, size));
        code.add(TARGET, RAX);
        code.dec(ORDER);
        code.jump(NOT_ZERO, outer);
    }
}
