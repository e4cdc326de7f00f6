/** Executable memory and calls into it: nothing here knows an instruction. */
package dev.basalt.host.assembled.code;
