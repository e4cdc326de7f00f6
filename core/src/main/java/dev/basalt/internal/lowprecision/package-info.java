/** Solutions from factors of a lower precision, refined to the full one. */
package dev.basalt.internal.lowprecision;
