/** The NVIDIA device. */
module dev.basalt.cuda {
    requires dev.basalt;
    requires dev.basalt.gpu;

    provides dev.basalt.spi.DeviceProvider with dev.basalt.cuda.CudaProvider;
}
