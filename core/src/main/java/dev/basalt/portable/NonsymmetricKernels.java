package dev.basalt.portable;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Conversion;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Schur;
import dev.basalt.type.Sign;
import java.util.function.Supplier;

/** Runs the launches of general eigenvalue problems: one call of a leaf a problem. */
final class NonsymmetricKernels {
    private final Leaf[] leaves;
    private final Balancing[] balancings;
    private final HessenbergLeaf[] reductions;
    /** They remember the matrix that is worked on, so each thread has its own. */
    private final ThreadLocal<HessenbergQrLeaf[]> iterations;

    private final ThreadLocal<PairBalancing[]> pairBalancings;

    private final ThreadLocal<TrevcLeaf[]> vectors;
    private final ThreadLocal<ExchangeLeaf[]> exchanges;
    private final ThreadLocal<SylvesterLeaf[]> equations;
    private final ThreadLocal<ConditionsLeaf[]> conditions;
    private final ThreadLocal<QzLeaf[]> pairs;
    private final ThreadLocal<PairExchangeLeaf[]> pairExchanges;
    private final ThreadLocal<TgevcLeaf[]> pairVectors;
    private final ThreadLocal<SpaceConditions[]> spaces;

    NonsymmetricKernels(Leaf s, Leaf d, Leaf c, Leaf z) {
        leaves = new Leaf[] {s, d, c, z};
        balancings = new Balancing[] {
                new Balancing(s, ElementType.F32),
                new Balancing(d, ElementType.F64),
                new Balancing(c, ElementType.C32),
                new Balancing(z, ElementType.C64)};
        Balancing[] b = balancings;
        pairBalancings = own(() -> new PairBalancing[] {
                new PairBalancing(b[0]),
                new PairBalancing(b[1]),
                new PairBalancing(b[2]),
                new PairBalancing(b[3])});
        reductions = new HessenbergLeaf[] {
                new HessenbergLeaf(s, ElementType.F32),
                new HessenbergLeaf(d, ElementType.F64),
                new HessenbergLeaf(c, ElementType.C32),
                new HessenbergLeaf(z, ElementType.C64)};
        HessenbergLeaf[] r = reductions;
        iterations = own(() -> new HessenbergQrLeaf[] {
                new SHessenbergQr(s, r[0]),
                new DHessenbergQr(d, r[1]),
                new CHessenbergQr(c, r[2]),
                new ZHessenbergQr(z, r[3])});
        exchanges = own(() -> new ExchangeLeaf[] {new SExchange(), new DExchange(), new CExchange(), new ZExchange()});
        equations = own(
                () -> new SylvesterLeaf[] {new SSylvester(s), new DSylvester(d), new CSylvester(c), new ZSylvester(z)});
        spaces = own(() -> new SpaceConditions[] {
                new SpaceConditions(s, new SSylvester(s), ElementType.F32),
                new SpaceConditions(d, new DSylvester(d), ElementType.F64),
                new SpaceConditions(c, new CSylvester(c), ElementType.C32),
                new SpaceConditions(z, new ZSylvester(z), ElementType.C64)});
        conditions = own(() -> new ConditionsLeaf[] {
                new SConditions(),
                new DConditions(),
                new CConditions(),
                new ZConditions()});
        pairs = own(() -> new QzLeaf[] {new SQz(s, r[0]), new DQz(d, r[1]), new CQz(c, r[2]), new ZQz(z, r[3])});
        pairExchanges = own(() -> new PairExchangeLeaf[] {
                new SPairExchange(s),
                new DPairExchange(d),
                new CPairExchange(c),
                new ZPairExchange(z)});
        pairVectors = own(() -> new TgevcLeaf[] {new STgevc(s), new DTgevc(d), new CTgevc(c), new ZTgevc(z)});
        vectors = own(() -> new TrevcLeaf[] {new STrevc(s), new DTrevc(d), new CTrevc(c), new ZTrevc(z)});
    }

    private static <T> ThreadLocal<T> own(Supplier<T> make) {
        return ThreadLocal.withInitial(make);
    }

    private static int letter(ElementType type) {
        return switch (type) {
            case F32 -> 0;
            case F64 -> 1;
            case C32 -> 2;
            case C64 -> 3;
            default -> throw new IllegalArgumentException("no eigenvalues of " + type);
        };
    }

    /** Problems from…to-1. */
    void run(Launch l, long from, long to, long work, long workBytes) {
        int t = letter(l.type);
        for (long i = from; i < to; i++) {
            if (BatchedKernels.skips(l, i)) {
                continue;
            }
            long c = at(l.c, i);
            switch (l.kernel) {
                case GEBAL -> balancings[t].gebal(l.balance, l.n, c, l.c.ld, l.a.at(i), l.b.at(i), l.d.at(i));
                case GEBAK -> balancings[t].gebak(l.balance, l.side, l.n, l.a.present() ? i64(l.a.at(i)) : l.p,
                        l.b.present() ? i64(l.b.at(i)) : l.q, l.d.at(i), l.m, c, l.c.ld);
                case GGBAL -> pairBalancings.get()[t].ggbal(l.balance, l.n, c, l.c.ld, l.d.at(i), l.d.ld, l.a.at(i),
                        l.b.at(i), l.f.at(i), l.g.at(i));
                case UNIT_COLUMNS -> balancings[t].unit(l.m, l.n, c, l.c.ld, at(l.b, i));
                case GEHD2 -> reductions[t].gehd2(l.n, l.p, l.q, c, l.c.ld, at(l.d, i), l.g.at(i));
                case LAHR2_COLUMN -> reductions[t].column(l.m, l.k, l.p, l.b.at(i), l.b.ld, c, l.c.ld, l.d.at(i),
                        l.f.at(i), l.f.ld, l.g.at(i), l.g.ld);
                case LAHR2_ROW -> reductions[t].row(l.m, l.k, l.p, l.b.at(i), l.b.ld, l.d.at(i), l.f.at(i), l.f.ld,
                        l.g.at(i), l.g.ld);
                case HSEQR -> i32(l.e.at(i),
                        (int) iterations.get()[t].hseqr(l.job == Schur.SCHUR, l.n, l.p, l.q, c, l.c.ld, l.a.at(i),
                                at(l.b, i), l.d.present() ? l.n : 0, at(l.d, i), l.d.present() ? l.d.ld : 1, l.g.at(i),
                                l.g.rows, work, workBytes));
                case TREXC -> i32(l.e.at(i), exchanges.get()[t].trexc(l.n, c, l.c.ld, l.d.present() ? l.n : 0,
                        at(l.d, i), l.d.present() ? l.d.ld : 1, l.p, l.q) ? 0 : 1);
                case TRSNA -> conditions.get()[t].trsna(l.n, c, l.c.ld, at(l.a, i), at(l.b, i), l.g.at(i));
                case TRSEN_SENSE -> spaces.get()[t].run(l.n, i64(l.f.at(i)), c, l.c.ld, at(l.a, i), at(l.b, i),
                        l.g.at(i), work, workBytes);
                case QZ -> i32(l.e.at(i), (int) pairs.get()[t].qz(l.n, c, l.c.ld, l.d.at(i), l.d.ld, at(l.f, i),
                        ld(l.f), at(l.g, i), ld(l.g), l.a.at(i), l.b.at(i)));
                case TGSEN -> order(pairExchanges.get()[t], l, i);
                case PAIR_VALUES -> values(pairExchanges.get()[t], leaves[t], l, i);
                case TGEVC -> tgevc(pairVectors.get()[t], l, i);
                case TRSYL -> sylvester(equations.get()[t], l, i, work, workBytes);
                case TRSEN -> order(exchanges.get()[t], l, i);
                default -> trevc(vectors.get()[t], l, i, work, workBytes);
            }
        }
    }

    private static void sylvester(SylvesterLeaf leaf, Launch l, long i, long work, long workBytes) {
        boolean moved = leaf.trsyl(l.opA, l.opB, l.isgn == Sign.MINUS, l.m, l.n, l.a.at(i), l.a.ld, l.b.at(i), l.b.ld,
                l.c.at(i), l.c.ld, work, workBytes);
        if (l.type.real() == ElementType.F64) {
            f64(l.d.at(i), leaf.scale());
        } else {
            f32(l.d.at(i), (float) leaf.scale());
        }
        i32(l.e.at(i), moved ? 1 : 0);
    }

    private static void order(ExchangeLeaf leaf, Launch l, long i) {
        if (!l.f.present()) {
            int info = i32(l.e.at(i));
            if (info <= 0 || info > l.n) {
                leaf.values(l.n, l.c.at(i), l.c.ld, l.a.at(i), at(l.b, i));
            }
            return;
        }
        boolean vectors = l.d.present();
        long chosen = leaf.order(l.select, l.n, l.c.at(i), l.c.ld, vectors ? l.n : 0, at(l.d, i), vectors ? l.d.ld : 1,
                l.a.at(i), at(l.b, i));
        i64(l.f.at(i), chosen);
        if (!leaf.arrived()) {
            i32(l.e.at(i), (int) l.n + 1);
        }
    }

    private static void order(PairExchangeLeaf leaf, Launch l, long i) {
        long norm = l.b.at(i);
        int power = NormKernels.exponent(l.type, Conversion.load(l.b.type, norm))
                - NormKernels.exponent(l.type, Conversion.load(l.b.type, norm + l.b.ld * l.b.type.bytes()));
        i64(l.a.at(i), leaf.order(l.select, power, l.n, l.c.at(i), l.c.ld, l.d.at(i), l.d.ld, at(l.f, i), ld(l.f),
                at(l.g, i), ld(l.g)));
        if (!leaf.arrived()) {
            i32(l.e.at(i), (int) l.n + 1);
        }
    }

    private static void values(PairExchangeLeaf exchange, Leaf leaf, Launch l, long i) {
        int info = i32(l.e.at(i));
        long from = info > 0 && info <= l.n ? info : 0;
        leaf.fill(from, Double.NaN, Double.NaN, l.a.at(i), 1);
        leaf.fill(l.b.present() ? from : 0, Double.NaN, Double.NaN, at(l.b, i), 1);
        leaf.fill(from, Double.NaN, Double.NaN, l.f.at(i), 1);
        exchange.values(from, l.n, l.c.at(i), l.c.ld, l.d.at(i), l.d.ld, l.a.at(i), at(l.b, i), l.f.at(i));
    }

    private static void trevc(TrevcLeaf leaf, Launch l, long i, long work, long workBytes) {
        if (l.leftEvect != Evect.NONE) {
            leaf.trevc(true, l.leftEvect == Evect.ORIGINAL, l.n, l.c.at(i), l.c.ld, l.d.at(i), l.d.ld, l.k, l.g.at(i),
                    work, workBytes);
        }
        if (l.rightEvect != Evect.NONE) {
            leaf.trevc(false, l.rightEvect == Evect.ORIGINAL, l.n, l.c.at(i), l.c.ld, l.f.at(i), l.f.ld, l.k, l.g.at(i),
                    work, workBytes);
        }
    }

    private static void tgevc(TgevcLeaf leaf, Launch l, long i) {
        if (l.leftEvect != Evect.NONE) {
            leaf.tgevc(true, l.n, l.c.at(i), l.c.ld, l.d.at(i), l.d.ld, l.f.at(i), l.f.ld, l.a.at(i));
        }
        if (l.rightEvect != Evect.NONE) {
            leaf.tgevc(false, l.n, l.c.at(i), l.c.ld, l.d.at(i), l.d.ld, l.g.at(i), l.g.ld, l.a.at(i));
        }
    }

    private static long ld(Operand o) {
        return o.present() ? o.ld : 1;
    }

    private static long at(Operand o, long problem) {
        return o.present() ? o.at(problem) : 0;
    }
}
