package dev.basalt.host.assembled.factor;

import static dev.basalt.host.assembled.x86.Emitter.Condition.BELOW;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_BELOW;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.PARITY;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Lanes;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * Part of {@link PivotCode}: divides a column below its pivot by the pivot, that is, multiplies it with the reciprocal. Where
 * that may overflow, pivot and column are multiplied with a power of two before. The reciprocal of a complex number is
 * Smith's (Algorithm 116, 1962).
 */
final class ScaleCode {
    // Registers, all below 16.
    private static final int RE = 9;
    private static final int IM = 8;
    private static final int MAGNITUDE_RE = 10;
    private static final int MAGNITUDE_IM = 11;
    /** All bits but the sign, in every element. */
    private static final int MAGNITUDE = 12;

    private static final int RATIO = 13;
    private static final int WHOLE = 14;
    private static final int NULL = 15;
    private static final int MASK = 13;
    private static final int VALUE = 10;
    private static final int TURNED = 11;

    private final Emitter code;
    private final Vectors v;
    private final Lanes lanes;
    private final Shape shape;
    private final boolean complex;
    private final Gp constants;
    private final int size;

    ScaleCode(Vectors v, Lanes lanes, Shape shape, boolean complex, Gp constants) {
        this.code = v.code;
        this.v = v;
        this.lanes = lanes;
        this.shape = shape;
        this.complex = complex;
        this.constants = constants;
        this.size = shape.precision().bytes;
    }

    /**
     * Writes it. Register 12 must be all bits but the signs, register 15 must be 0; the others from 8 to 14 are overwritten.
     *
     * @param pivot the pivot
     * @param x the first element below, overwritten
     * @param count how many there are, overwritten
     * @param spare overwritten
     * @param zero where to go if the pivot is zero, nothing being done
     */
    void write(Mem pivot, Gp x, Gp count, Gp spare, Label zero) {
        Label number = new Label();
        Label normal = new Label();
        v.loadOne(RE, pivot);
        v.and(MAGNITUDE_RE, RE, MAGNITUDE);
        v.and(WHOLE, RE, MAGNITUDE);
        if (complex) {
            v.loadOne(IM, new Mem(pivot.base(), pivot.index(), pivot.scale(), pivot.disp() + size));
            v.and(MAGNITUDE_IM, IM, MAGNITUDE);
            v.add(WHOLE, WHOLE, MAGNITUDE_IM);
        }
        lanes.compareOne(WHOLE, NULL);
        code.jump(PARITY, number);
        code.jump(ZERO, zero);
        code.bind(number);
        lanes.compareOne(WHOLE, lanes.minNormal(constants));
        code.jump(NOT_BELOW, normal);
        v.broadcast(RATIO, lanes.lift(constants));
        lift(x, count, spare);
        v.mul(RE, RE, RATIO);
        if (complex) {
            v.mul(IM, IM, RATIO);
        }
        code.bind(normal);
        if (complex) {
            smith();
        } else {
            v.loadOne(WHOLE, lanes.one(constants));
            v.divOne(RE, WHOLE, RE);
        }
        v.broadcast(RE, RE);
        if (complex) {
            v.broadcast(IM, IM);
        }
        multiply(x, count, spare);
    }

    /** The column times the power of two in all elements of {@link #RATIO}. */
    private void lift(Gp x, Gp count, Gp spare) {
        Label top = new Label();
        Label end = new Label();
        code.push(x);
        code.mov(spare, count);
        if (complex) {
            code.add(spare, spare);
        }
        code.test(spare, spare);
        code.jump(ZERO, end);
        code.bind(top);
        v.loadOne(VALUE, Mem.at(x, 0));
        v.mulOne(VALUE, VALUE, RATIO);
        v.storeOne(Mem.at(x, 0), VALUE);
        code.add(x, size);
        code.dec(spare);
        code.jump(NOT_ZERO, top);
        code.bind(end);
        code.pop(x);
    }

    /** (RE, IM) becomes its reciprocal. */
    private void smith() {
        Label imaginary = new Label();
        Label end = new Label();
        v.and(MAGNITUDE_RE, RE, MAGNITUDE);
        v.and(MAGNITUDE_IM, IM, MAGNITUDE);
        lanes.compareOne(MAGNITUDE_RE, MAGNITUDE_IM);
        code.jump(BELOW, imaginary);
        v.divOne(RATIO, IM, RE);
        v.fmaOne(RE, IM, RATIO);
        v.loadOne(WHOLE, lanes.one(constants));
        v.divOne(RE, WHOLE, RE);
        v.mulOne(IM, RATIO, RE);
        v.subOne(IM, NULL, IM);
        code.jump(end);
        code.bind(imaginary);
        v.divOne(RATIO, RE, IM);
        v.fmaOne(IM, RE, RATIO);
        v.loadOne(WHOLE, lanes.minusOne(constants));
        v.divOne(IM, WHOLE, IM);
        v.mulOne(RE, RATIO, IM);
        v.subOne(RE, NULL, RE);
        code.bind(end);
    }

    private void multiply(Gp x, Gp count, Gp spare) {
        int unit = complex ? 2 : 1;
        int bytes = shape.isa().bytes;
        int rows = shape.lanes() / unit;
        Label rest = new Label();
        Label top = new Label();
        Label end = new Label();
        code.mov(spare, count);
        code.shr(spare, Integer.numberOfTrailingZeros(rows));
        code.jump(ZERO, rest);
        code.bind(top);
        if (complex) {
            v.load(VALUE, Mem.at(x, 0));
            turn();
            v.store(Mem.at(x, 0), VALUE);
        } else {
            v.mul(VALUE, RE, Mem.at(x, 0));
            v.store(Mem.at(x, 0), VALUE);
        }
        code.add(x, bytes);
        code.dec(spare);
        code.jump(NOT_ZERO, top);
        code.bind(rest);
        code.and(count, rows - 1);
        code.jump(ZERO, end);
        if (complex) {
            code.add(count, count);
        }
        lanes.first(count, spare, MASK);
        v.loadMasked(VALUE, Mem.at(x, 0), MASK);
        if (complex) {
            turn();
        } else {
            v.mul(VALUE, VALUE, RE);
        }
        v.storeMasked(Mem.at(x, 0), VALUE, MASK);
        code.bind(end);
    }

    /** VALUE times (RE, IM). */
    private void turn() {
        lanes.turn(TURNED, VALUE, false, constants);
        v.mul(VALUE, VALUE, RE);
        v.fma(VALUE, TURNED, IM);
    }
}
