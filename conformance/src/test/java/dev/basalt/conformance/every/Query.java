package dev.basalt.conformance.every;

import dev.basalt.Handle;
import dev.basalt.conformance.support.Form;
import dev.basalt.internal.call.Argument;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import dev.basalt.internal.signature.Signatures;
import dev.basalt.type.ElementType;
import dev.basalt.type.Erange;
import dev.basalt.type.Side;
import dev.basalt.type.Svect;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A routine of the table with its types and options, whose need is asked for shapes of any size: nothing is in memory. */
public final class Query {
    /** Order of the blocks whose inverses a call may bring along. */
    private static final long INVERSES = 128;

    private final Routine routine;
    private final Typing typing;
    private final Map<String, Enum<?>> options;
    private final Method method;
    private final boolean inverses;

    private Query(Routine routine, Typing typing, Map<String, Enum<?>> options) {
        this.routine = routine;
        this.typing = typing;
        this.options = options;
        this.inverses = routine.signature().arguments().stream().anyMatch(a -> a.name().equals("sizeInv"));
        this.method = ClassicName.method(new Shape(1, 1, 1));
    }

    /** Every routine that has a classic name, in all types and all combinations of options that there are. */
    public static List<Query> all() {
        List<Query> all = new ArrayList<>();
        for (Routine routine : Signatures.all()) {
            for (Typing typing : routine.signature().typings()) {
                for (Map<String, Enum<?>> options : options(routine, typing)) {
                    Query query = new Query(routine, typing, options);
                    if (query.method != null) {
                        all.add(query);
                    }
                }
            }
        }
        return List.copyOf(all);
    }

    private static List<Map<String, Enum<?>>> options(Routine routine, Typing typing) {
        List<Map<String, Enum<?>>> all = List.of(Map.of());
        for (Argument argument : routine.signature().arguments()) {
            if (argument instanceof Argument.Choice choice) {
                List<Map<String, Enum<?>>> longer = new ArrayList<>();
                for (Map<String, Enum<?>> options : all) {
                    for (Enum<?> value : choice.type().getEnumConstants()) {
                        boolean form = value != routine.signature().forbidden() || !typing.type().isComplex();
                        if (form && routine.signature().takes(value)) {
                            Map<String, Enum<?>> more = new LinkedHashMap<>(options);
                            more.put(choice.name(), value);
                            longer.add(more);
                        }
                    }
                }
                all = longer;
            }
        }
        // One side alone can be in the place of A.
        return all.stream()
                .filter(o -> o.get("leftSvect") != Svect.OVERWRITE || o.get("rightSvect") != Svect.OVERWRITE)
                .toList();
    }

    /** The family's name without type letter. */
    public String family() {
        return routine.family();
    }

    /** The type of the call. */
    public ElementType type() {
        return typing.type();
    }

    /** An option, or null if it has none of that name. */
    public Enum<?> option(String name) {
        return options.get(name);
    }

    /** The need in bytes. Dimensions that others bound are cut off there; nrhs and the diagonals of bands are k. */
    public long need(Handle handle, long m, long n, long k) {
        Shape shape = new Shape(m, n, k);
        long need;
        handle.startDeviceMemorySizeQuery();
        try {
            ClassicName.run(shape, method, handle);
        } finally {
            need = handle.stopDeviceMemorySizeQuery();
        }
        return need;
    }

    @Override
    public String toString() {
        return typing.name() + " of " + typing + " " + options;
    }

    /** The query at one size. Every size is a monotone function of m, n and k. */
    private final class Shape implements Arguments {
        private final Map<String, Long> sizes = new LinkedHashMap<>();

        Shape(long m, long n, long k) {
            // The count of the elements of inverses has 64 bits itself.
            long most = inverses ? Long.MAX_VALUE / INVERSES : Long.MAX_VALUE;
            for (Argument argument : arguments()) {
                if (argument instanceof Argument.Dimension dimension) {
                    sizes.put(dimension.name(), switch (dimension.name()) {
                        case "m" -> Math.min(m, most);
                        case "n" -> Math.min(n, most);
                        case "sizeInv" -> 0L;
                        case "maxSweeps" -> 60L;
                        case "niters" -> 2L;
                        case "nb" -> Math.max(1, k);
                        default -> k;
                    });
                }
            }
            bounds((name, by) -> sizes.merge(name, dimension(by), Math::min));
            Arguments.fit(routine.family(), options.get("storev"), sizes::get, sizes::put);
            sizes.computeIfPresent("sizeInv", (name, size) -> INVERSES * order());
        }

        private long order() {
            return !options.containsKey("side") ? sizes.get("n") : sizes.get(option("side") == Side.LEFT ? "m" : "n");
        }

        @Override
        public Routine routine() {
            return routine;
        }

        @Override
        public Typing typing() {
            return typing;
        }

        @Override
        public Form form() {
            return Form.PLAIN;
        }

        @Override
        public long count() {
            return 1;
        }

        @Override
        public Enum<?> option(String name) {
            return options.get(name);
        }

        @Override
        public long dimension(String name) {
            return switch (name) {
                case "order" -> order();
                case "over" -> sizes.get(option("side") == Side.LEFT ? "k" : "m");
                case "across" -> sizes.get(option("side") == Side.LEFT ? "n" : "k");
                case "longest" -> Math.max(sizes.get("m"), sizes.get("n"));
                case "most" -> Erange.most((Erange) option("erange"), sizes.get("n"), sizes.get("il"), sizes.get("iu"));
                case "uchosen",
                        "vchosen" ->
                    Arguments.chosen(option(name.startsWith("u") ? "leftSvect" : "rightSvect"),
                            (Erange) option("erange"), Math.min(sizes.get("m"), sizes.get("n")), sizes.get("il"),
                            sizes.get("iu"));
                case "urows", "ucols", "vrows", "vcols" -> Arguments.vectors(name, (Svect) option("leftSvect"),
                        (Svect) option("rightSvect"), sizes.get("m"), sizes.get("n"));
                case "lrows", "rrows" ->
                    Arguments.vectors(option(name.startsWith("l") ? "leftEvect" : "rightEvect"), sizes.get("n"));
                default -> Argument.extent(name, n -> n.equals("order") ? order() : sizes.get(n));
            };
        }

        @Override
        public long step(Argument.Array a) {
            if (!a.matrix()) {
                return 1;
            }
            if (a.below() != null) {
                long above = a.above() == null ? 0 : dimension(a.above());
                long height = sizes.get(a.below()) + above + 1;
                return height < 0 ? Long.MAX_VALUE : height;
            }
            boolean turned = Arguments.turned(a, options::get);
            return Math.max(1, dimension(turned ? a.second() : a.first()));
        }

        @Override
        public long span(String name) {
            throw new IllegalStateException("a plain call has no distances");
        }

        @Override
        public double[] scalar(String name) {
            return new double[] {0.75, 0};
        }
    }
}
