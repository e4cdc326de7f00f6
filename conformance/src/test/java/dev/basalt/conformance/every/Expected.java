package dev.basalt.conformance.every;

import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What a reference makes of a call, and how far from it a result may be. */
final class Expected {
    private static final double FACTOR = 8;

    /** Makes numbers others, far from all others; either sign, for a minimum sees one only. */
    private static final double SHIFT = 1e6;

    /** Half of the least number of half precision. */
    private static final double SUBNORMAL = 0x1p-25;

    /** Of a refinement: so many more or fewer steps than these are right. */
    static final int STEPS = 15;

    private final TableCall call;
    private final Reference reference;
    private final List<Problem> results = new ArrayList<>();
    private final List<Problem> bounds = new ArrayList<>();

    Expected(TableCall call, Reference reference) {
        this.call = call;
        this.reference = reference;
        for (Problem problem : call.problems) {
            results.add(after(problem));
            bounds.add(call.normwise() || Spectral.has(call) || Reduction.has(call)
                    ? null
                    : after(problem.sizes(call.stored)));
        }
    }

    private Problem after(Problem problem) {
        Problem copy = problem.copy();
        reference.run(call, copy);
        return copy;
    }

    /** The operands whose numbers have no influence: those a routine must not read. In level 1 nothing is said about it. */
    Set<String> unread() {
        Set<String> unread = new TreeSet<>();
        if (call.routine.signature().level().matches("[23]")) {
            call.stored.values()
                    .stream()
                    .filter(s -> s.floating() && !s.name().equals("inv") && !isRead(s))
                    .forEach(s -> unread.add(s.name()));
        }
        return unread;
    }

    private boolean isRead(Stored s) {
        return isRead(s, SHIFT) || isRead(s, -SHIFT);
    }

    private boolean isRead(Stored s, double shift) {
        for (int b = 0; b < call.count; b++) {
            Problem other = call.problems.get(b).copy();
            double[] numbers = other.arrays().get(s.name());
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] += shift;
            }
            reference.run(call, other);
            for (Stored written : call.stored.values()) {
                if (written.written() && differ(written, other, results.get(b))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean differ(Stored s, Problem one, Problem other) {
        double[] x = one.arrays().get(s.name());
        double[] y = other.arrays().get(s.name());
        for (int at : s.at()) {
            for (int part = 0; part < s.parts(); part++) {
                if (x[s.parts() * at + part] != y[s.parts() * at + part]) {
                    return true;
                }
            }
        }
        return false;
    }

    /** What a refinement leaves depends on whether it fell back; its iter tells. */
    private void fallBack(Loaded memory) {
        double[] iter = memory.content("iter");
        for (int b = 0; b < call.count; b++) {
            if (iter[memory.start("iter", b)] < 0) {
                Problem copy = call.problems.get(b).copy();
                copy.arrays().get("iter")[0] = -1;
                results.set(b, after(copy));
            }
        }
    }

    /** Compares all memory: results within their bounds, everything else as it was. */
    void check(Loaded memory) {
        if (call.stored.containsKey("iter")) {
            fallBack(memory);
        }
        if (reference == Reference.SINGULAR) {
            Singular.check(call, memory);
        }
        if (reference == Reference.NONSYMMETRIC) {
            Nonsymmetric.check(call, memory);
        }
        for (int b = 0; b < call.count; b++) {
            if (Spectral.has(call)) {
                Spectral.check(call, b, memory);
            } else if (Partial.has(call)) {
                Partial.check(call, b, memory);
            } else if (Reduction.has(call)) {
                Reduction.check(call, b, memory);
            }
        }
        for (Stored s : call.stored.values()) {
            double[] found = memory.content(s.name());
            double[] expected = memory.before(s.name()).clone();
            double[] bound = new double[expected.length];
            for (int b = 0; b < call.count && s.written(); b++) {
                expect(s, b, memory.start(s.name(), b), expected, bound);
            }
            for (int i = 0; i < found.length; i++) {
                boolean same = Double.compare(found[i], expected[i]) == 0 || found[i] == expected[i];
                if (!same && !(Math.abs(found[i] - expected[i]) <= bound[i])) {
                    throw new AssertionError("by " + reference + ": " + s.name() + " part " + i + " of " + found.length
                            + " (" + s.parts() + " an element, problems begin at "
                            + (call.count == 0 ? "-" : memory.start(s.name(), 0)) + "): " + found[i] + " and not "
                            + expected[i] + " ± " + bound[i] + ", was " + memory.before(s.name())[i]);
                }
            }
        }
    }

    private void expect(Stored s, int problem, int start, double[] expected, double[] bound) {
        double[] result = results.get(problem).arrays().get(s.name());
        double eps = call.computed() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
        // An element that is written again and again is rounded each time, and all others may come from it.
        int stores = call.standsStill() ? call.terms() : 1;
        double each = FACTOR * (call.terms() + 4) * eps + stores * rounding(s.element());
        double largest = 1;
        for (double v : result) {
            largest = Math.max(largest, Math.abs(v));
        }
        boolean free = Singular.free(call, s.name()) || Reduction.has(call) || Partial.free(call, s.name())
                || Nonsymmetric.free(call, s.name());
        boolean spectral = Spectral.has(call);
        double[] sizes = s.floating() && !call.normwise() && !free && !spectral
                ? bounds.get(problem).arrays().get(s.name())
                : null;
        // Error bounds are multiples of the precision that they are made in; scales may make them larger.
        boolean error = call.single() && (s.name().equals("ferr") || s.name().equals("berr"));
        boolean scaled = s.name().equals("ferr") && call.stored.containsKey("equed");
        // Which columns an estimate goes by depends on roundings, and for complex symmetric matrices LAPACK goes another way. Estimates are hardly off by a factor of 3.
        boolean estimate = (call.family().endsWith("con") || s.name().equals("rcond"))
                && (call.single() || call.family().equals("sycon") && call.type.isComplex());
        // How many steps of refinement are due depends on roundings, and what is pivoted is a scaled matrix.
        boolean scaledPivots = s.name().equals("ipiv") && call.family().matches("gesv(B?F|Bf|Tf)\\d+");
        double units = s.name().equals("iter") ? STEPS : scaledPivots ? call.sizes.get("n") - 1 : 0;
        for (int place = 0; place < s.at().length; place++) {
            int at = s.at()[place];
            if (s.name().equals("X") && leaves(problem, s.row()[place])) {
                continue;
            }
            for (int part = 0; part < s.parts(); part++) {
                int to = s.parts() * (start + at) + part;
                expected[to] = result[s.parts() * at + part];
                bound[to] = units;
                if (free) {
                    bound[to] = Double.POSITIVE_INFINITY;
                } else if (spectral) {
                    bound[to] = Spectral.bound(call, s.name(), each, largest);
                } else if (s.floating()) {
                    double size = sizes == null ? largest : sizes[s.parts() * at];
                    bound[to] = call.integers() ? 0
                            : error ? 1
                            : estimate ? Math.abs(expected[to]) * 2 / 3
                            : scaled ? Math.abs(expected[to]) / 2
                            : each * size + (s.element() == ElementType.F16 ? SUBNORMAL : 0);
                }
            }
        }
    }

    /** Whether a row of X is below solutions of least squares that were refined. */
    private boolean leaves(int problem, int row) {
        boolean empty = Math.min(call.sizes.getOrDefault("m", 0), call.sizes.getOrDefault("n", 0)) == 0;
        if (!call.family().startsWith("gels") || empty || results.get(problem).arrays().get("iter")[0] < 0) {
            return false;
        }
        return row >= call.sizes.get(call.options.get("trans") == Op.NONE ? "n" : "m");
    }

    /** What one more rounding costs where the result is narrower than the computation. */
    private static double rounding(ElementType element) {
        return switch (element) {
            case F16 -> 0x1p-10;
            case BF16 -> 0x1p-7;
            case F32 -> 0x1p-23;
            default -> 0;
        };
    }
}
