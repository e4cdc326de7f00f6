package dev.basalt.host.assembled.mixed;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.RAX;

import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Format;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Narrow;
import dev.basalt.host.assembled.x86.Narrow.Part;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * Up to four columns of a matrix of halves with vectors of floats. Arguments: rows, the first column, bytes between columns, x, y. Without a transposition
 * y, along the rows, gains each column times its element of x. With one, every column is multiplied by x, along the rows, and 64 bytes apart in y
 * stand the sums. A sum is added up in one order however many columns there are.
 */
final class MixedPanelCode {
    /** Columns at a time. */
    static final int COLUMNS = 4;
    /** Bytes from sum to sum. */
    static final int SUM = 64;

    private static final int Y = 8;
    private static final int A = 9;
    private static final int T = 10;
    private static final int U = 11;
    private static final int CONSTANTS = 12;

    private final Emitter code = new Emitter();
    private final Vectors v;
    private final Narrow narrow;
    private final Format format;
    private final boolean trans;
    private final int columns;

    private final Gp m = CallingConvention.SYSTEM_V.integer(0);
    private final Gp a = CallingConvention.SYSTEM_V.integer(1);
    private final Gp lda = CallingConvention.SYSTEM_V.integer(2);
    private final Gp x = CallingConvention.SYSTEM_V.integer(3);
    private final Gp y = CallingConvention.SYSTEM_V.integer(4);

    private MixedPanelCode(Isa isa, Format format, boolean trans, int columns) {
        this.v = new Vectors(code, isa, Real.F32);
        this.narrow = new Narrow(v, CONSTANTS);
        this.format = format;
        this.trans = trans;
        this.columns = columns;
    }

    static byte[] write(Isa isa, Format format, boolean trans, int columns) {
        MixedPanelCode panel = new MixedPanelCode(isa, format, trans, columns);
        panel.write();
        return panel.code.code();
    }

    private void write() {
        narrow.prepareLoad(format);
        code.lea(R10, Mem.at(lda, lda, 2, 0));
        for (int j = 0; j < columns; j++) {
            if (trans) {
                v.zero(j);
                v.zero(COLUMNS + j);
            } else {
                v.broadcast(j, Mem.at(x, 4 * j));
            }
        }
        int shift = Integer.numberOfTrailingZeros(v.isa.lanes(Real.F32));
        Label single = new Label();
        code.mov(R11, m);
        code.shr(R11, shift + 1);
        code.jump(ZERO, single);
        Label top = new Label();
        code.align(32);
        code.bind(top);
        stretch(2);
        code.dec(R11);
        code.jump(NOT_ZERO, top);
        code.bind(single);
        Label rest = new Label();
        code.test(m, 1 << shift);
        code.jump(ZERO, rest);
        stretch(1);
        code.bind(rest);
        last((1 << shift) - 1);
        if (trans) {
            sums();
        }
        code.finish();
    }

    /** The vector along the rows: what is multiplied, or what is added to. */
    private Gp along() {
        return trans ? x : y;
    }

    private void stretch(int vectors) {
        int lanes = v.isa.lanes(Real.F32);
        for (int i = 0; i < vectors; i++) {
            body(i, Part.WHOLE);
        }
        code.add(a, vectors * lanes * format.bytes);
        code.add(along(), vectors * lanes * 4);
    }

    private void last(int lanes) {
        Label end = new Label();
        code.and(m, lanes);
        code.jump(ZERO, end);
        if (v.isa == Isa.AVX512) {
            code.mov(RAX, -1);
            code.bzhi(RAX, RAX, m);
            v.mask(RAX, 0);
            body(0, Part.MASKED);
        } else {
            Label top = new Label();
            code.bind(top);
            body(0, Part.ONE);
            code.add(a, format.bytes);
            code.add(along(), 4);
            code.dec(m);
            code.jump(NOT_ZERO, top);
        }
        code.bind(end);
    }

    private void body(int i, Part part) {
        int lanes = v.isa.lanes(Real.F32);
        Mem yi = Mem.at(along(), i * lanes * 4);
        narrow.load(Format.F32, Y, yi, part, T, U);
        for (int j = 0; j < columns; j++) {
            int disp = i * lanes * format.bytes;
            Mem aij = j == 0 ? Mem.at(a, disp) : j == 3 ? Mem.at(a, R10, 1, disp) : Mem.at(a, lda, j, disp);
            narrow.load(format, A, aij, part, T, U);
            if (trans) {
                v.fma(i * COLUMNS + j, A, Y);
            } else {
                v.fma(Y, A, j);
            }
        }
        if (!trans) {
            narrow.store(Format.F32, yi, Y, part, T, U);
        }
    }

    private void sums() {
        for (int j = 0; j < columns; j++) {
            v.add(j, j, COLUMNS + j);
            v.store(Mem.at(y, SUM * j), j);
        }
        for (int j = 0; j < columns; j++) {
            v.load(0, Mem.at(y, SUM * j));
            v.sum();
            v.storeOne(Mem.at(y, SUM * j), 0);
        }
    }
}
