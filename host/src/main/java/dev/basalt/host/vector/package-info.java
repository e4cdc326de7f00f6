/** Kernels written with the Vector API, and the scalar ones that round as vectors do. */
package dev.basalt.host.vector;
