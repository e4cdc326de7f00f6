package dev.basalt.codegen;

import java.io.IOException;
import java.nio.file.Path;

/** Writes some of the generated sources of a module. */
interface Generator {
    /**
     * Writes them all.
     *
     * @param sources the module's source folder
     * @param output where they go
     * @throws IOException if a file cannot be read or written
     */
    void generate(Path sources, Output output) throws IOException;
}
