package dev.basalt.sim;

/**
 * One driver call, as the call log keeps it.
 *
 * @param call what was called
 * @param detail its arguments, such as {@code bytes=4096 stream=1}
 * @param virtualNanos the simulated time when it began
 */
public record LoggedCall(DriverCall call, String detail, long virtualNanos) {
    @Override
    public String toString() {
        return detail.isEmpty() ? call.name() : call + " " + detail;
    }
}
