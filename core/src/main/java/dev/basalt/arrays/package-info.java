/**
 * BLAS and LAPACK on arrays of Java ({@code double[]}, {@code float[]}, {@code int[]}), without a handle: each thread has one of its own on the CPU.
 */
package dev.basalt.arrays;
