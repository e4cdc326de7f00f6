package dev.basalt.conformance.support;

/** How alpha and beta reach a call. */
public enum Passing {
    /** As host doubles; only for scalars without imaginary part. */
    REAL,
    /** As host complex numbers. */
    COMPLEX,
    /** In device memory. */
    DEVICE
}
