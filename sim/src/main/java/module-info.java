/** A simulated device for tests. */
module dev.basalt.sim {
    requires transitive dev.basalt;
    requires static transitive org.junit.jupiter.api;

    exports dev.basalt.sim;

    provides dev.basalt.spi.DeviceProvider with dev.basalt.sim.SimProvider;
}
