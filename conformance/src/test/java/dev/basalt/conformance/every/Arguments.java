package dev.basalt.conformance.every;

import dev.basalt.conformance.support.Form;
import dev.basalt.internal.call.Argument;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

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
                String[] sides = bound.split("<=", 2);
                atMost.accept(sides[0], sides[1]);
            }
        }
    }

    /** Whether an option exchanges an operand's sizes: any but its first constant does. */
    static boolean turned(Argument.Array array, Function<String, Enum<?>> options) {
        return array.option() != null && options.apply(array.option()).ordinal() != 0;
    }

    /** Whether a leading dimension or an increment follows. */
    static boolean hasStep(Argument.Array array) {
        return !array.packed() && !array.contiguous()
                && (array.matrix() || !Character.isDigit(array.first().charAt(0)) && !array.first().equals("sizeInv"));
    }
}
