/** Level 1: vectors. */
package dev.basalt.host.assembled.stream;
