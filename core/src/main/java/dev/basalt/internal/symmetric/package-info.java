/** Eigenvalues and eigenvectors of symmetric and Hermitian matrices: reduction to tridiagonal form, QR iteration, divide and conquer. */
package dev.basalt.internal.symmetric;
