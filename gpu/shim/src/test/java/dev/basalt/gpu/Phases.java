package dev.basalt.gpu;

import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;

/** Of vectors that are found by other rotations the phases may differ, and the signs of real ones: columns are turned until their largest element is real and positive. */
final class Phases {
    private final ElementType type;
    private final int parts;
    private double re;
    private double im;

    Phases(ElementType type) {
        this.type = type;
        parts = type.isComplex() ? 2 : 1;
    }

    /** Takes the phase of the largest element of a column. */
    Phases of(Operand vectors, long at, long column) {
        double most = 0;
        re = 1;
        im = 0;
        for (long i = 0; i < vectors.rows; i++) {
            long element = parts * (i + column * vectors.ld);
            double x = Trial.get(type, at, element);
            double y = parts == 2 ? Trial.get(type, at, element + 1) : 0;
            double size = Math.hypot(x, y);
            // Of those that rounding makes larger or smaller the first.
            if (size > 1.01 * most) {
                most = size;
                re = x / size;
                im = y / size;
            }
        }
        return this;
    }

    /** Turns a column back by that phase. */
    void from(Operand vectors, long at, long column) {
        for (long i = 0; i < vectors.rows; i++) {
            long element = parts * (i + column * vectors.ld);
            double x = Trial.get(type, at, element);
            double y = parts == 2 ? Trial.get(type, at, element + 1) : 0;
            Trial.set(type, at, element, x * re + y * im);
            if (parts == 2) {
                Trial.set(type, at, element + 1, y * re - x * im);
            }
        }
    }
}
