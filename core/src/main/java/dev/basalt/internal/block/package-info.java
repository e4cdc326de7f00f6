/** Blocks of matrices and packing memory: the vocabulary of composite routines. */
package dev.basalt.internal.block;
