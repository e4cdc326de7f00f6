package dev.basalt.host.assembled.reflect;

import static dev.basalt.host.assembled.reflect.ReflectFrame.slot;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RCX;
import static dev.basalt.host.assembled.x86.Gp.RDI;

import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/**
 * Applies reflectors to the columns of another matrix, from the first to the last or from the last to the first. The third variant makes the columns of Q in the
 * place of the reflectors, from the last to the first: each is applied to the columns behind its own, then its own becomes that of the identity less its multiple.
 *
 * <p>The first pass makes the sums of the columns with the first reflector to be applied.
 */
final class ApplyCode extends PassCode {
    static final int ASCENDING = 0;
    static final int DESCENDING = 1;
    static final int FORM = 2;
    static final int VARIANTS = 3;

    private static final int X = 3;
    private static final int NEXT = 4;
    private static final int NEGATIVE = 5;
    private static final int SUM = 0;
    private static final int NEGATIVE_IM = 6;
    private static final int TURNED = 7;
    private static final int KEPT = 8;
    private static final int SUM_IM = 9;
    private static final int ZEROS = 10;

    private final boolean ascending;
    private final boolean form;

    private ApplyCode(Shape shape, boolean complex, long constants, int variant) {
        super(shape, complex, constants);
        this.ascending = variant == ASCENDING;
        this.form = variant == FORM;
    }

    /**
     * Writes a kernel.
     *
     * @param shape registers
     * @param complex whether elements are complex
     * @param constants of {@link PassCode}
     * @param variant which
     * @return code
     */
    static byte[] write(Shape shape, boolean complex, long constants, int variant) {
        ApplyCode apply = new ApplyCode(shape, complex, constants, variant);
        apply.write();
        return apply.code.code();
    }

    private void write() {
        enter();
        steps(ReflectFrame.LDC);
        // The scale of finished reflectors is 1.
        Label numbers = new Label();
        code.lea(RAX, numbers);
        code.load(RCX, Mem.at(RAX, 0));
        code.store(slot(ReflectFrame.SCALE), RCX);
        code.mov(RCX, 0);
        code.store(imaginary(ReflectFrame.SCALE), RCX);
        code.store(imaginary(ReflectFrame.FACTOR), RCX);
        code.load(J, slot(ReflectFrame.FIRST));
        Label started = started();
        reflector();
        columns();
        if (form) {
            code.test(COLUMNS, COLUMNS);
            code.jump(ZERO, started);
        }
        start(ascending);
        code.bind(started);
        Label top = new Label();
        Label end = new Label();
        code.bind(top);
        code.load(RAX, slot(ReflectFrame.END));
        code.compare(J, RAX);
        code.jump(ZERO, end);
        begin();
        columns();
        Label none = new Label();
        if (form) {
            code.test(COLUMNS, COLUMNS);
            code.jump(ZERO, none);
        }
        update(ascending);
        code.bind(none);
        if (form) {
            own();
        }
        code.add(J, ascending ? 1 : -1);
        code.jump(top);
        code.bind(end);
        leave();
        code.align(8);
        code.bind(numbers);
        code.data(size == 8 ? Double.doubleToRawLongBits(1) : Float.floatToRawIntBits(1));
    }

    /** The columns that the reflector is applied to; {@code RAX} stays. */
    private void columns() {
        code.load(C, slot(ReflectFrame.C));
        code.load(RCX, slot(ReflectFrame.DOWN));
        code.add(C, RCX);
        code.load(COLUMNS, slot(ReflectFrame.N));
        code.lea(SUMS, Mem.at(RDI, ReflectFrame.SUMS));
        if (form) {
            // The columns behind the reflector's.
            code.mov(RCX, J);
            code.add(RCX, 1);
            code.sub(COLUMNS, RCX);
            code.mov(R12, RCX);
            code.shl(R12, Integer.numberOfTrailingZeros(element));
            code.add(SUMS, R12);
            code.multiply(RCX, STEP);
            code.add(C, RCX);
        }
    }

    /** The first vectors of this reflector and the next; where things are. */
    private void begin() {
        code.load(RAX, slot(ReflectFrame.TAU));
        code.mov(RCX, J);
        code.shl(RCX, Integer.numberOfTrailingZeros(element));
        code.add(RAX, RCX);
        v.loadOne(0, Mem.at(RAX, 0));
        v.storeOne(slot(ReflectFrame.FACTOR), 0);
        if (complex) {
            v.loadOne(0, Mem.at(RAX, size));
            if (ascending) {
                // That is the conjugate transpose.
                v.zero(1);
                v.subOne(0, 1, 0);
            }
            v.storeOne(imaginary(ReflectFrame.FACTOR), 0);
        }
        reflector();
        code.mov(RCX, J);
        code.shl(RCX, Integer.numberOfTrailingZeros(element));
        code.sub(RCX, R12);
        code.store(slot(ReflectFrame.ROW), RCX);
        Label plain = new Label();
        Label end = new Label();
        code.compare(VECTORS, 1);
        code.jump(NOT_ZERO, plain);
        first(true);
        code.jump(end);
        code.bind(plain);
        first(false);
        code.bind(end);
    }

    /** The place of the pass, {@link #V} and {@link #Y}. */
    private void reflector() {
        code.load(RCX, slot(ReflectFrame.LD));
        code.mov(V, J);
        code.multiply(V, RCX);
        code.load(RAX, slot(ReflectFrame.A));
        code.add(V, RAX);
        code.mov(Y, V);
        if (ascending) {
            code.add(Y, RCX);
        } else {
            code.sub(Y, RCX);
        }
        code.lea(R12, Mem.at(J, ascending ? 1 : 0));
        place(R12, RCX);
        code.add(V, R12);
        code.add(Y, R12);
    }

    private void first(boolean masked) {
        load(X, Mem.at(V, 0), masked);
        v.and(X, X, ascending ? from() : behind());
        v.or(X, X, ascending ? oneBefore() : one());
        v.store(Mem.at(RDI, ReflectFrame.V), X);
        // There is no next one of the last, and its sums are not used.
        Label other = new Label();
        code.lea(RCX, Mem.at(J, ascending ? 1 : -1));
        Gp limit = R12;
        code.load(limit, slot(ReflectFrame.LIMIT));
        code.compare(RCX, limit);
        code.jump(NOT_ZERO, other);
        code.mov(Y, V);
        code.bind(other);
        load(NEXT, Mem.at(Y, 0), masked);
        v.and(NEXT, NEXT, ascending ? behind() : from());
        v.store(Mem.at(RDI, ReflectFrame.Y), NEXT);
    }

    /** The reflector's own column, and its sum with the next. */
    private void own() {
        Label plain = new Label();
        Label end = new Label();
        Label loop = new Label();
        Label last = new Label();
        v.zero(NEGATIVE);
        // Above its first vector the column is that of the identity.
        Label above = new Label();
        Label within = new Label();
        code.mov(R12, V);
        code.load(RCX, slot(ReflectFrame.DOWN));
        code.bind(above);
        code.test(RCX, RCX);
        code.jump(ZERO, within);
        code.add(R12, -bytes);
        v.store(Mem.at(R12, 0), NEGATIVE);
        code.add(RCX, -bytes);
        code.jump(above);
        code.bind(within);
        v.zero(ZEROS);
        v.broadcast(X, slot(ReflectFrame.FACTOR));
        v.sub(NEGATIVE, ZEROS, X);
        if (complex) {
            v.broadcast(X, imaginary(ReflectFrame.FACTOR));
            v.sub(NEGATIVE_IM, ZEROS, X);
        }
        v.load(KEPT, Mem.at(RDI, ReflectFrame.V));
        multiple();
        v.load(NEXT, Mem.at(RDI, ReflectFrame.Y));
        code.compare(VECTORS, 1);
        code.jump(NOT_ZERO, plain);
        store(Mem.at(V, 0), X, true);
        products(true);
        code.jump(end);
        code.bind(plain);
        store(Mem.at(V, 0), X, false);
        products(true);
        code.mov(RAX, bytes);
        code.mov(RCX, VECTORS);
        code.sub(RCX, 2);
        code.jump(ZERO, last);
        code.bind(loop);
        ownVector(false);
        code.add(RAX, bytes);
        code.dec(RCX);
        code.jump(NOT_ZERO, loop);
        code.bind(last);
        ownVector(true);
        code.bind(end);
        v.sum();
        // The diagonal element becomes larger by one: so does the sum, by y's element there, conjugated.
        code.load(RAX, slot(ReflectFrame.ROW));
        code.mov(RCX, J);
        code.shl(RCX, Integer.numberOfTrailingZeros(element));
        code.lea(RCX, Mem.at(RDI, RCX, 1, ReflectFrame.SUMS));
        v.addOne(SUM, SUM, Mem.at(Y, RAX, 1, 0));
        v.storeOne(Mem.at(RCX, 0), SUM);
        if (complex) {
            v.or(SUM, SUM_IM, SUM_IM);
            v.sum();
            v.subOne(SUM, SUM, Mem.at(Y, RAX, 1, size));
            v.storeOne(Mem.at(RCX, size), SUM);
        }
        v.loadOne(1, Mem.at(V, RAX, 1, 0));
        v.addOne(1, 1, slot(ReflectFrame.SCALE));
        v.storeOne(Mem.at(V, RAX, 1, 0), 1);
    }

    /** X := the kept vector times -tau. */
    private void multiple() {
        v.mul(X, KEPT, NEGATIVE);
        if (complex) {
            turn(TURNED, KEPT);
            v.fma(X, TURNED, NEGATIVE_IM);
        }
    }

    /** The sums of conjugated elements of the next reflector and the column's. */
    private void products(boolean first) {
        if (complex) {
            turn(TURNED, NEXT);
        }
        if (first) {
            v.mul(SUM, NEXT, X);
        } else {
            v.fma(SUM, NEXT, X);
        }
        if (complex && first) {
            v.mul(SUM_IM, TURNED, X);
        } else if (complex) {
            v.fma(SUM_IM, TURNED, X);
        }
    }

    private void ownVector(boolean masked) {
        load(KEPT, Mem.at(V, RAX, 1, 0), masked);
        multiple();
        store(Mem.at(V, RAX, 1, 0), X, masked);
        load(NEXT, Mem.at(Y, RAX, 1, 0), masked);
        products(false);
    }
}
