/** Singular values: reduction to bidiagonal form, its iteration, and what is made of both. */
package dev.basalt.internal.svd;
