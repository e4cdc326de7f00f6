/**
 * BLAS and LAPACK for the JVM, on CPU and GPU, with workspace memory the user controls.
 *
 * <p>Open a {@link dev.basalt.Device}, create a {@link dev.basalt.Handle} and a {@link dev.basalt.DeviceArena} on it, make views,
 * and call the routines of {@link dev.basalt.Blas} and {@link dev.basalt.Lapack}. Matrices are column-major, sizes and
 * strides are {@code long}, exceptions are unchecked.
 */
package dev.basalt;
