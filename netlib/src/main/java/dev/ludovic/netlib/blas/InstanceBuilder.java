package dev.ludovic.netlib.blas;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;

/**
 * What netlib asks for an implementation, in the place of its own class of this name: by standing first on the class path, or because
 * {@code dev.basalt.netlib.Netlib.install} has defined it. It names no class of Basalt's, since that may be in another class loader.
 */
final class InstanceBuilder {
    private static final JavaBLAS JAVA = java();

    /** Basalt's implementation; null until it is found or given. */
    static volatile NativeBLAS given;

    private static boolean searched;

    private InstanceBuilder() {}

    /** What {@code BLAS.getInstance()} returns: Basalt, or netlib's own Java where Basalt does not run. */
    public static BLAS blas() {
        NativeBLAS basalt = basalt();
        return basalt == null ? JAVA : basalt;
    }

    /** What {@code NativeBLAS.getInstance()} returns; callers take an exception for "there is none". */
    public static NativeBLAS nativeBlas() {
        NativeBLAS basalt = basalt();
        if (basalt == null) {
            throw new IllegalStateException("Basalt does not run here; the log has the cause");
        }
        return basalt;
    }

    /** What {@code JavaBLAS.getInstance()} returns: netlib's own Java, to which Basalt passes what it has no routine for. */
    public static JavaBLAS javaBlas() {
        return JAVA;
    }

    private static NativeBLAS basalt() {
        NativeBLAS basalt = given;
        return basalt == null ? search() : basalt;
    }

    /** Looks for Basalt once, when an instance is asked for first and none has been given. */
    private static synchronized NativeBLAS search() {
        if (given == null && !searched) {
            searched = true;
            given = find();
        }
        return given;
    }

    private static NativeBLAS find() {
        Logger log = System.getLogger("dev.basalt.netlib");
        try {
            return (NativeBLAS) Class.forName("dev.basalt.netlib.Netlib").getMethod("blas").invoke(null);
        } catch (InvocationTargetException e) {
            log.log(Level.WARNING, "netlib's own BLAS is used, since Basalt does not run here", e.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            log.log(Level.WARNING, "netlib's own BLAS is used, since Basalt is not on its class path", e);
        }
        return null;
    }

    private static JavaBLAS java() {
        if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
            return VectorBLAS.getInstance();
        }
        return Java11BLAS.getInstance();
    }
}
