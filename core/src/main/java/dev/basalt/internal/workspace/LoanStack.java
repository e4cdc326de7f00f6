package dev.basalt.internal.workspace;

import java.util.Arrays;

/**
 * What a workspace has lent, in the order of lending. A loan that is given back early stays until all later ones are, so that each lies
 * behind the one before. The objects serve again and again.
 */
final class LoanStack {
    private Loan[] loans = {new Loan(), new Loan()};
    private int depth;
    private long serials;
    private long lentBytes;
    private long ownBytes;

    /** Bytes of all loans in the workspace's block, redzones not counted. */
    long lentBytes() {
        return lentBytes;
    }

    /** Bytes of the blocks that loans have for themselves. */
    long ownBytes() {
        return ownBytes;
    }

    int depth() {
        return depth;
    }

    /** The loan that was lent last. */
    Loan last() {
        return loans[depth - 1];
    }

    /** Puts a loan behind the others. */
    Loan push(Block block, boolean own, Borrower borrower, String routine, long bytes) {
        if (depth == loans.length) {
            loans = Arrays.copyOf(loans, 2 * depth);
            for (int i = depth; i < loans.length; i++) {
                loans[i] = new Loan();
            }
        }
        Loan loan = loans[depth];
        loan.own = own;
        loan.from = own ? 0 : top();
        loan.to = loan.from + bytes;
        loan.bytes = bytes;
        loan.lentBy(block, borrower, routine);
        loan.back = false;
        loan.users = false;
        loan.serial = ++serials;
        depth++;
        if (own) {
            ownBytes += bytes;
        } else {
            lentBytes += bytes;
        }
        return loan;
    }

    /** Where the next loan of the block begins. */
    private long top() {
        for (int i = depth - 1; i >= 0; i--) {
            if (!loans[i].own) {
                return loans[i].to;
            }
        }
        return 0;
    }

    /** Takes a loan back, and off the stack with those before it that were given back earlier. */
    void drop(Loan loan) {
        loan.back = true;
        if (loan.own) {
            ownBytes -= loan.bytes;
        } else {
            lentBytes -= loan.bytes;
        }
        while (depth > 0 && loans[depth - 1].back) {
            depth--;
        }
    }

    /** A user's loan that was collected without having been closed, or null. */
    Loan lost() {
        for (int i = depth - 1; i >= 0; i--) {
            if (loans[i].lost == loans[i].serial && !loans[i].back) {
                return loans[i];
            }
        }
        return null;
    }

    /** Whether a handle has a loan. */
    boolean lentTo(Borrower borrower) {
        for (int i = 0; i < depth; i++) {
            if (loans[i].borrower == borrower && !loans[i].back) {
                return true;
            }
        }
        return false;
    }

    /** Bytes of redzones that the loans before the last have in a block. */
    long zoneBytes(Block block) {
        long bytes = 0;
        for (int i = 0; i < depth - 1; i++) {
            bytes += loans[i].block == block ? loans[i].zones.zones() * Guard.ZONE : 0;
        }
        return bytes;
    }
}
