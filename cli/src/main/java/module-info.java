/** The command line. */
module dev.basalt.cli {
    requires dev.basalt;
    requires info.picocli;

    opens dev.basalt.cli to
            info.picocli;
}
