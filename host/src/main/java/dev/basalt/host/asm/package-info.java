/** Kernels in machine code: an x86-64 emitter, executable memory, and what is written with them. */
package dev.basalt.host.asm;
