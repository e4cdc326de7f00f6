/**
 * The portable kernels: every operation of {@link dev.basalt.spi.Kernel} in scalar Java over addresses, for one problem and for a batch.
 *
 * @hidden
 */
package dev.basalt.portable;
