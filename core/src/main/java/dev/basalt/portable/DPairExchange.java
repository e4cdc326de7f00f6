package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Selection;
import java.util.Arrays;

/**
 * Exchanges of blocks on the diagonals of two real matrices in Schur form, and their eigenvalues (Kågström, "A direct method for reordering eigenvalues in the generalized real Schur form of a regular matrix pair", 1993). An exchange whose error would
 * be large is not made.
 */
final class DPairExchange extends DBlocks implements PairExchangeLeaf {
    private static final int ORDER = DSubspace.ORDER;

    /** Units of rounding that an exchange may leave where there are to be zeros. */
    private static final int MOST = 10;

    private final DTurns pair;
    private final DElimination equations = new DElimination();
    private final DSubspace left = new DSubspace();
    private final DSubspace right = new DSubspace();

    /** The blocks of A and B, times a power of two. */
    private final double[] d = new double[ORDER * ORDER];

    private final double[] e = new double[ORDER * ORDER];
    private Selection rule;
    private int power;

    DPairExchange(Leaf leaf) {
        pair = new DTurns(leaf);
    }

    @Override
    public long order(Selection select, int times, long order, long a, long lda, long b, long ldb, long q, long ldq,
            long z, long ldz) {
        pair.begin(order, a, lda, b, ldb, q, ldq, z, ldz);
        n = order;
        t = a;
        ldt = lda;
        rule = select;
        power = times;
        long front = order();
        for (long i = 0; i < n; i++) {
            pair.normal(i);
        }
        return front;
    }

    @Override
    public void values(long from, long order, long s, long lds, long p, long ldp, long alphas, long imaginary,
            long betas) {
        n = order;
        t = s;
        ldt = lds;
        for (long k = from; k < n; k++) {
            long beta = p + k * (ldp + 1) * 8L;
            if (size(k) == 1) {
                put(alphas, imaginary, betas, k, get(k, k), 0, f64(beta));
            } else {
                DPencil block = pair.pencil;
                block.read(at(k, k), lds, beta, ldp);
                block.values();
                put(alphas, imaginary, betas, k, block.alphaRe1, block.alphaIm1, block.betaOf1);
                k++;
                put(alphas, imaginary, betas, k, block.alphaRe2, block.alphaIm2, block.betaOf2);
            }
        }
    }

    private static void put(long alphas, long imaginary, long betas, long k, double re, double im, double beta) {
        f64(alphas + k * 8L, re);
        f64(imaginary + k * 8L, im);
        f64(betas + k * 8L, beta);
    }

    @Override
    boolean chosen(long k, int own) {
        if (own == 1) {
            return PairExchangeLeaf.chooses(rule, power, get(k, k), 0, f64(pair.atB(k, k)));
        }
        DPencil block = pair.pencil;
        block.read(at(k, k), ldt, pair.atB(k, k), pair.ldb);
        block.values();
        return PairExchangeLeaf.chooses(rule, power, block.alphaRe1, block.alphaIm1, block.betaOf1);
    }

    @Override
    boolean exchange(long i, int n1, int n2) {
        if (n1 == 1 && n2 == 1) {
            single(i);
            return true;
        }
        int m = n1 + n2;
        long ldb = pair.ldb;
        clear(i, n1, m);
        double normA = copy(at(i, i), ldt, m, d);
        double normB = copy(pair.atB(i, i), ldb, m, e);
        double scale = solve(n1, n2, Math.max(normA, normB));
        right.factor(n1, n2, equations.x, 0, scale);
        left.factor(n1, n2, equations.x, n1 * n2, scale);
        if (!splits(d, n2, m, normA) || !splits(e, n2, m, normB)) {
            return false;
        }
        left.lines(n - i, at(i, i), ldt, 1);
        left.lines(n - i, pair.atB(i, i), ldb, 1);
        right.lines(i + m, at(0, i), 1, ldt);
        right.lines(i + m, pair.atB(0, i), 1, ldb);
        if (pair.q != 0) {
            left.lines(n, pair.q + i * pair.ldq * 8L, 1, pair.ldq);
        }
        if (pair.z != 0) {
            right.lines(n, pair.z + i * pair.ldz * 8L, 1, pair.ldz);
        }
        clear(i, n2, m);
        if (n2 == 2) {
            pair.standard(i);
        }
        if (n1 == 2) {
            pair.standard(i + n2);
        }
        return true;
    }

    /** Zeros below the first of two blocks. */
    private void clear(long i, int first, int m) {
        for (int c = 0; c < first; c++) {
            for (int r = first; r < m; r++) {
                f64(at(i + r, i + c), 0);
                f64(pair.atB(i + r, i + c), 0);
            }
        }
    }

    /** A block times a power of two that makes it about 1: its Frobenius norm. */
    private static double copy(long from, long ld, int m, double[] to) {
        double most = 0;
        for (int c = 0; c < m; c++) {
            for (int r = 0; r < m; r++) {
                to[r + ORDER * c] = f64(from + (r + c * ld) * 8L);
                most = Math.max(most, Math.abs(to[r + ORDER * c]));
            }
        }
        int exponent = DPencil.exponent(most);
        double sum = 0;
        for (int c = 0; c < m; c++) {
            for (int r = 0; r < m; r++) {
                double x = Math.scalb(to[r + ORDER * c], -exponent);
                to[r + ORDER * c] = x;
                sum += x * x;
            }
        }
        return Math.sqrt(sum);
    }

    /** Whether both sides' reflectors leave nothing below the first block. */
    private boolean splits(double[] x, int n2, int m, double norm) {
        left.left(x, m);
        right.right(x, m);
        for (int c = 0; c < n2; c++) {
            for (int r = n2; r < m; r++) {
                if (!(Math.abs(x[r + ORDER * c]) <= MOST * DTurns.UNIT * norm)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** A11·X - Y·A22 = scale·A12 and B11·X - Y·B22 = scale·B12: X and then Y, both by columns. */
    private double solve(int n1, int n2, double norm) {
        int k = n1 * n2;
        Arrays.fill(equations.system, 0);
        for (int c = 0; c < n2; c++) {
            for (int r = 0; r < n1; r++) {
                int row = r + n1 * c;
                equation(row, d, r, c, n1, n2);
                equation(row + k, e, r, c, n1, n2);
            }
        }
        return equations.solve(2 * k, DTurns.UNIT * norm);
    }

    private void equation(int row, double[] x, int r, int c, int n1, int n2) {
        equations.right[row] = x[r + ORDER * (n1 + c)];
        for (int j = 0; j < n1; j++) {
            equations.system[row + DElimination.ORDER * (j + n1 * c)] = x[r + ORDER * j];
        }
        for (int j = 0; j < n2; j++) {
            equations.system[row + DElimination.ORDER * (n1 * n2 + r + n1 * j)] = -x[n1 + j + ORDER * (n1 + c)];
        }
    }

    /** Eigenvalues i and i + 1 change places (Van Dooren, "A generalized eigenvalue approach for solving Riccati equations", 1981). */
    private void single(long i) {
        copy(at(i, i), ldt, 2, d);
        copy(pair.atB(i, i), pair.ldb, 2, e);
        double alpha = d[1 + ORDER];
        double beta = e[1 + ORDER];
        double f = alpha * e[0] - beta * d[0];
        double g = alpha * e[ORDER] - beta * d[ORDER];
        pair.rotation(g, f);
        pair.turnColumns(i + 1, i + 2, i + 2);
        if (Math.abs(alpha * e[0]) >= Math.abs(d[0] * beta)) {
            pair.rotation(get(i, i), get(i + 1, i));
        } else {
            pair.rotation(f64(pair.atB(i, i)), f64(pair.atB(i + 1, i)));
        }
        pair.turnRows(i, i, i);
        clear(i, 1, 2);
    }
}
