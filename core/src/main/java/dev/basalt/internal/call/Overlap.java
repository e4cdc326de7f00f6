package dev.basalt.internal.call;

import dev.basalt.Status;
import dev.basalt.internal.workspace.Loan;
import dev.basalt.portable.DirectDevice;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;

/** Guard mode looks whether an operand lies in the workspace that its call was lent, which would be overwritten while it is read. */
final class Overlap {
    private Overlap() {}

    /** Refuses the call if an operand shares bytes with a loan. */
    static void refuse(Call c, Routine r, Loan loan) {
        for (int i = 0; i < Signature.OPERANDS; i++) {
            if (!c.isGiven(i) || !c.args.operand(i).present()) {
                continue;
            }
            Operand o = c.args.operand(i);
            long bytes = o.spanBytes();
            if (!o.pointers) {
                long others = (c.args.count - 1) * o.stride * o.type.bytes();
                check(c, r, i, loan, o.base + Math.min(0, others), bytes + Math.abs(others));
            } else if (c.driver() instanceof DirectDevice) {
                for (long p = 0; p < c.args.count; p++) {
                    check(c, r, i, loan, Memory.i64(o.base + 8 * p), bytes);
                }
            }
        }
    }

    private static void check(Call c, Routine r, int i, Loan loan, long from, long bytes) {
        if (from < loan.end() && loan.start() < from + bytes) {
            throw c.failure(Status.INVALID_POINTER, r.operandName(i), r.signature().position(i),
                    "it lies at 0x" + Long.toHexString(from) + " to 0x" + Long.toHexString(from + bytes)
                            + " and overlaps the workspace lent to this call, 0x" + Long.toHexString(loan.start())
                            + " to 0x" + Long.toHexString(loan.end())
                            + "; give setWorkspace a block that no operand is in");
        }
    }
}
