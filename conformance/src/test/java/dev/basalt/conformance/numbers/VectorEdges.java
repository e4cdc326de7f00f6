package dev.basalt.conformance.numbers;

import static dev.basalt.conformance.numbers.EdgeProbe.INF;
import static dev.basalt.conformance.numbers.EdgeProbe.NAN;
import static dev.basalt.conformance.numbers.EdgeProbe.text;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.ClassicLevel1;
import dev.basalt.ClassicLevel2;
import dev.basalt.VectorView;
import dev.basalt.type.Op;

/** The edge cases of vectors and of matrices times vectors; the ids are those of {@code docs/edge-cases.md}. */
enum VectorEdges implements EdgeCase {
    V01("0", p -> text(Blas.nrm2(p.h, p.apart(4, 0, 3)))),
    V02("0", p -> text(Blas.nrm2(p.h, p.apart(2, -1, 3, 4)))),
    V03("0, 0", p -> text(Blas.asum(p.h, p.apart(4, 0, 3)), Blas.asum(p.h, p.apart(2, -1, 3, 4)))),
    V04("0, 0", p -> text(Blas.iamax(p.h, p.apart(4, 0, 3)), Blas.iamax(p.h, p.apart(2, -1, 3, 4)))),
    V05("0, 0", p -> text(Blas.iamin(p.h, p.apart(4, 0, 3)), Blas.iamin(p.h, p.apart(2, -1, 3, 4)))),
    V06("3, 4", p -> {
        VectorView x = p.x(3, 4);
        Blas.scal(p.h, 5, VectorView.of(p.type, x.pointer(), 2, -1));
        Blas.scal(p.h, 5, VectorView.of(p.type, x.pointer(), 2, 0));
        return p.text(x);
    }),
    V07("2", p -> text(Blas.iamax(p.h, p.x(1, NAN, 3)))),
    V08("1", p -> text(Blas.iamax(p.h, p.x(NAN, 1, 3)))),
    V09("2", p -> text(Blas.iamax(p.h, p.x(INF, NAN, NAN)))),
    V10("3", p -> text(Blas.iamin(p.h, p.x(NAN, 2, 1)))),
    V11("3", p -> text(Blas.iamin(p.h, p.x(2, NAN, 1)))),
    V12("1", p -> text(Blas.iamin(p.h, p.x(NAN, NAN, NAN)))),
    V13("Inf", p -> text(Blas.nrm2(p.h, p.x(1, INF, 2)))),
    V14("NaN", p -> text(Blas.nrm2(p.h, p.x(INF, NAN, 2)))),
    V15("finite", p -> Double.isInfinite(Blas.nrm2(p.h, p.x(p.huge(), p.huge()))) ? "Inf" : "finite"),
    V16("NaN", p -> text(Blas.asum(p.h, p.x(INF, NAN, 2)))),
    V17("NaN, NaN", p -> {
        VectorView x = p.x(NAN, INF);
        Blas.scal(p.h, 0, x);
        return p.text(x);
    }),
    V18("7, 8", p -> {
        VectorView y = p.x(7, 8);
        Blas.axpy(p.h, 0, p.x(NAN, INF), y);
        return p.text(y);
    }),
    V19("3", p -> {
        VectorView y = p.x(0);
        Blas.axpy(p.h, 1, p.x(1, 1, 1), VectorView.of(p.type, y.pointer(), 3, 0));
        return p.text(y);
    }),
    V20("6", p -> text(Blas.dotu(p.h, p.apart(3, 0, 2), p.x(1, 1, 1)).re())),
    V21("0", p -> text(Blas.dotu(p.h, p.apart(0, 1, NAN), p.apart(0, 1, NAN)).re())),
    V22("NaN, Inf", p -> {
        VectorView x = p.x(1);
        VectorView y = p.x(INF);
        Blas.rot(p.h, x, y, 1, 0);
        return p.text(x) + ", " + p.text(y);
    }),
    V23("1, 2", p -> {
        VectorView x = p.x(1);
        VectorView y = p.x(2);
        Blas.rot(p.h, VectorView.of(p.type, x.pointer(), 0, 1), VectorView.of(p.type, y.pointer(), 0, 1), NAN, NAN);
        return p.text(x) + ", " + p.text(y);
    }),
    V24("14, 16", p -> {
        VectorView y = p.x(7, 8);
        Blas.gemv(p.h, Op.NONE, 0, p.a(2, 2, NAN, NAN, NAN, NAN), p.x(NAN, NAN), 2, y);
        return p.text(y);
    }),
    V25("3, 3", p -> {
        VectorView y = p.x(NAN, NAN);
        Blas.gemv(p.h, Op.NONE, 1, p.a(2, 2, 1, 1, 2, 2), p.x(1, 1), 0, y);
        return p.text(y);
    }),
    V26("7, 8", p -> {
        VectorView y = p.x(7, 8);
        Blas.gemv(p.h, Op.TRANS, 1, p.a(0, 2), p.apart(0, 1, 1), 0, y);
        return p.text(y);
    }),
    V27("NaN", p -> {
        VectorView y = p.x(0.0);
        Blas.gemv(p.h, Op.NONE, 1, p.a(1, 2, NAN, 1), p.x(0, 1), 0, y);
        return p.text(y);
    }),
    V28("NaN", p -> {
        VectorView a = p.x(5);
        Blas.geru(p.h, 1, p.x(NAN), p.x(0.0), p.in(a, 1, 1));
        return p.text(a);
    }),
    V29("5", p -> {
        VectorView a = p.x(5);
        Blas.geru(p.h, 0, p.x(NAN), p.x(NAN), p.in(a, 1, 1));
        return p.text(a);
    }),
    V30("INVALID_SIZE", p -> {
        try {
            return ClassicLevel2.dgemv(p.h, Op.NONE, 0, 2, 1, p.memory(), 0, p.memory(), 1, 0, p.memory(), 1)
                    .toString();
        } catch (BlasException e) {
            return e.status().toString();
        }
    }),
    V31("SUCCESS", p -> ClassicLevel1.daxpy(p.h, -1, 2, p.memory(), 1, p.memory(), 1).toString());

    private final String expected;
    private final EdgeCase.Probe probe;

    VectorEdges(String expected, EdgeCase.Probe probe) {
        this.expected = expected;
        this.probe = probe;
    }

    @Override
    public String expected() {
        return expected;
    }

    @Override
    public String outcome(EdgeProbe p) {
        return probe.on(p);
    }
}
