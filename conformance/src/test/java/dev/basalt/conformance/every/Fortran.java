package dev.basalt.conformance.every;

import dev.basalt.conformance.OpenBlas;
import dev.basalt.internal.call.Argument;
import dev.basalt.type.Eform;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A call of OpenBLAS by its Fortran name: the order of the arguments is that of the table. All numbers are of double precision. */
final class Fortran {
    private static final AddressLayout P = ValueLayout.ADDRESS;
    private static final MemoryLayout PAIR =
            MemoryLayout.structLayout(ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_DOUBLE);

    private static final String NORM = "lan(ge|sy|he|tr|hs)";

    /** These work with reals and integers, or complex numbers and reals. */
    private static final String CONDITION = "(ge|gb|po|tr|sy|he)con|(ge|po)rfs|(ge|po)svx";

    /** Of the table, those that OpenBLAS has in place: the operand that is read, and the one it is copied to. */
    private static final Map<String, String> IN_PLACE =
            Map.of("trmm", "B C", "trtri", "A invA", "gesv", "B X", "posv", "B X", "gels", "B X");

    /** Room behind an operand, enough for a right-hand side. */
    private static final long SPARE = 512;

    /** Columns of LAPACK's blocks at most. */
    private static final int WORK = 128;

    /** Blocks of reflectors with their T, which work with an array of a length that follows from the shape. */
    private static final String WITH_T = "larfb|geqrt|tpqrt|tpmqrt";

    private static final String PANEL = "la(sy|he)f(Rook)?";

    private final TableCall call;
    private final Problem problem;
    private final String symbol;
    private final List<Object> arguments = new ArrayList<>();
    private final Map<String, MemorySegment> memory = new TreeMap<>();
    private Argument.Outcome result;

    private Fortran(TableCall call, Problem problem) {
        this.call = call;
        this.problem = problem;
        this.symbol = symbol(call);
    }

    private static String symbol(TableCall call) {
        ElementType wide = call.type.isComplex() ? ElementType.C64 : ElementType.F64;
        if (refines(call)) {
            return wide.letter() + inDouble(call) + "_";
        }
        // Without a letter for it dot of complex elements is dotu.
        String name = call.family().equals("dot") && call.type.isComplex() ? "zdotu" : call.routine.name(wide);
        return name.replaceFirst("(Ex|Interleaved)$", "")
                .replaceFirst("geqp3r$", "geqp3")
                .replaceFirst("(Rook|Aa)$", "_$1")
                .toLowerCase(Locale.ROOT) + "_";
    }

    /** The family whose results a family has: of one that refines that in double precision. */
    private static String inDouble(TableCall call) {
        return refines(call) ? call.family().replaceFirst("(Mixed|F16|Bf16|Tf32)$", "") : call.family();
    }

    /** What is refined to double precision is compared with the solution in double precision. */
    private static boolean refines(TableCall call) {
        return call.stored.containsKey("iter");
    }

    /** Whether A is to be factored in double precision; else it is unchanged. */
    private boolean fellBack() {
        return problem.arrays().get("iter")[0] < 0;
    }

    static boolean has(TableCall call) {
        // Their arguments are others.
        return !call.family().matches("laswp|gemmEx|gesvd[jprx]?|gesdd|gels[ds]|bdsqr|bdsdc|bdsvdx|labrd|gebrd|gebd2")
                && !Spectral.has(call) && !Partial.has(call) && !Nonsymmetric.has(call) && !Reduction.has(call)
                && OpenBlas.has(symbol(call));
    }

    /** Replaces what the routine overwrites by its results. */
    static void run(TableCall call, Problem problem) {
        new Fortran(call, problem).run();
    }

    private void run() {
        if (call.family().equals("lascl") && call.sizes.containsValue(0)) {
            // Nothing is looked at.
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            for (Argument argument : call.arguments()) {
                add(argument, arena);
            }
            // What it works with stands before its info.
            boolean condition = inDouble(call).matches(CONDITION);
            boolean works = inDouble(call).matches(PANEL
                    + "|gels|gelsy|gglse|ggglm|getri|(sy|he)(trf|sv)(Rook|Aa)?|(sy|he)trsAa|(sy|he|sp|hp)tri(Rook)?");
            boolean fixed = condition || inDouble(call).matches(WITH_T)
                    || inDouble(call).matches(NORM + "|.*2.*|(sy|he|sp|hp)tri(Rook)?|" + PANEL);
            Object info = works || condition ? arguments.removeLast() : null;
            if (call.stored.containsKey("tau") || works || condition || call.family().matches(NORM + "|" + WITH_T)) {
                work(arena, !fixed);
            }
            if (condition) {
                MemorySegment further = arena.allocate(ValueLayout.JAVA_DOUBLE, 2L * WORK * (1 + call.terms()));
                if (call.stored.containsKey("rpvgrw")) {
                    memory.put("rpvgrw", call.type.isComplex() ? further : (MemorySegment) arguments.getLast());
                }
                arguments.add(further);
            }
            if (info != null) {
                arguments.add(info);
            }
            if (sideBySide()) {
                arguments.add(1, arena.allocateFrom(ValueLayout.JAVA_INT, 1));
                arguments.add(arguments.size() - 1,
                        arena.allocateFrom(ValueLayout.JAVA_INT, Math.max(1, call.size("n"))));
            }
            if (call.isLapack() && !memory.containsKey("info")) {
                arguments.add(arena.allocateFrom(ValueLayout.JAVA_INT, 0));
            }
            Object value = invoke(arena);
            if (result != null) {
                take(value);
            }
            memory.forEach(this::back);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private void add(Argument argument, Arena arena) {
        String name = argument.name();
        // The growth of pivots comes back in the last array of reals that LAPACK works with.
        if (name.equals("inv") || name.equals("sizeInv") || name.equals("rpvgrw")) {
            return;
        }
        if (name.equals("iter")) {
            problem.arrays().get(name)[0] = fellBack() ? -1 - Expected.STEPS : Expected.STEPS;
            return;
        }
        String[] moved = IN_PLACE.getOrDefault(inDouble(call), "- -").split(" ");
        if (!call.stored.containsKey(moved[1])) {
            moved = new String[] {"-", "-"};
        }
        if (call.options.get(name) instanceof Eform form) {
            arguments.add(arena.allocateFrom(ValueLayout.JAVA_INT, form.ordinal() + 1));
        } else if (argument instanceof Argument.Choice) {
            // BLAS takes C for real elements, LAPACK not everywhere.
            boolean real = !call.type.isComplex() && call.isLapack() && call.options.get(name) == Op.CONJ_TRANS;
            String letter = call.options.get(name).name().substring(0, 1);
            boolean bidiagonal = call.family().matches("(or|un)[gm]br") && name.equals("storev");
            arguments.add(arena.allocateFrom(real ? "T" : bidiagonal ? letter.equals("C") ? "Q" : "P" : letter));
            if (call.family().equals("lascl")) {
                // The diagonals of a band.
                arguments.add(arena.allocateFrom(ValueLayout.JAVA_INT, 0));
                arguments.add(arena.allocateFrom(ValueLayout.JAVA_INT, 0));
            }
        } else if (argument instanceof Argument.Dimension) {
            arguments.add(arena.allocateFrom(ValueLayout.JAVA_INT, size(name)));
        } else if (argument instanceof Argument.Scalar) {
            arguments.add(arena.allocateFrom(ValueLayout.JAVA_DOUBLE, problem.scalars().get(name)));
        } else if (argument instanceof Argument.Outcome outcome && name.equals("result")) {
            result = outcome;
        } else if (argument instanceof Argument.Pivots && call.stored.get(name).floating()) {
            arguments.add(doubles(arena, name));
        } else if (argument instanceof Argument.Array array) {
            if (name.equals(moved[0])) {
                move(moved[0], moved[1]);
                return;
            }
            arguments.add(doubles(arena, name));
            if (Arguments.hasStep(array) && !sideBySide()) {
                arguments.add(arena.allocateFrom(ValueLayout.JAVA_INT, call.stored.get(name).step()));
            }
        } else {
            arguments.add(integers(arena, name));
        }
    }

    /** What a routine works with, and how much that is unless it knows. */
    private void work(Arena arena, boolean told) {
        int elements = WORK * (1 + call.terms());
        long squared = (long) call.terms() * call.terms();
        arguments.add(arena.allocate(ValueLayout.JAVA_DOUBLE, 2 * Math.max(squared, elements)));
        if (call.family().matches("larfb|" + PANEL)) {
            arguments.add(arena.allocateFrom(ValueLayout.JAVA_INT, Math.max(1, call.terms())));
        }
        if (told) {
            arguments.add(arena.allocateFrom(ValueLayout.JAVA_INT, elements));
        }
        if (call.family().matches("geqp3r?|gelsy") && call.type.isComplex()) {
            arguments.add(arena.allocate(ValueLayout.JAVA_DOUBLE, 2L * elements));
        }
    }

    /** LAPACK without a right-hand side does not even factorise; here it does, and solves for zeros. */
    private int size(String name) {
        boolean factors = name.equals("nrhs") && !inDouble(call).matches("gels|gelsy|..rfs|..svx") || name.equals("nb");
        return factors ? Math.max(1, call.size(name)) : call.size(name);
    }

    private Object invoke(Arena arena) throws Throwable {
        MemoryLayout[] layouts = new MemoryLayout[arguments.size()];
        Arrays.fill(layouts, P);
        if (result == null) {
            return OpenBlas.handle(symbol, FunctionDescriptor.ofVoid(layouts)).invokeWithArguments(arguments);
        }
        MemoryLayout type = result.kind() != null && result.kind().equals("index") ? ValueLayout.JAVA_INT
                : pair() ? PAIR
                : ValueLayout.JAVA_DOUBLE;
        MethodHandle handle = OpenBlas.handle(symbol, FunctionDescriptor.of(type, layouts));
        return (type == PAIR ? handle.bindTo((SegmentAllocator) arena) : handle).invokeWithArguments(arguments);
    }

    private boolean pair() {
        return call.stored.get(result.name()).parts() == 2;
    }

    private void take(Object value) {
        double[] result = problem.arrays().get("result");
        if (value instanceof MemorySegment pair) {
            result[0] = pair.getAtIndex(ValueLayout.JAVA_DOUBLE, 0);
            result[1] = pair.getAtIndex(ValueLayout.JAVA_DOUBLE, 1);
        } else {
            result[0] = ((Number) value).doubleValue();
        }
    }

    private void move(String from, String to) {
        Dense all =
                call.stored.get(from).triangle() ? Dense.triangle(call, problem, from) : Dense.of(call, problem, from);
        all.into(call, problem, to, false);
    }

    /** Whether vectors have increments where LAPACK's have none, and there is one right-hand side. */
    private boolean sideBySide() {
        return call.family().endsWith("Interleaved");
    }

    /** Where elements lie in an operand whose increments LAPACK does not know: element by element, or back. */
    private double[] gathered(String name, double[] numbers, boolean back) {
        Stored s = call.stored.get(name);
        double[] moved = back ? problem.arrays().get(name).clone() : new double[s.at().length * s.parts()];
        for (int e = 0; e < s.at().length; e++) {
            int packed = s.parts() * s.row()[e];
            int spread = s.parts() * s.at()[e];
            System.arraycopy(numbers, back ? packed : spread, moved, back ? spread : packed, s.parts());
        }
        return moved;
    }

    private MemorySegment doubles(Arena arena, String name) {
        double[] numbers = problem.arrays().get(name);
        numbers = sideBySide() ? gathered(name, numbers, false) : numbers;
        MemorySegment segment = arena.allocate(ValueLayout.JAVA_DOUBLE, numbers.length + SPARE);
        MemorySegment.copy(numbers, 0, segment, ValueLayout.JAVA_DOUBLE, 0, numbers.length);
        if (!refines(call) || fellBack() || !name.equals("A")) {
            memory.put(name, segment);
        }
        return segment;
    }

    private MemorySegment integers(Arena arena, String name) {
        double[] numbers = problem.arrays().get(name);
        MemorySegment segment = arena.allocate(ValueLayout.JAVA_INT, numbers.length + 8L);
        for (int i = 0; i < numbers.length; i++) {
            segment.setAtIndex(ValueLayout.JAVA_INT, i,
                    name.equals("equed") ? letter((int) numbers[i]) : (int) numbers[i]);
        }
        memory.put(name, segment);
        return segment;
    }

    /** Whether LAPACK's tpqrt leaves what it worked with there: below the triangles of T. */
    private boolean scratch(String name, int part) {
        Stored s = call.stored.get(name);
        int at = part / s.parts();
        return call.family().equals("tpqrt") && name.equals("T") && at % s.step() > at / s.step() % call.size("nb");
    }

    /** LAPACK has letters for what was scaled. */
    private static int scaled(char letter) {
        return letter == 'Y' ? 1 : "NRCB".indexOf(letter);
    }

    private char letter(int scaled) {
        return (call.family().startsWith("po") ? "NY" : "NRCB").charAt(scaled);
    }

    private void back(String name, MemorySegment segment) {
        double[] own = problem.arrays().get(name);
        boolean floating = call.stored.get(name).floating();
        boolean spread = floating && sideBySide();
        double[] numbers = spread ? new double[call.stored.get(name).at().length * call.stored.get(name).parts()] : own;
        for (int i = 0; i < numbers.length; i++) {
            if (scratch(name, i)) {
                continue;
            }
            numbers[i] = floating ? segment.getAtIndex(ValueLayout.JAVA_DOUBLE, i)
                    : name.equals("equed") ? scaled((char) segment.getAtIndex(ValueLayout.JAVA_INT, i))
                    : segment.getAtIndex(ValueLayout.JAVA_INT, i);
        }
        if (spread) {
            System.arraycopy(gathered(name, numbers, true), 0, own, 0, own.length);
        }
    }
}
