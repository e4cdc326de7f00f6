/** A device of one GPU behind {@link dev.basalt.gpu.device.GpuApi}, which the module of each vendor supplies. */
package dev.basalt.gpu.device;
