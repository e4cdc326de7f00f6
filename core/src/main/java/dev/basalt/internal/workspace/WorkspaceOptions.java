package dev.basalt.internal.workspace;

/**
 * How a workspace starts.
 *
 * @param preallocated bytes fixed for good, or -1 for a managed workspace
 * @param initial bytes a managed workspace tries to start with
 * @param streamOrdered whether stream-ordered allocation is asked for
 * @param maxManagedBytes how far a managed workspace may grow
 * @param guard whether guard mode is on
 */
public record WorkspaceOptions(long preallocated, long initial, boolean streamOrdered, long maxManagedBytes,
        boolean guard) {}
