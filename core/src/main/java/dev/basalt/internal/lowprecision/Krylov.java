package dev.basalt.internal.lowprecision;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Gmres;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Norm;

/**
 * FGMRES with factors of lower precision: its workspace, its launches and their number. There are always as many cycles and directions, and {@code info} is the guard of all.
 */
final class Krylov {
    /** Cycles at most. */
    static final int CYCLES = 3;

    /** Right-hand sides that are refined together. */
    static final int SIDES = 16;

    private static final int DIRECTIONS = 20;

    /** What iter is where that many were not enough. */
    static final int NOT_CONVERGED = -CYCLES * DIRECTIONS - 1;

    /** What the workspace holds, one behind the other. */
    enum Part {
        /** The matrix in single precision. */
        FACTORS,
        /** Right-hand sides of solves in single precision. */
        CORRECTION,
        /** The basis. */
        BASIS,
        /** The directions. */
        DIRECTIONS,
        /** What is known of each column. */
        STATE,
        /** Scales of rows and columns. */
        SCALES,
        /** Least squares: a product with the matrix. */
        PRODUCT,
        /** Least squares: residuals, and solutions beside the unknowns. */
        RESIDUALS,
        /** Least squares: the unknowns, and what a cycle adds to them. */
        UNKNOWNS
    }

    /** In a fixed order, without a copy. */
    private static final Part[] PARTS = Part.values();

    private Krylov() {}

    /** Directions of a cycle for systems of an order. */
    static long directions(long n) {
        return Math.min(DIRECTIONS, n);
    }

    private static long sides(Launch g) {
        return Math.min(SIDES, g.k);
    }

    /** Bytes of a part, for least squares with so many rows and n columns, or for a square matrix if there are 0. */
    private static long bytes(Launch g, ElementType type, Part part, long rows, long n) {
        ElementType single = Refined.single(type);
        long k = sides(g);
        long m = directions(n);
        return Chunks.up(switch (part) {
            case FACTORS -> Chunks.times(Chunks.times(rows == 0 ? n : rows, n), single.bytes(), g.count);
            case CORRECTION -> Chunks.times(Chunks.times(n, k), single.bytes(), g.count);
            case BASIS -> Chunks.times(Chunks.times(n, k, m + 1), type.bytes(), g.count);
            case DIRECTIONS -> Chunks.times(Chunks.times(n, k, m), type.bytes(), g.count);
            case STATE -> Chunks.times(Gmres.words(m, k, type.isComplex() ? 2 : 1), 8, g.count);
            case SCALES -> Chunks.times(2 * n, 8, g.count);
            case PRODUCT -> Chunks.times(Chunks.times(rows, k), type.bytes(), g.count);
            case RESIDUALS -> Chunks.times(Chunks.times(rows, 2 * k), type.bytes(), g.count);
            case UNKNOWNS -> rows == 0 ? 0 : Chunks.times(Chunks.times(n, 2 * k), type.bytes(), g.count);
        });
    }

    /** Bytes of all parts. */
    static long bytes(Call c, long rows, long n) {
        long sum = 0;
        for (Part part : PARTS) {
            sum = Math.addExact(sum, bytes(c.args, c.args.type, part, rows, n));
        }
        return sum;
    }

    /** Where a part begins. */
    static long at(Call c, long slot, ElementType type, Part part, long rows, long n) {
        long address = slot;
        for (int i = 0; PARTS[i] != part; i++) {
            address += bytes(c.args, type, PARTS[i], rows, n);
        }
        return address;
    }

    /** Lays out the workspace of the refinement: from here on the frame's own operands are its parts. */
    static void lay(Call c, long slot, long rows, long n) {
        Launch g = c.args;
        Launch k = c.k;
        ElementType type = g.type;
        long m = directions(n);
        matrix(k.a, type, at(c, slot, type, Part.BASIS, rows, n), n, sides(g) * (m + 1));
        matrix(k.b, type, at(c, slot, type, Part.DIRECTIONS, rows, n), n, sides(g) * m);
        matrix(k.c, type, at(c, slot, type, Part.RESIDUALS, rows, n), rows, 2 * sides(g));
        matrix(k.e, type, at(c, slot, type, Part.UNKNOWNS, rows, n), n, 2 * sides(g));
        long words = Gmres.words(m, sides(g), type.isComplex() ? 2 : 1);
        k.f.vector(ElementType.F64, at(c, slot, type, Part.STATE, rows, n), words, 1, words);
        k.g.vector(ElementType.F64, at(c, slot, type, Part.SCALES, rows, n), 2 * n, 1, 2 * n);
    }

    private static void matrix(Operand o, ElementType type, long address, long rows, long cols) {
        o.matrix(type, address, rows, cols, rows, rows * cols);
    }

    /** A step of the basis, for k columns. */
    static Block basis(Call c, long step, long k) {
        return part(c, c.k.a, step * k, k);
    }

    /** A step of the directions. */
    static Block direction(Call c, long step, long k) {
        return part(c, c.k.b, step * k, k);
    }

    /** The residuals of least squares, or with 1 the solutions beside the unknowns. */
    static Block residuals(Call c, long which, long k) {
        return part(c, c.k.c, which * k, k);
    }

    /** The unknowns of least squares, or with 1 what a cycle adds to them. */
    static Block unknowns(Call c, long which, long k) {
        return part(c, c.k.e, which * k, k);
    }

    private static Block part(Call c, Operand o, long first, long k) {
        return c.scope.of(o, o.rows, o.cols).cols(first, k);
    }

    // ---- scales: those of the equations, and n elements behind them those of the unknowns

    /** About the root of a dimension: a power of two. */
    static int root(long n) {
        return (63 - Long.numberOfLeadingZeros(n)) / 2;
    }

    /** The scales of the unknowns are powers of two near 2^q over norms of the columns of a, or of its rows. */
    static void scaleUnknowns(Call c, Norm norm, Block a, int q) {
        long n = c.k.g.rows / 2;
        Launch l = c.scope.kernel(Kernel.NORM_LINES);
        l.norm = norm;
        l.m = a.rows;
        l.n = a.cols;
        l.p = a.rows;
        l.q = a.cols;
        a.into(l.a);
        l.b.slice(c.k.g, n, n);
        c.scope.launch();
        binary(c, n, q);
    }

    /** The scales of the equations are those of the unknowns. */
    static void scaleAlike(Call c) {
        long n = c.k.g.rows / 2;
        Launch l = c.scope.kernel(Kernel.COPY);
        l.type = ElementType.F64;
        l.n = n;
        l.a.slice(c.k.g, n, n);
        l.c.slice(c.k.g, 0, n);
        c.scope.launch();
    }

    /** The scales of the equations are powers of two near 2^q over the sums of rows of a with scaled columns. */
    static void scaleEquations(Call c, Block a, int q) {
        long n = c.k.g.rows / 2;
        Launch l = c.scope.kernel(Kernel.ROW_SUMS);
        l.m = a.rows;
        l.n = a.cols;
        a.into(l.a);
        l.b.slice(c.k.g, n, n);
        l.c.slice(c.k.g, 0, n);
        c.scope.launch();
        binary(c, 0, q);
    }

    private static void binary(Call c, long first, int q) {
        Launch l = c.scope.kernel(Kernel.FGMRES);
        l.p = Gmres.BINARY;
        l.n = c.k.g.rows / 2;
        l.q = q;
        l.g.slice(c.k.g, first, l.n);
        c.scope.launch();
    }

    // ---- launches

    /** c := a in the other precision. With scales rows are multiplied by those of the equations or unknowns, columns by those of the unknowns. */
    static void convert(Call call, Block a, Scales rows, Scales columns, Block c) {
        Launch l = call.scope.kernel(Kernel.CONVERT);
        l.type = c.type();
        l.m = c.rows;
        l.n = c.cols;
        l.p = Kernel.OVERFLOWN;
        a.into(l.a);
        scales(call, rows, l.b);
        scales(call, columns, l.d);
        c.into(l.c);
        call.scope.launch();
    }

    /** Which scales. */
    enum Scales {
        /** None. */
        NONE,
        /** Those of the equations. */
        EQUATIONS,
        /** Those of the unknowns. */
        UNKNOWNS
    }

    private static void scales(Call c, Scales which, Operand into) {
        long n = c.k.g.rows / 2;
        if (which != Scales.NONE) {
            into.slice(c.k.g, which == Scales.EQUATIONS ? 0 : n, n);
        }
    }

    /** One step of FGMRES for the solutions x: the caller says what is special about it and launches. */
    static Launch step(Call c, int step, Block x) {
        Launch l = c.scope.kernel(Kernel.FGMRES);
        l.p = step;
        l.n = x.rows;
        l.k = x.cols;
        l.m = directions(x.rows);
        l.a.set(c.k.a);
        l.b.set(step == Gmres.LEAST ? c.k.c : c.k.b);
        x.into(l.c);
        l.d.set(c.k.f);
        l.e.set(c.args.e);
        l.f.set(c.args.f);
        l.g.set(c.k.g);
        return l;
    }

    /** The end of a cycle, which looks at info itself. */
    static void solution(Call c, Block x) {
        step(c, Gmres.SOLUTION, x).guarded = false;
        c.scope.launch();
    }

    /** There are no right-hand sides to refine. */
    static void nothing(Call c, Block x) {
        step(c, Gmres.FIRST, x);
        c.scope.launch();
    }

    /** y := alpha·A·x + beta·y. */
    static void product(Scope s, double alpha, Block a, Block x, double beta, Block y) {
        if (y.cols != 1) {
            s.gemm(alpha, a, x, beta, y);
            return;
        }
        Launch l = s.kernel(Kernel.GEMV);
        Refined.vectors(l, a.stored(), x, y);
        l.opA = a.op;
        l.alpha.set(alpha, 0);
        l.beta.set(beta, 0);
        s.launch();
    }

    /** y += alpha·x. */
    static void add(Scope s, double alpha, Block x, Block y) {
        Launch l = s.kernel(Kernel.GEAM);
        l.m = y.rows;
        l.n = y.cols;
        l.alpha.set(alpha, 0);
        l.beta.set(1, 0);
        x.into(l.a);
        y.into(l.b);
        y.into(l.c);
        s.launch();
    }

    /** From here on the parts compute in single precision, and products round their factors so. */
    static void rounded(Call c, ElementType type, MathMode math) {
        Refined.type(c, Refined.single(type));
        c.scope.math = math;
    }

    /** Back to double precision. */
    static void exact(Call c, ElementType type) {
        Refined.type(c, type);
        c.scope.math = MathMode.DEFAULT;
    }
}
