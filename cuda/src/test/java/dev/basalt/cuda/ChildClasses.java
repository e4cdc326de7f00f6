package dev.basalt.cuda;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The class path of another JVM that a test starts. */
final class ChildClasses {
    private ChildClasses() {}

    /** Where classes lie, be it on the class path or the module path. */
    static String of(Class<?>... types) {
        return Arrays.stream(types).map(ChildClasses::place).distinct().collect(Collectors.joining(File.pathSeparator));
    }

    private static String place(Class<?> type) {
        String own = type.getName().replace('.', '/') + ".class";
        URI found = URI.create(type.getResource("/" + own).toString());
        if (found.getScheme().equals("jar")) {
            String jar = found.getSchemeSpecificPart();
            return Path.of(URI.create(jar.substring(0, jar.indexOf('!')))).toString();
        }
        Path file = Path.of(found);
        for (int i = 0; i < type.getName().split("\\.").length; i++) {
            file = file.getParent();
        }
        return file.toString();
    }
}
