/** Writes sources at build time: those that exist once per precision, and those that exist once per routine. */
package dev.basalt.codegen;
