/** Cholesky factorisation and what solves with it. */
package dev.basalt.internal.cholesky;
