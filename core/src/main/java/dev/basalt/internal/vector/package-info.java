/** Vectors alone: reductions, element by element, rotations, transfers. */
package dev.basalt.internal.vector;
