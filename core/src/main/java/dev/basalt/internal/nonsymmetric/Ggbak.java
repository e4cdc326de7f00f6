package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GgbakSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.type.Side;

/** Eigenvectors of a pair of matrices, from those of the balanced one. */
public final class Ggbak extends Routine {
    /** The family. */
    public static final Ggbak ROUTINE = new Ggbak();

    private Ggbak() {
        super(new GgbakSignature());
    }

    @Override
    protected void need(Call c, Need need) {}

    /** Each side has scales of its own, by which vectors are multiplied as right ones of a matrix are. */
    @Override
    protected void run(Call c) {
        Gebak.undo(c, Side.RIGHT, c.args.side == Side.LEFT ? c.args.d : c.args.f);
    }
}
