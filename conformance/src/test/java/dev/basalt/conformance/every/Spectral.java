package dev.basalt.conformance.every;

import dev.basalt.conformance.OpenBlas;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Symmetric eigenvalues: OpenBLAS tells the values. Vectors are not unique, so they are held against what they decompose. */
final class Spectral {
    private static final double THRESHOLD = 30;

    private Spectral() {}

    static boolean has(TableCall call) {
        return call.family().matches("sterf|steqr|stedc|stevd?|[sh][pb]evd?|(sy|he)[eg]vd?j?");
    }

    private static boolean tridiagonal(TableCall call) {
        return call.family().startsWith("st");
    }

    private static boolean vectors(TableCall call) {
        return call.options.containsKey("evect") && call.options.get("evect") != Evect.NONE;
    }

    /** The matrix whose eigenvalues are asked for. */
    static Dense matrix(TableCall call, Problem p) {
        if (Generalised.is(call)) {
            return Generalised.standard(call, p);
        }
        if (call.family().matches("[sh][pb].*")) {
            return Dense.full(call, p, call.stored.containsKey("AP") ? "AP" : "A", call.type.isComplex());
        }
        if (!tridiagonal(call)) {
            return Reduction.symmetric(call, p);
        }
        int n = call.size("n");
        Dense t = new Dense(n, n);
        for (int i = 0; i < n; i++) {
            t.re[t.at(i, i)] = at(call, p, "d", i);
            if (i + 1 < n) {
                t.re[t.at(i + 1, i)] = at(call, p, "e", i);
                t.re[t.at(i, i + 1)] = at(call, p, "e", i);
            }
        }
        return t;
    }

    static double at(TableCall call, Problem p, String name, int i) {
        return p.arrays().get(name)[call.stored.get(name).at()[i]];
    }

    /** Replaces d by the eigenvalues. */
    static void run(TableCall call, Problem p) {
        int n = call.size("n");
        Arrays.fill(p.arrays().get("info"), 0);
        if (n == 0) {
            return;
        }
        double[] values = values(matrix(call, p));
        Stored d = call.stored.get("d");
        for (int i = 0; i < n; i++) {
            p.arrays().get("d")[d.at()[i]] = values[i];
        }
        if (Generalised.is(call)) {
            Generalised.factor(call, p);
        }
    }

    /** The eigenvalues of a Hermitian matrix; a real one of twice the order has each of them twice. */
    static double[] values(Dense a) {
        int n = a.rows;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment w = arena.allocate(ValueLayout.JAVA_DOUBLE, 2L * n);
            MemorySegment m = arena.allocate(ValueLayout.JAVA_DOUBLE, 4L * n * n);
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < n; i++) {
                    double re = a.re[a.at(i, j)];
                    double im = a.im[a.at(i, j)];
                    m.setAtIndex(ValueLayout.JAVA_DOUBLE, i + 2L * n * j, re);
                    m.setAtIndex(ValueLayout.JAVA_DOUBLE, n + i + 2L * n * (n + j), re);
                    m.setAtIndex(ValueLayout.JAVA_DOUBLE, n + i + 2L * n * j, im);
                    m.setAtIndex(ValueLayout.JAVA_DOUBLE, i + 2L * n * (n + j), -im);
                }
            }
            int room = 100 * n + 100;
            List<Object> arguments = new ArrayList<>(List.of(arena.allocateFrom("N"), arena.allocateFrom("L"),
                    arena.allocateFrom(ValueLayout.JAVA_INT, 2 * n), m, arena.allocateFrom(ValueLayout.JAVA_INT, 2 * n),
                    w, arena.allocate(ValueLayout.JAVA_DOUBLE, room), arena.allocateFrom(ValueLayout.JAVA_INT, room),
                    arena.allocateFrom(ValueLayout.JAVA_INT, 0)));
            MemoryLayout[] layouts = new MemoryLayout[arguments.size()];
            Arrays.fill(layouts, ValueLayout.ADDRESS);
            OpenBlas.handle("dsyev_", FunctionDescriptor.ofVoid(layouts)).invokeWithArguments(arguments);
            double[] values = new double[n];
            for (int i = 0; i < n; i++) {
                values[i] = w.getAtIndex(ValueLayout.JAVA_DOUBLE, 2L * i);
            }
            return values;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** How far an element may be from the reference; what is not unique may be anything. */
    static double bound(TableCall call, String name, double each, double largest) {
        boolean values = name.equals("d") || name.equals("B");
        boolean kept = name.matches("[CZ]") && !vectors(call);
        return values ? each * largest : kept || name.equals("info") ? 0 : Double.POSITIVE_INFINITY;
    }

    /** Z·Λ·Zᴴ is the matrix, and Z·Zᴴ the identity; times C and Cᴴ where C was multiplied. */
    static void check(TableCall call, int problem, Loaded memory) {
        int n = call.size("n");
        if (n == 0 || !vectors(call)) {
            return;
        }
        Problem before = call.problems.get(problem);
        Problem after = Reduction.after(call, problem, memory);
        String name = call.stored.containsKey("Z") ? "Z" : tridiagonal(call) ? "C" : "A";
        Dense z = Dense.of(call, after, name);
        Dense one = new Dense(n, n);
        for (int i = 0; i < n; i++) {
            one.re[one.at(i, i)] = 1;
        }
        Dense c = call.options.get("evect") == Evect.ORIGINAL && tridiagonal(call) ? Dense.of(call, before, "C") : one;
        Dense scaled = new Dense(n, n);
        for (int j = 0; j < n; j++) {
            double d = at(call, after, "d", j);
            for (int i = 0; i < n; i++) {
                scaled.re[z.at(i, j)] = d * z.re[z.at(i, j)];
                scaled.im[z.at(i, j)] = d * z.im[z.at(i, j)];
            }
        }
        double unit = call.computed() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
        if (Generalised.is(call)) {
            Generalised.check(call, before, z, scaled, one, unit * n);
            return;
        }
        Dense a = matrix(call, before);
        near(call, scaled.times(z.op(Op.CONJ_TRANS)), c.times(a).times(c.op(Op.CONJ_TRANS)), unit * n);
        near(call, z.times(z.op(Op.CONJ_TRANS)), c.times(c.op(Op.CONJ_TRANS)), unit * n);
    }

    static void near(TableCall call, Dense x, Dense y, double unit) {
        double size = 1;
        double far = 0;
        for (int i = 0; i < x.re.length; i++) {
            size = Math.max(size, Math.max(Math.abs(y.re[i]), Math.abs(y.im[i])));
            far = Math.max(far, Math.max(Math.abs(x.re[i] - y.re[i]), Math.abs(x.im[i] - y.im[i])));
        }
        if (!(far <= THRESHOLD * unit * size)) {
            throw new AssertionError(call + ": vectors are off by " + far + ", more than " + THRESHOLD * unit * size);
        }
    }
}
