package dev.basalt.codegen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The single-precision twins of all double-precision sources of a package: D to S, Z to C, as {@link Precision} says. */
final class PrecisionSources implements Generator {
    private final String folder;

    /**
     * The sources of one package.
     *
     * @param folder its folder, relative to the source folder
     */
    PrecisionSources(String folder) {
        this.folder = folder;
    }

    @Override
    public void generate(Path sources, Output output) throws IOException {
        List<Path> files;
        try (Stream<Path> list = Files.list(sources.resolve(folder))) {
            files = list.sorted().toList();
        }
        for (Path file : files) {
            String name = file.getFileName().toString();
            String single = Precision.singleFile(name);
            // A twin written by hand stands.
            if (single != null && !Files.exists(file.resolveSibling(single))) {
                output.write(folder + "/" + single, name, Precision.single(Files.readAllLines(file)));
            }
        }
    }
}
