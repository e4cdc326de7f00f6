package dev.basalt.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.ClassicLapack;
import dev.basalt.ClassicLevel1;
import dev.basalt.ClassicLevel2;
import dev.basalt.ClassicLevel3;
import dev.basalt.Complex;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.DeviceMemory;
import dev.basalt.DevicePointer;
import dev.basalt.Diag;
import dev.basalt.ElementType;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Op;
import dev.basalt.Side;
import dev.basalt.Status;
import dev.basalt.Uplo;
import dev.basalt.VectorView;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The classic names by reflection, every one of them: a plain call does what the call on views does, and both forms of a batch do
 * what the plain calls do, to the last bit. Parameters are recognised by their names.
 */
class ClassicCallsTest {
    private static final List<Class<?>> CLASSES =
            List.of(ClassicLevel1.class, ClassicLevel2.class, ClassicLevel3.class, ClassicLapack.class);
    private static final List<Options> OPTIONS = options();

    /** All options a routine may take. */
    private record Options(Side side, Uplo uplo, Op transA, Op transB, Diag diag) {
        Object of(Parameter p) {
            return switch (p.getName()) {
                case "side" -> side;
                case "uplo" -> uplo;
                case "diag" -> diag;
                case "transB" -> transB;
                default -> transA;
            };
        }
    }

    private static List<Options> options() {
        List<Options> all = new ArrayList<>();
        for (Side side : Side.values()) {
            for (Uplo uplo : Uplo.values()) {
                for (Op op : Op.values()) {
                    for (Diag diag : Diag.values()) {
                        Op other = Op.values()[(op.ordinal() + side.ordinal()) % 3];
                        all.add(new Options(side, uplo, op, other, diag));
                    }
                }
            }
        }
        return all;
    }

    private static final Map<String, Long> SIZES = Map.of("m", 5L, "n", 4L, "k", 3L, "nrhs", 2L, "batchCount", 2L);
    private static final long LD = 7;
    private static final long STRIDE = 60;
    private static final long BLOCK = 2 * STRIDE;

    /** The memory of one call: a block for every operand, filled the same way each time. */
    private static final class Memory {
        final DeviceArena arena;
        final ElementType type;
        final Map<String, DeviceMemory> blocks = new TreeMap<>();

        Memory(DeviceArena arena, ElementType type) {
            this.arena = arena;
            this.type = type;
        }

        DevicePointer pointer(String name, long problem) {
            ElementType element = element(name);
            return block(name).pointer().plus(element, problem * distance(name));
        }

        ElementType element(String name) {
            return switch (name) {
                case "ipiv" -> ElementType.I64;
                case "info" -> ElementType.I32;
                // Wide enough for every type of result; the elements only set the distance.
                default -> type;
            };
        }

        long distance(String name) {
            return name.equals("info") || name.equals("result") ? 1 : STRIDE;
        }

        DeviceMemory block(String name) {
            return blocks.computeIfAbsent(name, this::filled);
        }

        private DeviceMemory filled(String name) {
            ElementType element = element(name);
            DeviceMemory memory = arena.allocate(BLOCK * element.bytes());
            VectorView all = VectorView.of(element, memory.pointer(), BLOCK, 1);
            if (element == ElementType.I32) {
                all.upload(new int[(int) BLOCK]);
            } else if (element == ElementType.I64) {
                long[] pivots = new long[(int) BLOCK];
                Arrays.setAll(pivots, i -> i % STRIDE % 4 + 1);
                all.upload(pivots);
            } else {
                double[] values = new double[(int) BLOCK * (type.isComplex() ? 2 : 1)];
                for (int i = 0; i < BLOCK; i++) {
                    value(name, i, values);
                }
                upload(all, values);
            }
            return memory;
        }

        /** Diagonally dominant and Hermitian where it is a matrix; smaller elsewhere, different in each operand and problem. */
        private void value(String name, int at, double[] values) {
            int i = at % (int) STRIDE % (int) LD;
            int j = at % (int) STRIDE / (int) LD;
            int seed = name.charAt(0) * 31 + Math.min(i, j) * 7 + Math.max(i, j) * 3 + (at >= STRIDE ? 1 : 0);
            double re = i == j ? 9 + i : seed % 11 / 8.0 - 0.5;
            if (type.isComplex()) {
                values[2 * at] = re;
                values[2 * at + 1] = Integer.compare(i, j) * (seed % 5 / 8.0);
            } else {
                values[at] = re;
            }
        }

        private static void upload(VectorView view, double[] values) {
            if (view.type() == ElementType.F32 || view.type() == ElementType.C32) {
                float[] narrow = new float[values.length];
                for (int i = 0; i < values.length; i++) {
                    narrow[i] = (float) values[i];
                }
                view.upload(narrow);
            } else {
                view.upload(values);
            }
        }

        /** All bits of all blocks that a call may have written. */
        Map<String, List<Integer>> bits() {
            Map<String, List<Integer>> bits = new TreeMap<>();
            blocks.forEach((name, memory) -> {
                int[] words = new int[(int) (memory.byteSize() / 4)];
                VectorView.of(ElementType.I32, memory.pointer(), words.length, 1).download(words);
                bits.put(name, Arrays.stream(words).boxed().toList());
            });
            return bits;
        }

        DevicePointer scalar(String name, ElementType element) {
            return arena.scalar(element, scalarValue(name, element.isComplex())).pointer();
        }

        DevicePointer table(String name) {
            VectorView table = arena.vector(ElementType.I64, 2);
            table.upload(new long[] {pointer(name, 0).address(), pointer(name, 1).address()});
            return table.pointer();
        }

        MatrixView matrix(String name, long rows, long cols) {
            return MatrixView.of(type, pointer(name, 0), rows, cols, LD);
        }

        VectorView vector(String name, long n) {
            return VectorView.of(type, pointer(name, 0), n, 2);
        }
    }

    private static Complex scalarValue(String name, boolean complex) {
        return name.equals("alpha") ? new Complex(1.5, complex ? 0.25 : 0) : new Complex(-0.5, complex ? 0.75 : 0);
    }

    private static ElementType type(Method method) {
        String name = method.getName();
        for (String prefix : List.of("sc", "dz", "cs", "zd")) {
            for (String family : List.of("asum", "nrm2", "scal")) {
                if (name.startsWith(prefix + family)) {
                    return prefix.contains("c") ? ElementType.C32 : ElementType.C64;
                }
            }
        }
        char letter = name.charAt(name.matches("i[sdcz]am.*") ? 1 : 0);
        return Arrays.stream(ElementType.values()).filter(t -> t.letter() == letter).findFirst().orElseThrow();
    }

    /** gemm of dgemmStridedBatched. */
    private static String family(Method method) {
        return plainName(method).replaceFirst("^(i[sdcz]|sc(?=asum|nrm2)|dz|cs(?=scal)|zd(?=scal)|[sdcz])", "");
    }

    private static String plainName(Method method) {
        return method.getName().replaceFirst("(Strided)?Batched$", "");
    }

    private static boolean scalarIsReal(Method method) {
        return family(method).equals("herk") || method.getName().matches("(cs|zd)scal.*");
    }

    private static boolean returnsValue(Method method) {
        return method.getReturnType() != Status.class;
    }

    private static Stream<Method> methods() {
        return CLASSES.stream()
                .flatMap(c -> Arrays.stream(c.getDeclaredMethods()))
                .filter(m -> !m.isSynthetic());
    }

    private static Stream<Method> plain() {
        return methods().filter(m -> plainName(m).equals(m.getName()));
    }

    private static Object[] arguments(Method method, Handle handle, Memory memory, Options options, long problem) {
        boolean tables = method.getName().endsWith("Batched") && !method.getName().endsWith("StridedBatched");
        Parameter[] parameters = method.getParameters();
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            Parameter p = parameters[i];
            String name = p.getName();
            boolean scalar = name.equals("alpha") || name.equals("beta");
            boolean table = tables && !List.of("ipiv", "info", "result").contains(name);
            if (p.getType() == Handle.class) {
                arguments[i] = handle;
            } else if (p.getType() == long.class) {
                arguments[i] = SIZES.getOrDefault(
                        name, name.startsWith("ld") ? LD : name.startsWith("inc") ? 2 : STRIDE);
            } else if (scalar) {
                arguments[i] = scalar(method, p, memory);
            } else if (p.getType() == DevicePointer.class) {
                arguments[i] = table ? memory.table(name) : memory.pointer(name, problem);
            } else {
                arguments[i] = options.of(p);
            }
        }
        return arguments;
    }

    private static Object scalar(Method method, Parameter p, Memory memory) {
        ElementType type = scalarIsReal(method) ? memory.type.real() : memory.type;
        Complex value = scalarValue(p.getName(), type.isComplex());
        if (p.getType() == DevicePointer.class) {
            return memory.scalar(p.getName(), type);
        }
        return p.getType() == Complex.class ? value : p.getType() == float.class ? (Object) (float) value.re() : value.re();
    }

    private static Object call(Method method, Object... arguments) {
        try {
            return method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw (RuntimeException) e.getCause();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<DynamicTest> each(Stream<Method> methods, MethodCheck check) {
        Map<String, List<Method>> byName = methods.collect(Collectors.groupingBy(Method::getName, TreeMap::new, Collectors.toList()));
        return byName.entrySet().stream().map(e -> DynamicTest.dynamicTest(e.getKey(), () -> {
            try (Device device = Device.open("host:threads=1");
                    Handle handle = device.createHandle()) {
                for (Method method : e.getValue()) {
                    check.run(method, device, handle);
                }
            }
        }));
    }

    private interface MethodCheck {
        void run(Method method, Device device, Handle handle);
    }

    @TestFactory
    Stream<DynamicTest> aBatchIsThePlainCallsOneByOne() {
        return each(methods().filter(m -> m.getName().endsWith("Batched")), (method, device, handle) -> {
            Method single = single(method);
            for (Options options : OPTIONS) {
                try (DeviceArena arena = device.arena()) {
                    Memory one = new Memory(arena, type(method));
                    Memory batch = new Memory(arena, type(method));
                    Throwable error = catchThrowable(() -> {
                        call(single, arguments(single, handle, one, options, 0));
                        call(single, arguments(single, handle, one, options, 1));
                    });
                    spreadResults(single, one);
                    Throwable batchError =
                            catchThrowable(() -> call(method, arguments(method, handle, batch, options, 0)));
                    assertThat(status(batchError)).isEqualTo(status(error));
                    assertThat(batch.bits()).as("%s %s", method, options).isEqualTo(one.bits());
                }
            }
        });
    }

    private static Status status(Throwable error) {
        if (error == null) {
            return null;
        }
        assertThat(error).isInstanceOf(BlasException.class);
        return ((BlasException) error).status();
    }

    /** Results of a batch are closer together than Memory's distances where they are narrower than the elements. */
    private static void spreadResults(Method single, Memory memory) {
        if (!memory.blocks.containsKey("result")) {
            return;
        }
        ElementType result = resultType(single, memory.type);
        if (result.bytes() != memory.type.bytes()) {
            VectorView words = VectorView.of(ElementType.I32, memory.block("result").pointer(), BLOCK, 1);
            int[] have = new int[(int) BLOCK];
            words.download(have);
            Memory fresh = new Memory(memory.arena, memory.type);
            int[] want = new int[(int) BLOCK];
            VectorView.of(ElementType.I32, fresh.block("result").pointer(), BLOCK, 1).download(want);
            int width = result.bytes() / 4;
            for (int p = 0; p < 2; p++) {
                System.arraycopy(have, p * memory.type.bytes() / 4, want, p * width, width);
            }
            words.upload(want);
        }
    }

    private static ElementType resultType(Method method, ElementType type) {
        String family = family(method);
        return family.startsWith("am") ? ElementType.I64 : family.startsWith("dot") ? type : type.real();
    }

    /** The plain method with the same scalars and operands. */
    private static Method single(Method batched) {
        List<String> added = List.of("batchCount", "strideP");
        List<String> wanted = Arrays.stream(batched.getParameters())
                .filter(p -> !added.contains(p.getName()) && !p.getName().startsWith("stride"))
                .map(p -> p.getType().getSimpleName() + " " + p.getName())
                .toList();
        return plain()
                .filter(m -> m.getName().equals(plainName(batched)))
                .filter(m -> Arrays.stream(m.getParameters())
                        .map(p -> p.getType().getSimpleName() + " " + p.getName())
                        .toList()
                        .equals(wanted))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no plain form of " + batched));
    }

    @TestFactory
    Stream<DynamicTest> aPlainCallIsTheCallOnViews() {
        return each(plain(), (method, device, handle) -> {
            for (Options options : OPTIONS) {
                try (DeviceArena arena = device.arena()) {
                    Memory classic = new Memory(arena, type(method));
                    Memory views = new Memory(arena, type(method));
                    Object[] value = new Object[2];
                    Throwable error = catchThrowable(
                            () -> value[0] = call(method, arguments(method, handle, classic, options, 0)));
                    Throwable viewError = catchThrowable(() -> value[1] = onViews(method, handle, views, options));
                    assertThat(status(error)).as("%s %s", method, options).isEqualTo(status(viewError));
                    classic.blocks.keySet().forEach(views::block);
                    views.blocks.keySet().forEach(classic::block);
                    assertThat(classic.bits()).as("%s %s", method, options).isEqualTo(views.bits());
                    if (value[0] instanceof Float f) {
                        assertThat(f.doubleValue()).isEqualTo(value[1]);
                    } else {
                        assertThat(value[0]).isEqualTo(value[1]);
                    }
                }
            }
        });
    }

    private static Object onViews(Method method, Handle h, Memory memory, Options o) {
        long m = SIZES.get("m");
        long n = SIZES.get("n");
        long k = SIZES.get("k");
        long nrhs = SIZES.get("nrhs");
        long order = o.side == Side.LEFT ? m : n;
        boolean plainA = o.transA == Op.NONE;
        boolean plainB = o.transB == Op.NONE;
        boolean inPlace = Arrays.stream(method.getParameters()).noneMatch(p -> p.getName().equals("c"));
        VectorView alpha = VectorView.of(
                scalarIsReal(method) ? memory.type.real() : memory.type,
                memory.scalar("alpha", scalarIsReal(method) ? memory.type.real() : memory.type),
                1,
                1);
        VectorView beta = VectorView.of(alpha.type(), memory.scalar("beta", alpha.type()), 1, 1);
        VectorView ipiv = VectorView.of(ElementType.I64, memory.pointer("ipiv", 0), n, 1);
        VectorView info = VectorView.of(ElementType.I32, memory.pointer("info", 0), 1, 1);
        VectorView x = memory.vector("x", n);
        VectorView y = memory.vector("y", n);
        MatrixView square = memory.matrix("a", n, n);
        MatrixView triangle = memory.matrix("a", order, order);
        MatrixView b = memory.matrix("b", m, n);
        MatrixView c = memory.matrix("c", m, n);
        MatrixView right = memory.matrix("b", n, nrhs);
        MatrixView factor = memory.matrix("a", plainA ? n : k, plainA ? k : n);
        String family = family(method);
        if (returnsValue(method)) {
            return value(family, h, x, y);
        }
        VectorView result = VectorView.of(resultType(method, memory.type), memory.pointer("result", 0), 1, 1);
        return switch (family) {
            case "asum" -> Blas.asum(h, x, result);
            case "nrm2" -> Blas.nrm2(h, x, result);
            case "amax" -> Blas.iamax(h, x, result);
            case "amin" -> Blas.iamin(h, x, result);
            case "dot" -> Blas.dot(h, x, y, result);
            case "dotu" -> Blas.dotu(h, x, y, result);
            case "dotc" -> Blas.dotc(h, x, y, result);
            case "axpy" -> Blas.axpy(h, alpha, x, y);
            case "scal" -> Blas.scal(h, alpha, x);
            case "copy" -> Blas.copy(h, x, y);
            case "swap" -> Blas.swap(h, x, y);
            case "gemv" ->
                Blas.gemv(
                        h,
                        o.transA,
                        alpha,
                        memory.matrix("a", m, n),
                        memory.vector("x", plainA ? n : m),
                        beta,
                        memory.vector("y", plainA ? m : n));
            case "ger" -> Blas.ger(h, alpha, memory.vector("x", m), y, memory.matrix("a", m, n));
            case "geru" -> Blas.geru(h, alpha, memory.vector("x", m), y, memory.matrix("a", m, n));
            case "gerc" -> Blas.gerc(h, alpha, memory.vector("x", m), y, memory.matrix("a", m, n));
            case "symv" -> Blas.symv(h, o.uplo, alpha, square, x, beta, y);
            case "hemv" -> Blas.hemv(h, o.uplo, alpha, square, x, beta, y);
            case "trmv" -> Blas.trmv(h, o.uplo, o.transA, o.diag, square, x);
            case "trsv" -> Blas.trsv(h, o.uplo, o.transA, o.diag, square, x);
            case "gemm" ->
                Blas.gemm(
                        h,
                        o.transA,
                        o.transB,
                        alpha,
                        memory.matrix("a", plainA ? m : k, plainA ? k : m),
                        memory.matrix("b", plainB ? k : n, plainB ? n : k),
                        beta,
                        c);
            case "symm" -> Blas.symm(h, o.side, o.uplo, alpha, triangle, b, beta, c);
            case "hemm" -> Blas.hemm(h, o.side, o.uplo, alpha, triangle, b, beta, c);
            case "syrk" -> Blas.syrk(h, o.uplo, o.transA, alpha, factor, beta, memory.matrix("c", n, n));
            case "herk" -> Blas.herk(h, o.uplo, o.transA, alpha, factor, beta, memory.matrix("c", n, n));
            case "trmm" -> Blas.trmm(h, o.side, o.uplo, o.transA, o.diag, alpha, triangle, b, inPlace ? b : c);
            case "trsm" -> Blas.trsm(h, o.side, o.uplo, o.transA, o.diag, alpha, triangle, b);
            case "trtri" -> Blas.trtri(h, o.uplo, o.diag, square, memory.matrix("invA", n, n));
            case "getrf" -> Lapack.getrf(h, memory.matrix("a", m, n), ipiv, info);
            case "getrs" -> Lapack.getrs(h, o.transA, square, ipiv, right);
            case "gesv" -> Lapack.gesv(h, square, ipiv, right, info);
            case "potrf" -> Lapack.potrf(h, o.uplo, square, info);
            case "potrs" -> Lapack.potrs(h, o.uplo, square, right);
            case "posv" -> Lapack.posv(h, o.uplo, square, right, info);
            default -> throw new AssertionError("no call on views for " + method);
        };
    }

    private static Object value(String family, Handle h, VectorView x, VectorView y) {
        return switch (family) {
            case "asum" -> Blas.asum(h, x);
            case "nrm2" -> Blas.nrm2(h, x);
            case "amax" -> Blas.iamax(h, x);
            case "amin" -> Blas.iamin(h, x);
            case "dot" -> Blas.dot(h, x, y);
            case "dotu" -> Blas.dotu(h, x, y);
            case "dotc" -> Blas.dotc(h, x, y);
            default -> throw new AssertionError(family);
        };
    }

    /** The position in an error message is that of the argument after the handle; batches are numbered like plain calls. */
    @TestFactory
    Stream<DynamicTest> aWrongArgumentIsReportedAtItsPosition() {
        return each(plain().filter(m -> m.getDeclaringClass() != ClassicLevel1.class), (method, device, handle) -> {
            Options options = new Options(Side.LEFT, Uplo.LOWER, Op.NONE, Op.NONE, Diag.NON_UNIT);
            Parameter[] parameters = method.getParameters();
            for (int i = 1; i < parameters.length; i++) {
                Parameter p = parameters[i];
                if (p.getName().equals("alpha") || p.getName().equals("beta")) {
                    continue;
                }
                Long size = p.getName().startsWith("ld") ? 1L : p.getName().startsWith("inc") ? 0L : -1L;
                try (DeviceArena arena = device.arena()) {
                    Object[] arguments = arguments(method, handle, new Memory(arena, type(method)), options, 0);
                    arguments[i] = p.getType() == long.class ? size : null;
                    Throwable error = catchThrowable(() -> call(method, arguments));
                    assertThat(error).as("%s of %s", p.getName(), method).isInstanceOf(BlasException.class);
                    assertThat(((BlasException) error).position()).as("%s of %s: %s", p.getName(), method, error).isEqualTo(i);
                }
            }
        });
    }

    @Test
    void aNumberThatEverybodyKnows() {
        try (Device device = Device.open("host");
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            VectorView x = arena.vector(ElementType.F64, 3);
            x.upload(new double[] {3, 0, -4});
            assertThat(ClassicLevel1.dnrm2(handle, 3, x.pointer(), 1)).isEqualTo(5);
            assertThat(ClassicLevel1.dasum(handle, 2, x.pointer(), 2)).isEqualTo(7);
            assertThat(ClassicLevel1.idamax(handle, 3, x.pointer(), 1)).isEqualTo(3);
            MatrixView a = arena.matrix(ElementType.F64, 2, 2);
            VectorView b = arena.vector(ElementType.F64, 2);
            VectorView ipiv = arena.vector(ElementType.I64, 2);
            VectorView info = arena.vector(ElementType.I32, 1);
            a.upload(new double[] {1, 3, 2, 4});
            b.upload(new double[] {5, 11});
            ClassicLapack.dgesv(handle, 2, 1, a.pointer(), 2, ipiv.pointer(), b.pointer(), 2, info.pointer());
            double[] solution = new double[2];
            b.download(solution);
            assertThat(solution).containsExactly(1, 2);
        }
    }

    @Test
    void aNullPointerIsAllowedInAQuery() {
        try (Device device = Device.open("host");
                Handle handle = device.createHandle()) {
            handle.startDeviceMemorySizeQuery();
            ClassicLevel3.dgemm(handle, Op.NONE, Op.NONE, 300, 300, 300, 1.0, null, 300, null, 300, 0.0, null, 300);
            long bytes = handle.stopDeviceMemorySizeQuery();
            assertThat(bytes).isPositive();
            MatrixView shape = MatrixView.shape(ElementType.F64, 300, 300);
            handle.startDeviceMemorySizeQuery();
            Blas.gemm(handle, Op.NONE, Op.NONE, 1, shape, shape, 0, shape);
            assertThat(handle.stopDeviceMemorySizeQuery()).isEqualTo(bytes);
        }
    }
}
