package dev.basalt.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** {@code basalt verify}, which the runtime image's script takes before it comes here. */
@Command(name = "verify", description = {
        "Runs the conformance suites on a device. Only the runtime image has them: image/target/basalt/bin/basalt verify.",
        "In a clone of the sources, mvn verify runs them on the host and the simulated device."})
final class VerifyCommand implements Runnable {
    @Unmatched
    @SuppressWarnings("unused") // options of the image's verify are no typing errors
    private final List<String> options = new ArrayList<>();

    VerifyCommand() {}

    @Override
    public void run() {
        throw new Failure(
                "the conformance suites are not here but in the runtime image: image/target/basalt/bin/basalt verify"
                        + " (mvn -pl image -am package makes it); in a clone, mvn verify runs them");
    }
}
