package dev.basalt.conformance;

import dev.basalt.BandView;
import dev.basalt.Blas;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.PackedView;
import dev.basalt.VectorView;
import dev.basalt.internal.call.Argument;
import dev.basalt.type.Erange;
import dev.basalt.type.Evect;
import dev.basalt.type.Side;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The call on views that does what a classic name does, found by the table of routines. */
final class ClassicOnViews {
    private static final Map<String, List<Method>> ON_VIEWS = Stream.of(Blas.class, Lapack.class)
            .flatMap(c -> Arrays.stream(c.getMethods()))
            .collect(Collectors.groupingBy(Method::getName));

    private final Method method;
    private final Handle handle;
    private final ClassicMemory memory;
    private final ClassicOptions options;

    ClassicOnViews(Method method, Handle handle, ClassicMemory memory, ClassicOptions options) {
        this.method = method;
        this.handle = handle;
        this.memory = memory;
        this.options = options;
    }

    /** Runs it: a status, or the value of a reduction. */
    Object run() {
        List<Object> arguments = new ArrayList<>(List.of(handle));
        for (Argument argument : ClassicMethods.signature(method).arguments()) {
            Object view = view(argument);
            if (view != null) {
                arguments.add(view);
            }
        }
        String name = ClassicMethods.signature(method).family();
        Method onViews = ON_VIEWS.getOrDefault(name, List.of())
                .stream()
                .filter(m -> takes(m, arguments))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no call on views for " + method));
        return ClassicMethods.call(onViews, arguments.toArray());
    }

    private static boolean takes(Method method, List<Object> arguments) {
        Class<?>[] types = method.getParameterTypes();
        if (types.length != arguments.size()) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            if (types[i] != long.class && !types[i].isInstance(arguments.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** What stands for an argument, null if nothing does. */
    private Object view(Argument argument) {
        return switch (argument) {
            case Argument.Dimension dimension -> dimension.told() ? null : (Object) size(dimension.name());
            case Argument.Choice choice -> options.taken(method, choice.name());
            case Argument.Scalar scalar -> memory.scalar(scalar.name());
            case Argument.Pivots pivots -> memory.dense(pivots.name(), extent(pivots.size()));
            case Argument.Outcome outcome -> outcome.name().equals("result") && ClassicMethods.returnsValue(method)
                    ? null
                    : memory.dense(outcome.name(), 1);
            case Argument.Array array -> array(array);
        };
    }

    private Object array(Argument.Array array) {
        String name = java(array);
        if (array.packed()) {
            long n = size(array.first());
            VectorView storage = memory.dense(name, PackedView.elements(n));
            return PackedView.of(storage, n);
        }
        if (array.below() != null) {
            boolean half = array.above() == null;
            long k = size(array.below());
            long kl = half && options.uplo() == Uplo.UPPER ? 0 : k;
            long ku = half ? k - kl : extent(array.above());
            return BandView.of(memory.matrix(name, kl + ku + 1, size(array.second())), size(array.first()), kl, ku);
        }
        boolean plain = array.option() == null || ((Enum<?>) options.option(array.option())).ordinal() == 0;
        String rows = plain ? array.first() : array.second();
        if (!array.matrix()) {
            boolean few = !ClassicMethods.names(method).contains("inc" + name);
            return few ? memory.dense(name, extent(rows)) : memory.vector(name, extent(rows));
        }
        if (extent(rows) == 0 && rows.matches("[uvlr]rows|vchosen")) {
            // A view of vectors that nobody asks for.
            return MatrixView.shape(ClassicMethods.type(method), 0, 0);
        }
        return memory.matrix(name, extent(rows), extent(plain ? array.second() : array.first()));
    }

    /** The name of its parameter: an operand that the method has not is another one, in place. */
    private String java(Argument.Array array) {
        String name = array.name();
        String java =
                array.packed() || name.equals(name.toUpperCase(Locale.ROOT)) ? name.toLowerCase(Locale.ROOT) : name;
        return ClassicMethods.names(method).contains(java) ? java : "b";
    }

    private long size(String name) {
        return ClassicOptions.size(method, name);
    }

    private long extent(String dimension) {
        if (dimension.equals("order")) {
            return size(options.side() == Side.LEFT ? "m" : "n");
        }
        if (dimension.equals("over")) {
            return size(options.side() == Side.LEFT ? "k" : "m");
        }
        if (dimension.equals("across")) {
            return size(options.side() == Side.LEFT ? "n" : "k");
        }
        if (dimension.equals("longest")) {
            return Math.max(size("m"), size("n"));
        }
        return switch (dimension) {
            case "most" -> Erange.most((Erange) options.option("erange"), size("n"), size("il"), size("iu"));
            case "uchosen", "vchosen" ->
                options.taken(method, dimension.startsWith("u") ? "leftSvect" : "rightSvect") == Svect.NONE
                        ? 0
                        : Erange.most((Erange) options.option("erange"), Math.min(size("m"), size("n")), size("il"),
                                size("iu"));
            case "urows", "ucols", "vrows", "vcols" -> vectors(dimension);
            case "lrows" -> options.option("leftEvect") == Evect.NONE ? 0 : size("n");
            case "rrows" -> options.option("rightEvect") == Evect.NONE ? 0 : size("n");
            default -> Argument.extent(dimension, name -> name.equals("order") ? extent(name) : size(name));
        };
    }

    private long vectors(String side) {
        Svect svect = (Svect) options.taken(method, side.startsWith("u") ? "leftSvect" : "rightSvect");
        long m = size("m");
        long n = size("n");
        boolean own = side.equals("urows") || side.equals("vcols");
        return !svect.stored() ? 0
                : side.startsWith("u") ? own ? m : svect.columns(m, n)
                : own ? n
                : svect.columns(n, m);
    }
}
