package dev.basalt.internal.call;

import dev.basalt.internal.block.KeptLaunches;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;

/**
 * Small calls that a handle makes again and again: their launches and what they asked for. The formula and the composite, whose result they are, take longer than the work of small problems. A call is kept when its shape comes a second
 * time in its place; one like it, in options, dimensions, scalars and distances, is then made of the launches that are kept.
 */
final class KeptCalls {
    private static final int PLACES = 16;

    /** Dimensions up to which a call is small, and problems of a batch. */
    private static final long LARGEST = 64;

    private static final long FEW = 16;

    /** A place is given up after so many calls that were kept in vain. */
    private static final int PATIENCE = 8;

    /** Calls of another shape that push a kept one out. */
    private static final int OTHERS = 3;

    /** A call that is kept, or may be. */
    static final class Kept {
        private final KeptLaunches launches = new KeptLaunches();
        /** The arguments of a call of the shape, and since it is kept of the one that is. */
        private final Launch args = new Launch();

        private Routine routine;
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

        private boolean is(Call c, Launch g) {
            Launch own = args;
            return routine == c.routine() && own.m == g.m && own.n == g.n && own.k == g.k && own.count == g.count
                    && own.type == g.type && own.p == g.p && own.q == g.q && given == c.given() && options(own, g)
                    && vectors(own, g);
        }

        private static boolean options(Launch own, Launch g) {
            return own.opA == g.opA && own.opB == g.opB && own.side == g.side && own.uplo == g.uplo
                    && own.diag == g.diag && own.norm == g.norm && own.direct == g.direct && own.storev == g.storev
                    && own.itype == g.itype && own.fact == g.fact && own.region == g.region && own.math == g.math
                    && own.structure == g.structure && own.semiring == g.semiring && own.pivoting == g.pivoting
                    && own.conjugated == g.conjugated && own.hermitian == g.hermitian && own.backward == g.backward
                    && own.real == g.real;
        }

        private static boolean vectors(Launch own, Launch g) {
            return own.leftSvect == g.leftSvect && own.rightSvect == g.rightSvect && own.evect == g.evect
                    && own.leftEvect == g.leftEvect && own.rightEvect == g.rightEvect && own.balance == g.balance
                    && own.job == g.job && own.select == g.select && own.isgn == g.isgn && own.sense == g.sense
                    && own.erange == g.erange && own.eorder == g.eorder;
        }

        private void take(Call c, Launch g) {
            routine = c.routine();
            args.set(g);
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
            boolean like = same(args.alpha, g.alpha) && same(args.beta, g.beta) && same(args.gamma, g.gamma);
            for (int rest = given; like && rest != 0; rest &= rest - 1) {
                int i = Integer.numberOfTrailingZeros(rest);
                like = same(args.operand(i), g.operand(i)) && apart(g, i);
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

        private static boolean same(Operand own, Operand o) {
            return own.present() == o.present() && own.type == o.type && own.rows == o.rows && own.cols == o.cols
                    && own.ld == o.ld && own.stride == o.stride && own.offset == o.offset && own.vector == o.vector
                    && own.pointers == o.pointers && own.storage == o.storage && own.kl == o.kl && own.ku == o.ku;
        }

        /** Composites may ask whether a scalar is 0 or 1, so it must be the same to the bit. */
        private static boolean same(Scalar own, Scalar x) {
            return Double.doubleToRawLongBits(own.re()) == Double.doubleToRawLongBits(x.re())
                    && Double.doubleToRawLongBits(own.im()) == Double.doubleToRawLongBits(x.im());
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
            args.set(g);
            boolean apart = true;
            for (int rest = given; rest != 0; rest &= rest - 1) {
                apart &= apart(g, Integer.numberOfTrailingZeros(rest));
            }
            launches.begin(g, work, asked);
            if (!apart) {
                launches.fail();
            }
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
        long mixed = (((g.m * 31 + g.n) * 31 + g.k) * 31 + g.count) * 31 + g.uplo.ordinal() + 2L * g.opA.ordinal()
                + 8L * g.evect.ordinal() + 32L * g.leftSvect.ordinal();
        int place = (int) ((mixed + System.identityHashCode(c.routine())) * 0x9E3779B97F4A7C15L >>> 60);
        Kept kept = places[place];
        if (kept == null) {
            kept = new Kept();
            places[place] = kept;
        }
        if (!kept.is(c, g)) {
            kept.take(c, g);
        }
        return kept;
    }
}
