/** The command line. */
@SuppressWarnings("requires-automatic") // the libraries for files have no descriptors
module dev.basalt.cli {
    requires aircompressor.v3;
    requires dev.basalt;
    requires info.picocli;
    requires io.jhdf;
    requires java.desktop;
    requires java.management;
    requires jdk.incubator.vector;
    requires jdk.jfr;
    requires jdk.management;
    requires org.snakeyaml.engine;
    requires org.tukaani.xz;
    requires us.hebi.matlab.mat.mfl.core;

    opens dev.basalt.cli to info.picocli;
}
