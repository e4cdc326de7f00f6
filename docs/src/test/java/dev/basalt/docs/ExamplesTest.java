package dev.basalt.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.codegen.Reference;
import dev.basalt.codegen.Reference.Entry;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of every routine compiles, all in one run of javac, and does on the host what it says: no error, numbers in all results, an info of 0. */
class ExamplesTest {
    /** Memory of an arena is whatever was there before. */
    private static final Pattern CREATED =
            Pattern.compile("^\\w+View (\\w+) = arena\\.\\w+\\(ElementType\\.[FC]64.*;$");

    /** The examples as methods of a class, each of which gives what its call has overwritten, by name. */
    private static String source(List<Entry> entries) {
        StringBuilder source = new StringBuilder("""
                import dev.basalt.*;
                import dev.basalt.spi.Semiring;
                import dev.basalt.type.*;
                import java.util.Map;

                public class Examples {
                    // Calls leave alone what is beside a band or in another triangle.
                    static void clear(VectorView x) {
                        switch (x.type()) {
                            case F64 -> x.upload(new double[(int) x.size()]);
                            case C64 -> x.upload(new double[2 * (int) x.size()]);
                            default -> { }
                        }
                    }
                    static void clear(MatrixView a) {
                        switch (a.type()) {
                            case F64 -> a.upload(new double[(int) (a.rows() * a.cols())]);
                            case C64 -> a.upload(new double[2 * (int) (a.rows() * a.cols())]);
                            default -> { }
                        }
                    }
                    static void clear(BandView a) {
                        clear(a.storage());
                    }
                    static void clear(PackedView a) {
                        clear(a.storage());
                    }
                """);
        IntStream.range(0, entries.size()).forEach(i -> {
            Entry entry = entries.get(i);
            source.append("public static Object[] example").append(i).append("(Handle handle, DeviceArena arena) {\n");
            entry.example()
                    .forEach(line -> source.append(CREATED.matcher(line).replaceAll("$0 clear($1);")).append('\n'));
            List<String> results = new ArrayList<>(entry.results());
            if (entry.result()) {
                results.add("result");
            }
            source.append("return new Object[] {").append(String.join(", ", results)).append("};\n}\n");
        });
        return source.append("}\n").toString();
    }

    @Test
    void everyExampleCompilesAndRuns(@TempDir Path folder) throws IOException, ReflectiveOperationException {
        List<Entry> entries = Reference.entries().stream().filter(entry -> !entry.example().isEmpty()).toList();
        assertThat(entries.size()).isGreaterThan(Reference.entries().size() - 3);
        Path source = Files.writeString(folder.resolve("Examples.java"), source(entries));
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        boolean compiled =
                javac.getTask(messages, null, null, List.of("-proc:none", "-classpath", path, "-d", folder.toString()),
                        null, javac.getStandardFileManager(null, null, null).getJavaFileObjects(source)).call();
        assertThat(compiled).as("%s", messages).isTrue();
        Map<String, String> wrong = new TreeMap<>();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
                Device device = Device.open("host:threads=1");
                Handle handle = device.createHandle()) {
            Class<?> examples = loader.loadClass("Examples");
            for (int i = 0; i < entries.size(); i++) {
                Method example = examples.getMethod("example" + i, Handle.class, DeviceArena.class);
                String name = entries.get(i).view();
                try (DeviceArena arena = device.arena()) {
                    check((Object[]) example.invoke(null, handle, arena), entries.get(i), wrong);
                } catch (InvocationTargetException e) {
                    if (!(e.getCause() instanceof BlasException)) {
                        throw e;
                    }
                    wrong.put(name, e.getCause().toString());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static void check(Object[] results, Entry entry, Map<String, String> wrong) {
        for (int i = 0; i < results.length; i++) {
            String what = i < entry.results().size() ? entry.results().get(i) : "result";
            double[] numbers = numbers(results[i]);
            boolean good = what.equals("info")
                    ? numbers[0] == 0
                    : IntStream.range(0, numbers.length).allMatch(j -> Double.isFinite(numbers[j]));
            if (!good) {
                wrong.merge(entry.view(), what + " is " + Arrays.toString(numbers), (x, y) -> x + ", " + y);
            }
        }
    }

    private static double[] numbers(Object result) {
        return switch (result) {
            case MatrixView matrix -> {
                double[] numbers = new double[(int) (matrix.rows() * matrix.cols()) * parts(matrix.type())];
                matrix.download(numbers);
                yield numbers;
            }
            case VectorView vector when vector.type() == ElementType.I32 -> {
                int[] numbers = new int[(int) vector.size()];
                vector.download(numbers);
                yield IntStream.of(numbers).asDoubleStream().toArray();
            }
            case VectorView vector when vector.type() == ElementType.I64 -> {
                long[] numbers = new long[(int) vector.size()];
                vector.download(numbers);
                yield Arrays.stream(numbers).asDoubleStream().toArray();
            }
            case VectorView vector -> {
                double[] numbers = new double[(int) vector.size() * parts(vector.type())];
                vector.download(numbers);
                yield numbers;
            }
            case Number number -> new double[] {number.doubleValue()};
            case Complex complex -> new double[] {complex.re(), complex.im()};
            default -> throw new IllegalStateException("no result: " + result);
        };
    }

    private static int parts(ElementType type) {
        return type.isComplex() ? 2 : 1;
    }
}
