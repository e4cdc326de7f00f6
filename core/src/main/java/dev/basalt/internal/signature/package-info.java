/**
 * The rules of the arguments of every routine, made from the table of routines. For the command line, too.
 *
 * @hidden
 */
package dev.basalt.internal.signature;
