import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Writes jars again so that an archive of loaded classes can hold them: {@code java Reframe.java jar...}. Their classes get stack maps: Java keeps no
 * class in an archive that has none, and spends most of a second on verifying them; picocli's are compiled for Java 5. Their packages are not sealed any
 * more: Java seals one to the place that the archive was made at, and does not start where that is gone. Nothing else changes.
 */
final class Reframe {
    /** The first version of class files that must have stack maps. */
    private static final int WITH_STACK_MAPS = 51;

    private Reframe() {}

    public static void main(String[] args) throws IOException {
        for (String name : args) {
            rewrite(Path.of(name), Path.of(name + ".new"));
        }
    }

    private static void rewrite(Path jar, Path made) throws IOException {
        try (ZipFile in = new ZipFile(jar.toFile());
                OutputStream file = Files.newOutputStream(made);
                ZipOutputStream out = new ZipOutputStream(file);
                URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()})) {
            ClassFile format = ClassFile.of(ClassFile.ConstantPoolSharingOption.NEW_POOL,
                    ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                    ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(classes)
                            .orElse(ClassHierarchyResolver.defaultResolver())));
            for (ZipEntry entry : Collections.list(in.entries())) {
                byte[] bytes = in.getInputStream(entry).readAllBytes();
                if (entry.getName().endsWith(".class")) {
                    bytes = withStackMaps(format, bytes);
                } else if (entry.getName().equals(JarFile.MANIFEST_NAME)) {
                    bytes = unsealed(bytes);
                }
                write(out, entry, bytes);
            }
        }
        Files.move(made, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private static byte[] unsealed(byte[] bytes) throws IOException {
        Manifest manifest = new Manifest(new ByteArrayInputStream(bytes));
        if (manifest.getMainAttributes().remove(Attributes.Name.SEALED) == null) {
            return bytes;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        manifest.write(out);
        return out.toByteArray();
    }

    private static byte[] withStackMaps(ClassFile format, byte[] bytes) {
        ClassModel model = format.parse(bytes);
        if (model.majorVersion() >= WITH_STACK_MAPS) {
            return bytes;
        }
        ClassTransform version = ClassTransform.endHandler(builder -> builder.withVersion(WITH_STACK_MAPS, 0));
        // Bodies that are passed on element by element are written anew, and get their stack maps.
        ClassTransform bodies = ClassTransform.transformingMethodBodies((builder, element) -> builder.with(element));
        return format.transformClass(model, version.andThen(bodies));
    }

    /** Not compressed: that costs time at every start. */
    private static void write(ZipOutputStream out, ZipEntry from, byte[] bytes) throws IOException {
        ZipEntry entry = new ZipEntry(from.getName());
        CRC32 sum = new CRC32();
        sum.update(bytes);
        entry.setTime(from.getTime());
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        entry.setCrc(sum.getValue());
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }
}
