package dev.basalt.host.assembled.reflect;

import static dev.basalt.host.assembled.reflect.ReflectFrame.slot;
import static dev.basalt.host.assembled.x86.Emitter.Condition.LESS;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
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
import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One pass over columns: a reflector v is taken off them, and while their elements are in registers, they are multiplied by the next vector y. So a matrix is read
 * and written once a reflector. Vectors begin at multiples of their length from the first row on; the first vectors of v and y are in the frame, with zeros above and v's one.
 */
abstract class PassCode {
    // What a pass has in registers.

    /** The number of the reflector. */
    static final Gp J = RBP;
    /** Bytes between columns of what is worked on, and three, five and seven times that. */
    static final Gp STEP = R8;

    private static final Gp STEP3 = R9;
    private static final Gp STEP5 = R11;
    private static final Gp STEP7 = RBX;
    /** v from the first vector of the pass on, below the vector in the frame. */
    static final Gp V = RSI;

    static final Gp Y = RDX;
    /** The columns from there on. */
    static final Gp C = R10;
    /** Columns that are left. */
    static final Gp COLUMNS = R14;
    /** The sums of the columns. */
    static final Gp SUMS = R15;
    /** Vectors of a column, at least 1. */
    static final Gp VECTORS = R13;

    static final Gp POINTER = R12;
    private static final Gp[] SAVED = {RBX, RBP, R12, R13, R14, R15};

    /** AVX2's mask vector. */
    static final int MASK = 15;

    final Emitter code = new Emitter();
    final Vectors v;
    final Shape shape;
    final boolean complex;
    /** Numbers of an element. */
    final int unit;
    /** Bytes of a number. */
    final int size;
    /** Bytes of an element. */
    final int element;
    /** Bytes of a vector. */
    final int bytes;
    /** Elements of a vector. */
    final int lanes;
    /** Columns of a group. */
    final int group;

    private final long constants;
    private final boolean wide;
    private final int sums;
    private final int vector;
    private final int next;
    private final int spare;

    PassCode(Shape shape, boolean complex, long constants) {
        this.shape = shape;
        this.constants = constants;
        this.v = new Vectors(code, shape.isa(), shape.precision());
        this.complex = complex;
        this.unit = complex ? 2 : 1;
        this.size = shape.precision().bytes;
        this.element = size * unit;
        this.bytes = shape.isa().bytes;
        this.lanes = shape.lanes() / unit;
        this.wide = shape.isa() == Isa.AVX512;
        this.group = (wide ? 8 : 4) / unit;
        this.sums = group * unit;
        this.vector = 2 * sums;
        this.next = vector + 1;
        this.spare = complex ? vector + 4 : vector + 2;
    }

    /** For each place in a vector: from there on, behind it, a one before it, and a one there. Then the signs. */
    static long constants(Shape shape, boolean complex) {
        int unit = complex ? 2 : 1;
        int lanes = shape.lanes();
        MemorySegment memory = Arena.global().allocate((4L * lanes / unit + 1) * shape.isa().bytes, 64);
        long at = memory.address();
        boolean f64 = shape.precision() == Real.F64;
        for (int place = 0; place < lanes / unit; place++) {
            for (int kind = 0; kind < 4; kind++) {
                for (int i = 0; i < lanes; i++, at += shape.precision().bytes) {
                    int own = i / unit;
                    boolean first = i % unit == 0 && own == place + kind - 3;
                    boolean set = kind == 0 ? own >= place : kind == 1 ? own > place : first;
                    long all = -1;
                    long one = f64 ? Double.doubleToRawLongBits(1) : Float.floatToRawIntBits(1);
                    put(f64, at, !set ? 0 : kind > 1 ? one : all);
                }
            }
        }
        for (int i = 0; i < lanes; i++, at += shape.precision().bytes) {
            put(f64, at, i % 2 != 0 ? 0 : f64 ? Long.MIN_VALUE : Integer.MIN_VALUE);
        }
        return memory.address();
    }

    private static void put(boolean f64, long at, long bits) {
        if (f64) {
            i64(at, bits);
        } else {
            i32(at, (int) bits);
        }
    }

    final void enter() {
        for (Gp saved : SAVED) {
            code.push(saved);
        }
        code.load(RAX, slot(ReflectFrame.MASK));
        v.mask(RAX, MASK);
        if (complex) {
            code.mov(RAX, constants + 4L * lanes * bytes);
            v.load(0, Mem.at(RAX, 0));
            v.store(Mem.at(RDI, ReflectFrame.SIGNS), 0);
        }
    }

    /** Complex numbers times i. */
    final void turn(int to, int from) {
        v.swapPairs(to, from);
        v.xor(to, to, Mem.at(RDI, ReflectFrame.SIGNS));
    }

    /** The imaginary part of a slot's number. */
    static Mem imaginary(int index) {
        return slot(index + 1);
    }

    /** The same with an offset: the second number of an element. */
    final Mem second(Mem m) {
        return new Mem(m.base(), m.index(), m.scale(), m.disp() + size);
    }

    final void leave() {
        code.mov(RAX, J);
        for (int i = SAVED.length - 1; i >= 0; i--) {
            code.pop(SAVED[i]);
        }
        code.finish();
    }

    /** Bytes between columns from a slot of the frame. */
    final void steps(int from) {
        code.load(STEP, slot(from));
        code.lea(STEP3, Mem.at(STEP, STEP, 2, 0));
        if (wide) {
            code.lea(STEP5, Mem.at(STEP, STEP, 4, 0));
            code.lea(STEP7, Mem.at(STEP5, STEP, 2, 0));
        }
    }

    /** Element of column {@code i} of a group. */
    static Mem column(Gp base, int i) {
        return switch (i) {
            case 0 -> Mem.at(base, 0);
            case 1 -> Mem.at(base, STEP, 1, 0);
            case 2 -> Mem.at(base, STEP, 2, 0);
            case 3 -> Mem.at(base, STEP3, 1, 0);
            case 4 -> Mem.at(base, STEP, 4, 0);
            case 5 -> Mem.at(base, STEP5, 1, 0);
            case 6 -> Mem.at(base, STEP3, 2, 0);
            default -> Mem.at(base, STEP7, 1, 0);
        };
    }

    private Mem sumOf(int column) {
        return Mem.at(SUMS, column * element);
    }

    /**
     * Sets place, first vector and vectors of a pass whose first row is in a register, which is overwritten; {@code RAX} then has the constants of the place.
     */
    final void place(Gp row, Gp other) {
        code.mov(RAX, row);
        code.and(RAX, lanes - 1);
        code.store(slot(ReflectFrame.PLACE), RAX);
        code.shr(row, Integer.numberOfTrailingZeros(lanes));
        code.load(VECTORS, slot(ReflectFrame.LAST));
        code.sub(VECTORS, row);
        code.add(VECTORS, 1);
        code.shl(row, Integer.numberOfTrailingZeros(bytes));
        code.store(slot(ReflectFrame.DOWN), row);
        code.shl(RAX, Integer.numberOfTrailingZeros(4 * bytes));
        code.mov(other, constants);
        code.add(RAX, other);
    }

    final Mem from() {
        return Mem.at(RAX, 0);
    }

    final Mem behind() {
        return Mem.at(RAX, bytes);
    }

    final Mem oneBefore() {
        return Mem.at(RAX, 2 * bytes);
    }

    final Mem one() {
        return Mem.at(RAX, 3 * bytes);
    }

    /** What a pass does with the columns of a group before, in and after it. */
    private enum Pass {
        /** Takes v off and multiplies by y. */
        BOTH,
        /** Multiplies by v. */
        SUMS
    }

    /** All columns from {@link #C} on. */
    final void update(boolean above) {
        columns(Pass.BOTH, above);
    }

    /**
     * If the call is the first, the sums of columns with the first vector of the call, below the element of its one. {@link #V}, {@link #C}, {@link #COLUMNS} and
     * {@link #SUMS} are set; {@code RAX} has the constants of the place.
     */
    final void start(boolean above) {
        Label plain = new Label();
        Label end = new Label();
        Mem first = above ? from() : behind();
        code.compare(VECTORS, 1);
        code.jump(NOT_ZERO, plain);
        load(0, Mem.at(V, 0), true);
        code.jump(end);
        code.bind(plain);
        load(0, Mem.at(V, 0), false);
        code.bind(end);
        v.and(0, 0, first);
        v.store(Mem.at(RDI, ReflectFrame.V), 0);
        multiply(false);
    }

    /** Jumps to where the sums are there already. */
    final Label started() {
        Label started = new Label();
        code.load(RAX, slot(ReflectFrame.START));
        code.test(RAX, RAX);
        code.jump(ZERO, started);
        return started;
    }

    /** The sums of columns with v. */
    final void multiply(boolean above) {
        columns(Pass.SUMS, above);
    }

    private void columns(Pass pass, boolean above) {
        Label top = new Label();
        Label tails = new Label();
        Label end = new Label();
        code.bind(top);
        code.compare(COLUMNS, group);
        code.jump(LESS, tails);
        group(pass, group, above);
        code.lea(C, Mem.at(C, STEP, group, 0));
        code.add(SUMS, group * element);
        code.sub(COLUMNS, group);
        code.jump(top);
        code.bind(tails);
        for (int width = group - 1; width > 0; width--) {
            Label other = new Label();
            code.compare(COLUMNS, width);
            code.jump(NOT_ZERO, other);
            group(pass, width, above);
            code.jump(end);
            code.bind(other);
        }
        code.bind(end);
    }

    /** The register of a part of a sum. */
    private int sum(int i, int part) {
        return sums + i * unit + part;
    }

    private void group(Pass pass, int width, boolean above) {
        if (pass == Pass.BOTH) {
            factors(width, above);
        }
        code.mov(POINTER, C);
        Label plain = new Label();
        Label end = new Label();
        Label last = new Label();
        Label loop = new Label();
        code.compare(VECTORS, 1);
        code.jump(NOT_ZERO, plain);
        rows(pass, width, true, true);
        code.jump(end);
        code.bind(plain);
        rows(pass, width, true, false);
        code.add(POINTER, bytes);
        code.mov(RAX, bytes);
        code.mov(RCX, VECTORS);
        code.sub(RCX, 2);
        code.jump(ZERO, last);
        code.align(16);
        code.bind(loop);
        rows(pass, width, false, false);
        code.add(POINTER, bytes);
        code.add(RAX, bytes);
        code.dec(RCX);
        code.jump(NOT_ZERO, loop);
        code.bind(last);
        rows(pass, width, false, true);
        code.bind(end);
        reduce(width);
        v.storePart(sumOf(0), sums, group * element);
        if (pass == Pass.SUMS && above) {
            addRow(width);
        }
    }

    private void row(Gp base) {
        code.mov(POINTER, base);
        code.load(RAX, slot(ReflectFrame.ROW));
        code.add(POINTER, RAX);
    }

    /** The products of v with the columns, times the factor: v's sums below its one are known but for a scale. */
    private void factors(int width, boolean above) {
        row(C);
        int found = 0;
        for (int i = 0; i < width; i++) {
            found = factor(i * unit, sum(i, 0), column(POINTER, i), sumOf(i)) - i * unit;
        }
        if (above) {
            Label within = within();
            for (int i = 0; i < width; i++) {
                takeOff(found + i * unit, found == 0 ? sum(i, 0) : i * unit, column(POINTER, i));
            }
            code.bind(within);
        }
        for (int i = 0; i < width * unit; i++) {
            v.broadcast(i, found + i);
        }
    }

    /** The first register of the factor of a column: one of the two, each with a second one behind it for complex numbers. */
    final int factor(int to, int other, Mem row, Mem sum) {
        v.loadOne(to, row);
        v.loadOne(other, sum);
        v.fmaOne(to, other, slot(ReflectFrame.SCALE));
        if (!complex) {
            v.mulOne(to, to, slot(ReflectFrame.FACTOR));
            return to;
        }
        int im = to + 1;
        int otherIm = other + 1;
        v.loadOne(im, second(row));
        v.loadOne(otherIm, second(sum));
        v.fmaOne(to, otherIm, imaginary(ReflectFrame.SCALE));
        v.fmaOne(im, otherIm, slot(ReflectFrame.SCALE));
        v.fnmaOne(im, other, imaginary(ReflectFrame.SCALE));
        v.mulOne(other, to, slot(ReflectFrame.FACTOR));
        v.fnmaOne(other, im, imaginary(ReflectFrame.FACTOR));
        v.mulOne(otherIm, im, slot(ReflectFrame.FACTOR));
        v.fmaOne(otherIm, to, imaginary(ReflectFrame.FACTOR));
        return other;
    }

    /** What follows is done where the row of v's one is above the first vector. */
    final Label within() {
        Label within = new Label();
        code.load(RCX, slot(ReflectFrame.PLACE));
        code.test(RCX, RCX);
        code.jump(NOT_ZERO, within);
        return within;
    }

    /** An element less a factor. */
    final void takeOff(int factor, int other, Mem row) {
        for (int part = 0; part < unit; part++) {
            Mem m = part == 0 ? row : second(row);
            v.loadOne(other, m);
            v.subOne(other, other, factor + part);
            v.storeOne(m, other);
        }
    }

    /** Where v's one is above the first vector: its row's elements belong to the sums. */
    private void addRow(int width) {
        Label within = within();
        row(C);
        for (int i = 0; i < width; i++) {
            for (int part = 0; part < unit; part++) {
                Mem sum = part == 0 ? sumOf(i) : second(sumOf(i));
                v.loadOne(0, part == 0 ? column(POINTER, i) : second(column(POINTER, i)));
                v.addOne(0, 0, sum);
                v.storeOne(sum, 0);
            }
        }
        code.bind(within);
    }

    final void load(int to, Mem m, boolean masked) {
        if (masked) {
            v.loadMasked(to, m, MASK);
        } else {
            v.load(to, m);
        }
    }

    final void store(Mem m, int from, boolean masked) {
        if (masked) {
            v.storeMasked(m, from, MASK);
        } else {
            v.store(m, from);
        }
    }

    private void rows(Pass pass, int width, boolean first, boolean masked) {
        boolean both = pass == Pass.BOTH;
        load(vector, first ? Mem.at(RDI, ReflectFrame.V) : Mem.at(V, RAX, 1, 0), !first && masked);
        if (both) {
            load(next, first ? Mem.at(RDI, ReflectFrame.Y) : Mem.at(Y, RAX, 1, 0), !first && masked);
        }
        int factor = both ? next : vector;
        if (complex) {
            turn(vector + 2, vector);
            if (both) {
                turn(next + 2, next);
            }
        }
        for (int i = 0; i < width; i++) {
            int own = spare + i % 3;
            Mem m = column(POINTER, i);
            load(own, m, masked);
            for (int part = 0; part < unit && both; part++) {
                v.fnma(own, vector + 2 * part, i * unit + part);
            }
            if (both) {
                store(m, own, masked);
            }
            for (int part = 0; part < unit; part++) {
                if (first) {
                    v.mul(sum(i, part), factor + 2 * part, own);
                } else {
                    v.fma(sum(i, part), factor + 2 * part, own);
                }
            }
        }
    }

    /** The sums of some registers, in the elements of the first. */
    private void reduce(int width) {
        int n = width * unit;
        int[] r = new int[n];
        for (int i = 0; i < n; i++) {
            r[i] = sums + i;
        }
        for (int part = size; part < bytes; part *= 2) {
            for (int i = 0; i < n; i += 2) {
                int a = r[i];
                int b = r[Math.min(i + 1, n - 1)];
                if (part < 16) {
                    Real by = part == 4 ? Real.F32 : Real.F64;
                    v.unpackLanes(by, false, vector, a, b);
                    v.unpackLanes(by, true, next, a, b);
                } else {
                    v.lanes(false, vector, a, b);
                    v.lanes(true, next, a, b);
                }
                v.add(r[i / 2], vector, next);
            }
            n = (n + 1) / 2;
        }
    }
}
