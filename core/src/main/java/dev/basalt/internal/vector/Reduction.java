package dev.basalt.internal.vector;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Conversions;
import dev.basalt.internal.call.HostResult;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.AsumSignature;
import dev.basalt.internal.signature.DotSignature;
import dev.basalt.internal.signature.DotcSignature;
import dev.basalt.internal.signature.DotuSignature;
import dev.basalt.internal.signature.IamaxSignature;
import dev.basalt.internal.signature.IaminSignature;
import dev.basalt.internal.signature.Nrm2Signature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.MixedWork;
import dev.basalt.type.ElementType;

/**
 * Level-1 reductions: dot, asum, nrm2, iamax, iamin. A long vector is reduced in blocks of fixed size whose partial results
 * lie in the workspace and are added in order, so the result does not depend on how many threads or processors took part;
 * without workspace the blocks run one after the other. A result for the host takes one more slot, from which it is read, unless
 * kernels can write the host's memory.
 */
public final class Reduction extends Routine {
    /** Σ xᵢ·yᵢ, of real types: of complex ones the name does not say whether x is conjugated. As dotEx it is dotu then, as in rocBLAS. */
    public static final Reduction DOT = new Reduction(new DotSignature(), Kernel.DOT);

    /** Σ xᵢ·yᵢ; on real types the same as dot. */
    public static final Reduction DOTU = new Reduction(new DotuSignature(), Kernel.DOT);

    /** Σ conj(xᵢ)·yᵢ; on real types the same as dot. */
    public static final Reduction DOTC = new Reduction(new DotcSignature(), Kernel.DOT);

    /** Σ |re| + |im|. */
    public static final Reduction ASUM = new Reduction(new AsumSignature(), Kernel.ASUM);

    /** Euclidean norm. */
    public static final Reduction NRM2 = new Reduction(new Nrm2Signature(), Kernel.NRM2);

    /** Index of the largest element. */
    public static final Reduction IAMAX = new Reduction(new IamaxSignature(), Kernel.IAMAX);

    /** Index of the smallest element. */
    public static final Reduction IAMIN = new Reduction(new IaminSignature(), Kernel.IAMIN);

    /** The best tier. */
    public static final String BLOCKS = "blocks";

    private final Kernel kernel;

    private Reduction(Signature signature, Kernel kernel) {
        super(signature);
        this.kernel = kernel;
    }

    /** Empty vectors have the result 0. All but dot insist on a place for it even where the batch is empty. */
    @Override
    protected void quickRun(Call c) {
        if (c.hostResult || (c.args.count == 0 && kernel == Kernel.DOT)) {
            return;
        }
        c.requireOperand(HostResult.OPERAND);
        if (c.args.count == 0) {
            return;
        }
        if (!c.args.d.type.isFloating() && c.args.d.type.bytes() < 4) {
            // Sums of nothing: no kernel fills what is in memory only.
            c.args.n = 0;
            c.launchArgs(kernel, 0, 0);
            return;
        }
        HostResult.zero(c);
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return operand == HostResult.OPERAND ? !c.hostResult : super.uses(c, operand);
    }

    @Override
    protected void need(Call c, Need need) {
        long blocks = Chunks.ceilDiv(c.args.n, c.traits.reductionBlock());
        boolean partial = blocks > 1 && kernel != Kernel.IAMAX && kernel != Kernel.IAMIN;
        long element = kernel == Kernel.DOT && c.args.type.isComplex() ? 16 : 8;
        long partials = partial ? Chunks.times(blocks, element, c.args.count) : 0;
        long result = HostResult.bytes(c);
        if (Conversions.has(c)) {
            MixedWork work = c.traits.mixed();
            c.args.kernel = kernel;
            partials = Math.max(partials, work.bytes(c.args));
            need.tier(BLOCKS).slot("result", result).slot("partials", partials);
            need.tier("block by block").slot("result", result).slot("partials", work.least(c.args));
            need.tier("one after the other").slot("result", result).slot("partials", 0);
            return;
        }
        need.tier(BLOCKS).slot("result", result).slot("partials", partials);
        need.tier("one after the other").slot("result", result).slot("partials", 0);
    }

    @Override
    protected void run(Call c) {
        ElementType type = signature().operandType(HostResult.OPERAND, c.args.type).computed();
        long resultAt = HostResult.place(c, 0, type);
        c.args.conjugated = this == DOTC && c.args.type.isComplex();
        if (c.args.d.type == ElementType.F64 && c.args.type == ElementType.F32) {
            c.args.type = ElementType.F64;
        }
        c.launchArgs(kernel, c.slot(1), c.slotBytes(1));
        if (c.hostResult) {
            c.fetch(resultAt, type);
        }
    }
}
