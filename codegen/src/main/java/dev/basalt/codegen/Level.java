package dev.basalt.codegen;

import java.util.Arrays;

/** The levels of BLAS, and LAPACK: a class each. */
enum Level {
    ONE("1", "Level1", "BLAS level 1, vectors"),
    TWO("2", "Level2", "BLAS level 2, a matrix and vectors"),
    THREE("3", "Level3", "BLAS level 3, matrices"),
    LAPACK("L", "Lapack", "LAPACK");

    /** What the table calls it. */
    final String key;

    /** For people. */
    final String title;

    private final String name;

    Level(String key, String name, String title) {
        this.key = key;
        this.name = name;
        this.title = title;
    }

    /** That of a family. */
    static Level of(ClassicFamily family) {
        return Arrays.stream(values()).filter(level -> level.has(family)).findFirst().orElseThrow();
    }

    boolean has(ClassicFamily family) {
        return family.level().equals(key);
    }

    /** The class of the classic names. */
    String classic() {
        return "Classic" + name;
    }

    /** The class of the small lane. */
    String lane() {
        return "Small" + name;
    }

    /** The class of the methods on views. */
    String facade() {
        return this == LAPACK ? "Lapack" : "Blas" + name;
    }
}
