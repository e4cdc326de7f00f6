/** The engine of kernels that Java writes as machine code when they are first used: what serves which routine. */
package dev.basalt.host.assembled;
