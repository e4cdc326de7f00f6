/** Condition numbers, estimated from factors. */
package dev.basalt.internal.condition;
