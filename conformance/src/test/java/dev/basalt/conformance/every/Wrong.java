package dev.basalt.conformance.every;

import dev.basalt.conformance.support.Form;
import dev.basalt.internal.call.Argument;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;

/**
 * A call of the table of which one argument is another one.
 *
 * @param call the call
 * @param argument its name in the classic call: {@code n}, {@code lda}, {@code incx}, {@code uplo}, {@code batch_count}
 * @param value what a number is instead; an option is null
 */
record Wrong(TableCall call, String argument, long value) implements Arguments {
    /** The name of a leading dimension or increment. */
    static String stepName(Argument.Array array) {
        return (array.matrix() ? "ld" : "inc") + array.name().toLowerCase(java.util.Locale.ROOT);
    }

    @Override
    public Routine routine() {
        return call.routine();
    }

    @Override
    public Typing typing() {
        return call.typing();
    }

    @Override
    public Form form() {
        return call.form();
    }

    @Override
    public long count() {
        return argument.equals("batch_count") ? value : call.count();
    }

    @Override
    public Enum<?> option(String name) {
        return name.equals(argument) ? null : call.option(name);
    }

    @Override
    public long dimension(String name) {
        return name.equals(argument) ? value : call.dimension(name);
    }

    @Override
    public long step(Argument.Array array) {
        return stepName(array).equals(argument) ? value : call.step(array);
    }

    @Override
    public long span(String name) {
        return call.span(name);
    }

    @Override
    public double[] scalar(String name) {
        return call.scalar(name);
    }
}
