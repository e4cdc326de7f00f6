package dev.basalt.host.assembled.batch;

import static dev.basalt.host.assembled.x86.Emitter.Condition.LESS;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
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

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * Reflectors of one problem a lane: what {@link BatchReflectCode} and {@link BatchApplyCode} do to columns. Elements of complex problems are a vector of real
 * parts and one of imaginary parts behind it.
 */
abstract class ReflectLanes {
    /** Bytes from column to column, of the reflectors and of what they are applied to. A slot of the frame. */
    static final int PITCH = 5;

    /** The vector of the frame that has the factor of the reflector, the conjugate of tau where Hᴴ is applied. */
    static final int FACTOR = 0;

    static final Gp[] SAVED = {RBX, RBP, R12, R13, R14, R15};

    final Emitter code = new Emitter();
    final BatchLanes lanes;
    final Vectors v;
    final boolean complex;
    /** Bytes of an element of all lanes. */
    final int element;
    /** Bytes of a vector. */
    final int bytes;
    /** Columns that share the loads of the reflector. */
    private final int group;
    private final int unit;

    ReflectLanes(Shape shape, boolean complex) {
        this.complex = complex;
        this.unit = complex ? 2 : 1;
        this.bytes = shape.isa().bytes;
        this.element = unit * bytes;
        this.lanes = new BatchLanes(code, shape);
        this.v = lanes.v;
        this.group = (shape.isa() == Isa.AVX512 ? 8 : 4) / unit;
    }

    static Mem slot(int index) {
        return Mem.at(RDI, 8 * index);
    }

    static Mem vector(int index) {
        return Mem.at(RDI, BatchFrame.vector(index));
    }

    /** R8: bytes between columns; R9: three times that. */
    final void enter() {
        for (Gp saved : SAVED) {
            code.push(saved);
        }
        code.load(R8, slot(PITCH));
        code.lea(R9, Mem.at(R8, R8, 2, 0));
    }

    final void leave() {
        for (int i = SAVED.length - 1; i >= 0; i--) {
            code.pop(SAVED[i]);
        }
        code.finish();
    }

    /**
     * Applies a reflector to the columns from R12 on, which is in the row of the reflector's one and is overwritten; R13: how many, overwritten too. R14: the one of
     * the reflector, RBP: rows below it.
     */
    final void columns() {
        Label top = new Label();
        Label tails = new Label();
        Label end = new Label();
        code.bind(top);
        code.compare(R13, group);
        code.jump(LESS, tails);
        group(group);
        code.lea(R12, Mem.at(R12, R8, group, 0));
        code.add(R13, -group);
        code.jump(top);
        code.bind(tails);
        for (int width = group - 1; width > 0; width--) {
            Label other = new Label();
            code.compare(R13, width);
            code.jump(NOT_ZERO, other);
            group(width);
            code.jump(end);
            code.bind(other);
        }
        code.bind(end);
    }

    /** A part of an element of column {@code i}; RDX is that of column 0, R11 of column 4. */
    private Mem column(int i, int part) {
        Gp base = i < 4 ? RDX : R11;
        return switch (i % 4) {
            case 0 -> Mem.at(base, part * bytes);
            case 1 -> Mem.at(base, R8, 1, part * bytes);
            case 2 -> Mem.at(base, R8, 2, part * bytes);
            default -> Mem.at(base, R9, 1, part * bytes);
        };
    }

    /** RDX and R11 go to the row of the one. */
    private void first(int width) {
        code.mov(RDX, R12);
        if (width > 4) {
            code.lea(R11, Mem.at(RDX, R8, 4, 0));
        }
    }

    private void next(int width) {
        code.add(RSI, element);
        code.add(RDX, element);
        if (width > 4) {
            code.add(R11, element);
        }
    }

    /** The reflector's vector is in the registers behind the sums, what is loaded of columns in those behind it. */
    private int x() {
        return group * unit;
    }

    private int own(int i) {
        return x() + unit + i % 2 * unit;
    }

    private void group(int width) {
        Label none = new Label();
        Label end = new Label();
        first(width);
        for (int i = 0; i < width; i++) {
            for (int part = 0; part < unit; part++) {
                v.load(i * unit + part, column(i, part));
            }
        }
        code.test(RBP, RBP);
        code.jump(ZERO, none);
        code.mov(RCX, RBP);
        code.lea(RSI, Mem.at(R14, element));
        next(width, RDX);
        Label sums = new Label();
        code.align(16);
        code.bind(sums);
        loadReflector();
        for (int i = 0; i < width; i++) {
            product(i);
        }
        next(width);
        code.dec(RCX);
        code.jump(NOT_ZERO, sums);
        code.bind(none);
        factors(width);
        first(width);
        for (int i = 0; i < width; i++) {
            for (int part = 0; part < unit; part++) {
                v.load(own(i) + part, column(i, part));
                v.sub(own(i) + part, own(i) + part, i * unit + part);
                v.store(column(i, part), own(i) + part);
            }
        }
        code.test(RBP, RBP);
        code.jump(ZERO, end);
        code.mov(RCX, RBP);
        code.lea(RSI, Mem.at(R14, element));
        next(width, RDX);
        Label update = new Label();
        code.align(16);
        code.bind(update);
        loadReflector();
        for (int i = 0; i < width; i++) {
            takeOff(i);
        }
        next(width);
        code.dec(RCX);
        code.jump(NOT_ZERO, update);
        code.bind(end);
    }

    /** Only the columns go on. */
    private void next(int width, Gp columns) {
        code.add(columns, element);
        if (width > 4) {
            code.add(R11, element);
        }
    }

    private void loadReflector() {
        for (int part = 0; part < unit; part++) {
            v.load(x() + part, Mem.at(RSI, part * bytes));
        }
    }

    /** The sum of a column += conj(v)·c. */
    private void product(int i) {
        if (!complex) {
            v.fma(i, x(), column(i, 0));
            return;
        }
        int own = own(i);
        v.load(own, column(i, 0));
        v.load(own + 1, column(i, 1));
        v.fma(2 * i, x(), own);
        v.fma(2 * i + 1, x(), own + 1);
        v.fma(2 * i, x() + 1, own + 1);
        v.fnma(2 * i + 1, x() + 1, own);
    }

    /** c - v·sum. */
    private void takeOff(int i) {
        int own = own(i);
        for (int part = 0; part < unit; part++) {
            v.load(own + part, column(i, part));
        }
        v.fnma(own, x(), i * unit);
        if (complex) {
            v.fnma(own + 1, x(), 2 * i + 1);
            v.fma(own, x() + 1, 2 * i + 1);
            v.fnma(own + 1, x() + 1, 2 * i);
        }
        for (int part = 0; part < unit; part++) {
            v.store(column(i, part), own + part);
        }
    }

    /** The sums times the factor. */
    private void factors(int width) {
        for (int part = 0; part < unit; part++) {
            v.load(x() + part, vector(FACTOR + part));
        }
        for (int i = 0; i < width; i++) {
            if (!complex) {
                v.mul(i, i, x());
                continue;
            }
            int own = own(i);
            v.mul(own, 2 * i + 1, x() + 1);
            v.mul(own + 1, 2 * i, x() + 1);
            v.mul(2 * i, 2 * i, x());
            v.mul(2 * i + 1, 2 * i + 1, x());
            v.sub(2 * i, 2 * i, own);
            v.add(2 * i + 1, 2 * i + 1, own + 1);
        }
    }

    final void count(Gp register, int slot) {
        code.load(register, slot(slot));
    }

    /** One step less; jumps if there is another one. */
    final void again(int slot, Label top) {
        code.load(RAX, slot(slot));
        code.dec(RAX);
        code.store(slot(slot), RAX);
        code.jump(NOT_ZERO, top);
    }
}
