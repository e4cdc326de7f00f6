/** LDLᵀ of symmetric and Hermitian matrices that need not be definite, and what solves with it. */
package dev.basalt.internal.indefinite;
