package dev.basalt.codegen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The command that the build runs before it compiles the module netlib:
 * {@code GenerateNetlib classPath olderClassPath outDir sources}. It reads the interfaces of both versions of netlib, and what Basalt offers on
 * arrays, from their class files.
 */
public final class GenerateNetlib {
    private static final String ROOM = "dev/basalt/netlib";

    private GenerateNetlib() {}

    /**
     * Writes the implementations of netlib's interfaces.
     *
     * @param args the class path with netlib's newer version, that with the older one, the folder to write to, and that of the module's
     *     sources
     * @throws IOException if a file cannot be read or written
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 4) {
            throw new IllegalArgumentException(
                    "usage: GenerateNetlib classPath olderClassPath outDir sources, not " + List.of(args));
        }
        Output output = new Output(Path.of(args[2]));
        try (NetlibClasses newer = new NetlibClasses(args[0]); NetlibClasses older = new NetlibClasses(args[1])) {
            for (String room : List.of("blas", "lapack", "arpack")) {
                new NetlibSource(room, newer, older).write(output);
            }
        }
        for (String name : List.of("DLanczos", "DPacked", "DRitz", "DRows", "DScaling")) {
            single(Path.of(args[3], ROOM), name, output);
        }
        output.removeStale();
    }

    /** The twin of a class in single precision: its calls of methods on arrays and netlib's boxes change, too. */
    private static void single(Path folder, String name, Output output) throws IOException {
        List<String> lines = Precision.single(Files.readAllLines(folder.resolve(name + ".java")))
                .stream()
                .map(line -> line.replaceAll("\\bArray(Blas|Lapack)\\.d", "Array$1.s").replace("doubleW", "floatW"))
                .toList();
        output.write(ROOM + "/" + Precision.singleFile(name + ".java"), name, lines);
    }
}
