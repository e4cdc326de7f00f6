/** The command line. */
module dev.basalt.cli {
    requires dev.basalt;
    requires info.picocli;
    requires java.management;
    requires jdk.incubator.vector;
    requires jdk.management;

    opens dev.basalt.cli to
            info.picocli;
}
