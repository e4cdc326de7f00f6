package dev.basalt.internal.call;

import dev.basalt.internal.block.KeptLaunches;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;
import dev.basalt.type.ElementType;

/**
 * Small calls that a handle makes again and again: their launches and what they asked for. The formula and the composite, whose result they are, take longer than the work of small problems. A call is kept when its shape comes a second
 * time in its place; one like it, in options, dimensions, scalars and distances, is then made of the launches that are kept.
 */
final class KeptCalls {
    private static final int PLACES = 16;

    /** Dimensions up to which a call is small, and problems of a batch. */
    private static final long LARGEST = 64;

    private static final long FEW = 16;

    /** Numbers that describe an operand. */
    private static final int EACH = 8;

    /** The parts of three scalars. */
    private static final int FACTORS = 6;

    /** A place is given up after so many calls that were kept in vain. */
    private static final int PATIENCE = 8;

    /** Calls of another shape that push a kept one out. */
    private static final int OTHERS = 3;

    /** A call that is kept, or may be. */
    static final class Kept {
        private final KeptLaunches launches = new KeptLaunches();
        private final long[] operands = new long[Launch.OPERANDS * EACH];
        private Routine routine;
        private ElementType type;
        private long m;
        private long n;
        private long k;
        private long p;
        private long q;
        private long count;
        private long options;
        private long further;
        private final long[] factors = new long[FACTORS];
        private int given;
        private String tier = "";
        private long bytes;
        private long minimum;
        private boolean ready;
        private boolean seen;
        private int others;
        private int attempts;

        /** What its best tier asks for. */
        long bytes() {
            return bytes;
        }

        String tier() {
            return tier;
        }

        long minimum() {
            return minimum;
        }

        KeptLaunches launches() {
            return launches;
        }

        private boolean is(Call c, Launch g, long chosen, long more) {
            return routine == c.routine() && m == g.m && n == g.n && k == g.k && count == g.count && type == g.type
                    && options == chosen && further == more && p == g.p && q == g.q && given == c.given();
        }

        private void take(Call c, Launch g, long chosen, long more) {
            routine = c.routine();
            type = g.type;
            m = g.m;
            n = g.n;
            k = g.k;
            p = g.p;
            q = g.q;
            count = g.count;
            options = chosen;
            further = more;
            given = c.given();
            ready = false;
            seen = false;
            others = 0;
            attempts = 0;
        }

        /** Whether a call is like the one that is kept. */
        boolean isLike(Call c) {
            if (!ready) {
                return false;
            }
            Launch g = c.args;
            boolean like = isFactor(0, g.alpha) && isFactor(2, g.beta) && isFactor(4, g.gamma);
            for (int rest = given; like && rest != 0; rest &= rest - 1) {
                int i = Integer.numberOfTrailingZeros(rest);
                like = describes(i, g.operand(i)) && apart(g, i);
            }
            if (!like && ++others > OTHERS) {
                ready = false;
                others = 0;
            }
            return like;
        }

        /** Whether no other operand begins where one does: composites ask for that. */
        private boolean apart(Launch g, int operand) {
            long base = g.operand(operand).base;
            for (int rest = given >> operand + 1, i = operand + 1; rest != 0; rest >>= 1, i++) {
                if ((rest & 1) != 0 && base != 0 && g.operand(i).base == base) {
                    return false;
                }
            }
            return true;
        }

        private static long kind(Operand o) {
            return o.type.ordinal() | o.storage.ordinal() << 8 | (o.vector ? 1 << 16 : 0) | (o.pointers ? 1 << 17 : 0)
                    | (o.present() ? 1 << 18 : 0);
        }

        private boolean describes(int operand, Operand o) {
            int at = operand * EACH;
            long[] kept = operands;
            return kept[at] == kind(o) && kept[at + 1] == o.rows && kept[at + 2] == o.cols && kept[at + 3] == o.ld
                    && kept[at + 4] == o.stride && kept[at + 5] == o.offset && kept[at + 6] == o.kl
                    && kept[at + 7] == o.ku;
        }

        private void describe(int operand, Operand o) {
            int at = operand * EACH;
            operands[at] = kind(o);
            operands[at + 1] = o.rows;
            operands[at + 2] = o.cols;
            operands[at + 3] = o.ld;
            operands[at + 4] = o.stride;
            operands[at + 5] = o.offset;
            operands[at + 6] = o.kl;
            operands[at + 7] = o.ku;
        }

        /** Whether the call is to be kept that goes the long way now. */
        boolean wanted() {
            boolean before = seen;
            seen = true;
            return before && !ready && attempts < PATIENCE;
        }

        /** Begins to keep the call that runs now. */
        void begin(Call c, long work, long asked) {
            attempts++;
            Launch g = c.args;
            factor(0, g.alpha);
            factor(2, g.beta);
            factor(4, g.gamma);
            boolean apart = true;
            for (int rest = given; rest != 0; rest &= rest - 1) {
                int i = Integer.numberOfTrailingZeros(rest);
                describe(i, g.operand(i));
                apart &= apart(g, i);
            }
            launches.begin(g, work, asked);
            if (!apart) {
                launches.fail();
            }
        }

        /** Composites may ask whether a scalar is 0 or 1, so it must be the same to the bit. */
        private boolean isFactor(int at, Scalar x) {
            return factors[at] == Double.doubleToRawLongBits(x.re())
                    && factors[at + 1] == Double.doubleToRawLongBits(x.im());
        }

        private void factor(int at, Scalar x) {
            factors[at] = Double.doubleToRawLongBits(x.re());
            factors[at + 1] = Double.doubleToRawLongBits(x.im());
        }

        /** Ends it. */
        void end(Need need) {
            ready = launches.isWhole();
            tier = need.name(0);
            bytes = need.total(0);
            minimum = need.minimum();
        }
    }

    private final Kept[] places = new Kept[PLACES];

    /** The place of a call, which may have a call like it; null where a call is not kept. */
    Kept find(Call c) {
        Launch g = c.args;
        if (g.m > LARGEST || g.n > LARGEST || g.k > LARGEST || g.count > FEW || c.given() >> Launch.OPERANDS != 0
                || c.hostResult || c.host != null || c.isComputeNamed() || g.extent != 0 || g.alpha.onDevice()
                || g.beta.onDevice() || g.gamma.onDevice()) {
            return null;
        }
        long options = options(g);
        long further = further(g);
        long mixed = ((((g.m * 31 + g.n) * 31 + g.k) * 31 + g.count) * 31 + options) * 31 + further + g.type.ordinal();
        int place = (int) ((mixed + System.identityHashCode(c.routine())) * 0x9E3779B97F4A7C15L >>> 60);
        Kept kept = places[place];
        if (kept == null) {
            kept = new Kept();
            places[place] = kept;
        }
        if (!kept.is(c, g, options, further)) {
            kept.take(c, g, options, further);
        }
        return kept;
    }

    /** Options, four bits each. */
    private static long options(Launch g) {
        long options = g.opA.ordinal();
        options = options << 4 | g.opB.ordinal();
        options = options << 4 | g.side.ordinal();
        options = options << 4 | g.uplo.ordinal();
        options = options << 4 | g.diag.ordinal();
        options = options << 4 | g.norm.ordinal();
        options = options << 4 | g.direct.ordinal();
        options = options << 4 | g.storev.ordinal();
        options = options << 4 | g.leftSvect.ordinal();
        options = options << 4 | g.rightSvect.ordinal();
        options = options << 4 | g.evect.ordinal();
        options = options << 4 | g.leftEvect.ordinal();
        options = options << 4 | g.rightEvect.ordinal();
        options = options << 4 | g.balance.ordinal();
        options = options << 4 | g.job.ordinal();
        return options << 4 | g.select.ordinal();
    }

    private static long further(Launch g) {
        long options = g.isgn.ordinal();
        options = options << 4 | g.sense.ordinal();
        options = options << 4 | g.itype.ordinal();
        options = options << 4 | g.erange.ordinal();
        options = options << 4 | g.eorder.ordinal();
        options = options << 4 | g.fact.ordinal();
        options = options << 4 | g.region.ordinal();
        options = options << 4 | g.math.ordinal();
        options = options << 4 | g.structure.ordinal();
        options = options << 4 | g.semiring.ordinal();
        options = options << 4 | g.pivoting.ordinal();
        return options << 4
                | (g.conjugated ? 1 : 0) + (g.hermitian ? 2 : 0) + (g.backward ? 4 : 0) + (g.real ? 8 : 0);
    }
}
