package dev.basalt.bench;

import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.Locale;

/** A routine with all its arguments but the operands themselves: what one line of a benchmark's output is about. */
public final class Workload {
    /** The routine. */
    public final Routine routine;
    /** Type of the elements. */
    public final ElementType type;
    /** One problem or a batch. */
    public final Form form;
    /** Rows. */
    public final long m;
    /** Columns, or order. */
    public final long n;
    /** Inner dimension. */
    public final long k;
    /** Right-hand sides. */
    public final long nrhs;
    /** Problems in the batch. */
    public final long batch;
    /** The ratio to the peer that somebody promised, for tables; NaN if nobody did. */
    public final double promised;

    final Op transA;
    final Op transB;
    final Side side;
    final Uplo uplo;
    final Diag diag;
    final Complex alpha;
    final Complex beta;

    /** Of the angle by which rot turns: with squares whose sum is 1, so that operands neither grow nor vanish. */
    final Complex cosine;

    final Complex sine;

    private final long[] leading;
    private final long[] strides;

    /** Reads everything from the arguments. */
    Workload(Arguments args) {
        String function = args.text("function", "");
        form = Form.of(function);
        String family = function.substring(0, function.length() - form.suffix().length());
        routine = args.routine(family);
        type = args.type(routine);
        transA = routine.has("tA") ? args.op("transposeA") : Op.NONE;
        transB = routine.has("tB") ? args.op("transposeB") : Op.NONE;
        side = routine.has("side") && args.letter("side", "L", "LR").equals("R") ? Side.RIGHT : Side.LEFT;
        uplo = routine.has("uplo") && args.letter("uplo", "U", "LU").equals("L") ? Uplo.LOWER : Uplo.UPPER;
        diag = routine.has("diag") && args.letter("diag", "N", "NU").equals("U") ? Diag.UNIT : Diag.NON_UNIT;
        n = args.size("n", "m", "k");
        m = routine.has("m") ? args.size("m", "n", "k") : n;
        k = routine.has("k") ? args.size("k", "n", "m") : 1;
        nrhs = routine.has("nrhs") ? args.count("nrhs", 1) : 1;
        batch = args.count("batch_count", 1);
        promised = args.positive("promised");
        if (form == Form.SINGLE && batch != 1) {
            throw args.wrong("batch_count",
                    "only " + family + "_batched and " + family + "_strided_batched have more than one problem");
        }
        // A scaling by 1 would do nothing, and one by 1/2 ends in denormal numbers.
        boolean real = !type.isComplex();
        double factor = routine == Routine.SCAL ? -1 : 1;
        alpha = routine.has("alpha") || routine.has("ralpha")
                ? args.scalar("alpha", factor, real || routine.has("ralpha"))
                : Complex.ONE;
        beta = routine.has("beta") || routine.has("rbeta")
                ? args.scalar("beta", 0, real || routine.has("rbeta"))
                : Complex.ZERO;
        cosine = Complex.of(0.6);
        sine = real ? Complex.of(0.8) : new Complex(0.48, 0.64);
        leading = new long[Slot.Name.values().length];
        strides = new long[leading.length];
        for (Slot slot : routine.slots()) {
            int s = slot.name().ordinal();
            String letter = slot.name().name().toLowerCase(Locale.ROOT);
            long rows = slot.rows().applyAsLong(this);
            leading[s] = slot.name().isVector()
                    ? args.increment("inc" + letter)
                    : args.least("ld" + letter, Math.max(1, rows));
            strides[s] = form == Form.STRIDED_BATCHED ? args.least("stride_" + letter, span(slot)) : span(slot);
        }
        if (routine.slots().size() == 1 && leading(routine.slots().get(0).name()) < 0) {
            throw args.wrong("incx", "with a negative increment " + family + " does nothing");
        }
        args.requireUsed();
    }

    /** Leading dimension of a matrix, increment of a vector. */
    long leading(Slot.Name slot) {
        return leading[slot.ordinal()];
    }

    /** Elements from one problem of a batch to the next. */
    long stride(Slot.Name slot) {
        return strides[slot.ordinal()];
    }

    /** Elements from the first to the last of a problem. */
    long span(Slot slot) {
        long rows = slot.rows().applyAsLong(this);
        long ld = leading(slot.name());
        return slot.name().isVector() ? (rows - 1) * Math.abs(ld) + 1 : (slot.cols().applyAsLong(this) - 1) * ld + rows;
    }

    /**
     * Operations of a call.
     *
     * @return real floating-point operations, all problems
     */
    public double flops() {
        return routine.flops(this) * batch;
    }

    /**
     * Bytes that a call must move if it finds nothing in a cache: each operand once, what is updated twice.
     *
     * @return bytes, all problems
     */
    public double bytes() {
        double elements = 0;
        for (Slot slot : routine.slots()) {
            elements += slot.traffic(this);
        }
        return elements * type.bytes() * batch;
    }

    /**
     * What a call does in the unit of its speed.
     *
     * @return operations or bytes
     */
    public double work() {
        return routine.unit() == Routine.Unit.FLOPS ? flops() : bytes();
    }

    /**
     * Whether it runs on fresh input only.
     *
     * @return whether each call needs its input put back
     */
    public boolean consumes() {
        return routine.consumes();
    }

    /**
     * Whether some thousand calls on their own results may leave the range of numbers.
     *
     * @return whether the input should be put back now and then
     */
    public boolean drifts() {
        return switch (routine) {
            case TRMV, TRSV, TRMM, TRSM, TRTRI -> true;
            case SCAL -> Math.hypot(alpha.re(), alpha.im()) != 1;
            default -> Math.hypot(beta.re(), beta.im()) > 1;
        };
    }

    /**
     * The memory of the operands.
     *
     * @return bytes
     */
    public double operandBytes() {
        return Operands.bytes(this);
    }

    /**
     * The name of the call, such as {@code dgemm_batched}.
     *
     * @return name
     */
    public String name() {
        return routine.symbol(type) + form.suffix();
    }

    /**
     * The size that tells this workload from others of a sweep.
     *
     * @return n, or m where there is no n
     */
    public long order() {
        return routine.has("n") ? n : m;
    }

    @Override
    public String toString() {
        String sizes = routine.has("m") ? m + "x" + n : "" + n;
        return name() + " " + sizes + (routine.has("k") ? "x" + k : "") + (batch > 1 ? ", " + batch + " problems" : "");
    }
}
