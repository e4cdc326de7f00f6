/** The kernels for GPUs: sources, machine code, and the rules by which they are launched. */
module dev.basalt.gpu {
    requires transitive dev.basalt;

    exports dev.basalt.gpu;
    exports dev.basalt.gpu.device;
}
