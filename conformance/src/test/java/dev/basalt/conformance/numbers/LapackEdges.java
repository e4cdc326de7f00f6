package dev.basalt.conformance.numbers;

import static dev.basalt.conformance.numbers.EdgeProbe.NAN;
import static dev.basalt.conformance.numbers.EdgeProbe.value;

import dev.basalt.BandView;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.PackedView;
import dev.basalt.VectorView;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** What is not finite, and what is singular, in LAPACK's linear half; the ids are those of {@code docs/edge-cases.md}. */
enum LapackEdges implements EdgeCase {
    N01("not finite", p -> {
        VectorView tau = p.x(0, 0);
        VectorView memory = p.x(NAN, 1, 1, 2);
        Lapack.geqrf(p.h, p.in(memory, 2, 2), tau);
        return p.finite(memory);
    }), N02("info 0, not finite", p -> {
        VectorView info = p.info();
        VectorView b = p.x(1, 2, 3);
        Lapack.gels(p.h, Op.NONE, p.a(3, 1, 1, NAN, 1), p.in(b, 3, 1), info);
        return "info " + value(info) + ", " + p.finite(b.slice(0, 1));
    }), N03("info 2", p -> {
        VectorView info = p.info();
        Lapack.gels(p.h, Op.NONE, p.a(3, 2, 1, 1, 1, 0, 0, 0), p.a(3, 1, 1, 2, 3), info);
        return "info " + value(info);
    }), N04("info 1", p -> indefinite(p, NAN, 1)), N05("info 2", p -> indefinite(p, 1, NAN)), N06("info 1: 3, 4", p -> {
        VectorView info = p.info();
        MatrixView b = p.a(2, 1, 3, 4);
        Lapack.sysv(p.h, Uplo.LOWER, p.a(2, 2, 0, 0, 0, 1), p.pivots(2), b, info);
        return "info " + value(info) + ": " + p.text(b);
    }), N07("info 1", p -> {
        VectorView info = p.info();
        Lapack.pptrf(p.h, Uplo.LOWER, PackedView.of(p.x(NAN, 0, 1), 2), info);
        return "info " + value(info);
    }), N08("info 2: 3, 4", p -> {
        VectorView info = p.info();
        MatrixView b = p.a(2, 1, 3, 4);
        Lapack.ppsv(p.h, Uplo.LOWER, PackedView.of(p.x(1, 0, -1), 2), b, info);
        return "info " + value(info) + ": " + p.text(b);
    }), N09("info 1", p -> {
        VectorView info = p.info();
        Lapack.pbtrf(p.h, Uplo.LOWER, BandView.of(p.a(2, 2, NAN, 0, 1, 0), 2, 1, 0), info);
        return "info " + value(info);
    }),
    N10("info 1", p -> tridiagonalCholesky(p, NAN, 1)),
    N11("info 2", p -> tridiagonalCholesky(p, 1, 0)),
    N12("info 1, not finite", p -> tridiagonal(p, NAN, 1)),
    N13("info 1, finite", p -> tridiagonal(p, 0, 1)),
    N14("info 0, not finite", p -> band(p, NAN, 1)),
    N15("info 2: 3, 4", p -> {
        VectorView info = p.info();
        MatrixView b = p.a(2, 1, 3, 4);// Row 0 of the storage is for what exchanges bring.
        Lapack.gbsv(p.h, BandView.of(p.a(4, 2, 0, 0, 1, 0, 0, 0, 0, 0), 2, 1, 1), p.pivots(2), b, info);
        return "info " + value(info) + ": " + p.text(b);
    }),
    N16("info 2: 1, 0, 2, 0", p -> {
        VectorView info = p.info();
        MatrixView a = p.a(2, 2, 1, 0, 2, 0);
        VectorView pivots = p.pivots(2);
        pivots.upload(new long[] {1, 2});
        Lapack.getri(p.h, a, pivots, info);
        return "info " + value(info) + ": " + p.text(a);
    }),
    N17("info 2: 3, 4", p -> {
        VectorView info = p.info();
        MatrixView b = p.a(2, 1, 3, 4);
        Lapack.trtrs(p.h, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, p.a(2, 2, 1, 0, 2, 0), b, info);
        return "info " + value(info) + ": " + p.text(b);
    }),
    N18("info 2: 1, 1, 2, 0", p -> {
        VectorView info = p.info();
        MatrixView a = p.a(2, 2, 1, 1, 2, 2);
        Lapack.getrfNpvt(p.h, a, info);
        return "info " + value(info) + ": " + p.text(a);
    });

    private final String expected;
    private final Probe probe;

    LapackEdges(String expected, Probe probe) {
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

    private static String indefinite(EdgeProbe p, double first, double second) {
        VectorView info = p.info();
        Lapack.sytrf(p.h, Uplo.LOWER, p.a(2, 2, first, 0, 0, second), p.pivots(2), info);
        return "info " + value(info);
    }

    private static String tridiagonalCholesky(EdgeProbe p, double first, double second) {
        VectorView info = p.info();
        Lapack.pttrf(p.h, p.real(first, second), p.x(0), info);
        return "info " + value(info);
    }

    private static String tridiagonal(EdgeProbe p, double first, double second) {
        VectorView info = p.info();
        VectorView d = p.x(first, second);
        Lapack.gttrf(p.h, p.x(0), d, p.x(1), p.x(0).slice(0, 0), p.pivots(2), info);
        return "info " + value(info) + ", " + p.finite(d);
    }

    private static String band(EdgeProbe p, double first, double second) {
        VectorView info = p.info();
        VectorView memory = p.x(0, 0, first, 0, 0, 0, second, 0);
        Lapack.gbtrf(p.h, BandView.of(p.in(memory, 4, 2), 2, 1, 1), p.pivots(2), info);
        return "info " + value(info) + ", " + p.finite(memory);
    }
}
