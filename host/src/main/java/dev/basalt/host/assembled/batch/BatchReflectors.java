package dev.basalt.host.assembled.batch;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/** QR and products with its reflectors, one problem a lane: which launches go there, and the arguments of the kernels. */
final class BatchReflectors {
    /** Bytes of a column up to which lanes are worth it: in longer ones the vectors of a single problem are full most of the time. */
    private static final long COLUMN = 384;

    /** Vectors of the largest matrices: they are in the second cache, and every reflector goes over all that are left of them. */
    private static final long VECTORS = 1600;

    /** The smallest sums of squares that have lost nothing to underflow, and the largest that divisions take. */
    private static final double SMALL = 0x1p-900;

    private static final double SMALL_FLOAT = 0x1p-90;

    private final int size;
    private final int parts;
    private final int vector;
    private final int element;

    /**
     * For matrices of one type.
     *
     * @param lanes of a vector
     * @param size bytes of a real number
     * @param parts real numbers of an element
     */
    BatchReflectors(int lanes, int size, int parts) {
        this.size = size;
        this.parts = parts;
        this.vector = lanes * size;
        this.element = parts * vector;
    }

    /** Whether a launch is one of those that {@link #takes} may be asked of. */
    static boolean knows(Launch l) {
        return l.kernel == Kernel.GEQR2 || l.kernel == Kernel.ORM2R;
    }

    /** Whether there are kernels for a launch of enough problems. */
    boolean takes(Launch l) {
        if (l.opB != Op.NONE || l.backward || l.d.ld != 1 || l.m < 2 || l.m * size * parts > COLUMN || !own(l.c)) {
            return false;
        }
        if (l.kernel == Kernel.GEQR2) {
            return l.n > 0 && l.n <= Math.min(l.m, BatchFrame.ORDER) && !l.b.present() && own(l.d) && holds(l.m, l.n);
        }
        return l.side == Side.LEFT && l.n > 0 && l.k > 0 && l.k <= Math.min(l.m, BatchFrame.ORDER)
                && holds(l.m, l.n + l.k);
    }

    private boolean holds(long rows, long columns) {
        return BatchFrame.pitch(rows * parts) * columns <= VECTORS;
    }

    private static boolean own(Operand x) {
        return x.pointers || x.stride != 0;
    }

    private long pitch(long rows) {
        return BatchFrame.pitch(rows * parts) * vector;
    }

    /** Bytes of the lanes of a launch's reflectors, behind which the columns are that they are applied to. */
    long reflectors(Launch l) {
        return pitch(l.m) * l.k;
    }

    /** Arguments of {@link BatchReflectCode}. */
    void factor(BatchFrame frame, int step, Launch l) {
        long last = l.m - 1;
        frame.set(step, BatchReflectCode.MATRIX, frame.matrix(0));
        frame.set(step, BatchReflectCode.ROWS, l.m);
        frame.set(step, BatchReflectCode.COLUMNS, l.n);
        frame.set(step, BatchReflectCode.TAU, frame.factors());
        frame.set(step, ReflectLanes.PITCH, pitch(l.m));
        number(frame, step, BatchReflectCode.ONE, 1);
        number(frame, step, BatchReflectCode.SMALL, size == 8 ? SMALL : SMALL_FLOAT);
        number(frame, step, BatchReflectCode.LARGE, (size == 8 ? Double.MAX_VALUE : Float.MAX_VALUE) / 8);
        number(frame, step, BatchReflectCode.SIGN, -0.0);
        if (parts == 1 && l.n == l.m) {
            Memory.fill(frame.factors() + last * element, element, (byte) 0);
        }
    }

    /** How many reflectors a problem has that annihilate something. */
    long steps(Launch l) {
        return parts == 1 ? Math.min(l.m - 1, l.n) : l.n;
    }

    /** Arguments of {@link BatchApplyCode} that it keeps. */
    void apply(BatchFrame frame, int step, Launch l) {
        int sign = ascending(l) ? 1 : -1;
        frame.set(step, BatchApplyCode.BELOW_STEP, -sign);
        frame.set(step, BatchApplyCode.COLUMNS, l.n);
        frame.set(step, BatchApplyCode.V_STEP, sign * (pitch(l.m) + element));
        frame.set(step, BatchApplyCode.C_STEP, (long) sign * element);
        frame.set(step, ReflectLanes.PITCH, pitch(l.m));
        if (parts == 2) {
            frame.conjugate(step, size, ascending(l));
        }
    }

    /** Arguments of {@link BatchApplyCode} that it changes. */
    void start(BatchFrame frame, int step, Launch l) {
        long first = ascending(l) ? 0 : l.k - 1;
        frame.set(step, BatchApplyCode.V, frame.matrix(0) + first * (pitch(l.m) + element));
        frame.set(step, BatchApplyCode.BELOW, l.m - 1 - first);
        frame.set(step, BatchApplyCode.STEPS, l.k);
        frame.set(step, BatchApplyCode.TAU, frame.factors() + first * element);
        frame.set(step, BatchApplyCode.C, frame.matrix(0) + reflectors(l) + first * element);
    }

    private static boolean ascending(Launch l) {
        return l.opA != Op.NONE;
    }

    private void number(BatchFrame frame, int step, int slot, double value) {
        long at = frame.arguments(step) + slot * 8L;
        if (size == 8) {
            f64(at, value);
        } else {
            f32(at, (float) value);
        }
    }

    /** {@link Kernel#ZERO_DIAGONAL} of some problems. */
    void zeroDiagonal(Launch l, long from, long to) {
        for (long i = from; i < to; i++) {
            long info = l.e.at(i);
            if (l.k != 0) {
                i32(info, 0);
            }
            if (i32(info) == 0) {
                long place = zero(l.n, l.c.at(i), l.c.ld);
                if (place > 0) {
                    i32(info, (int) (l.p + (l.q == 0 ? place : l.q)));
                }
            }
        }
    }

    private long zero(long n, long a, long lda) {
        long step = (lda + 1) * size * parts;
        for (long j = 1; j <= n; j++, a += step) {
            boolean zero = size == 8 ? f64(a) == 0 : f32(a) == 0;
            if (zero && (parts == 1 || (size == 8 ? f64(a + size) : f32(a + size)) == 0)) {
                return j;
            }
        }
        return 0;
    }
}
