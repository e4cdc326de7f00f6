/** Scaling before a solve, and error bounds and refinement after it. */
package dev.basalt.internal.refine;
