package dev.basalt.conformance.golden;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;

/** A launch as a line of text that is the same on every machine: addresses are the number of the allocation and a distance in it. */
final class LaunchText {
    /** Bits of an address that are a distance in an allocation. */
    static final int SPACE = 44;

    private static final String NAMES = "abcdefg";

    private LaunchText() {}

    static String of(Launch l) {
        StringBuilder text = new StringBuilder();
        text.append(l.kernel).append(' ').append(l.type.letter());
        text.append(' ').append(l.opA).append(' ').append(l.opB).append(' ').append(l.side);
        text.append(' ').append(l.uplo).append(' ').append(l.diag);
        boolean flag = l.conjugated || l.hermitian || l.backward || l.real;
        text.append(flag ? " flag" : "").append(l.guarded ? " guarded" : "");
        text.append(" m=").append(l.m).append(" n=").append(l.n).append(" k=").append(l.k);
        text.append(" p=")
                .append(l.kernel == Kernel.EXPAND ? l.structure.ordinal() : l.p)
                .append(" q=")
                .append(l.q)
                .append(" count=")
                .append(l.count);
        text.append(" alpha=").append(scalar(l.alpha)).append(" beta=").append(scalar(l.beta));
        for (int i = 0; i < NAMES.length(); i++) {
            Operand o = l.operand(i);
            if (o.present()) {
                text.append(' ').append(NAMES.charAt(i)).append('=').append(operand(o, l.count));
            }
        }
        return text.append(" work=").append(address(l.work)).append(':').append(l.workBytes).toString();
    }

    private static String scalar(Scalar s) {
        if (!s.onDevice()) {
            return s.re() + (s.im() == 0 ? "" : "+" + s.im() + "i");
        }
        return "at " + address(s.address()) + s.type().letter() + (s.gated() ? "?" + s.gateValue() : "");
    }

    private static String operand(Operand o, long count) {
        return (o.pointers ? "table " + address(o.base) + "+" + o.offset : address(o.base + o.offset))
                + (o.vector ? "v" : "m") + o.type.letter() + o.rows + "x" + o.cols + "/" + o.ld
                + (count > 1 && !o.pointers ? "/" + o.stride : "");
    }

    private static String address(long address) {
        return (address >>> SPACE) + "." + (address & (1L << SPACE) - 1);
    }
}
