package dev.basalt.internal.product;

import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Moduli;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Op;

/**
 * A product of doubles by products of 8-bit integers (Ozaki, Uchino and Imamura, "Ozaki scheme II: a GEMM-oriented emulation of floating-point matrix multiplication using an integer modular
 * technique", 2025). Rows of op(A) and columns of op(B) are scaled by powers of two and rounded to integers of 53 bits, or a few less in long sums. Sums of products of these are known by their
 * remainders of division by 15 small numbers, and the remainders by products of the factors' remainders.
 *
 * <p>Nothing is lost but the roundings to integers: half a unit of an element, which is 2⁻⁵³ of the power of two above the largest element of its line, times the other factor's element. Sums of k
 * products in double may lose k·2⁻⁵³·|A|·|B|. A product of magnitudes in 7 bits, of all or some terms of the sums, comes first, and tells where that is certainly more. Where it is not, or an element
 * is not finite, a flag on the device keeps what is emulated out of C, and the device's own kernels multiply. Sums of integers do not depend on their order, so C has the same bits on every device and
 * in every tier.
 */
final class Emulated {
    /** Smaller products are not worth the launches. */
    private static final long LEAST = 128;

    /** Sides of the blocks of C that are worked on at once. */
    private static final long[] BLOCKS = {Long.MAX_VALUE, 4096, 1024, 256};

    private static final String[] TIERS =
            {"emulated", "emulated, blocks of 4096", "emulated, blocks of 1024", "emulated, blocks of 256"};

    /** Leading dimensions of integers: what vectors and engines like. */
    private static final long LINE = 16;

    private static final int LINES = 0;
    private static final int RESIDUES = 1;
    private static final int SUMS = 2;
    private static final int REMAINDERS = 3;
    private static final int PRODUCT = 4;

    private Emulated() {}

    /** Whether a product of doubles is to be emulated: by the handle's mode and the shape alone. */
    static boolean takes(Launch g) {
        return g.math == MathMode.EMULATED && g.type == ElementType.F64 && Math.min(g.k, Math.min(g.m, g.n)) >= LEAST;
    }

    /** The tiers, from all of C at once to small blocks. All give the same bits. */
    static void need(Call c, Need need) {
        Launch g = c.args;
        for (int t = 0; t < BLOCKS.length; t++) {
            long rows = Math.min(g.m, BLOCKS[t]);
            long cols = Math.min(g.n, BLOCKS[t]);
            long sides = Chunks.times(line(depth(g)), Moduli.COUNT, g.count);
            long result = Chunks.times(line(rows), cols, g.count);
            // Two flags, then the exponents of lines.
            long lines = Math.addExact(2, Math.addExact(g.m, g.n));
            need.tier(TIERS[t])
                    .slot("lines", Chunks.times(ElementType.I32.bytes(), lines, g.count))
                    .slot("residues", Chunks.times(Math.addExact(rows, cols), sides))
                    .slot("sums", Chunks.times(ElementType.I32.bytes(), result))
                    .slot("remainders", Chunks.times(Moduli.COUNT, result))
                    .slot("product", c.traits.mixed().bytes(product(c, rows, cols)));
        }
        need.below();
    }

    /** C := alpha·op(A)·op(B) + beta·C. */
    static void run(Call c) {
        Launch g = c.args;
        Operand a = c.scope.part();
        Operand b = c.scope.part();
        clear(c, flag(c, 0), g.count);
        for (long p = 0; p < g.k; p += Moduli.DEPTH) {
            long depth = Math.min(g.k - p, Moduli.DEPTH);
            inner(a, g.a, g.opA != Op.NONE, g.m, p, depth);
            inner(b, g.b, g.opB == Op.NONE, g.n, p, depth);
            exponents(c, a, true, depth);
            exponents(c, b, false, depth);
            Scalar beta = p == 0 ? g.beta : Scope.ONE;
            blocks(c, a, b, depth, beta, true);
            blocks(c, a, b, depth, beta, false);
            instead(c, a, b, depth, beta);
        }
    }

    private static long depth(Launch g) {
        return Math.min(g.k, Moduli.DEPTH);
    }

    private static long line(long elements) {
        return Math.addExact(elements, LINE - 1) & -LINE;
    }

    /** Some of the inner dimension of a factor. */
    private static void inner(Operand part, Operand whole, boolean down, long lines, long from, long depth) {
        if (down) {
            part.block(whole, from, 0, depth, lines);
        } else {
            part.block(whole, 0, from, lines, depth);
        }
    }

    /** The lines that are scaled alike are columns of op(B), and rows of op(A), which are columns of what op leaves as it is otherwise. */
    private static Op op(Launch g, boolean left) {
        boolean columns = left ? g.opA != Op.NONE : g.opB == Op.NONE;
        return columns ? Op.NONE : Op.TRANS;
    }

    private static long flag(Call c, int which) {
        return c.slot(LINES) + which * c.args.count * ElementType.I32.bytes();
    }

    private static void flagged(Operand e, Call c, int which) {
        e.vector(ElementType.I32, flag(c, which), 1, 1, 1);
    }

    /** Exponents of some lines. */
    private static void lines(Operand v, Call c, boolean left, long from, long lines) {
        Launch g = c.args;
        long at = flag(c, 2) + (left ? 0 : g.m * g.count * ElementType.I32.bytes());
        v.vector(ElementType.I32, at + from * ElementType.I32.bytes(), lines, 1, left ? g.m : g.n);
    }

    /** Integers := 0. */
    private static void clear(Call c, long at, long integers) {
        Launch l = c.kernel(Kernel.FILL);
        l.type = ElementType.I32;
        l.count = 1;
        l.n = integers;
        l.alpha.set(0, 0);
        l.c.vector(ElementType.I32, at, integers, 1, integers);
        c.launch();
    }

    private static void exponents(Call c, Operand x, boolean left, long depth) {
        Launch l = c.kernel(Kernel.EXPONENTS);
        l.opA = op(c.args, left);
        l.m = depth;
        l.n = left ? c.args.m : c.args.n;
        l.a.set(x);
        lines(l.d, c, left, 0, l.n);
        flagged(l.e, c, 0);
        c.launch();
    }

    /** Passes over all blocks of C: looks whether the bound holds, or multiplies. */
    private static void blocks(Call c, Operand a, Operand b, long depth, Scalar beta, boolean rough) {
        Launch g = c.args;
        long block = BLOCKS[c.tier()];
        long most = Math.min(g.m, block);
        for (long j = 0; j < g.n; j += block) {
            long cols = Math.min(g.n - j, block);
            residues(c, b, false, j, cols, depth, rough);
            for (long i = 0; i < g.m; i += block) {
                long rows = Math.min(g.m - i, block);
                if (j == 0 || most < g.m) {
                    residues(c, a, true, i, rows, depth, rough);
                }
                if (rough) {
                    sums(c, rows, cols, Moduli.lookedAt(depth), 0, 1);
                    faint(c, i, rows, j, cols, depth);
                } else {
                    for (int t = 0; t < Moduli.COUNT; t++) {
                        sums(c, rows, cols, depth, t, Moduli.COUNT);
                        modulo(c, rows, cols, t);
                    }
                    reconstruct(c, i, rows, j, cols, depth, beta);
                }
            }
        }
    }

    private static void residues(Call c, Operand x, boolean left, long from, long lines, long depth, boolean rough) {
        Launch l = c.kernel(Kernel.RESIDUES);
        l.opA = op(c.args, left);
        l.m = depth;
        l.n = lines;
        l.k = lines;
        l.p = rough ? 0 : Moduli.bits(depth);
        l.q = Moduli.stride(depth);
        boolean columns = l.opA == Op.NONE;
        l.a.block(x, columns ? 0 : from, columns ? from : 0, columns ? depth : lines, columns ? lines : depth);
        side(l.c, c, left, lines, rough ? Moduli.lookedAt(depth) : depth, rough ? 1 : Moduli.COUNT);
        lines(l.d, c, left, from, lines);
        c.launch();
    }

    /** Where the residues of a side of a block are: the inner dimension down, lines side by side, number after number. */
    private static void side(Operand x, Call c, boolean left, long lines, long depth, int count) {
        Launch g = c.args;
        long rows = line(depth);
        long before = left ? 0 : Math.min(g.m, BLOCKS[c.tier()]) * line(depth(g)) * Moduli.COUNT * g.count;
        x.matrix(ElementType.I8, c.slot(RESIDUES) + before, rows, lines * count, rows, rows * lines * count);
    }

    /** The shape of a product of integers. */
    private static Launch product(Call c, long rows, long cols) {
        Launch l = c.kernel(Kernel.GEMM);
        l.type = ElementType.I32;
        l.opA = Op.TRANS;
        l.m = rows;
        l.n = cols;
        l.k = line(depth(c.args));
        l.a.matrix(ElementType.I8, 0, l.k, rows, l.k, 0);
        l.b.matrix(ElementType.I8, 0, l.k, cols, l.k, 0);
        l.c.matrix(ElementType.I32, 0, rows, cols, line(rows), 0);
        return l;
    }

    private static void sums(Call c, long rows, long cols, long depth, int t, int count) {
        Launch l = product(c, rows, cols);
        l.k = line(depth);
        side(l.a, c, true, rows, depth, count);
        l.a.block(l.a, 0, t * rows, l.k, rows);
        side(l.b, c, false, cols, depth, count);
        l.b.block(l.b, 0, t * cols, l.k, cols);
        l.c.matrix(ElementType.I32, c.slot(SUMS), rows, cols, line(rows), line(rows) * cols);
        l.work = c.slot(PRODUCT);
        l.workBytes = c.slotBytes(PRODUCT);
        c.launch();
    }

    private static void faint(Call c, long i, long rows, long j, long cols, long depth) {
        Launch l = c.kernel(Kernel.FAINT);
        l.m = rows;
        l.n = cols;
        l.p = Moduli.bits(depth);
        l.a.matrix(ElementType.I32, c.slot(SUMS), rows, cols, line(rows), line(rows) * cols);
        lines(l.b, c, false, j, cols);
        lines(l.d, c, true, i, rows);
        flagged(l.e, c, 0);
        c.launch();
    }

    private static void modulo(Call c, long rows, long cols, int t) {
        Launch l = c.kernel(Kernel.MODULO);
        l.m = rows;
        l.n = cols;
        l.p = Moduli.number(t);
        l.a.matrix(ElementType.I32, c.slot(SUMS), rows, cols, line(rows), line(rows) * cols);
        remainders(l.c, c, rows, cols * Moduli.COUNT);
        l.c.block(l.c, 0, t * cols, rows, cols);
        c.launch();
    }

    private static void remainders(Operand x, Call c, long rows, long cols) {
        x.matrix(ElementType.I8, c.slot(REMAINDERS), rows, cols, line(rows), line(rows) * cols);
    }

    private static void reconstruct(Call c, long i, long rows, long j, long cols, long depth, Scalar beta) {
        Launch l = c.kernel(Kernel.RECONSTRUCT);
        l.m = rows;
        l.n = cols;
        l.k = cols;
        l.p = Moduli.bits(depth);
        l.alpha.set(c.args.alpha);
        l.beta.set(beta);
        remainders(l.a, c, rows, cols * Moduli.COUNT);
        lines(l.b, c, false, j, cols);
        l.c.block(c.args.c, i, j, rows, cols);
        lines(l.d, c, true, i, rows);
        l.guarded = true;
        flagged(l.e, c, 0);
        c.launch();
    }

    /** Multiplies what is flagged by the device's own kernels, with the memory of the residues, and takes the flags away. */
    private static void instead(Call c, Operand a, Operand b, long depth, Scalar beta) {
        Launch g = c.args;
        Launch l = c.kernel(Kernel.FALL_BACK);
        l.n = 1;
        l.p = 2;
        flagged(l.e, c, 0);
        flagged(l.f, c, 1);
        c.launch();
        l = c.kernel(Kernel.GEMM);
        l.opA = g.opA;
        l.opB = g.opB;
        l.m = g.m;
        l.n = g.n;
        l.k = depth;
        l.alpha.set(g.alpha);
        l.beta.set(beta);
        l.a.set(a);
        l.b.set(b);
        l.c.set(g.c);
        l.guarded = true;
        flagged(l.e, c, 1);
        l.work = c.slot(RESIDUES);
        l.workBytes = Math.min(c.slotBytes(RESIDUES), Gemm.bytes(c, g.type, 0, g.m, g.n, g.k));
        c.launch();
    }
}
