package dev.basalt.conformance.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * A test that runs on every device, on the first with every floating type, on each other with one that the run draws ({@link Share}).
 * It takes a {@link dev.basalt.conformance.support.Target}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Tag(OnDevice.TAG)
@ParameterizedTest(name = "{0}")
@ArgumentsSource(Targets.class)
public @interface EveryTarget {
    /** Whether to leave out the real types. */
    boolean complexOnly() default false;

    /** Whether to leave out the complex types. */
    boolean realOnly() default false;
}
