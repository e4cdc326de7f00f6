/** One class a routine family: argument rules, size formula, algorithm. */
package dev.basalt.internal.routine;
