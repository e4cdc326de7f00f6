package dev.basalt.conformance.every;

import dev.basalt.conformance.support.Form;
import dev.basalt.internal.call.Argument;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import dev.basalt.type.Erange;
import dev.basalt.type.Evect;
import dev.basalt.type.Storev;
import dev.basalt.type.Svect;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongFunction;

/** What a classic method is called with, operands in memory apart. */
interface Arguments {
    /** The row of the table. */
    Routine routine();

    Typing typing();

    Form form();

    /** Problems. */
    long count();

    Enum<?> option(String name);

    long dimension(String name);

    /** Leading dimension or increment. */
    long step(Argument.Array array);

    /** Elements from the first to the last of a problem. */
    long span(String name);

    /** Real and imaginary part. */
    double[] scalar(String name);

    /** In the order of BLAS. */
    default List<Argument> arguments() {
        return routine().signature().arguments();
    }

    /** Calls with a dimension and the one that bounds it, until the end of every chain has reached its beginning. */
    default void bounds(BiConsumer<String, String> atMost) {
        List<String> bounds = routine().signature().bounds();
        for (int i = 0; i < bounds.size(); i++) {
            for (String bound : bounds) {
                int between = bound.indexOf("<=");
                atMost.accept(bound.substring(0, between), bound.substring(between + 2));
            }
        }
    }

    /** Whether an option exchanges an operand's sizes: any but its first constant does. */
    static boolean turned(Argument.Array array, Function<String, Enum<?>> options) {
        return array.option() != null && options.apply(array.option()).ordinal() != 0;
    }

    /** Cuts what the bounds of the table do not say: vectors of orgbr are no more than they have elements, and no fewer than reflectors. */
    static void fit(String family, Enum<?> storev, ToLongFunction<String> size, ObjLongConsumer<String> set) {
        if (!family.equals("orgbr") && !family.equals("ungbr")) {
            return;
        }
        boolean columns = storev == Storev.COLUMNS;
        long order = size.applyAsLong(columns ? "m" : "n");
        long vectors = Math.min(order, size.applyAsLong(columns ? "n" : "m"));
        set.accept(columns ? "n" : "m", vectors);
        if (vectors < Math.min(order, size.applyAsLong("k"))) {
            set.accept("k", vectors);
        }
    }

    /** A side of a matrix of singular vectors. */
    static long vectors(String side, Svect left, Svect right, long m, long n) {
        return switch (side) {
            case "urows" -> left.stored() ? m : 0;
            case "ucols" -> left.stored() ? left.columns(m, n) : 0;
            case "vrows" -> right.stored() ? right.columns(n, m) : 0;
            default -> right.stored() ? n : 0;
        };
    }

    /** How many singular vectors of a range there may be. */
    static long chosen(Enum<?> svect, Erange range, long n, long il, long iu) {
        return svect == Svect.NONE ? 0 : Erange.most(range, n, il, iu);
    }

    /** The order of a matrix of eigenvectors. */
    static long vectors(Enum<?> evect, long n) {
        return evect == Evect.NONE ? 0 : n;
    }

    /** Whether its vectors may have an increment of 0: levels 2 and LAPACK refuse it, as rocBLAS does. */
    static boolean mayStandStill(Routine routine) {
        return routine.signature().level().matches("[13]");
    }

    /** Whether a leading dimension or an increment follows. */
    static boolean hasStep(Argument.Array array) {
        return !array.packed() && !array.contiguous()
                && (array.matrix() || !Character.isDigit(array.first().charAt(0)) && !array.first().equals("sizeInv"));
    }
}
