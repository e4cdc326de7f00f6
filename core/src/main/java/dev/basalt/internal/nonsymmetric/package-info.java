/** Eigenvalues of general matrices: balancing, Hessenberg form, QR iteration, and vectors of the Schur form. */
package dev.basalt.internal.nonsymmetric;
