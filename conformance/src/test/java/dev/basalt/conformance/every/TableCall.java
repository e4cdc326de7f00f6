package dev.basalt.conformance.every;

import dev.basalt.conformance.support.Form;
import dev.basalt.internal.call.Argument;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import dev.basalt.spi.Conversion;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Erange;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A call of a routine with random options, sizes, scalars and numbers, made from nothing but its arguments in the table. */
final class TableCall implements Arguments {
    /** Order of the blocks whose inverses a call may bring along. */
    private static final int INVERSES = 128;

    /** So many rotations of two elements leave numbers that half precision has. */
    private static final int FEW_TURNS = 10;

    /** How many times smaller elements beside the large one are in a tridiagonal matrix. */
    private static final int FEW = 4;

    final Routine routine;
    final Typing typing;
    final ElementType type;
    final Form form;
    final int count;
    final Map<String, Enum<?>> options = new LinkedHashMap<>();
    final Map<String, Integer> sizes = new LinkedHashMap<>();
    final Map<String, Stored> stored = new LinkedHashMap<>();
    final Map<String, double[]> scalars = new LinkedHashMap<>();

    /** The problems as a reference takes them. */
    final List<Problem> problems = new ArrayList<>();

    private final Random random;
    private final int least;

    // Asked for every element, and patterns are dear.
    private final boolean hermitian;
    private final boolean solves;
    private final boolean normwise;
    private final boolean factored;

    /** Whether scalars in device memory have the type of the operands, which is narrower than that of the computation. */
    private final boolean narrowScalars;

    TableCall(Routine routine, Typing typing, Form form, int largest, Random random) {
        this(routine, typing, form, largest, random, count(form, random));
    }

    /** A number of problems. */
    static int count(Form form, Random random) {
        return form == Form.PLAIN ? 1 : random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(3);
    }

    /** A call of so many problems. */
    TableCall(Routine routine, Typing typing, Form form, int largest, Random random, int count) {
        this(routine, typing, form, 0, largest, random, count);
    }

    /** A call of so many problems whose dimensions are in that range, but for those that others bound, and diagonals of bands. */
    TableCall(Routine routine, Typing typing, Form form, int least, int largest, Random random, int count) {
        this.routine = routine;
        this.typing = typing;
        this.type = typing.type();
        this.form = form;
        this.least = least;
        this.random = random;
        this.hermitian = type.isComplex() && family().matches("h[epb].*");
        this.solves = isLapack() || family().matches(".*s[vm](Ex)?");
        this.normwise = solves || family().matches("rot.*|geamEx");
        this.factored = family().matches("lauum|p.tr[is]|(sy|he)gs[t2]");
        this.count = count;
        for (Argument argument : arguments()) {
            if (argument instanceof Argument.Choice choice) {
                options.put(choice.name(), option(choice));
            }
        }
        for (Argument argument : arguments()) {
            if (argument instanceof Argument.Dimension dimension) {
                sizes.put(dimension.name(), size(dimension.name(), largest));
            } else if (argument instanceof Argument.Scalar scalar) {
                double[] value = scalar(scalar.real());
                // LAPACK divides by it, and writes of a 0 to the terminal.
                if (family().matches("gesvdj|(sy|he)[eg]vj")) {
                    // What is orthogonal is compared with rounding.
                    value = new double[2];
                } else if (family().matches("gels[ds]")) {
                    // What counts is well conditioned.
                    value = new double[] {0.125, 0};
                }
                if (Partial.has(this) || family().matches("gesvdx|bdsvdx")) {
                    value = scalar.name().equals("abstol")
                            ? new double[2]
                            : Partial.bound(this, scalar.name(), value[0]);
                }
                scalars.put(scalar.name(),
                        scalar.name().equals("cfrom") && value[0] == 0 ? new double[] {0.5, 0} : value);
            }
        }
        bounds((name, by) -> sizes.merge(name, size(by), Math::min));
        Arguments.fit(family(), options.get("storev"), sizes::get, (name, size) -> sizes.put(name, (int) size));
        if (sizes.containsKey("ilo")) {
            // LAPACK counts from 1, and an empty range is that of an empty matrix.
            sizes.merge("ihi", 1, Math::max);
            bounds((name, by) -> sizes.merge(name, size(by), Math::min));
            sizes.merge("ilo", 1, Math::max);
        }
        sizes.replace("sizeInv", random.nextInt(3) == 0 ? 0 : INVERSES * order());
        arguments().forEach(this::store);
        boolean named = typing.compute() != null && routine.signature().level().equals("1");
        narrowScalars = named && type.bytes() == 2 && random.nextBoolean();
        if (narrowScalars) {
            scalars.replaceAll((name, v) -> new double[] {rounded(type, v[0]), 0});
        }
        for (int b = 0; b < count; b++) {
            Problem problem = new Problem(scalars, new LinkedHashMap<>());
            stored.values().forEach(s -> problem.arrays().put(s.name(), numbers(s)));
            Inverses.fill(this, problem);
            Experts.fill(this, problem);
            Partial.fill(this, problem);
            Nonsymmetric.fill(this, problem);
            problems.add(problem);
        }
    }

    private TableCall(TableCall whole, Form form, int first, int count) {
        this.routine = whole.routine;
        this.typing = whole.typing;
        this.type = whole.type;
        this.form = form;
        this.least = whole.least;
        this.random = whole.random;
        this.hermitian = whole.hermitian;
        this.solves = whole.solves;
        this.normwise = whole.normwise;
        this.factored = whole.factored;
        this.narrowScalars = whole.narrowScalars;
        this.count = count;
        options.putAll(whole.options);
        sizes.putAll(whole.sizes);
        stored.putAll(whole.stored);
        scalars.putAll(whole.scalars);
        whole.problems.subList(first, first + count).forEach(problem -> problems.add(problem.copy()));
    }

    /** The same call on some of its problems, which are copies. */
    TableCall part(Form as, int first, int many) {
        return new TableCall(this, as, first, many);
    }

    String family() {
        return routine.family();
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
        return form;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public Enum<?> option(String name) {
        return options.get(name);
    }

    @Override
    public long dimension(String name) {
        return size(name);
    }

    @Override
    public long step(Argument.Array array) {
        return stored.get(array.name()).step();
    }

    @Override
    public long span(String name) {
        return stored.get(name).span();
    }

    @Override
    public double[] scalar(String name) {
        return scalars.get(name);
    }

    boolean isLapack() {
        return routine.signature().level().equals("L") || family().equals("trtri");
    }

    boolean isHermitian() {
        return hermitian;
    }

    boolean single() {
        return type.real().computed() == ElementType.F32;
    }

    boolean integers() {
        return type == ElementType.I32;
    }

    /** The type that sums are in. */
    ElementType computed() {
        return (typing.compute() != null ? typing.compute() : type).real().computed();
    }

    /** The type of a scalar in device memory. */
    ElementType scalarType(boolean complex) {
        ElementType own = narrowScalars ? type : typing.compute() != null ? typing.compute() : type.computed();
        return complex ? own : own.real();
    }

    Uplo uplo() {
        return (Uplo) options.get("uplo");
    }

    private Enum<?> option(Argument.Choice choice) {
        Enum<?>[] values = choice.type().getEnumConstants();
        Op forbidden = routine.signature().forbidden();
        if (choice.type() == Op.class && forbidden != null && type.isComplex()) {
            return random.nextBoolean() ? Op.NONE : forbidden == Op.TRANS ? Op.CONJ_TRANS : Op.TRANS;
        }
        if (choice.name().equals("rightSvect") && options.get("leftSvect") == Svect.OVERWRITE) {
            return Svect.NONE;
        }
        List<Enum<?>> taken = Arrays.stream(values).filter(routine.signature()::takes).toList();
        return taken.get(random.nextInt(taken.size()));
    }

    private int size(String name, int largest) {
        return switch (name) {
            // A block has a column at least; bounds cut it off where there is none at all.
            case "nb" -> family().matches(".*qrt|la(sy|he)f.*") ? 1 + random.nextInt(largest + 1) : small(largest);
            case "kd" -> (family().matches(".*Sy2sb|.*He2hb") ? 1 : 0) + diagonals(largest);
            // Operands have nb·nb·nblocks elements.
            case "nblocks" -> random.nextInt(6);
            case "maxSweeps" -> 60;
            case "niters" -> random.nextInt(3);
            case "il" -> 1 + random.nextInt(largest + 1);
            case "kl", "ku" -> diagonals(largest);
            default -> small(largest);
        };
    }

    private int diagonals(int largest) {
        return random.nextInt(3) == 0 ? random.nextInt(largest + 3) : random.nextInt(4);
    }

    private int small(int largest) {
        if (least > 0) {
            return least + random.nextInt(largest - least + 1);
        }
        int[] edges = {0, 1, 2, 3, 15, 16, 17, 31, 33, 64, 65};
        return Math.min(largest,
                random.nextInt(3) == 0 ? edges[random.nextInt(edges.length)] : random.nextInt(largest + 1));
    }

    private double[] scalar(boolean real) {
        boolean complex = type.isComplex() && !real;
        if (integers()) {
            return new double[] {random.nextInt(5) - 2, 0};
        }
        return switch (random.nextInt(4)) {
            case 0 -> new double[2];
            case 1 -> new double[] {1, 0};
            default -> new double[] {number(), complex ? number() : 0};
        };
    }

    /** What the elements make of a number. */
    double rounded(double number) {
        return single() ? (float) number : number;
    }

    private double rounded(ElementType element, double number) {
        if (element.bytes() >= 4) {
            return element == ElementType.I32 ? Math.rint(100 * number) : rounded(number);
        }
        if (element == ElementType.I8) {
            return Math.rint(127 * number);
        }
        float v = (float) number;
        return switch (element) {
            case F16 -> Float.float16ToFloat(Float.floatToFloat16(v));
            case BF16 -> Conversion.bf16(Conversion.bf16(v));
            case F8_E4M3 -> Conversion.e4m3(Conversion.e4m3(v));
            default -> Conversion.e5m2(Conversion.e5m2(v));
        };
    }

    private double number() {
        return (float) (random.nextDouble() - 0.5) * 2;
    }

    /** A dimension, or what stands for one. */
    int size(String name) {
        return switch (name) {
            case "order" -> order();
            case "over" -> size(options.get("side") == Side.LEFT ? "k" : "m");
            case "across" -> size(options.get("side") == Side.LEFT ? "n" : "k");
            case "longest" -> Math.max(sizes.get("m"), sizes.get("n"));
            case "most" ->
                (int) Erange.most((Erange) options.get("erange"), sizes.get("n"), sizes.get("il"), sizes.get("iu"));
            case "uchosen",
                    "vchosen" ->
                (int) Arguments.chosen(options.get(name.startsWith("u") ? "leftSvect" : "rightSvect"),
                        (Erange) options.get("erange"), Math.min(sizes.get("m"), sizes.get("n")), sizes.get("il"),
                        sizes.get("iu"));
            case "urows", "ucols", "vrows", "vcols" -> (int) Arguments.vectors(name, (Svect) options.get("leftSvect"),
                    (Svect) options.get("rightSvect"), sizes.get("m"), sizes.get("n"));
            case "lrows", "rrows" ->
                (int) Arguments.vectors(options.get(name.startsWith("l") ? "leftEvect" : "rightEvect"), sizes.get("n"));
            default -> (int) Argument.extent(name, n -> n.equals("order") ? order() : sizes.get(n));
        };
    }

    private int order() {
        return !options.containsKey("side")
                ? sizes.getOrDefault("n", 0)
                : size(options.get("side") == Side.LEFT ? "m" : "n");
    }

    private void store(Argument argument) {
        String name = argument.name();
        if (argument instanceof Argument.Array array) {
            stored.put(name, array.matrix() ? matrix(array) : vector(array));
        } else if (argument instanceof Argument.Pivots pivots) {
            stored.put(name, dense(name, element(pivots.slot()), pivots.written(), size(pivots.size())));
        } else if (argument instanceof Argument.Outcome outcome) {
            stored.put(name, dense(name, element(outcome.slot()), true, 1));
        }
    }

    private ElementType element(int slot) {
        return typing.operands().get(slot);
    }

    private static Stored dense(String name, ElementType element, boolean written, int n) {
        return Stored.of(name, element, written, false, n, 1, 0, 0, Stored.vector(n, 1));
    }

    private Stored vector(Argument.Array a) {
        boolean turned = Arguments.turned(a, options::get);
        int n = size(turned ? a.second() : a.first());
        ElementType element = element(a.slots().charAt(0) - 'a');
        if (!Arguments.hasStep(a)) {
            return dense(a.name(), element, a.written(), n);
        }
        // LAPACK's larfg takes a vector that walks backwards for an empty one.
        boolean forward = family().equals("larfg");
        int inc = (1 + random.nextInt(2)) * (random.nextInt(3) == 0 && !forward ? -1 : 1);
        // Two elements that are rotated in place again and again may grow beyond half precision.
        if (Arguments.mayStandStill(routine) && random.nextInt(6) == 0 && (n <= FEW_TURNS || !standsStill())) {
            inc = 0;
        }
        return Stored.of(a.name(), element, a.written(), false, n, 1, inc, 0, Stored.vector(n, inc));
    }

    private Stored matrix(Argument.Array a) {
        boolean turned = Arguments.turned(a, options::get);
        int rows = size(turned ? a.second() : a.first());
        int cols = a.packed() ? rows : size(turned ? a.first() : a.second());
        boolean whole = Reduction.whole(this, a.name()) || Singular.has(this);
        boolean triangle = uplo() != null && !whole && (a.packed() || a.first().equals(a.second()));
        boolean diagonal = options.get("diag") != Diag.UNIT || a.written();
        ElementType element = element(a.slots().charAt(0) - 'a');
        int step = 0;
        int height = rows;
        Stored.Place place;
        if (a.packed()) {
            place = Stored.packed(uplo(), rows);
        } else if (a.below() != null) {
            int kl = triangle && uplo() == Uplo.UPPER ? 0 : size(a.below());
            int ku = triangle ? uplo() == Uplo.UPPER ? size(a.below()) : 0 : size(a.above());
            height = kl + ku + 1;
            step = height + random.nextInt(3);
            place = Stored.band(kl, ku, step);
        } else {
            step = Math.max(1, rows) + random.nextInt(3);
            place = Stored.matrix(step);
        }
        if (triangle) {
            place = Stored.triangle(uplo(), diagonal, place);
        }
        int reach = a.packed() ? rows * (rows + 1) / 2 : rows == 0 || cols == 0 ? 0 : (cols - 1) * step + height;
        return Stored.of(a.name(), element, a.written(), triangle, rows, cols, step, reach, place);
    }

    /** Whether matrices are to be well conditioned: the routine divides by their diagonals. */
    boolean solves() {
        return solves;
    }

    /** Whether the triangle is a Cholesky factor, whose diagonal is real. */
    boolean factored() {
        return factored;
    }

    /** Whether errors are measured against the largest number, not each by itself. */
    boolean normwise() {
        return normwise;
    }

    private double[] numbers(Stored s) {
        double[] a = new double[s.span() * s.parts()];
        boolean index = arguments().stream().anyMatch(x -> x instanceof Argument.Outcome o && "index".equals(o.kind()));
        boolean diagonals = solves() && stored.containsKey("du") && s.name().startsWith("d");
        boolean heavy = diagonals
                || solves() && s.floating() && (s.cols() > 1 || s.triangle() && (factored() || Generalised.is(this)));
        boolean indefinite = pivots() && s.triangle();
        int order = diagonals ? FEW : Math.max(1, Math.max(s.rows(), s.cols()));
        if (!s.floating() && !s.written() && uplo() != null && !isAasen()) {
            return Indefinite.pivots(uplo(), s.rows(), family().endsWith("Rook"), random);
        }
        // Of two matrices that share unknowns one is heavy where they begin, the other where they end.
        int from = family().matches("gglse|ggglm") && s.name().equals("B") ? s.cols() - s.rows() : 0;
        boolean definite = family().startsWith("pt") && s.cols() == 1 && s.floating();
        boolean anyReal = isHermitian() && s.triangle()
                && (indefinite || isAasen() || scalarsChangeNothing() || sizes.getOrDefault("k", 1) == 0);
        for (int e = 0; e < s.at().length; e++) {
            int at = s.parts() * s.at()[e];
            int i = s.row()[e];
            if (!s.floating()) {
                // Of a tridiagonal matrix neighbouring rows alone change places.
                int below = stored.containsKey("du") ? Math.min(2, s.rows() - i) : s.rows() - i;
                boolean chosen = s.name().equals("jpvt") && random.nextInt(4) == 0;
                a[at] = s.written() ? chosen ? 1 : 0 : 1 + i + random.nextInt(below);
                continue;
            }
            boolean main = heavy && (indefinite ? Indefinite.isHeavy(i, s.col()[e], s.rows())
                    : diagonals ? heavyDiagonal(s, i)
                    : main(s, heavyColumn(s, i) + from, s.col()[e]));
            // A call without effect may clear imaginary parts that are taken as 0, where its scalars are in device
            // memory.
            boolean real = anyReal && i == s.col()[e];
            for (int part = 0; part < (real ? 1 : s.parts()); part++) {
                double x = index ? (random.nextInt(65) - 32) / 16.0 : number();
                a[at + part] = !heavy ? x : main ? part == 0 ? 1 + Math.abs(x) : 0 : x / order;
                if (indefinite && isAasen()) {
                    a[at + part] = Indefinite.nearPath(i, s.col()[e], s.rows(), part, x);
                }
                if (definite) {
                    // A tridiagonal matrix that is positive definite.
                    a[at + part] = s.name().equals("d") ? 2 + Math.abs(x) : x / 2;
                }
                // A norm is not negative.
                a[at + part] = rounded(s.element(), s.name().equals("anorm") ? Math.abs(a[at + part]) : a[at + part]);
            }
        }
        return a;
    }

    /** Whether an element is one of those that make a matrix well conditioned. Of blocks side by side those of the diagonal have such. */
    private boolean main(Stored s, int row, int col) {
        return sizes.containsKey("nblocks") ? s.name().equals("B") && row == col % s.rows() : row == col;
    }

    /** Whether a tridiagonal matrix is in the place of D. */
    private boolean isAasen() {
        return family().endsWith("Aa");
    }

    /** Where a row has its large element: beside the diagonal, if rows are interchanged. */
    private int heavyColumn(Stored s, int i) {
        if (!pivots()) {
            return i;
        }
        if (!sizes.containsKey("kl")) {
            return (i + 1) % s.rows();
        }
        boolean pairs = size("kl") > 0 && size("ku") > 0;
        return pairs && (i | 1) < Math.min(s.rows(), s.cols()) ? i ^ 1 : i;
    }

    /** Whether element i of a diagonal of a tridiagonal matrix is large: pairs of rows change places, if any do. */
    private boolean heavyDiagonal(Stored s, int i) {
        boolean main = s.name().equals("d");
        boolean pairs = stored.get("d").written();
        return pairs ? main ? i % 2 == 0 && i == s.rows() - 1 : i % 2 == 0 && !s.name().equals("du2") : main;
    }

    private boolean pivots() {
        return stored.containsKey("ipiv") && stored.get("ipiv").written();
    }

    /** Whether it is a routine of level 1 on one vector whose increment is not positive: it does nothing, and gives 0. */
    boolean walksNowhere() {
        List<Argument> vectors = arguments().stream().filter(Argument.Array.class::isInstance).toList();
        return routine.signature().level().equals("1") && vectors.size() == 1
                && stored.get(vectors.get(0).name()).step() <= 0;
    }

    /** Whether a vector's increment is 0: one element is used again and again. */
    boolean standsStill() {
        return stored.keySet().stream().anyMatch(this::standsStill);
    }

    /** Whether that vector's increment is 0. */
    boolean standsStill(String name) {
        return arguments().stream()
                .anyMatch(argument -> argument instanceof Argument.Array a && a.name().equals(name)
                        && Arguments.hasStep(a) && !a.matrix() && stored.get(name).step() == 0);
    }

    /** Complex symmetric rank updates with a negative increment: OpenBLAS 0.3.30 starts at the wrong element. */
    boolean isBackwardsSymmetric() {
        return type.isComplex() && family().matches("s[yp]r2?") && stored.values().stream().anyMatch(s -> s.step() < 0);
    }

    /** Whether host scalars alone say that nothing changes. */
    private boolean scalarsChangeNothing() {
        double[] alpha = scalars.get("alpha");
        double[] beta = scalars.getOrDefault("beta", new double[] {1, 0});
        return alpha != null && alpha[0] == 0 && alpha[1] == 0 && beta[0] == 1 && beta[1] == 0;
    }

    /** Most terms of a sum. */
    int terms() {
        return sizes.values().stream().mapToInt(Integer::intValue).max().orElse(1);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(
                typing.name() + " of " + typing + " " + form + " batch=" + count + " " + options + " " + sizes);
        scalars.forEach((name,
                v) -> text.append(' ').append(name).append('=').append(v[0]).append('+').append(v[1]).append('i'));
        stored.values()
                .forEach(s -> text.append(' ')
                        .append(s.name())
                        .append(s.rows())
                        .append('x')
                        .append(s.cols())
                        .append('/')
                        .append(s.step()));
        return text.toString();
    }
}
