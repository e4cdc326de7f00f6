package dev.basalt.conformance.golden;

import dev.basalt.Blas;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.List;

/**
 * A routine with its options as a call of up to three dimensions: the list that the golden files are made from. It is a net below the
 * families that were there when a change of the house was to move nothing, and it is frozen: a family that is added needs no entry and
 * no golden line. What is asked of all families comes from the table, in the suites in {@code every} and of the size formulas.
 *
 * @param routine family
 * @param options what distinguishes calls of a family
 * @param which the types it is for
 * @param body the call
 */
record GoldenCall(String routine, String options, Types which, Body body) {
    /** The types of a call. */
    enum Types {
        ALL, REAL, COMPLEX
    }

    /** A call with dimensions m, n and k. */
    @FunctionalInterface
    interface Body {
        void run(Handle h, GoldenOperands o, long m, long n, long k);
    }

    private static final double ALPHA = 0.75;
    private static final double BETA = -1.25;

    boolean takes(ElementType type) {
        return which == Types.ALL || type.isComplex() == (which == Types.COMPLEX);
    }

    static List<GoldenCall> all() {
        List<GoldenCall> all = new ArrayList<>();
        level1(all);
        level2(all);
        products(all);
        triangles(all);
        lapack(all);
        reflectors(all);
        return List.copyOf(all);
    }

    private static void add(List<GoldenCall> all, String routine, Types which, Body body, Object... options) {
        StringBuilder text = new StringBuilder();
        for (Object option : options) {
            text.append(text.isEmpty() ? "" : " ").append(option);
        }
        all.add(new GoldenCall(routine, text.toString(), which, body));
    }

    private static void level1(List<GoldenCall> all) {
        add(all, "dot", Types.REAL, (h, o, m, n, k) -> Blas.dot(h, o.vector(m), o.vector(m), o.results(o.type)));
        add(all, "dotu", Types.COMPLEX, (h, o, m, n, k) -> Blas.dotu(h, o.vector(m), o.vector(m), o.results(o.type)));
        add(all, "dotc", Types.COMPLEX, (h, o, m, n, k) -> Blas.dotc(h, o.vector(m), o.vector(m), o.results(o.type)));
        add(all, "asum", Types.ALL, (h, o, m, n, k) -> Blas.asum(h, o.vector(m), o.results(o.type.real())));
        add(all, "nrm2", Types.ALL, (h, o, m, n, k) -> Blas.nrm2(h, o.vector(m), o.results(o.type.real())));
        add(all, "iamax", Types.ALL, (h, o, m, n, k) -> Blas.iamax(h, o.vector(m), o.results(ElementType.I64)));
        add(all, "iamin", Types.ALL, (h, o, m, n, k) -> Blas.iamin(h, o.vector(m), o.results(ElementType.I64)));
        add(all, "axpy", Types.ALL, (h, o, m, n, k) -> Blas.axpy(h, ALPHA, o.vector(m), o.vector(m)));
        add(all, "scal", Types.ALL, (h, o, m, n, k) -> Blas.scal(h, ALPHA, o.vector(m)));
        add(all, "copy", Types.ALL, (h, o, m, n, k) -> Blas.copy(h, o.vector(m), o.vector(m)));
        add(all, "swap", Types.ALL, (h, o, m, n, k) -> Blas.swap(h, o.vector(m), o.vector(m)));
        add(all, "rot", Types.ALL, (h, o, m, n, k) -> Blas.rot(h, o.vector(m), o.vector(m), 0.6, 0.8));
    }

    private static void level2(List<GoldenCall> all) {
        for (Op op : Op.values()) {
            boolean plain = op == Op.NONE;
            add(all, "gemv", Types.ALL, (h, o, m, n, k) -> Blas.gemv(h, op, ALPHA, o.matrix(m, n),
                    o.vector(plain ? n : m), BETA, o.vector(plain ? m : n)), op);
        }
        add(all, "ger", Types.REAL, (h, o, m, n, k) -> Blas.ger(h, ALPHA, o.vector(m), o.vector(n), o.matrix(m, n)));
        add(all, "geru", Types.COMPLEX,
                (h, o, m, n, k) -> Blas.geru(h, ALPHA, o.vector(m), o.vector(n), o.matrix(m, n)));
        add(all, "gerc", Types.COMPLEX,
                (h, o, m, n, k) -> Blas.gerc(h, ALPHA, o.vector(m), o.vector(n), o.matrix(m, n)));
        for (Uplo uplo : Uplo.values()) {
            add(all, "symv", Types.ALL,
                    (h, o, m, n, k) -> Blas.symv(h, uplo, ALPHA, o.matrix(m, m), o.vector(m), BETA, o.vector(m)), uplo);
            add(all, "hemv", Types.COMPLEX,
                    (h, o, m, n, k) -> Blas.hemv(h, uplo, ALPHA, o.matrix(m, m), o.vector(m), BETA, o.vector(m)), uplo);
            for (Op op : Op.values()) {
                for (Diag diag : Diag.values()) {
                    add(all, "trmv", Types.ALL,
                            (h, o, m, n, k) -> Blas.trmv(h, uplo, op, diag, o.dominant(m), o.vector(m)), uplo, op,
                            diag);
                    add(all, "trsv", Types.ALL,
                            (h, o, m, n, k) -> Blas.trsv(h, uplo, op, diag, o.dominant(m), o.vector(m)), uplo, op,
                            diag);
                }
            }
        }
    }

    private static void products(List<GoldenCall> all) {
        for (Op opA : Op.values()) {
            for (Op opB : Op.values()) {
                add(all, "gemm", Types.ALL, (h, o, m, n, k) -> Blas.gemm(h, opA, opB, ALPHA, of(o, opA, m, k),
                        of(o, opB, k, n), BETA, o.matrix(m, n)), opA, opB);
            }
        }
        for (Uplo uplo : Uplo.values()) {
            for (Side side : Side.values()) {
                add(all, "symm", Types.ALL, (h, o, m, n, k) -> symm(h, o, side, uplo, false, m, n), side, uplo);
                add(all, "hemm", Types.COMPLEX, (h, o, m, n, k) -> symm(h, o, side, uplo, true, m, n), side, uplo);
            }
            for (Op op : List.of(Op.NONE, Op.TRANS)) {
                add(all, "syrk", Types.ALL,
                        (h, o, m, n, k) -> Blas.syrk(h, uplo, op, ALPHA, of(o, op, m, k), BETA, o.matrix(m, m)), uplo,
                        op);
            }
            for (Op op : List.of(Op.NONE, Op.CONJ_TRANS)) {
                add(all, "herk", Types.COMPLEX,
                        (h, o, m, n, k) -> Blas.herk(h, uplo, op, ALPHA, of(o, op, m, k), BETA, o.matrix(m, m)), uplo,
                        op);
            }
            add(all, "syrk", Types.ALL, (h, o, m, n, k) -> Blas.syrk(h, uplo, Op.NONE, o.scalar(ALPHA), o.matrix(m, k),
                    o.scalar(BETA), o.matrix(m, m)), uplo, "device");
        }
    }

    /** A matrix whose op is rows×cols. */
    private static MatrixView of(GoldenOperands o, Op op, long rows, long cols) {
        return op == Op.NONE ? o.matrix(rows, cols) : o.matrix(cols, rows);
    }

    private static void symm(Handle h, GoldenOperands o, Side side, Uplo uplo, boolean hermitian, long m, long n) {
        long order = side == Side.LEFT ? m : n;
        MatrixView a = o.matrix(order, order);
        MatrixView b = o.matrix(m, n);
        MatrixView c = o.matrix(m, n);
        if (hermitian) {
            Blas.hemm(h, side, uplo, ALPHA, a, b, BETA, c);
        } else {
            Blas.symm(h, side, uplo, ALPHA, a, b, BETA, c);
        }
    }

    private static void triangles(List<GoldenCall> all) {
        for (Side side : Side.values()) {
            for (Uplo uplo : Uplo.values()) {
                for (Op op : Op.values()) {
                    for (Diag diag : Diag.values()) {
                        triangles(all, side, uplo, op, diag);
                    }
                }
            }
        }
        for (Uplo uplo : Uplo.values()) {
            for (Diag diag : Diag.values()) {
                add(all, "trtri", Types.ALL,
                        (h, o, m, n, k) -> Blas.trtri(h, uplo, diag, o.dominant(m), o.matrix(m, m)), uplo, diag);
                add(all, "trtri", Types.ALL, (h, o, m, n, k) -> {
                    MatrixView a = o.dominant(m);
                    Blas.trtri(h, uplo, diag, a, a);
                }, uplo, diag, "in place");
            }
        }
    }

    private static void triangles(List<GoldenCall> all, Side side, Uplo uplo, Op op, Diag diag) {
        add(all, "trsm", Types.ALL, (h, o, m, n, k) -> Blas.trsm(h, side, uplo, op, diag, ALPHA,
                o.dominant(order(side, m, n)), o.matrix(m, n)), side, uplo, op, diag);
        add(all, "trmm", Types.ALL, (h, o, m, n, k) -> Blas.trmm(h, side, uplo, op, diag, ALPHA,
                o.dominant(order(side, m, n)), o.matrix(m, n), o.matrix(m, n)), side, uplo, op, diag);
        add(all, "trmm", Types.ALL, (h, o, m, n, k) -> {
            MatrixView b = o.matrix(m, n);
            Blas.trmm(h, side, uplo, op, diag, new Complex(ALPHA, 0), o.dominant(order(side, m, n)), b, b);
        }, side, uplo, op, diag, "in place");
        if (diag == Diag.NON_UNIT) {
            add(all, "trsm", Types.ALL, (h, o, m, n, k) -> Blas.trsm(h, side, uplo, op, diag, o.scalar(ALPHA),
                    o.dominant(order(side, m, n)), o.matrix(m, n)), side, uplo, op, diag, "device");
        }
    }

    private static long order(Side side, long m, long n) {
        return side == Side.LEFT ? m : n;
    }

    /** Orthogonal factorisations. Reflectors are any numbers: what is launched does not depend on them. */
    private static void reflectors(List<GoldenCall> all) {
        add(all, "geqrf", Types.ALL,
                (h, o, m, n, k) -> Lapack.geqrf(h, o.matrix(m, n), o.vector(o.type, Math.min(m, n))));
        add(all, "gelqf", Types.ALL,
                (h, o, m, n, k) -> Lapack.gelqf(h, o.matrix(m, n), o.vector(o.type, Math.min(m, n))));
        add(all, "geqlf", Types.ALL,
                (h, o, m, n, k) -> Lapack.geqlf(h, o.matrix(m, n), o.vector(o.type, Math.min(m, n))));
        add(all, "gerqf", Types.ALL,
                (h, o, m, n, k) -> Lapack.gerqf(h, o.matrix(m, n), o.vector(o.type, Math.min(m, n))));
        add(all, "geqr2", Types.ALL,
                (h, o, m, n, k) -> Lapack.geqr2(h, o.matrix(m, n), o.vector(o.type, Math.min(m, n))));
        add(all, "orgqr", Types.ALL, (h, o, m, n, k) -> Lapack.orgqr(h, o.matrix(Math.max(m, n), Math.min(m, n)),
                o.vector(o.type, Math.min(k, Math.min(m, n)))));
        add(all, "orgrq", Types.ALL, (h, o, m, n, k) -> Lapack.orgrq(h, o.matrix(Math.min(m, n), Math.max(m, n)),
                o.vector(o.type, Math.min(k, Math.min(m, n)))));
        for (Op op : List.of(Op.NONE, Op.CONJ_TRANS)) {
            add(all, "gels", Types.ALL, (h, o, m, n, k) -> Lapack.gels(h, op, o.matrix(m, n),
                    o.matrix(Math.max(m, n), k), o.results(ElementType.I32)), op);
        }
        for (Side side : Side.values()) {
            add(all, "larf", Types.ALL, (h, o, m, n, k) -> Lapack.larf(h, side, o.vector(order(side, m, n)),
                    o.vector(o.type, 1), o.matrix(m, n)), side);
            for (Op op : List.of(Op.NONE, Op.CONJ_TRANS)) {
                add(all, "ormqr", Types.ALL,
                        (h, o, m, n, k) -> Lapack.ormqr(h, side, op,
                                o.matrix(order(side, m, n), Math.min(k, order(side, m, n))),
                                o.vector(o.type, Math.min(k, order(side, m, n))), o.matrix(m, n)),
                        side, op);
                add(all, "ormlq", Types.ALL,
                        (h, o, m, n, k) -> Lapack.ormlq(h, side, op,
                                o.matrix(Math.min(k, order(side, m, n)), order(side, m, n)),
                                o.vector(o.type, Math.min(k, order(side, m, n))), o.matrix(m, n)),
                        side, op);
            }
        }
    }

    private static void lapack(List<GoldenCall> all) {
        add(all, "getrf", Types.ALL, (h, o, m, n, k) -> Lapack.getrf(h, o.matrix(m, n),
                o.vector(ElementType.I64, Math.min(m, n)), o.results(ElementType.I32)));
        for (Op op : Op.values()) {
            add(all, "getrs", Types.ALL,
                    (h, o, m, n, k) -> Lapack.getrs(h, op, o.dominant(m), o.vector(ElementType.I64, m), o.matrix(m, n)),
                    op);
            add(all, "getrs", Types.ALL, (h, o, m, n, k) -> Lapack.getrs(h, op, o.dominant(m),
                    o.vector(ElementType.I64, m), o.matrix(m, n), o.results(ElementType.I32)), op, "info");
        }
        add(all, "gesv", Types.ALL, (h, o, m, n, k) -> {
            VectorView pivots = o.vector(ElementType.I64, m);
            Lapack.gesv(h, o.matrix(m, m), pivots, o.matrix(m, n), o.results(ElementType.I32));
        });
        for (Uplo uplo : Uplo.values()) {
            add(all, "potrf", Types.ALL,
                    (h, o, m, n, k) -> Lapack.potrf(h, uplo, o.dominant(m), o.results(ElementType.I32)), uplo);
            add(all, "potrs", Types.ALL, (h, o, m, n, k) -> Lapack.potrs(h, uplo, o.dominant(m), o.matrix(m, n)), uplo);
            add(all, "posv", Types.ALL,
                    (h, o, m, n, k) -> Lapack.posv(h, uplo, o.dominant(m), o.matrix(m, n), o.results(ElementType.I32)),
                    uplo);
        }
    }
}
