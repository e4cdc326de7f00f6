package dev.basalt.bench;

/**
 * What a machine can do at most of what a workload is bound by, as measured in the same run.
 *
 * @param name such as {@code copy bandwidth}
 * @param perNano operations or bytes a nanosecond, so 10⁹ a second
 */
public record Limit(String name, double perNano) {}
