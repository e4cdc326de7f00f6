/** The command line. */
@SuppressWarnings("requires-automatic") // XChart has no descriptor
module dev.basalt.cli {
    requires dev.basalt;
    requires info.picocli;
    requires java.desktop;
    requires java.management;
    requires jdk.incubator.vector;
    requires jdk.management;
    requires org.knowm.xchart;
    requires org.snakeyaml.engine;

    opens dev.basalt.cli to info.picocli;
}
