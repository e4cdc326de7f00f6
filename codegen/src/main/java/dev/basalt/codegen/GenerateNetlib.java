package dev.basalt.codegen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The command that the build runs before it compiles the module netlib:
 * {@code GenerateNetlib classPath olderClassPath outDir}. It reads the interfaces of both versions of netlib, and what Basalt offers on
 * arrays, from their class files.
 */
public final class GenerateNetlib {
    private GenerateNetlib() {}

    /**
     * Writes the implementations of netlib's interfaces.
     *
     * @param args the class path with netlib's newer version, that with the older one, and the folder to write to
     * @throws IOException if a file cannot be read or written
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 3) {
            throw new IllegalArgumentException(
                    "usage: GenerateNetlib classPath olderClassPath outDir, not " + List.of(args));
        }
        Output output = new Output(Path.of(args[2]));
        try (NetlibClasses newer = new NetlibClasses(args[0]); NetlibClasses older = new NetlibClasses(args[1])) {
            for (String room : List.of("blas", "lapack", "arpack")) {
                new NetlibSource(room, newer, older).write(output);
            }
        }
        output.removeStale();
    }
}
