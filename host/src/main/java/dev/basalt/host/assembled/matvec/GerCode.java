package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Shape;

/** A := alpha·x·yᵀ + A or alpha·x·yᴴ + A: x passes by once for all columns of a panel. */
final class GerCode extends PanelCode {
    private static final int X = 8;
    private static final int SWAPPED = 9;
    /** Registers of AVX-512 that panels do not use, from here on. */
    private static final int FREE = 16;

    private final boolean conj;

    private GerCode(Shape shape, boolean complex, boolean single, boolean conj) {
        super(shape, complex, single);
        this.conj = conj;
    }

    /** Writes a kernel; x lies along the rows, y along the columns, and is conjugated with {@code conj}. */
    static byte[] write(Shape shape, boolean complex, boolean single, boolean conj) {
        GerCode ger = new GerCode(shape, complex, single, conj);
        ger.enter();
        ger.scalars();
        ger.prepare();
        ger.panels();
        ger.leave();
        return ger.code.code();
    }

    @Override
    public void panel(int columns) {
        factors(columns, conj);
        rows(columns);
    }

    @Override
    public void step(int columns, int at, boolean masked) {
        if (single && at == 0 && !masked) {
            aheadInStream();
        }
        load(X, row(at), masked);
        if (complex) {
            v.swapPairs(SWAPPED, X);
        }
        // A load waits for a masked store that was given shortly before, if only their whole vectors overlap: so all columns are read first (Zen 4).
        boolean ahead = masked && isa == Isa.AVX512;
        for (int j = 0; j < columns; j++) {
            int a = ahead ? FREE + j : 10 + j % 2;
            load(a, column(j, at), masked);
            v.fma(a, X, j);
            if (complex) {
                v.fma(a, SWAPPED, 4 + j);
            }
            if (!ahead) {
                store(column(j, at), a, masked);
            }
        }
        for (int j = 0; ahead && j < columns; j++) {
            store(column(j, at), FREE + j, true);
        }
    }
}
