/** What every GPU device shares: the kernels' sources, their arguments, and how a {@link dev.basalt.spi.Launch} becomes launches of them. */
package dev.basalt.gpu;
