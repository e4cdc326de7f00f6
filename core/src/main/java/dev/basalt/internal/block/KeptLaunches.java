package dev.basalt.internal.block;

import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import java.util.Arrays;

/**
 * The launches of a call on a device whose work is done when a launch returns, to be made again for operands that lie elsewhere. What a call launches follows from shapes alone, so what is kept of an address is the operand of the call in
 * which it lies, or the workspace, and how far from its beginning.
 */
public final class KeptLaunches {
    /** A call of more launches is not kept. */
    private static final int MOST = 40;

    /** Places of a call: its operands a to g, and the workspace. */
    public static final int PLACES = Launch.OPERANDS + 1;

    private static final int WORKSPACE = Launch.OPERANDS;
    private static final int FEW = 8;

    private Launch[] launches = new Launch[FEW];
    private int count;
    /** Launches that clear an info array, which costs less without one. */
    private boolean[] clears = new boolean[FEW];

    private boolean whole;

    /** Where the places begin and end of the call that is kept, and where those began of the one made last. */
    private final long[] begin = new long[PLACES];

    private final long[] end = new long[PLACES];
    private final long[] last = new long[PLACES];

    /** Operands that lie in some place. */
    private Operand[] moved = new Operand[FEW];

    private int[] within = new int[FEW];
    private int all;

    /** By launch, the place of its workspace; -1 for none. */
    private int[] working = new int[FEW];

    /** Nothing is kept. */
    public KeptLaunches() {}

    /**
     * Begins to keep a call.
     *
     * @param args its operands
     * @param work where its workspace lies, 0 for nowhere
     * @param bytes of the workspace
     */
    public void begin(Launch args, long work, long bytes) {
        count = 0;
        all = 0;
        whole = true;
        for (int i = 0; i < Launch.OPERANDS; i++) {
            Operand o = args.operand(i);
            begin[i] = 0;
            end[i] = 0;
            last[i] = o.base;
            if (o.present()) {
                range(i, o, args.count);
            }
        }
        begin[WORKSPACE] = bytes > 0 ? work : 0;
        last[WORKSPACE] = begin[WORKSPACE];
        end[WORKSPACE] = begin[WORKSPACE] + bytes;
        for (int i = 0; i < PLACES; i++) {
            for (int j = 0; j < i; j++) {
                whole &= begin[i] >= end[j] || begin[j] >= end[i];
            }
        }
    }

    private void range(int place, Operand o, long problems) {
        long far = o.pointers ? 0 : (problems - 1) * o.stride * o.type.bytes();
        long span = o.pointers ? 8 * problems : Math.max(1, o.spanBytes() + o.offset);
        begin[place] = o.base + Math.min(0, far);
        end[place] = o.base + Math.max(0, far) + span;
        whole &= o.offset >= 0;
    }

    /**
     * Keeps a launch that is about to be made.
     *
     * @param l the launch
     * @param ordered whether it is on the stream of the call
     */
    void note(Launch l, boolean ordered) {
        whole &= ordered && count < MOST && l.extent == 0 && !l.alpha.onDevice() && !l.beta.onDevice()
                && !l.gamma.onDevice();
        if (!whole) {
            return;
        }
        if (count == launches.length) {
            launches = Arrays.copyOf(launches, 2 * count);
            clears = Arrays.copyOf(clears, 2 * count);
            working = Arrays.copyOf(working, 2 * count);
        }
        if (launches[count] == null) {
            launches[count] = new Launch();
        }
        Launch own = launches[count];
        own.set(l);
        clears[count] = l.kernel == Kernel.FILL && l.type == ElementType.I32 && !l.guarded && l.n == 1;
        working[count] = l.work == 0 ? -1 : place(l.work);
        whole &= l.work == 0 || working[count] >= 0;
        for (int i = 0; i < Launch.OPERANDS; i++) {
            Operand o = own.operand(i);
            if (o.present()) {
                int place = place(o.base);
                whole &= place >= 0;
                move(o, place);
            }
        }
        count++;
    }

    /** What happened cannot be told from launches. */
    public void fail() {
        whole = false;
    }

    private int place(long address) {
        for (int i = 0; i < PLACES; i++) {
            if (begin[i] <= address && address < end[i]) {
                return i;
            }
        }
        return -1;
    }

    private void move(Operand o, int place) {
        if (all == moved.length) {
            moved = Arrays.copyOf(moved, 2 * all);
            within = Arrays.copyOf(within, 2 * all);
        }
        moved[all] = o;
        within[all] = place;
        all++;
    }

    /**
     * Whether the call can be made again that was kept since {@link #begin}.
     *
     * @return whether all of it is known
     */
    public boolean isWhole() {
        return whole;
    }

    /**
     * Makes the launches again.
     *
     * @param driver the device
     * @param stream the stream
     * @param args operands of the same shapes, no two of which begin at the same address
     * @param work where the workspace lies
     */
    public void run(DeviceDriver driver, long stream, Launch args, long work) {
        boolean same = last[WORKSPACE] == work || last[WORKSPACE] == 0;
        for (int i = 0; i < Launch.OPERANDS; i++) {
            same &= last[i] == args.operand(i).base;
        }
        if (!same) {
            moveTo(args, last[WORKSPACE] == 0 ? 0 : work);
        }
        for (int i = 0; i < count; i++) {
            Launch l = launches[i];
            if (clears[i]) {
                for (long problem = 0; problem < l.count; problem++) {
                    Memory.i32(l.c.at(problem), (int) l.alpha.re());
                }
            } else {
                driver.launch(l, stream);
            }
        }
    }

    /** An exception on the way would leave operands of two calls, so nothing here throws. */
    private void moveTo(Launch args, long work) {
        for (int i = 0; i < PLACES; i++) {
            // From here on these are distances.
            long now = i == WORKSPACE ? work : args.operand(i).base;
            begin[i] = now - last[i];
            last[i] = now;
        }
        for (int i = 0; i < all; i++) {
            moved[i].base += begin[within[i]];
        }
        for (int i = 0; i < count; i++) {
            if (working[i] >= 0) {
                launches[i].work += begin[working[i]];
            }
        }
    }
}
