package dev.basalt.internal.call;

import java.util.function.Function;

/** The state behind handles, for the packages of this module that are not {@code dev.basalt}: the class there says how to get at it when it is loaded. */
public final class Cores {
    private static volatile Function<Object, HandleCore> handles;

    private Cores() {}

    /**
     * Says how to get at a handle's state.
     *
     * @param reader takes a handle
     */
    public static void handles(Function<Object, HandleCore> reader) {
        handles = reader;
    }

    /**
     * The state behind a handle.
     *
     * @param handle a {@code dev.basalt.Handle}
     * @return its state
     */
    public static HandleCore of(Object handle) {
        return handles.apply(handle);
    }
}
