package dev.basalt.internal.vector;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Conversions;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.AxpySignature;
import dev.basalt.internal.signature.CopySignature;
import dev.basalt.internal.signature.ScalRealSignature;
import dev.basalt.internal.signature.ScalSignature;
import dev.basalt.internal.signature.SwapSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;

/**
 * Level-1 routines that go through their vectors element by element: axpy, scal, copy, swap. One kernel each, no workspace but where types are converted.
 * Level 1 knows no wrong sizes: a size or batch that is not positive is an empty one, as in the reference BLAS.
 */
public final class Elementwise extends Routine {
    /** y := alpha·x + y. */
    public static final Elementwise AXPY = new Elementwise(new AxpySignature(), Kernel.AXPY, false);

    /** x := alpha·x. */
    public static final Elementwise SCAL = new Elementwise(new ScalSignature(), Kernel.SCAL, false);

    /**
     * x := alpha·x with a real alpha, whatever x is: csscal and zdscal. Not the same as scal with an imaginary part of 0, which
     * makes NaN of 0·∞; on real elements the two are one.
     */
    public static final Elementwise SCAL_REAL = new Elementwise(new ScalRealSignature(), Kernel.SCAL, true);

    /** y := x. */
    public static final Elementwise COPY = new Elementwise(new CopySignature(), Kernel.COPY, false);

    /** x and y exchange their elements. */
    public static final Elementwise SWAP = new Elementwise(new SwapSignature(), Kernel.SWAP, false);

    private final Kernel kernel;
    private final boolean realAlpha;

    private Elementwise(Signature signature, Kernel kernel, boolean realAlpha) {
        super(signature);
        this.kernel = kernel;
        this.realAlpha = realAlpha;
    }

    @Override
    protected void need(Call c, Need need) {
        if (Conversions.has(c)) {
            Conversions.need(c, kernel, need);
        }
    }

    @Override
    protected void run(Call c) {
        c.args.real = realAlpha && c.args.type.isComplex();
        c.launchArgs(kernel, c.slot(0), c.slotBytes(0));
    }
}
