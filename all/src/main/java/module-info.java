/**
 * All of Basalt by one name: the API and every device. A program needs no more than {@code requires dev.basalt}, which finds the devices
 * that are on the module path; who requires this module gets them without looking, also in an image by {@code jlink}.
 */
module dev.basalt.all {
    requires transitive dev.basalt;
    requires dev.basalt.cuda;
    requires dev.basalt.host;
}
