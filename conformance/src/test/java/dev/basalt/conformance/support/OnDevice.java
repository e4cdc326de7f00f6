package dev.basalt.conformance.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** A test that runs on the device that {@link Devices#ONLY} names, and so is part of {@code basalt verify}. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag(OnDevice.TAG)
public @interface OnDevice {
    /** The tag by which the launcher finds them. */
    String TAG = "on-device";
}
