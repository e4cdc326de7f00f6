/** Orthogonal factorisations: reflectors, blocks of them, and what is solved with them. */
package dev.basalt.internal.qr;
