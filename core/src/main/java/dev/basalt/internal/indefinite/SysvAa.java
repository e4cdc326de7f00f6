package dev.basalt.internal.indefinite;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HesvAaSignature;
import dev.basalt.internal.signature.SysvAaSignature;
import dev.basalt.internal.workspace.Need;

/** Solves A·X = B by Aasen's L·T·Lᵀ. Problems whose T is exactly singular (info > 0) keep their B. */
public final class SysvAa extends Routine {
    /** Symmetric. */
    public static final SysvAa SYSV_AA = new SysvAa(new SysvAaSignature(), false);

    /** Hermitian. */
    public static final SysvAa HESV_AA = new SysvAa(new HesvAaSignature(), true);

    private final boolean hermitian;

    private SysvAa(Signature signature, boolean hermitian) {
        super(signature);
        this.hermitian = hermitian;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        need.part();
        SytrfAa.need(c, need, c.args.n);
        need.part();
        SytrsAa.need(c, need, c.args.n, c.args.k);
        need.together();
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        SytrfAa.factor(c, c.args.a, hermitian);
        SytrsAa.solve(c, c.args.a, hermitian);
    }
}
