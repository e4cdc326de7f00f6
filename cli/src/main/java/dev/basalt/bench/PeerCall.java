package dev.basalt.bench;

import dev.basalt.VectorView;
import dev.basalt.internal.call.Argument;
import java.util.List;
import java.util.Map;

/**
 * One way in which another library computes a case.
 *
 * @param name the library's functions, for people
 * @param prepare puts its own operands back before a call, outside of what is timed
 * @param call the call; null if there is none
 * @param refusal why there is none; null if there is one
 * @param compared operands that must agree; empty for all that are overwritten
 * @param norm whether those are not unique, and only the sum of their squares is compared
 * @param triangles whether only one triangle of a matrix counts, where only one is read
 * @param elsewhere memory that holds what is compared with an operand, where the library does not work in place
 */
record PeerCall(String name, Runnable prepare, Call call, String refusal, List<Argument> compared, boolean norm,
        boolean triangles, Map<Argument.Array, VectorView> elsewhere) {
    /** A call on Basalt's operands that leaves the same in all of them. */
    static PeerCall of(String name, Call call) {
        return new PeerCall(name, () -> {}, call, null, List.of(), false, false, Map.of());
    }

    /** A call that cannot be made. */
    static PeerCall refused(String name, String reason) {
        return new PeerCall(name, () -> {}, null, reason, List.of(), false, false, Map.of());
    }

    /** Whether an operand is compared; numbers beside a problem are where they are named. */
    boolean compares(Argument a) {
        return compared.isEmpty() ? a instanceof Argument.Array : compared.contains(a);
    }
}
