package dev.basalt.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Says that a call fails, and how. */
final class Refusals {
    private Refusals() {}

    static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(Code code, ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOfSatisfying(DriverException.class,
                e -> assertThat(e.code()).isEqualTo(code));
    }
}
