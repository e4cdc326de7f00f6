package dev.basalt.host.assembled.reflect;

import static dev.basalt.host.assembled.reflect.ReflectFrame.slot;
import static dev.basalt.host.assembled.x86.Emitter.Condition.BELOW;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RCX;
import static dev.basalt.host.assembled.x86.Gp.RDI;
import static dev.basalt.host.assembled.x86.Gp.RDX;

import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.X86Op;

/**
 * Householder QR of a panel, column by column. Before a column's turn its products with itself and with those right of it are known: the pass of
 * the reflector before has made them, or one that begins the panel. The numbers of the next reflector are made before the pass of this one, which hides how long square root and divisions take.
 *
 * <p>Stops at the first column whose sum of squares below the diagonal may have lost something to underflow or overflow, is zero or NaN, and returns its number:
 * everything before it is done.
 */
final class QrPanelCode extends PassCode {
    // Registers of what is done to a column and the next one.
    private static final int SUM = 0;
    private static final int FACTOR = 2;
    private static final int X = 3;
    private static final int NEXT = 4;
    private static final int SCALE = 5;
    private static final int FROM = 6;
    private static final int KEPT = 7;
    private static final int TURNED = 8;
    private static final int FACTOR_IM = 9;
    private static final int SCALE_IM = 10;
    /** Two registers. */
    private static final int FACTORS = 11;

    /** Vectors of a column of T that are made at a time. */
    private static final int CHUNK = 4;

    private final Label numbers = new Label();

    private QrPanelCode(Shape shape, boolean complex, long constants) {
        super(shape, complex, constants);
    }

    /**
     * Writes the kernel.
     *
     * @param shape registers
     * @param complex whether elements are complex
     * @param constants of {@link PassCode}
     * @return code
     */
    static byte[] write(Shape shape, boolean complex, long constants) {
        QrPanelCode panel = new QrPanelCode(shape, complex, constants);
        panel.write();
        return panel.code.code();
    }

    /** The sum of a column behind the reflector's. */
    private Mem sumOf(int behind) {
        return Mem.at(SUMS, behind * element);
    }

    /** {@link #SUMS} becomes the address of the reflector's sum. */
    private void sums() {
        code.mov(SUMS, J);
        code.shl(SUMS, Integer.numberOfTrailingZeros(element));
        code.lea(SUMS, Mem.at(RDI, SUMS, 1, ReflectFrame.SUMS));
    }

    private Mem number(int index) {
        return Mem.at(RAX, 8 * index);
    }

    private void write() {
        enter();
        steps(ReflectFrame.LD);
        code.load(J, slot(ReflectFrame.FIRST));
        Label started = started();
        code.lea(POINTER, Mem.at(J, 1));
        reflectorColumn();
        code.mov(C, V);
        code.load(COLUMNS, slot(ReflectFrame.N));
        code.sub(COLUMNS, J);
        sums();
        start(true);
        code.bind(started);
        diagonal(J);
        sums();
        v.loadOne(SUM, sumOf(0));
        reflector(Mem.at(POINTER, 0));
        Label top = new Label();
        Label end = new Label();
        Label alone = new Label();
        code.bind(top);
        code.load(RAX, slot(ReflectFrame.END));
        code.compare(J, RAX);
        code.jump(ZERO, end);
        sums();
        code.lea(RAX, numbers);
        v.loadOne(0, sumOf(0));
        compare(0, number(0));
        code.jump(BELOW, end);
        v.loadOne(0, number(1));
        compare(0, slot(ReflectFrame.NEXT_SQUARE));
        code.jump(BELOW, end);
        begin();
        code.load(COLUMNS, slot(ReflectFrame.N));
        code.sub(COLUMNS, J);
        code.dec(COLUMNS);
        code.jump(ZERO, alone);
        both();
        code.lea(POINTER, Mem.at(POINTER, STEP, 1, element));
        reflector(Mem.at(POINTER, 0));
        code.lea(C, Mem.at(Y, STEP, 1, 0));
        code.lea(SUMS, sumOf(2));
        code.dec(COLUMNS);
        update(true);
        Label following = new Label();
        code.jump(following);
        code.bind(alone);
        scale();
        code.bind(following);
        triangle();
        code.add(J, 1);
        code.jump(top);
        code.bind(end);
        leave();
        code.align(8);
        code.bind(numbers);
        boolean f64 = shape.precision() == Real.F64;
        double[] values = {
                f64 ? Reflectors.SMALLEST : Reflectors.SMALLEST_FLOAT,
                f64 ? Double.MAX_VALUE / 8 : Float.MAX_VALUE / 8,
                1};
        for (double value : values) {
            code.data(f64 ? Double.doubleToRawLongBits(value) : Float.floatToRawIntBits((float) value));
        }
        code.data(f64 ? Long.MIN_VALUE : 1L << 31);
    }

    private void compare(int a, Mem b) {
        v.low(X86Op.UCOMIS, 16, a, 0, b);
    }

    /** {@link #POINTER} becomes the address of a diagonal element. */
    private void diagonal(Gp index) {
        code.lea(POINTER, Mem.at(STEP, element));
        code.multiply(POINTER, index);
        code.load(RAX, slot(ReflectFrame.A));
        code.add(POINTER, RAX);
    }

    /** The numbers of a reflector from the sum of squares below its diagonal element. */
    private void reflector(Mem alpha) {
        code.lea(RAX, numbers);
        v.loadOne(1, alpha);
        v.fmaOne(0, 1, 1);
        if (complex) {
            v.loadOne(6, second(alpha));
            v.fmaOne(0, 6, 6);
        }
        v.storeOne(slot(ReflectFrame.NEXT_SQUARE), 0);
        v.sqrtOne(3, 0);
        v.loadOne(4, number(3));
        v.andNot(7, 1, 4);
        v.or(3, 3, 7);
        v.storeOne(slot(ReflectFrame.NEXT_BETA), 3);
        v.subOne(5, 3, 1);
        v.divOne(7, 5, 3);
        v.storeOne(slot(ReflectFrame.NEXT_FACTOR), 7);
        v.subOne(5, 1, 3);
        if (!complex) {
            v.loadOne(2, number(2));
            v.divOne(2, 2, 5);
            v.storeOne(slot(ReflectFrame.NEXT_SCALE), 2);
            return;
        }
        // The conjugate of tau, and the reciprocal of alpha - beta.
        v.divOne(7, 6, 3);
        v.storeOne(imaginary(ReflectFrame.NEXT_FACTOR), 7);
        v.mulOne(0, 5, 5);
        v.fmaOne(0, 6, 6);
        v.divOne(5, 5, 0);
        v.storeOne(slot(ReflectFrame.NEXT_SCALE), 5);
        v.divOne(6, 6, 0);
        v.zero(5);
        v.subOne(5, 5, 6);
        v.storeOne(imaginary(ReflectFrame.NEXT_SCALE), 5);
    }

    /** The first vector of the reflector; where things are. {@link #POINTER} is the diagonal element at the end. */
    private void begin() {
        for (int part = 0; part < unit; part++) {
            code.load(RAX, slot(ReflectFrame.NEXT_FACTOR + part));
            code.store(slot(ReflectFrame.FACTOR + part), RAX);
            code.load(RAX, slot(ReflectFrame.NEXT_SCALE + part));
            code.store(slot(ReflectFrame.SCALE + part), RAX);
        }
        code.load(RAX, slot(ReflectFrame.TAU));
        code.mov(RCX, J);
        code.shl(RCX, Integer.numberOfTrailingZeros(element));
        code.add(RAX, RCX);
        v.loadOne(0, slot(ReflectFrame.FACTOR));
        v.storeOne(Mem.at(RAX, 0), 0);
        if (complex) {
            v.zero(0);
            v.subOne(0, 0, imaginary(ReflectFrame.FACTOR));
            v.storeOne(Mem.at(RAX, size), 0);
        }
        code.lea(POINTER, Mem.at(J, 1));
        reflectorColumn();
        // The row of the reflector, from the first vector on.
        code.lea(Y, Mem.at(V, STEP, 1, 0));
        code.mov(RCX, J);
        code.shl(RCX, Integer.numberOfTrailingZeros(element));
        code.sub(RCX, POINTER);
        code.store(slot(ReflectFrame.ROW), RCX);
        code.lea(POINTER, Mem.at(V, RCX, 1, 0));
        v.broadcast(SCALE, slot(ReflectFrame.SCALE));
        if (complex) {
            v.broadcast(SCALE_IM, imaginary(ReflectFrame.SCALE));
        }
        v.load(FROM, from());
        Label plain = new Label();
        Label end = new Label();
        code.compare(VECTORS, 1);
        code.jump(NOT_ZERO, plain);
        firstVector(true);
        code.jump(end);
        code.bind(plain);
        firstVector(false);
        code.bind(end);
        v.loadOne(0, slot(ReflectFrame.NEXT_BETA));
        v.storeOne(Mem.at(POINTER, 0), 0);
        if (complex) {
            v.zero(0);
            v.storeOne(Mem.at(POINTER, size), 0);
        }
    }

    /** x := x·scale, from one register to another. */
    private void scaled(int to, int from) {
        v.mul(to, from, SCALE);
        if (complex) {
            turn(TURNED, from);
            v.fma(to, TURNED, SCALE_IM);
        }
    }

    /** The next column's vector less the reflector's times the factor. */
    private void takeOff() {
        v.fnma(NEXT, X, FACTOR);
        if (complex) {
            turn(TURNED, X);
            v.fnma(NEXT, TURNED, FACTOR_IM);
        }
    }

    /** The place of a row, and {@link #V}. */
    private void reflectorColumn() {
        code.mov(V, J);
        code.multiply(V, STEP);
        code.load(RAX, slot(ReflectFrame.A));
        code.add(V, RAX);
        place(POINTER, RCX);
        code.add(V, POINTER);
    }

    private void firstVector(boolean masked) {
        load(NEXT, Mem.at(V, 0), masked);
        scaled(X, NEXT);
        v.and(X, X, FROM);
        v.andNot(KEPT, FROM, NEXT);
        v.or(KEPT, KEPT, X);
        store(Mem.at(V, 0), KEPT, masked);
        v.or(X, X, oneBefore());
        v.store(Mem.at(RDI, ReflectFrame.V), X);
    }

    /** The reflector's column is scaled, the next one updated and its squares are summed. */
    private void both() {
        // X and what is in the registers of the scale stay; RAX does, too.
        Mem row = Mem.at(POINTER, STEP, 1, 0);
        int first = factor(0, FACTORS, row, sumOf(1));
        Label within = within();
        takeOff(first, first == 0 ? FACTORS : 0, row);
        code.bind(within);
        v.broadcast(FACTOR, first);
        if (complex) {
            v.broadcast(FACTOR_IM, first + 1);
        }
        Label plain = new Label();
        Label end = new Label();
        code.compare(VECTORS, 1);
        code.jump(NOT_ZERO, plain);
        firstOfNext(true);
        code.jump(end);
        code.bind(plain);
        firstOfNext(false);
        rest(true);
        code.bind(end);
        v.sum();
        v.storeOne(sumOf(1), 0);
    }

    private void firstOfNext(boolean masked) {
        load(NEXT, Mem.at(Y, 0), masked);
        takeOff();
        store(Mem.at(Y, 0), NEXT, masked);
        v.and(NEXT, NEXT, behind());
        v.store(Mem.at(RDI, ReflectFrame.Y), NEXT);
        v.mul(SUM, NEXT, NEXT);
    }

    /** The last column. */
    private void scale() {
        Label end = new Label();
        code.compare(VECTORS, 1);
        code.jump(ZERO, end);
        rest(false);
        code.bind(end);
    }

    /** All vectors after the first, at least one. */
    private void rest(boolean withNext) {
        Label loop = new Label();
        Label last = new Label();
        code.mov(RAX, bytes);
        code.mov(RCX, VECTORS);
        code.sub(RCX, 2);
        code.jump(ZERO, last);
        code.bind(loop);
        restVector(withNext, false);
        code.add(RAX, bytes);
        code.dec(RCX);
        code.jump(NOT_ZERO, loop);
        code.bind(last);
        restVector(withNext, true);
    }

    private void restVector(boolean withNext, boolean masked) {
        load(KEPT, Mem.at(V, RAX, 1, 0), masked);
        scaled(X, KEPT);
        store(Mem.at(V, RAX, 1, 0), X, masked);
        if (withNext) {
            load(NEXT, Mem.at(Y, RAX, 1, 0), masked);
            takeOff();
            store(Mem.at(Y, RAX, 1, 0), NEXT, masked);
            v.fma(SUM, NEXT, NEXT);
        }
    }

    /** The column of T, if it is wanted: from the products of the reflector with those before it. */
    private void triangle() {
        Label end = new Label();
        code.load(RAX, slot(ReflectFrame.TRIANGLE));
        code.test(RAX, RAX);
        code.jump(ZERO, end);
        code.load(C, slot(ReflectFrame.A));
        code.load(RAX, slot(ReflectFrame.DOWN));
        code.add(C, RAX);
        code.lea(SUMS, Mem.at(RDI, ReflectFrame.PRODUCTS));
        code.mov(COLUMNS, J);
        multiply(true);
        int vectors = ReflectFrame.WIDEST / lanes;
        for (int from = 0; from < vectors; from += CHUNK) {
            chunk(from * bytes, Math.min(CHUNK, vectors - from));
        }
        // RDX is where the column of T begins.
        code.mov(RCX, J);
        code.shl(RCX, Integer.numberOfTrailingZeros(element));
        code.add(RDX, RCX);
        v.loadOne(0, slot(ReflectFrame.FACTOR));
        v.storeOne(Mem.at(RDX, 0), 0);
        if (complex) {
            v.zero(0);
            v.subOne(0, 0, imaginary(ReflectFrame.FACTOR));
            v.storeOne(Mem.at(RDX, size), 0);
        }
        code.bind(end);
    }

    /** Some vectors of the column of T: those before it times the products, times -tau. */
    private void chunk(int offset, int vectors) {
        int column = ReflectFrame.WIDEST * element;
        for (int i = 0; i < vectors; i++) {
            v.zero(i);
        }
        code.lea(RDX, Mem.at(RDI, ReflectFrame.T));
        code.lea(RAX, Mem.at(RDI, ReflectFrame.PRODUCTS));
        code.mov(RCX, J);
        Label loop = new Label();
        Label done = new Label();
        code.test(RCX, RCX);
        code.jump(ZERO, done);
        code.bind(loop);
        v.broadcast(CHUNK, Mem.at(RAX, 0));
        if (complex) {
            v.broadcast(CHUNK + 1, Mem.at(RAX, size));
        }
        for (int i = 0; i < vectors; i++) {
            v.load(CHUNK + 2, Mem.at(RDX, offset + i * bytes));
            v.fnma(i, CHUNK, CHUNK + 2);
            if (complex) {
                // The sums are the conjugates of what T is made of.
                turn(CHUNK + 3, CHUNK + 2);
                v.fma(i, CHUNK + 1, CHUNK + 3);
            }
        }
        code.add(RAX, element);
        code.add(RDX, column);
        code.dec(RCX);
        code.jump(NOT_ZERO, loop);
        code.bind(done);
        v.broadcast(CHUNK, slot(ReflectFrame.FACTOR));
        if (complex) {
            v.broadcast(CHUNK + 1, imaginary(ReflectFrame.FACTOR));
        }
        for (int i = 0; i < vectors; i++) {
            v.mul(CHUNK + 2, i, CHUNK);
            if (complex) {
                turn(CHUNK + 3, i);
                v.fnma(CHUNK + 2, CHUNK + 3, CHUNK + 1);
            }
            v.store(Mem.at(RDX, offset + i * bytes), CHUNK + 2);
        }
    }
}
