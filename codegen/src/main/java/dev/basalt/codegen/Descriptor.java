package dev.basalt.codegen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes a module's descriptor readable for Java 17. Maven's jar plugin hands it to the jar tool of the JDK that Maven runs on, and an older
 * one refuses a newer class file. What is in a descriptor has not changed since, so its version number is all that is in the way. A
 * descriptor that is readable is left alone, so that nothing looks newer than it is.
 */
public final class Descriptor {
    /** The class files of Java 17. */
    private static final int OLD = 61;

    /** Where the major version ends, in every class file. */
    private static final int MAJOR = 7;

    private Descriptor() {}

    /**
     * Does it.
     *
     * @param args the folder of a module's classes
     * @throws IOException if the descriptor cannot be read or written
     */
    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[0], "module-info.class");
        byte[] bytes = Files.readAllBytes(file);
        if (bytes[MAJOR - 1] != 0 || bytes[MAJOR] > OLD) {
            bytes[MAJOR - 1] = 0;
            bytes[MAJOR] = OLD;
            Files.write(file, bytes);
        }
    }
}
