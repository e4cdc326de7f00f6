/**
 * A call on its way: the frame with its arguments, and the protocol that checks, lends and runs. For the command line, too.
 *
 * @hidden
 */
package dev.basalt.internal.call;
