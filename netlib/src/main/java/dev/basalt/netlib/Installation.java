package dev.basalt.netlib;

import dev.ludovic.netlib.arpack.ARPACK;
import dev.ludovic.netlib.arpack.NativeARPACK;
import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.blas.NativeBLAS;
import dev.ludovic.netlib.lapack.LAPACK;
import dev.ludovic.netlib.lapack.NativeLAPACK;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.net.URI;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;

/**
 * Defines Basalt's InstanceBuilder in the class loader of netlib, before netlib loads its own class of that name. So it does not matter in
 * which class loader Basalt itself is, such as Spark's for {@code --jars}.
 */
final class Installation {
    private Installation() {}

    /**
     * Does it for the three interfaces.
     *
     * @return the names of those whose instances are Basalt's
     */
    static synchronized List<String> install() {
        List<String> installed = new ArrayList<>();
        if (install(BLAS.class, NativeBLAS.class, BasaltBLAS.INSTANCE)) {
            installed.add("BLAS");
        }
        if (install(LAPACK.class, NativeLAPACK.class, BasaltLAPACK.INSTANCE)) {
            installed.add("LAPACK");
        }
        if (install(ARPACK.class, NativeARPACK.class, BasaltARPACK.INSTANCE)) {
            installed.add("ARPACK");
        }
        return installed;
    }

    private static <T> boolean install(Class<?> netlib, Class<T> type, T instance) {
        try {
            Lookup lookup = MethodHandles.privateLookupIn(netlib, MethodHandles.lookup());
            Class<?> builder;
            try {
                builder = lookup.defineClass(bytes(netlib));
            } catch (LinkageError e) {
                // There is one already: ours, from an earlier call or the class path, or netlib's own.
                builder = lookup.findClass(netlib.getPackageName() + ".InstanceBuilder");
            }
            lookup.findStaticVarHandle(builder, "given", type).setVolatile(instance);
            return true;
        } catch (NoSuchFieldException e) {
            return false;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("netlib's package " + netlib.getPackageName() + " is closed to Basalt", e);
        }
    }

    /** The bytes of our InstanceBuilder: a class loader that is asked by name may answer with netlib's. */
    private static byte[] bytes(Class<?> netlib) {
        String self = Installation.class.getName().replace('.', '/') + ".class";
        String wanted = netlib.getPackageName().replace('.', '/') + "/InstanceBuilder.class";
        String here = Installation.class.getResource("Installation.class").toString();
        URI place = URI.create(here.substring(0, here.length() - self.length()) + wanted);
        try {
            URL url = place.toURL();
            try (InputStream in = url.openStream()) {
                return in.readAllBytes();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Basalt's own jar lacks " + wanted, e);
        }
    }
}
