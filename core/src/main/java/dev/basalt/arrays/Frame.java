package dev.basalt.arrays;

import dev.basalt.BlasException;
import dev.basalt.Status;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.call.Protocol;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.portable.HeapOperands;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Storage;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;

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

    /** Elements from one row to the next, of operands by rows. */
    private final long[] rowSteps = new long[OPERANDS];

    /** The slot that the user knows an operand by. */
    private final int[] origins = new int[OPERANDS];

    /** Shapes as they lie in the arrays. */
    private final Operand[] shapes = new Operand[OPERANDS];

    private int given;
    private int infoSlot;

    /** Operands by rows, a bit each. */
    private int byRows;

    /** Whether those are transposes now. */
    private boolean turned;

    private Turn turn;

    /** Whether the kernels can work on the arrays themselves. */
    private boolean inPlace;

    /** Whether that holds for vectors: beside a matrix they are copied. */
    private boolean vectorsInPlace;

    /** Whether that holds for operands that they write. */
    private boolean writesInPlace;

    /** Whether the routine is made of several kernels. */
    private boolean throughout;

    /** The triangle of its matrix that the routine reads and writes; null where it looks at all. */
    private Uplo triangle;

    private HeapOperands heap;

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
        f.inPlace = false;
        f.throughout = false;
        f.infoSlot = -1;
        f.byRows = 0;
        f.turned = false;
        f.turn = null;
        f.triangle = null;
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

    /** A matrix by rows in one array. */
    void rows(int slot, ElementType type, Object array, int offset, long rows, long cols, long step) {
        matrix(slot, type, array, offset, rows, cols, Math.max(1, rows));
        rowSteps[slot] = step;
        byRows |= 1 << slot;
    }

    /** A matrix with an array for each row. */
    void rows(int slot, ElementType type, Object[] arrays, long rows, long cols) {
        rows(slot, type, arrays, 0, rows, cols, Math.max(1, cols));
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
        rowSteps[slot] = rowSteps[as];
        byRows |= (byRows >> as & 1) << slot;
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
        origins[slot] = slot;
        places[slot] = -1;
        given |= 1 << slot;
        call.memory(slot, null, 0, 0, 1);
    }

    /** The product of two dimensions; the largest number there is where it has more bits. */
    static long times(long x, long y) {
        return x <= 0 || y <= 0 ? 0 : x > Long.MAX_VALUE / y ? Long.MAX_VALUE : x * y;
    }

    /**
     * Says that the routine's kernels take arrays.
     *
     * @param vectors vectors, too: of calls without a matrix
     * @param written those that are written, too
     */
    void inPlace(boolean vectors, boolean written) {
        inPlace = lane.reachesHeap();
        vectorsInPlace = vectors;
        writesInPlace = written;
    }

    /** The same of a routine that factors its matrices by many kernels, all of which take arrays. */
    void inPlaceThroughout() {
        inPlace(false, true);
        throughout = true;
    }

    /** Says that the routine looks at one triangle of its matrix only. */
    void triangle(Uplo uplo) {
        triangle = uplo;
    }

    /** Says how a call on matrices by rows is turned, so that none is transposed. */
    void turn(Turn how) {
        turn = how;
    }

    /** Two operands that are nobody else's change places. */
    void exchange(int slot, int other) {
        Operand kept = shapes[slot].set(args.operand(slot));
        args.operand(slot).set(args.operand(other));
        args.operand(other).set(kept);
        Object array = arrays[slot];
        arrays[slot] = arrays[other];
        arrays[other] = array;
        int offset = offsets[slot];
        offsets[slot] = offsets[other];
        offsets[other] = offset;
        int origin = origins[slot];
        origins[slot] = origins[other];
        origins[other] = origin;
        long step = rowSteps[slot];
        rowSteps[slot] = rowSteps[other];
        rowSteps[other] = step;
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
        if (heap != null) {
            heap.clear();
            heap = null;
        }
        core.leave();
        Lane.put(lane);
    }

    private void run() {
        if (byRows != 0) {
            orient();
        }
        if (!inPlace) {
            attempt();
            return;
        }
        try {
            attempt();
        } catch (IndexOutOfBoundsException e) {
            // A kernel in Java that looks at elements one by one, before anything was written: those of nrm2 that would overflow, for one.
            // Of a routine of several kernels others may have written: such a kernel must not be among them.
            if (throughout) {
                throw e;
            }
            inPlace = false;
            for (int left = given; left != 0; left &= left - 1) {
                int slot = Integer.numberOfTrailingZeros(left);
                Operand o = args.operand(slot);
                if (o.present() && slot != infoSlot) {
                    o.ld = shapes[same[slot]].ld;
                    o.base = 0;
                    call.memory(slot, null, 0, 0, 1);
                }
                places[slot] = -1;
            }
            attempt();
        }
    }

    /** Looks at the call as the user made it, and turns it. */
    private void orient() {
        Protocol.looks(core);
        for (int left = byRows; left != 0; left &= left - 1) {
            int slot = Integer.numberOfTrailingZeros(left);
            long cols = args.operand(slot).cols;
            if (rowSteps[slot] < Math.max(1, cols)) {
                throw refused(slot, "the distance between its rows is " + rowSteps[slot] + ", and must be at least "
                        + Math.max(1, cols) + ": it has " + cols + " columns, and lies by rows");
            }
        }
        if (turn == null) {
            return;
        }
        turn.apply(args, this);
        turned = true;
        for (int left = byRows; left != 0; left &= left - 1) {
            int slot = Integer.numberOfTrailingZeros(left);
            Operand o = args.operand(slot);
            long rows = o.rows;
            o.rows = o.cols;
            o.cols = rows;
            o.ld = rowSteps[slot];
        }
    }

    private void attempt() {
        Protocol.Look look = Protocol.looks(core);
        long bytes = LINE;
        for (int left = look == Protocol.Look.NONE ? 0 : given; left != 0; left &= left - 1) {
            int slot = Integer.numberOfTrailingZeros(left);
            if (same[slot] == slot && arrays[slot] != null && isUsed(slot, look)) {
                require(slot);
                if (inPlace && inHeap(slot)) {
                    continue;
                }
                places[slot] = bytes;
                bytes += Copies.stagedBytes(shapes[slot].set(args.operand(slot)), !liesByRows(slot)) + LINE - 1 & -LINE;
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
            } else if (same[slot] != slot && args.operand(same[slot]).present()) {
                args.operand(slot).set(args.operand(same[slot]));
                call.memory(slot, lane.window(), Long.MAX_VALUE, 0, 1);
            }
        }
        Protocol.runLookedAt(core);
        for (int left = given; left != 0; left &= left - 1) {
            int slot = Integer.numberOfTrailingZeros(left);
            int of = same[slot];
            if (places[of] >= 0 && signature().writes(slot)) {
                move(of, lane.memory().address + places[of], false);
            }
        }
    }

    /** Leaves an operand in its array, if there is room for one more. */
    private boolean inHeap(int slot) {
        Operand o = args.operand(slot);
        // Kernels in Java do short vectors, and those whose elements are far apart are brought together anyway.
        boolean fits = o.vector
                ? vectorsInPlace && o.rows >= Stage.SHORT && o.ld == 1
                : o.rows >= Stage.THIN && o.cols >= Stage.THIN && o.storage != Storage.BAND;
        if (!fits || liesByRows(slot) || signature().writes(slot) && !writesInPlace) {
            return false;
        }
        if (throughout && Copies.crowds(o.rows, o.ld, o.type)) {
            return false;
        }
        shapes[slot].set(o);
        if (heap == null) {
            heap = HeapOperands.own();
        }
        int index = heap.add(arrays[slot]);
        if (index < 0) {
            return false;
        }
        o.base = HeapOperands.address(index, (long) offsets[slot] * o.type.bytes());
        // The array's end has been looked at.
        call.memory(slot, lane.window(), Long.MAX_VALUE, 0, 1);
        return true;
    }

    private Signature signature() {
        return call.routine().signature();
    }

    /** Whether an operand, or another one that is the same, will be looked at. */
    private boolean isUsed(int slot, Protocol.Look look) {
        for (int left = given & -1 << slot; left != 0; left &= left - 1) {
            int i = Integer.numberOfTrailingZeros(left);
            if (same[i] == slot && (look == Protocol.Look.USED ? Protocol.uses(core, i) : signature().writes(i))) {
                return true;
            }
        }
        return false;
    }

    /** Puts an operand at its place in the lane's memory, and its elements, too. */
    private void place(int slot, long at) {
        Operand o = args.operand(slot);
        long address = lane.memory().address + at;
        if (slot != infoSlot) {
            if (same[slot] == slot) {
                move(slot, address, true);
            }
            o.ld = Copies.stagedStep(shapes[same[slot]], !liesByRows(slot));
        }
        o.base = address;
        call.memory(slot, lane.memory(), lane.memory().bytes - at, at, 1);
    }

    /** Whether an operand's array is none of a matrix by columns. */
    private boolean liesByRows(int slot) {
        return (byRows >> slot & 1) != 0 && !turned || arrays[slot] instanceof Object[];
    }

    private void move(int slot, long address, boolean load) {
        Operand shape = shapes[slot];
        if (!liesByRows(slot)) {
            if (triangle != null) {
                Copies.triangle(triangle, shape, arrays[slot], offsets[slot], address, load);
            } else if (load) {
                Copies.load(shape, arrays[slot], offsets[slot], address);
            } else {
                Copies.store(shape, arrays[slot], offsets[slot], address);
            }
            return;
        }
        int parts = Copies.parts(shape.type);
        int rows = (int) Math.max(0, shape.rows);
        int cols = (int) Math.max(0, shape.cols);
        if (turned) {
            RowCopies.asTheyLie((Object[]) arrays[slot], cols, rows * parts, address, load);
        } else {
            RowCopies.transpose(arrays[slot], (long) offsets[slot] * parts, rowSteps[slot] * parts, rows, cols, parts,
                    address, load);
        }
    }

    /** Refuses arrays of rows that are too few or too short. */
    private void requireRows(int slot, Object[] rowArrays) {
        Operand o = args.operand(slot);
        long rows = turned ? o.cols : o.rows;
        long numbers = (turned ? o.rows : o.cols) * Copies.parts(o.type);
        if (rows <= 0 || numbers <= 0) {
            return;
        }
        if (rowArrays.length < rows) {
            throw refused(slot, "it has " + rows + " rows, and " + rowArrays.length + " arrays are given");
        }
        for (int i = 0; i < rows; i++) {
            if (rowArrays[i] == null || Copies.length(rowArrays[i]) < numbers) {
                throw refused(slot, "its row " + i + " needs " + numbers + " numbers, and "
                        + (rowArrays[i] == null ? "is null" : "has " + Copies.length(rowArrays[i])));
            }
        }
    }

    /** Refuses an array that does not reach as far as its operand. */
    private void require(int slot) {
        Operand o = args.operand(slot);
        if (arrays[slot] instanceof Object[] rowArrays) {
            requireRows(slot, rowArrays);
            return;
        }
        int parts = Copies.parts(o.type);
        long length = Copies.length(arrays[slot]);
        long span = liesByRows(slot) ? spanByRows(o, rowSteps[slot]) : o.span();
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

    private static long spanByRows(Operand o, long step) {
        return o.rows <= 0 || o.cols <= 0 ? 0 : Math.addExact(Math.multiplyExact(o.rows - 1, step), o.cols);
    }

    private BlasException refused(int slot, String text) {
        Routine r = call.routine();
        return call.failure(Status.INVALID_SIZE, r.operandName(origins[slot]), 0, text);
    }
}
