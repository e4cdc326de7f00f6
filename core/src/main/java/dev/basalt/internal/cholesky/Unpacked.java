package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;

/**
 * Packed triangles, written out in the workspace. Of a batch some problems at a time are: what fits in caches costs no way to memory. Products of matrices need
 * dense blocks, and level 2 on what is packed is several times as slow.
 */
final class Unpacked {
    /** The tier in which everything stays packed. */
    static final int NONE = 2;

    /** The slot of the dense triangles, behind those of a factorisation. */
    private static final int SLOT = 2;

    /** What one thread keeps in its second-level cache. */
    private static final long CACHED = 256L << 10;

    /** What keeps a device busy that works in waves. */
    private static final long WAVES = 256L << 20;

    /** Batches of problems up to this order are worked on in lanes, if they have a few: so has each part of them. */
    private static final long LANES_ORDER = 32;

    private static final long LANES = 8;

    /** So many times less is enough for the tier of small blocks. */
    private static final long LESS = 8;

    private Unpacked() {}

    /** Whether one launch of a kernel of packed triangles works as fast as any, with a dense one a thread in its work. */
    static boolean once(Call c, Kernel kernel) {
        return c.args.n <= c.traits.reach().of(kernel, c.args.type);
    }

    /** The tiers of such a launch. A device that works in waves has memory of its own for small triangles. */
    static void needOnce(Call c, Need need) {
        if (!c.traits.reach().waves()) {
            // Each thread's part begins at a cache line: rounding must leave every one of them room.
            long each = Chunks.up(Scope.squareBytes(c.args.type, c.args.n, 1));
            need.tier("unpacked").slot("unpacked", Chunks.times(each, Math.min(c.args.count, c.traits.workers())));
            need.tier("packed");
        }
    }

    /** Begins such a launch on the call's problems; info is that of the call. */
    static Launch launch(Call c, Kernel kernel) {
        Launch l = c.scope.kernel(kernel);
        l.uplo = c.args.uplo;
        l.n = c.args.n;
        l.e.set(c.args.e);
        if (once(c, kernel)) {
            l.work = c.slot(0);
            l.workBytes = c.slotBytes(0);
        }
        return l;
    }

    /** Adds the dense triangles to the tiers of what is done with them. */
    static void need(Call c, Need need, long n) {
        need.part();
        for (int t = 0; t < NONE; t++) {
            long count = Math.min(problems(c, t, n), c.args.count);
            need.tier(Packing.TIERS.get(t)).slot("unpacked", Scope.squareBytes(c.args.type, n, count));
        }
        need.together();
    }

    /** At most so many problems are unpacked at a time: parts of a batch are about equal. */
    private static long problems(Call c, int tier, long n) {
        long count = Math.max(1, c.args.count);
        long bytes = c.traits.reach().waves() ? WAVES : CACHED * c.traits.workers();
        long square = Math.max(1, Scope.squareBytes(c.args.type, n, 1));
        long most = Math.max(1, bytes / (tier == 0 ? 1 : LESS) / square);
        if (n <= LANES_ORDER) {
            most = Math.max(LANES, most);
        }
        long parts = Chunks.ceilDiv(count, most);
        return Chunks.ceilDiv(count, parts);
    }

    /** What is done with the problems of a part of a batch. */
    interface Work {
        /**
         * Does it.
         *
         * @param packed the packed triangles
         * @param sides right-hand sides, or null
         * @param info info of those problems, or null if the call has none
         * @param a room for the dense triangles
         */
        void run(Call c, Operand packed, Operand sides, Operand info, Block a);
    }

    /** Does something with the problems of a call, as many at a time as there is room for their dense triangles; sides may be null. */
    static void parts(Call c, Operand packed, Operand sides, Work work) {
        Packing.use(c, 1);
        Scope s = c.scope;
        Operand packedPart = s.part();
        Operand info = c.args.e.present() ? s.part() : null;
        Operand sidesPart = sides == null ? null : s.part();
        Block a = dense(c);
        long most = problems(c, c.tier(), c.args.n);
        for (long first = 0; first < c.args.count; first += most) {
            int mark = s.mark();
            s.count(Math.min(most, c.args.count - first));
            s.guard = null;
            if (sides != null) {
                sidesPart.problems(sides, first);
            }
            if (info != null) {
                info.problems(c.args.e, first);
            }
            work.run(c, packedPart.problems(packed, first), sidesPart, info, a);
            s.release(mark);
        }
    }

    /** The dense matrix of each problem at work. */
    private static Block dense(Call c) {
        return c.scope.dense(c.slot(SLOT), c.args.n, c.args.n).triangle(c.args.uplo, Diag.NON_UNIT);
    }

    /** The dense triangle a := the packed one. */
    static void unpack(Scope s, Operand packed, Block a) {
        Launch l = copy(s, a);
        l.a.set(packed);
        a.into(l.c);
        s.launch();
    }

    /** The packed triangle := the dense one. */
    static void pack(Scope s, Block a, Operand packed) {
        Launch l = copy(s, a);
        a.into(l.a);
        l.c.set(packed);
        s.launch();
    }

    private static Launch copy(Scope s, Block a) {
        Launch l = s.kernel(Kernel.COPY_STORED);
        l.uplo = a.uplo;
        l.n = a.rows;
        return l;
    }
}
