/** BLAS and LAPACK for the JVM: the public API, the workspace and the device SPI. */
@SuppressWarnings("module") // the modules that the kernels are exported to are built after this one
module dev.basalt {
    requires java.management;
    requires jdk.jfr;

    exports dev.basalt;
    exports dev.basalt.arrays;
    exports dev.basalt.spi;
    exports dev.basalt.type;
    exports dev.basalt.foreign to dev.basalt.cli, dev.basalt.cuda, dev.basalt.host;
    exports dev.basalt.internal.call to dev.basalt.cli;
    exports dev.basalt.internal.signature to dev.basalt.cli;
    exports dev.basalt.portable to dev.basalt.gpu, dev.basalt.host, dev.basalt.sim;

    uses dev.basalt.spi.DeviceProvider;
}
