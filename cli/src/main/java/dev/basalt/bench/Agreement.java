package dev.basalt.bench;

import dev.basalt.internal.call.Argument;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** Whether two libraries computed the same. */
final class Agreement {
    private static final double FACTOR = 8;

    /**
     * What a call left.
     *
     * @param written operands that it overwrote
     * @param value its number, 0 if it has none
     */
    record Outcome(Map<Argument, MemorySegment> written, Complex value) {}

    private final TableCase c;
    private final PeerCall peer;

    Agreement(TableCase c, PeerCall peer) {
        this.c = c;
        this.peer = peer;
    }

    /** yes, or by how much results differ. */
    String verdict(Outcome ours, Outcome theirs) {
        double eps = c.type().real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
        double bound = FACTOR * eps * (c.terms() + FACTOR);
        double worst = peer.norm() ? norms(ours, theirs) : 0;
        for (Map.Entry<Argument, MemorySegment> entry : ours.written.entrySet()) {
            Argument a = entry.getKey();
            if (!peer.norm() && peer.compares(a)) {
                worst = Math.max(worst, difference(a, entry.getValue(), theirs.written.get(a)));
            }
        }
        double number = Math.hypot(ours.value.re() - theirs.value.re(), ours.value.im() - theirs.value.im());
        worst = Math.max(worst, orInfinite(number / Math.max(1, Math.hypot(theirs.value.re(), theirs.value.im()))));
        return worst <= bound ? "yes" : "WRONG: differs by " + worst + " with a bound of " + bound;
    }

    /** The largest difference over the largest element; elements outside of a triangle must be equal too, unless the peer is free there. */
    private double difference(Argument a, MemorySegment ours, MemorySegment theirs) {
        ElementType type = c.type(a);
        int parts = type.isComplex() ? 2 : 1;
        long numbers = c.problems() * c.elements(a) * parts;
        Argument.Array triangle =
                peer.triangles() && a instanceof Argument.Array array && c.isDenseTriangle(array) ? array : null;
        double most = 1;
        double worst = 0;
        for (long i = 0; i < numbers; i++) {
            if (triangle != null && !inTriangle(triangle, i / parts % c.elements(triangle))) {
                continue;
            }
            double their = TableOperands.get(theirs, type, i);
            worst = Math.max(worst, orInfinite(Math.abs(TableOperands.get(ours, type, i) - their)));
            most = Math.max(most, Math.abs(their));
        }
        return worst / most;
    }

    private boolean inTriangle(Argument.Array a, long at) {
        long row = at % c.step(a);
        long column = at / c.step(a);
        return c.choices().uplo() == Uplo.UPPER ? row <= column : row >= column;
    }

    /** The difference of the sums of the squares: orthogonal factors keep those of a matrix. Beside a symmetric diagonal there are two others. */
    private double norms(Outcome ours, Outcome theirs) {
        double our = squares(ours);
        double their = squares(theirs);
        return orInfinite(Math.abs(our - their) / Math.max(1, their));
    }

    private double squares(Outcome outcome) {
        double sum = 0;
        for (Map.Entry<Argument, MemorySegment> entry : outcome.written.entrySet()) {
            Argument a = entry.getKey();
            if (!peer.compares(a)) {
                continue;
            }
            double weight = c.has("uplo") && a.name().equalsIgnoreCase("E") ? 2 : 1;
            for (long i = 0; i < c.problems() * c.elements(a) * (c.type(a).isComplex() ? 2 : 1); i++) {
                double value = TableOperands.get(entry.getValue(), c.type(a), i);
                sum += weight * value * value;
            }
        }
        return sum;
    }

    private static double orInfinite(double value) {
        return Double.isNaN(value) ? Double.POSITIVE_INFINITY : value;
    }
}
