/** A matrix and vectors: level 2 of BLAS. */
package dev.basalt.internal.matvec;
