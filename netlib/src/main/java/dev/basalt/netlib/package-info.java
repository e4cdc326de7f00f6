/**
 * Basalt behind the interfaces of {@code dev.ludovic.netlib}, which Spark MLlib, Breeze and others call for BLAS, LAPACK and ARPACK.
 */
package dev.basalt.netlib;
