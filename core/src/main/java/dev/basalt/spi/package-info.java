/**
 * What a device supplies: memory, streams, events and a small set of kernels. Applications do not need this package;
 * it is exported so that devices can be added and tests can watch or disturb one.
 */
package dev.basalt.spi;
