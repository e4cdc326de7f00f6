package dev.basalt.codegen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A class a second time, over another parent, and its single-precision twin: Java has no way to say that a class extends one
 * of two. The new parent is of the same package, or takes the place of the old one in the imports. {@code // real: text} at the end of a line: the text
 * takes the line's place, as new parents are of real numbers.
 */
final class Reparented implements Generator {
    private final String folder;
    private final String type;
    private final String parent;
    private final String newType;
    private final String newParent;

    /**
     * One class.
     *
     * @param folder its folder, relative to the source folder
     * @param type its name
     * @param parent what it extends
     * @param newType the name of the generated class
     * @param newParent what that extends, with its package if it is of another
     */
    Reparented(String folder, String type, String parent, String newType, String newParent) {
        this.folder = folder;
        this.type = type;
        this.parent = parent;
        this.newType = newType;
        this.newParent = newParent;
    }

    @Override
    public void generate(Path sources, Output output) throws IOException {
        String origin = type + ".java";
        String simple = newParent.substring(newParent.lastIndexOf('.') + 1);
        List<String> lines = Files.readAllLines(sources.resolve(folder).resolve(origin))
                .stream()
                .map(line -> line.matches("import [\\w.]+\\." + parent + ";") ? "import " + newParent + ";" : line)
                .filter(line -> !line.equals("import " + simple + ";"))
                .map(line -> line.replaceAll("\\bextends " + parent + "\\b", "extends " + simple)
                        .replaceAll("\\b" + type + "\\b", newType)
                        .replaceFirst("^(\\s*).*// real: (.*)$", "$1$2"))
                .toList();
        String name = newType + ".java";
        output.write(folder + "/" + name, origin, lines);
        output.write(folder + "/" + Precision.singleFile(name), origin, Precision.single(lines));
    }
}
