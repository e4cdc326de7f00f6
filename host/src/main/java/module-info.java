/** The CPU device; it runs without {@code jdk.incubator.vector} too, more slowly. */
module dev.basalt.host {
    requires dev.basalt;
    requires static jdk.incubator.vector;

    provides dev.basalt.spi.DeviceProvider with dev.basalt.host.HostProvider;
    provides dev.basalt.portable.HeapSums with dev.basalt.host.vector.VectorSums;
}
