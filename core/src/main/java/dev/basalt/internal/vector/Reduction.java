package dev.basalt.internal.vector;

import dev.basalt.Status;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.type.ElementType;

/**
 * Level-1 reductions: dot, asum, nrm2, iamax, iamin. A long vector is reduced in blocks of fixed size whose partial results
 * lie in the workspace and are added in order, so the result does not depend on how many threads or processors took part;
 * without workspace the blocks run one after the other. A result for the host takes one more slot, from which it is read, unless
 * kernels can write the host's memory.
 */
public final class Reduction extends Routine {
    /** Σ xᵢ·yᵢ, real types only: on complex ones the name does not say whether x is conjugated. */
    public static final Reduction DOT = new Reduction("dot", Kernel.DOT, "x y - result -");

    /** Σ xᵢ·yᵢ; on real types the same as dot. */
    public static final Reduction DOTU = new Reduction("dotu", Kernel.DOT, "x y - result -");

    /** Σ conj(xᵢ)·yᵢ; on real types the same as dot. */
    public static final Reduction DOTC = new Reduction("dotc", Kernel.DOT, "x y - result -");

    /** Σ |re| + |im|. */
    public static final Reduction ASUM = new Reduction("asum", Kernel.ASUM, "x - - result -");

    /** Euclidean norm. */
    public static final Reduction NRM2 = new Reduction("nrm2", Kernel.NRM2, "x - - result -");

    /** Index of the largest element. */
    public static final Reduction IAMAX = new Reduction("iamax", Kernel.IAMAX, "x - - result -");

    /** Index of the smallest element. */
    public static final Reduction IAMIN = new Reduction("iamin", Kernel.IAMIN, "x - - result -");

    /** The best tier. */
    public static final String BLOCKS = "blocks";

    private static final int RESULT = 3;

    private final Kernel kernel;

    private Reduction(String family, Kernel kernel, String operands) {
        super(family, "n", operands);
        this.kernel = kernel;
    }

    @Override
    public String name(ElementType type) {
        return switch (kernel) {
            case IAMAX, IAMIN -> "i" + type.letter() + family().substring(1);
            case ASUM, NRM2 ->
                (type == ElementType.C32 ? "sc" : type == ElementType.C64 ? "dz" : "" + type.letter()) + family();
            default -> type.isComplex() ? super.name(type) : type.letter() + "dot";
        };
    }

    @Override
    protected int position(int operand) {
        return operand == 0 ? 2 : operand == 1 ? 4 : kernel == Kernel.DOT ? 6 : 4;
    }

    /** The type of the result for elements of a type. */
    private ElementType resultType(ElementType type) {
        return switch (kernel) {
            case DOT -> type;
            case IAMAX, IAMIN -> ElementType.I64;
            default -> type.real();
        };
    }

    @Override
    protected ElementType operandType(int operand, ElementType type) {
        return operand == RESULT ? resultType(type) : type;
    }

    @Override
    protected void options(Call c) {
        if (this == DOT && c.args.type.isComplex()) {
            throw c.failure(
                    Status.INVALID_VALUE,
                    null,
                    0,
                    "real elements are required, but they are " + c.args.type + "; use dotu, or dotc to conjugate x");
        }
    }

    /** Level 1 has no size errors: anything not positive is an empty vector or batch. */
    @Override
    protected void sizes(Call c) {
        c.args.count = Math.max(0, c.args.count);
    }

    @Override
    protected boolean quick(Call c) {
        return c.args.n <= 0 || (kernel != Kernel.DOT && c.args.a.ld <= 0);
    }

    /** Empty vectors have the result 0. All but dot insist on a place for it even where the batch is empty. */
    @Override
    protected void quickRun(Call c) {
        if (c.hostResult || (c.args.count == 0 && kernel == Kernel.DOT)) {
            return;
        }
        c.requireOperand(RESULT);
        if (c.args.count == 0) {
            return;
        }
        c.kernel(Kernel.FILL);
        c.k.type = resultType(c.args.type);
        c.k.n = 1;
        c.k.alpha.set(0, 0);
        c.k.c.set(c.args.d);
        c.launch();
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return operand == 0 || (operand == 1 && kernel == Kernel.DOT) || (operand == RESULT && !c.hostResult);
    }

    @Override
    protected void need(Call c, Need need) {
        long blocks = Chunks.ceilDiv(c.args.n, c.traits.reductionBlock());
        boolean partial = blocks > 1 && kernel != Kernel.IAMAX && kernel != Kernel.IAMIN;
        long element = kernel == Kernel.DOT && c.args.type.isComplex() ? 16 : 8;
        long partials = partial ? Chunks.times(blocks, element, c.args.count) : 0;
        long result = c.hostResult && !c.traits.hostAccessible() ? Chunks.times(16, c.args.count) : 0;
        need.tier(BLOCKS).slot("result", result).slot("partials", partials);
        need.tier("one after the other").slot("result", result).slot("partials", 0);
    }

    @Override
    protected void run(Call c) {
        long resultAt = 0;
        if (c.hostResult) {
            ElementType type = resultType(c.args.type);
            resultAt = c.traits.hostAccessible() ? c.staging() : c.slot(0);
            c.args.d.vector(type, resultAt, 1, 1, 1);
        }
        c.args.conjugated = this == DOTC && c.args.type.isComplex();
        c.launchArgs(kernel, c.slot(1), c.slotBytes(1));
        if (c.hostResult) {
            c.fetch(resultAt, resultType(c.args.type));
        }
    }
}
