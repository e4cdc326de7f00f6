package dev.basalt.type;

/** The eigenvalues that come first in a Schur form. A rule and not a function of the caller's, since it is asked on the device. */
public enum Selection {
    /** None: they stand as they were found. */
    NONE,
    /** Those with a negative real part. */
    LEFT_HALF,
    /** Those with a positive real part. */
    RIGHT_HALF,
    /** Those inside the unit circle. */
    INSIDE,
    /** Those outside the unit circle. */
    OUTSIDE
}
