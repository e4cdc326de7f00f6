package dev.ludovic.netlib.arpack;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;

/**
 * What netlib asks for an implementation, in the place of its own class of this name: by standing first on the class path, or because
 * {@code dev.basalt.netlib.Netlib.install} has defined it. It names no class of Basalt's, since that may be in another class loader.
 */
final class InstanceBuilder {
    private static final JavaARPACK JAVA = F2jARPACK.getInstance();

    /** Basalt's implementation; null until it is found or given. */
    static volatile NativeARPACK given;

    private static boolean searched;

    private InstanceBuilder() {}

    /** What {@code ARPACK.getInstance()} returns: Basalt, or netlib's own Java where Basalt does not run. */
    public static ARPACK arpack() {
        NativeARPACK basalt = basalt();
        return basalt == null ? JAVA : basalt;
    }

    /** What {@code NativeARPACK.getInstance()} returns; callers take an exception for "there is none". */
    public static NativeARPACK nativeArpack() {
        NativeARPACK basalt = basalt();
        if (basalt == null) {
            throw new IllegalStateException("Basalt does not run here; the log has the cause");
        }
        return basalt;
    }

    /** What {@code JavaARPACK.getInstance()} returns: netlib's own Java, to which Basalt passes what it has no routine for. */
    public static JavaARPACK javaArpack() {
        return JAVA;
    }

    private static NativeARPACK basalt() {
        NativeARPACK basalt = given;
        return basalt == null ? search() : basalt;
    }

    /** Looks for Basalt once, when an instance is asked for first and none has been given. */
    private static synchronized NativeARPACK search() {
        if (given == null && !searched) {
            searched = true;
            given = find();
        }
        return given;
    }

    private static NativeARPACK find() {
        Logger log = System.getLogger("dev.basalt.netlib");
        try {
            return (NativeARPACK) Class.forName("dev.basalt.netlib.Netlib").getMethod("arpack").invoke(null);
        } catch (InvocationTargetException e) {
            log.log(Level.WARNING, "netlib's own ARPACK is used, since Basalt does not run here", e.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            log.log(Level.WARNING, "netlib's own ARPACK is used, since Basalt is not on its class path", e);
        }
        return null;
    }
}
