package dev.basalt.host.assembled.matvec;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;

import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/**
 * alpha·A·x for as many rows as fit the registers: y is loaded and stored once, and A passes by column by column. The bits are
 * those of {@link GemvCode}.
 */
final class TallCode extends PanelCode {
    private static final int VALUE = 8;
    private static final int RE = 10;
    private static final int IM = 11;

    private final int vectors;
    private final boolean masked;

    private TallCode(Shape shape, boolean complex, int vectors, boolean masked) {
        super(shape, complex, true);
        this.vectors = vectors;
        this.masked = masked;
    }

    /** Vectors of rows that a kernel can have. */
    static int most(Isa isa) {
        return isa == Isa.AVX512 ? 16 : 8;
    }

    /**
     * Writes a kernel; y lies along the rows, x along the columns.
     *
     * @param vectors of rows
     * @param masked whether the last one is partial
     * @param set whether y is overwritten, or else added to
     */
    static byte[] write(Shape shape, boolean complex, int vectors, boolean masked, boolean set) {
        TallCode tall = new TallCode(shape, complex, vectors, masked);
        tall.enter();
        tall.scalars();
        if (masked) {
            tall.mask();
        }
        for (int i = 0; i < vectors; i++) {
            if (set) {
                tall.v.zero(sum(i));
            } else {
                tall.load(sum(i), Mem.at(ROWS, i * tall.bytes), tall.masked(i));
            }
        }
        tall.columnLoop();
        for (int i = 0; i < vectors; i++) {
            tall.store(Mem.at(ROWS, i * tall.bytes), sum(i), tall.masked(i));
        }
        tall.leave();
        return tall.code.code();
    }

    /** The register of a sum: those from 8 to 15 have other uses. */
    private static int sum(int i) {
        return i < 8 ? i : i + 8;
    }

    private boolean masked(int i) {
        return masked && i == vectors - 1;
    }

    private void columnLoop() {
        Label top = new Label();
        code.align(32);
        code.bind(top);
        panel(1);
        code.add(A, LDA);
        code.add(COLUMNS, element);
        code.dec(N);
        code.jump(NOT_ZERO, top);
    }

    @Override
    public void panel(int columns) {
        factor(RE, IM, 0, false);
        for (int i = 0; i < vectors; i++) {
            step(columns, i, masked(i));
        }
    }

    @Override
    public void step(int columns, int at, boolean masked) {
        Mem a = Mem.at(A, at * bytes);
        if (complex || masked) {
            load(VALUE, a, masked);
            v.fma(sum(at), VALUE, RE);
        } else {
            v.fma(sum(at), RE, a);
        }
        if (complex) {
            v.swapPairs(VALUE, VALUE);
            v.fma(sum(at), VALUE, IM);
        }
    }
}
