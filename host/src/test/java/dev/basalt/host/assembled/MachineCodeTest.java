package dev.basalt.host.assembled;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.batch.BatchTable;
import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.factor.FactorTable;
import dev.basalt.host.assembled.matvec.ChainTable;
import dev.basalt.host.assembled.matvec.MapTable;
import dev.basalt.host.assembled.matvec.MatvecTable;
import dev.basalt.host.assembled.matvec.StoredPanelTable;
import dev.basalt.host.assembled.matvec.StoredTable;
import dev.basalt.host.assembled.matvec.TurnTable;
import dev.basalt.host.assembled.mixed.MixedTable;
import dev.basalt.host.assembled.product.ProductTable;
import dev.basalt.host.assembled.reflect.ReflectTable;
import dev.basalt.host.assembled.stream.StreamTable;
import dev.basalt.host.assembled.x86.CpuFeatures;
import dev.basalt.host.assembled.x86.Extension;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * The bytes of every kernel that any table can make, for both instruction sets, are those of the digests in {@link #FILE}. Kernels are
 * written here and not run, so every processor can tell. A change that is meant to change kernels writes the file anew:
 * {@code mvn -pl host -am test -Dtest=MachineCodeTest -Dsurefire.failIfNoSpecifiedTests=false -Dbasalt.test.machineCode=write}.
 */
class MachineCodeTest {
    private static final Path FILE = Path.of("src/test/resources/machine-code.txt");
    private static final Path CLASSES = Path.of("target/classes");
    /** Digests of a line. */
    private static final int LINE = 16;
    /** Kinds with more variants than this are made and checked in part. */
    private static final int MANY = 200;

    /** Every table of an element type. */
    private static List<Variants<?>> tables(Shape shape, boolean complex) {
        List<Variants<?>> tables = new ArrayList<>(List.of(new StreamTable(shape, complex),
                new MatvecTable(shape, complex), new StoredTable(shape, complex), new StoredPanelTable(shape, complex),
                new ChainTable(shape, complex), new MapTable(shape, complex), new TurnTable(shape, complex),
                new ProductTable(shape), new FactorTable(shape, complex), new ReflectTable(shape, complex),
                new BatchTable(shape, complex)));
        if (shape.precision() == Real.F32 && !complex) {
            Set<Extension> extensions = EnumSet.noneOf(Extension.class);
            if (runnable()) {
                extensions.addAll(CpuFeatures.detect().extensions(shape.isa()));
            }
            tables.add(new MixedTable(shape, extensions));
        }
        return tables;
    }

    private static boolean runnable() {
        try {
            AssembledKernels.vectorBits();
            return true;
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }

    private static List<Shape> shapes() {
        List<Shape> shapes = new ArrayList<>();
        for (Isa isa : Isa.values()) {
            for (Real precision : Real.values()) {
                shapes.add(new Shape(isa, precision));
            }
        }
        return shapes;
    }

    @Test
    void everyKernelHasTheBytesOfItsDigest() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Shape shape : shapes()) {
            for (boolean complex : new boolean[] {false, true}) {
                for (Variants<?> table : tables(shape, complex)) {
                    String type = shape.isa() + (complex ? " C" : " ") + shape.precision();
                    digests(table, type + " " + table.getClass().getSimpleName() + " ", lines);
                }
            }
        }
        if ("write".equals(System.getProperty("basalt.test.machineCode"))) {
            Files.write(FILE, lines);
        }
        assertThat(lines).isEqualTo(Files.readAllLines(FILE));
    }

    private static <K extends Enum<K>> void digests(Variants<K> table, String name, List<String> lines) {
        for (K kind : table.kinds()) {
            StringBuilder line = new StringBuilder();
            int count = table.variants(kind);
            for (int i = 0; i < count; i++) {
                if (i % LINE == 0) {
                    line.append(name).append(kind).append(' ').append(i).append(':');
                }
                line.append(' ').append(digest(table.bytes(kind, i)));
                if (i % LINE == LINE - 1 || i == count - 1) {
                    lines.add(line.toString());
                    line.setLength(0);
                }
            }
        }
    }

    private static String digest(byte[] code) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(code);
            return HexFormat.of().formatHex(hash, 0, 5);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A new table has to be named here, or its kernels have no digests. */
    @Test
    void noTableIsForgotten() throws IOException {
        Set<String> known = new TreeSet<>();
        for (Variants<?> table : tables(shapes().get(0), false)) {
            known.add(table.getClass().getName());
        }
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(CLASSES.resolve("dev/basalt/host/assembled"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = CLASSES.relativize(file).toString().replace('/', '.').replace('\\', '.');
                if (name.endsWith(".class") && isTable(name.substring(0, name.length() - ".class".length()))) {
                    found.add(name.substring(0, name.length() - ".class".length()));
                }
            }
        }
        assertThat(known).isEqualTo(found);
    }

    private static boolean isTable(String name) {
        try {
            Class<?> type = Class.forName(name, false, MachineCodeTest.class.getClassLoader());
            return type != Variants.class && Variants.class.isAssignableFrom(type);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void kernelsPassTheirChecks() {
        Assumptions.assumeTrue(runnable(), "there are no assembled kernels for this processor or system");
        int made = 0;
        for (Shape shape : shapes()) {
            for (boolean complex : new boolean[] {false, true}) {
                if (CpuFeatures.detect().has(shape.isa())) {
                    for (Variants<?> table : tables(shape, complex)) {
                        made += make(table);
                    }
                }
            }
        }
        assertThat(made).isGreaterThan(1000);
    }

    private static <K extends Enum<K>> int make(Variants<K> table) {
        int made = 0;
        for (K kind : table.kinds()) {
            int count = table.runs(kind) ? table.variants(kind) : 0;
            // A step that shares no factor with the powers of two that sizes are.
            for (int i = 0; i < count; i += 1 + 2 * (count / MANY)) {
                assertThat(table.kernel(kind, i).address()).isNotZero();
                made++;
            }
        }
        return made;
    }
}
