/** Norms of matrices, and what sets, copies or scales a part of one. */
package dev.basalt.internal.matrix;
