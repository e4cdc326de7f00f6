/** Kernels whose operands are narrower than the computation: they convert where they load and store, or where they pack. */
package dev.basalt.host.assembled.mixed;
