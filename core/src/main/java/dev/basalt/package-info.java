/**
 * BLAS and LAPACK for the JVM, on CPU and GPU, with workspace memory the user controls.
 *
 * <p>Open a {@link dev.basalt.Device}, create a {@link dev.basalt.Handle} and a {@link dev.basalt.DeviceArena} on it, make views,
 * and call the routines of {@link dev.basalt.Blas} and {@link dev.basalt.Lapack}. Matrices are column-major, sizes and
 * strides are {@code long}, exceptions are unchecked.
 *
 * {@snippet file="app/SolveSample.java" region="solve"}
 *
 * <p>A plan says what calls need before they run, and what is reserved is not allocated later:
 *
 * {@snippet file="app/SolveSample.java" region="plan"}
 */
package dev.basalt;
