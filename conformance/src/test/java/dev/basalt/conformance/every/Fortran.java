package dev.basalt.conformance.every;

import dev.basalt.conformance.OpenBlas;
import dev.basalt.internal.call.Argument;
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
import java.util.Map;
import java.util.TreeMap;

/** A call of OpenBLAS by its Fortran name: the order of the arguments is that of the table. All numbers are of double precision. */
final class Fortran {
    private static final AddressLayout P = ValueLayout.ADDRESS;
    private static final MemoryLayout PAIR =
            MemoryLayout.structLayout(ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_DOUBLE);

    /** Of the table, those that OpenBLAS has in place: the operand that is read, and the one it is copied to. */
    private static final Map<String, String> IN_PLACE = Map.of("trmm", "B C", "trtri", "A invA");

    /** Room behind an operand, enough for a right-hand side. */
    private static final long SPARE = 512;

    /** Columns of LAPACK's blocks at most. */
    private static final int WORK = 128;

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
        String name = call.routine.name(wide);
        return (name.endsWith("Ex") ? name.substring(0, name.length() - 2) : name) + "_";
    }

    static boolean has(TableCall call) {
        return OpenBlas.has(symbol(call));
    }

    /** Replaces what the routine overwrites by its results. */
    static void run(TableCall call, Problem problem) {
        new Fortran(call, problem).run();
    }

    private void run() {
        try (Arena arena = Arena.ofConfined()) {
            for (Argument argument : call.arguments()) {
                add(argument, arena);
            }
            // What it works with stands before its info.
            boolean least = call.family().equals("gels");
            Object info = least ? arguments.removeLast() : null;
            if (call.stored.containsKey("tau") || least) {
                work(arena);
            }
            if (least) {
                arguments.add(info);
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
        if (name.equals("inv") || name.equals("sizeInv")) {
            return;
        }
        String[] moved = IN_PLACE.getOrDefault(call.family(), "- -").split(" ");
        if (!call.stored.containsKey(moved[1])) {
            moved = new String[] {"-", "-"};
        }
        if (argument instanceof Argument.Choice) {
            // BLAS takes C for real elements, LAPACK not everywhere.
            boolean real = !call.type.isComplex() && call.isLapack() && call.options.get(name) == Op.CONJ_TRANS;
            arguments.add(arena.allocateFrom(real ? "T" : call.options.get(name).name().substring(0, 1)));
        } else if (argument instanceof Argument.Dimension) {
            arguments.add(arena.allocateFrom(ValueLayout.JAVA_INT, size(name)));
        } else if (argument instanceof Argument.Scalar) {
            arguments.add(arena.allocateFrom(ValueLayout.JAVA_DOUBLE, problem.scalars().get(name)));
        } else if (argument instanceof Argument.Outcome outcome && name.equals("result")) {
            result = outcome;
        } else if (name.equals("tau")) {
            arguments.add(doubles(arena, name));
        } else if (argument instanceof Argument.Array array) {
            if (name.equals(moved[0])) {
                move(moved[0], moved[1]);
                return;
            }
            arguments.add(doubles(arena, name));
            if (Arguments.hasStep(array)) {
                arguments.add(arena.allocateFrom(ValueLayout.JAVA_INT, call.stored.get(name).step()));
            }
        } else {
            arguments.add(integers(arena, name));
        }
    }

    /** What routines with reflectors work with. Those without blocks know how much it is. */
    private void work(Arena arena) {
        int elements = WORK * (1 + call.terms());
        arguments.add(arena.allocate(ValueLayout.JAVA_DOUBLE, 2L * elements));
        if (!call.family().contains("2")) {
            arguments.add(arena.allocateFrom(ValueLayout.JAVA_INT, elements));
        }
    }

    /** LAPACK without a right-hand side does not even factorise; here it does, and solves for zeros. */
    private int size(String name) {
        boolean factors = name.equals("nrhs") && !call.family().equals("gels");
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

    private MemorySegment doubles(Arena arena, String name) {
        double[] numbers = problem.arrays().get(name);
        MemorySegment segment = arena.allocate(ValueLayout.JAVA_DOUBLE, numbers.length + SPARE);
        MemorySegment.copy(numbers, 0, segment, ValueLayout.JAVA_DOUBLE, 0, numbers.length);
        memory.put(name, segment);
        return segment;
    }

    private MemorySegment integers(Arena arena, String name) {
        double[] numbers = problem.arrays().get(name);
        MemorySegment segment = arena.allocate(ValueLayout.JAVA_INT, numbers.length + 8L);
        for (int i = 0; i < numbers.length; i++) {
            segment.setAtIndex(ValueLayout.JAVA_INT, i, (int) numbers[i]);
        }
        memory.put(name, segment);
        return segment;
    }

    private void back(String name, MemorySegment segment) {
        double[] numbers = problem.arrays().get(name);
        boolean floating = call.stored.get(name).floating();
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = floating
                    ? segment.getAtIndex(ValueLayout.JAVA_DOUBLE, i)
                    : segment.getAtIndex(ValueLayout.JAVA_INT, i);
        }
    }
}
