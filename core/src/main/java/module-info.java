/** BLAS and LAPACK for the JVM: the public API, the workspace and the device SPI. */
@SuppressWarnings("module") // the modules that the kernels are exported to are built after this one
module dev.basalt {
    requires java.management;
    requires jdk.jfr;

    exports dev.basalt;
    exports dev.basalt.spi;
    exports dev.basalt.type;
    exports dev.basalt.foreign to
            dev.basalt.cli,
            dev.basalt.cuda,
            dev.basalt.host;
    exports dev.basalt.portable to
            dev.basalt.host,
            dev.basalt.kernels,
            dev.basalt.sim;

    uses dev.basalt.spi.DeviceProvider;
}
