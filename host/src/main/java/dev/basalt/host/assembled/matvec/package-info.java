/** Level 2: matrices and vectors. */
package dev.basalt.host.assembled.matvec;
