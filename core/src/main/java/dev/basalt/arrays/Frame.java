package dev.basalt.arrays;

import dev.basalt.BlasException;
import dev.basalt.Status;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.call.Protocol;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;

/**
 * A call on arrays: the frame of its handle, and the arrays that its operands lie in. Those that the call looks at are brought into the
 * lane's memory, one beside the other without gaps, and what was written goes back. A lane has one frame and reuses it.
 */
final class Frame {
    /** Operands begin at lines of their own. */
    private static final long LINE = 64;

    private static final int OPERANDS = Launch.CALL_OPERANDS;

    /** The user's arguments. */
    final Launch args;

    private final Lane lane;
    private final HandleCore core;
    private final Call call;

    private final Object[] arrays = new Object[OPERANDS];
    private final int[] offsets = new int[OPERANDS];

    /** Where operands go in the lane's memory; -1 if they do not. */
    private final long[] places = new long[OPERANDS];

    /** The operand that another one is; itself as a rule. */
    private final int[] same = new int[OPERANDS];

    /** Shapes as they lie in the arrays. */
    private final Operand[] shapes = new Operand[OPERANDS];

    private int given;
    private int infoSlot;

    Frame(Lane lane, HandleCore core) {
        this.lane = lane;
        this.core = core;
        this.call = core.call;
        this.args = call.args;
        for (int i = 0; i < OPERANDS; i++) {
            shapes[i] = new Operand();
        }
    }

    /** Enters this thread's handle; what follows up to {@code execute} neither throws nor allocates. */
    static Frame begin(Routine routine, ElementType type) {
        Frame f = Lane.take().frame();
        boolean entered = false;
        try {
            Protocol.begin(f.core, routine, type);
            entered = true;
        } finally {
            if (!entered) {
                Lane.put(f.lane);
            }
        }
        f.given = 0;
        f.infoSlot = -1;
        return f;
    }

    // ---- arguments

    void alpha(double alpha) {
        args.alpha.set(alpha, 0);
    }

    void alpha(Complex alpha) {
        if (alpha == null) {
            call.missingScalar("alpha");
        } else {
            args.alpha.set(alpha.re(), alpha.im());
        }
    }

    void beta(double beta) {
        args.beta.set(beta, 0);
    }

    void beta(Complex beta) {
        if (beta == null) {
            call.missingScalar("beta");
        } else {
            args.beta.set(beta.re(), beta.im());
        }
    }

    void gamma(double gamma) {
        args.gamma.set(gamma, 0);
    }

    void vector(int slot, ElementType type, Object array, int offset, long n, long inc) {
        args.operand(slot).vector(type, 0, n, inc, 0);
        given(slot, array, offset);
    }

    void matrix(int slot, ElementType type, Object array, int offset, long rows, long cols, long ld) {
        args.operand(slot).matrix(type, 0, rows, cols, ld, 0);
        given(slot, array, offset);
    }

    void band(int slot, ElementType type, Object array, int offset, long rows, long cols, long ld, long kl, long ku) {
        args.operand(slot).band(type, 0, rows, cols, kl, ku, ld, 0);
        given(slot, array, offset);
    }

    void packed(int slot, ElementType type, Object array, int offset, long n) {
        args.operand(slot).packed(type, 0, n, 0);
        given(slot, array, offset);
    }

    /** One argument in two slots. */
    void same(int slot, int as) {
        args.operand(slot).set(args.operand(as));
        given(slot, arrays[as], offsets[as]);
        same[slot] = as;
    }

    /** LAPACK's info goes to the host. */
    void info(int slot) {
        args.operand(slot).vector(ElementType.I32, 0, 1, 1, 0);
        given(slot, null, 0);
        infoSlot = slot;
    }

    private void given(int slot, Object array, int offset) {
        arrays[slot] = array;
        offsets[slot] = offset;
        same[slot] = slot;
        places[slot] = -1;
        given |= 1 << slot;
        call.memory(slot, null, 0, 0, 1);
    }

    /** The product of two dimensions; the largest number there is where it has more bits. */
    static long times(long x, long y) {
        return x <= 0 || y <= 0 ? 0 : x > Long.MAX_VALUE / y ? Long.MAX_VALUE : x * y;
    }

    // ---- the call

    void execute() {
        try {
            run();
        } finally {
            leave();
        }
    }

    int executeInfo() {
        try {
            run();
            return Memory.i32(lane.memory().address);
        } finally {
            leave();
        }
    }

    double executeReal() {
        call.hostResult = true;
        try {
            run();
            return call.fetchedRe();
        } finally {
            leave();
        }
    }

    int executeIndex() {
        call.hostResult = true;
        try {
            run();
            return Math.toIntExact(call.fetchedIndex());
        } finally {
            leave();
        }
    }

    Complex executeComplex() {
        call.hostResult = true;
        try {
            run();
            return new Complex(call.fetchedRe(), call.fetchedIm());
        } finally {
            leave();
        }
    }

    private void leave() {
        for (int i = 0; i < OPERANDS; i++) {
            // A lane that waits for its next call keeps no array from being collected.
            if (arrays[i] != null) {
                arrays[i] = null;
            }
        }
        core.leave();
        Lane.put(lane);
    }

    private void run() {
        Protocol.Look look = Protocol.looks(core);
        long bytes = LINE;
        for (int left = look == Protocol.Look.NONE ? 0 : given; left != 0; left &= left - 1) {
            int slot = Integer.numberOfTrailingZeros(left);
            if (same[slot] == slot && arrays[slot] != null && isUsed(slot, look)) {
                require(slot);
                places[slot] = bytes;
                bytes += Copies.stagedBytes(shapes[slot].set(args.operand(slot))) + LINE - 1 & -LINE;
            }
        }
        lane.reserve(bytes);
        for (int left = given; left != 0; left &= left - 1) {
            int slot = Integer.numberOfTrailingZeros(left);
            if (slot == infoSlot) {
                Memory.i32(lane.memory().address, 0);
                place(slot, 0);
            } else if (places[same[slot]] >= 0) {
                place(slot, places[same[slot]]);
            }
        }
        Protocol.run(core);
        for (int left = given; left != 0; left &= left - 1) {
            int slot = Integer.numberOfTrailingZeros(left);
            int of = same[slot];
            if (places[of] >= 0 && signature().writes(slot)) {
                Copies.store(shapes[of], arrays[of], offsets[of], lane.memory().address + places[of]);
            }
        }
    }

    private Signature signature() {
        return call.routine().signature();
    }

    /** Whether an operand, or another one that is the same, will be looked at. */
    private boolean isUsed(int slot, Protocol.Look look) {
        boolean used = false;
        for (int i = slot; i < OPERANDS; i++) {
            used |= (given & 1 << i) != 0 && same[i] == slot
                    && (look == Protocol.Look.USED ? Protocol.uses(core, i) : signature().writes(i));
        }
        return used;
    }

    /** Puts an operand at its place in the lane's memory, and its elements, too. */
    private void place(int slot, long at) {
        Operand o = args.operand(slot);
        long address = lane.memory().address + at;
        if (slot != infoSlot) {
            if (same[slot] == slot) {
                Copies.load(shapes[slot], arrays[slot], offsets[slot], address);
            }
            o.ld = Copies.stagedStep(shapes[same[slot]]);
        }
        o.base = address;
        call.memory(slot, lane.memory(), lane.memory().bytes - at, at, 1);
    }

    /** Refuses an array that does not reach as far as its operand. */
    private void require(int slot) {
        Operand o = args.operand(slot);
        int parts = Copies.parts(o.type);
        long length = Copies.length(arrays[slot]);
        long span = o.span();
        if (offsets[slot] < 0) {
            throw refused(slot, "its offset is " + offsets[slot] + ", and must not be negative");
        }
        if (span > length / parts - offsets[slot]) {
            String numbers = parts == 1 ? "" : " (" + parts + " numbers an element)";
            throw refused(slot,
                    "its array is too short: " + (offsets[slot] + span) * parts + " numbers are needed, offset "
                            + offsets[slot] + " and " + span + " elements" + numbers + ", and it has " + length);
        }
    }

    private BlasException refused(int slot, String text) {
        Routine r = call.routine();
        return call.failure(Status.INVALID_SIZE, r.operandName(slot), 0, text);
    }
}
