package dev.basalt.internal.matrix;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.HostResult;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.LangeSignature;
import dev.basalt.internal.signature.LanheSignature;
import dev.basalt.internal.signature.LanhsSignature;
import dev.basalt.internal.signature.LanhtSignature;
import dev.basalt.internal.signature.LanstSignature;
import dev.basalt.internal.signature.LansySignature;
import dev.basalt.internal.signature.LantrSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.ElementType;
import dev.basalt.type.Norm;
import dev.basalt.type.Uplo;

/**
 * Norms of matrices: the largest modulus, the largest sum of a column or row, the Frobenius norm. A large matrix has a number made of each of its lines first, which
 * many processors do at once; the norm of those numbers is the result. The squares of the Frobenius norm are scaled as in Blue's algorithm (ACM TOMS 4, 1978) or by the largest.
 */
public final class MatrixNorm extends Routine {
    /** Of any matrix. */
    public static final MatrixNorm LANGE = new MatrixNorm(new LangeSignature(), Structure.TRIANGULAR);

    /** Of a symmetric matrix. */
    public static final MatrixNorm LANSY = new MatrixNorm(new LansySignature(), Structure.SYMMETRIC);

    /** Of a Hermitian matrix. */
    public static final MatrixNorm LANHE = new MatrixNorm(new LanheSignature(), Structure.HERMITIAN);

    /** Of a triangular or trapezoidal matrix. */
    public static final MatrixNorm LANTR = new MatrixNorm(new LantrSignature(), Structure.TRIANGULAR);

    /** Of an upper Hessenberg matrix. */
    public static final MatrixNorm LANHS = new MatrixNorm(new LanhsSignature(), Structure.TRIANGULAR);

    /** Of a real symmetric tridiagonal matrix. */
    public static final MatrixNorm LANST = new MatrixNorm(new LanstSignature(), Structure.SYMMETRIC);

    /** Of a Hermitian tridiagonal matrix. */
    public static final MatrixNorm LANHT = new MatrixNorm(new LanhtSignature(), Structure.HERMITIAN);

    private static final int LINES = 1;

    private final Structure structure;

    private MatrixNorm(Signature signature, Structure structure) {
        super(signature);
        this.structure = structure;
    }

    private boolean tridiagonal() {
        return this == LANST || this == LANHT;
    }

    /** Empty matrices have the norm 0. */
    @Override
    protected void quickRun(Call c) {
        if (c.hostResult) {
            return;
        }
        c.requireOperand(HostResult.OPERAND);
        if (c.args.count > 0) {
            HostResult.zero(c);
        }
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return operand == HostResult.OPERAND ? !c.hostResult : super.uses(c, operand);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long result = HostResult.bytes(c);
        long lines = tridiagonal() ? 0 : linesBytes(c.traits, rows(g), g.n, g.count);
        need.tier("line by line").slot("result", result).slot("lines", lines);
        need.tier("one launch").slot("result", result).slot("lines", 0);
    }

    /** Bytes for a number of each line, none where the matrix is too small to be worth two launches. */
    public static long linesBytes(DeviceTraits traits, long m, long n, long count) {
        return m > traits.reductionBlock() / n ? Chunks.times(Math.max(m, n), ElementType.F64.bytes(), count) : 0;
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        ElementType type = g.type.real();
        long at = HostResult.place(c, 0, type);
        if (tridiagonal()) {
            Launch l = c.scope.kernel(Kernel.NORM_TRIDIAGONAL);
            l.norm = g.norm;
            l.n = g.n;
            l.a.set(g.a);
            l.c.set(g.c);
            l.d.set(g.d);
            c.scope.launch();
        } else {
            Block a = c.scope.of(g.a, rows(g), g.n).triangle(g.uplo, g.diag);
            boolean upper = this == LANTR && g.uplo == Uplo.UPPER;
            boolean lower = this == LANTR && g.uplo == Uplo.LOWER;
            long below = upper ? 0 : this == LANHS ? 1 : a.rows;
            long above = lower ? 0 : a.cols;
            of(c.scope, g.norm, structure, a, below, above, g.d, c.slot(LINES));
        }
        if (c.hostResult) {
            c.fetch(at, type);
        }
    }

    private long rows(Launch g) {
        return this == LANGE || this == LANTR ? g.m : g.n;
    }

    /**
     * Makes d the norm of a.
     *
     * @param below diagonals below the main one that there may be
     * @param above diagonals above it
     * @param d a real number a problem
     * @param lines workspace of {@link #linesBytes}, 0 if there is none
     */
    public static void of(Scope s, Norm norm, Structure structure, Block a, long below, long above, Operand d,
            long lines) {
        long count = norm == Norm.INF && structure == Structure.TRIANGULAR ? a.rows : a.cols;
        if (lines == 0) {
            Launch l = whole(s, Kernel.NORM, norm, structure, a, below, above);
            l.d.set(d);
            s.launch();
            return;
        }
        lines(s, norm, structure, a, below, above, lines);
        Launch l = s.kernel(Kernel.NORM);
        l.type = ElementType.F64;
        l.norm = norm == Norm.FRO ? Norm.FRO : Norm.MAX;
        l.m = count;
        l.n = 1;
        l.p = count;
        l.q = 1;
        l.a.matrix(ElementType.F64, lines, count, 1, count, count);
        l.d.set(d);
        s.launch();
    }

    /** A number of each line of a, from which its norm is made; otherwise as {@link #of}. */
    public static void lines(Scope s, Norm norm, Structure structure, Block a, long below, long above, long lines) {
        long count = norm == Norm.INF && structure == Structure.TRIANGULAR ? a.rows : a.cols;
        Launch l = whole(s, Kernel.NORM_LINES, norm, structure, a, below, above);
        l.b.vector(ElementType.F64, lines, count, 1, count);
        s.launch();
    }

    private static Launch whole(Scope s, Kernel kernel, Norm norm, Structure structure, Block a, long below,
            long above) {
        Launch l = s.kernel(kernel);
        l.norm = norm;
        l.structure = structure;
        l.uplo = a.uplo;
        l.diag = a.diag;
        l.m = a.rows;
        l.n = a.cols;
        l.p = below;
        l.q = above;
        a.into(l.a);
        return l;
    }
}
