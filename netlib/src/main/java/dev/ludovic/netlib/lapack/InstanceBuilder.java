package dev.ludovic.netlib.lapack;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;

/**
 * What netlib asks for an implementation, in the place of its own class of this name: by standing first on the class path, or because
 * {@code dev.basalt.netlib.Netlib.install} has defined it. It names no class of Basalt's, since that may be in another class loader.
 */
final class InstanceBuilder {
    private static final JavaLAPACK JAVA = F2jLAPACK.getInstance();

    /** Basalt's implementation; null until it is found or given. */
    static volatile NativeLAPACK given;

    private static boolean searched;

    private InstanceBuilder() {}

    /** What {@code LAPACK.getInstance()} returns: Basalt, or netlib's own Java where Basalt does not run. */
    public static LAPACK lapack() {
        NativeLAPACK basalt = basalt();
        return basalt == null ? JAVA : basalt;
    }

    /** What {@code NativeLAPACK.getInstance()} returns; callers take an exception for "there is none". */
    public static NativeLAPACK nativeLapack() {
        NativeLAPACK basalt = basalt();
        if (basalt == null) {
            throw new IllegalStateException("Basalt does not run here; the log has the cause");
        }
        return basalt;
    }

    /** What {@code JavaLAPACK.getInstance()} returns: netlib's own Java, to which Basalt passes what it has no routine for. */
    public static JavaLAPACK javaLapack() {
        return JAVA;
    }

    private static NativeLAPACK basalt() {
        NativeLAPACK basalt = given;
        return basalt == null ? search() : basalt;
    }

    /** Looks for Basalt once, when an instance is asked for first and none has been given. */
    private static synchronized NativeLAPACK search() {
        if (given == null && !searched) {
            searched = true;
            given = find();
        }
        return given;
    }

    private static NativeLAPACK find() {
        Logger log = System.getLogger("dev.basalt.netlib");
        try {
            return (NativeLAPACK) Class.forName("dev.basalt.netlib.Netlib").getMethod("lapack").invoke(null);
        } catch (InvocationTargetException e) {
            log.log(Level.WARNING, "netlib's own LAPACK is used, since Basalt does not run here", e.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            log.log(Level.WARNING, "netlib's own LAPACK is used, since Basalt is not on its class path", e);
        }
        return null;
    }
}
