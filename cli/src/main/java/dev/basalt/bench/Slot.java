package dev.basalt.bench;

import dev.basalt.type.Complex;
import java.util.function.ToLongFunction;

/**
 * An operand of a routine in the table.
 *
 * @param name how the argument list calls it
 * @param rows rows, or elements of a vector
 * @param cols columns; 1 for a vector
 * @param content what is in it
 * @param access how a call uses it
 */
record Slot(Name name, ToLongFunction<Workload> rows, ToLongFunction<Workload> cols, Content content, Access access) {
    /** The names of operands in BLAS. */
    enum Name {
        A, B, C, X, Y;

        boolean isVector() {
            return this == X || this == Y;
        }
    }

    /** What an operand is filled with, so that a routine neither fails nor leaves the range of numbers when it runs again and again. */
    enum Content {
        /** Uniform in (-1, 1). */
        GENERAL,
        /** The same with a real diagonal; one triangle counts. */
        HERMITIAN,
        /** The same with a diagonal that makes it positive definite; one triangle counts. */
        POSITIVE_DEFINITE,
        /** Diagonal ±1 and a small rest, so that neither products nor solutions grow or vanish; one triangle counts. */
        TRIANGULAR,
        /** The factors of a getrf: as TRIANGULAR in both triangles. */
        FACTORS;

        boolean isTriangle() {
            return this == HERMITIAN || this == POSITIVE_DEFINITE || this == TRIANGULAR;
        }
    }

    /** How a call uses an operand. */
    enum Access {
        READ,
        WRITE,
        UPDATE,
        /** An update; with beta = 0 the old value is not read. */
        BETA;

        boolean writes() {
            return this != READ;
        }
    }

    /** Elements of one problem that count. */
    double elements(Workload w) {
        double r = rows.applyAsLong(w);
        double c = cols.applyAsLong(w);
        return content.isTriangle() ? c * (c + 1) / 2 : r * c;
    }

    /** Elements of one problem that cross the memory's border: once in, once out. */
    double traffic(Workload w) {
        boolean reads = access == Access.READ || access == Access.UPDATE
                || (access == Access.BETA && !w.beta.equals(Complex.ZERO));
        return elements(w) * ((reads ? 1 : 0) + (access.writes() ? 1 : 0));
    }
}
