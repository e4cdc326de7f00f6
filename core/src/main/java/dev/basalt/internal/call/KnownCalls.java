package dev.basalt.internal.call;

import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Svect;

/**
 * Calls of a handle that were one kernel on their operands as they lie, by routine and shape. Some composites ask for workspace that small problems then leave
 * alone, and for such problems the size formula and the lease take several times as long as the work. What they ask for depends on the shape alone, so the
 * small lane takes it from an earlier call that went the long way.
 */
public final class KnownCalls {
    private static final int PLACES = 64;

    /** A call of a shape: what it is known by, and what its report says. */
    static final class Known {
        private Routine routine;
        private ElementType type;
        private int options;
        private long m;
        private long n;
        private long k;
        private String tier = "";
        private long bytes;
        private long minimum;

        /** What its best tier asks for, which is lent and left alone. */
        long bytes() {
            return bytes;
        }

        Routine routine() {
            return routine;
        }

        String tier() {
            return tier;
        }

        long minimum() {
            return minimum;
        }

        private boolean is(Routine called, ElementType elements, int chosen, long rows, long columns, long inner) {
            return routine == called && m == rows && n == columns && k == inner && options == chosen
                    && type == elements;
        }
    }

    /** Null until there is one. */
    private Known[] places;

    /**
     * The options of a call that its algorithm may depend on.
     *
     * @param side where a factor stands
     * @param op how it is read
     * @return a number for both
     */
    public static int options(Side side, Op op) {
        return (side == Side.LEFT ? 0 : 1) + 2 * op.ordinal();
    }

    /**
     * What such an option adds to that number: which eigenvectors are computed.
     *
     * @param evect which
     * @return 0 for none
     */
    public static int vectors(Evect evect) {
        return evect.ordinal() << 3;
    }

    /**
     * The same of left and right eigenvectors.
     *
     * @param left which left ones
     * @param right which right ones
     * @return 0 for none
     */
    public static int vectors(Evect left, Evect right) {
        return left.ordinal() << 5 | right.ordinal() << 7;
    }

    /**
     * The same of singular vectors.
     *
     * @param left which left ones
     * @param right which right ones
     * @return 0 for none
     */
    public static int vectors(Svect left, Svect right) {
        return Svect.NONE.ordinal() - left.ordinal() << 9 | Svect.NONE.ordinal() - right.ordinal() << 11;
    }

    private static int options(Launch args) {
        return options(args.side, args.opA) + vectors(args.evect) + vectors(args.leftEvect, args.rightEvect)
                + vectors(args.leftSvect, args.rightSvect);
    }

    private static int place(ElementType type, int options, long m, long n, long k) {
        long mixed = ((m * 31 + n) * 31 + k) * 31 + options + 7L * type.ordinal();
        return (int) (mixed * 0x9E3779B97F4A7C15L >>> 58);
    }

    /** The known call of a shape, or null. */
    Known find(Routine routine, ElementType type, int options, long m, long n, long k) {
        Known[] all = places;
        if (all == null) {
            return null;
        }
        Known known = all[place(type, options, m, n, k)];
        return known != null && known.is(routine, type, options, m, n, k) ? known : null;
    }

    /** Notes a call that had its best tier and was one kernel; it takes the place of another one. */
    void note(Routine routine, Launch args, Need need) {
        if (places == null) {
            places = new Known[PLACES];
        }
        int options = options(args);
        int place = place(args.type, options, args.m, args.n, args.k);
        Known known = places[place];
        if (known == null) {
            known = new Known();
            places[place] = known;
        }
        if (known.is(routine, args.type, options, args.m, args.n, args.k)) {
            return;
        }
        known.routine = routine;
        known.type = args.type;
        known.options = options;
        known.m = args.m;
        known.n = args.n;
        known.k = args.k;
        known.tier = need.name(0);
        known.bytes = need.total(0);
        known.minimum = need.minimum();
    }
}
