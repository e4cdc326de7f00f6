/** Matrices: level 3 of BLAS. */
package dev.basalt.internal.product;
