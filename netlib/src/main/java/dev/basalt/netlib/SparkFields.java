package dev.basalt.netlib;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Field;
import java.util.List;

/**
 * Where Spark MLlib keeps the instances that it has asked netlib for. A session that was started before, in the same JVM and without the
 * plugin, may have filled these fields with netlib's own.
 */
final class SparkFields {
    private static final Logger LOG = System.getLogger("dev.basalt.netlib");

    private static final List<String> ROOMS =
            List.of("ml.linalg.BLAS", "mllib.linalg.BLAS", "mllib.linalg.LAPACK", "mllib.linalg.ARPACK");

    private SparkFields() {}

    /** Puts Basalt behind netlib, and into the fields that are filled already. */
    static void install() {
        List<String> installed = Netlib.install();
        if (!Netlib.hasHost()) {
            return; // the log has the reason
        }
        int set = 0;
        for (String room : ROOMS) {
            if (set("org.apache.spark." + room, room.substring(room.lastIndexOf('.') + 1))) {
                set++;
            }
        }
        LOG.log(Level.INFO, "Basalt serves {0} of netlib, and {1} of {2} rooms of Spark MLlib", installed, set,
                ROOMS.size());
        if (installed.size() < 3) {
            LOG.log(Level.WARNING, "netlib was asked for an instance before the plugin started, so only {0} are"
                    + " Basalt''s for Breeze; put the jar first on the class path", installed);
        }
    }

    /** Fills a field; without MLlib there is none. */
    private static boolean set(String object, String name) {
        try {
            Class<?> room = Class.forName(object + "$", true, loader());
            Field field = room.getDeclaredField("_native" + name);
            field.setAccessible(true);
            field.set(null, switch (name) {
                case "BLAS" -> Netlib.blas();
                case "LAPACK" -> Netlib.lapack();
                default -> Netlib.arpack();
            });
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.log(Level.DEBUG, "Spark has no field for " + object, e);
            return false;
        }
    }

    private static ClassLoader loader() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null ? SparkFields.class.getClassLoader() : context;
    }
}
