package dev.basalt.conformance.every;

import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Status;
import dev.basalt.conformance.support.Form;
import dev.basalt.conformance.support.Share;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import dev.basalt.internal.signature.Signatures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** A call of a routine of the table that a seed decides, for suites that look at workspace and not at numbers. */
public final class Sample {
    private final TableCall call;
    private final long seed;

    private Sample(TableCall call, long seed) {
        this.call = call;
        this.seed = seed;
    }

    /** Every routine that has a classic name of its own. */
    public static List<Routine> routines() {
        return Signatures.all()
                .stream()
                .filter(r -> ClassicName.has(call(r, r.signature().typings().get(0), 0, 1)))
                .toList();
    }

    /** A call of any type and form. */
    public static Sample of(Routine routine, long seed, int largest) {
        List<Typing> types = routine.signature().typings();
        return new Sample(call(routine, types.get(new Random(seed).nextInt(types.size())), seed, largest), seed);
    }

    /**
     * Calls of a few of its types, in any form, with dimensions in a range, but for those that others bound.
     *
     * @param what the trials are for, by which types are drawn
     */
    public static List<Sample> ofSomeTypes(Routine routine, long seed, int least, int largest, String what, int few) {
        List<Typing> types = routine.signature()
                .typings()
                .stream()
                .filter(type -> ClassicName.has(call(routine, type, seed, 1)))
                .toList();
        return Arrays.stream(Share.draw(what, types.size(), few))
                .mapToObj(type -> new Sample(call(routine, types.get(type), seed, least, largest), seed))
                .toList();
    }

    private static TableCall call(Routine routine, Typing type, long seed, int largest) {
        return call(routine, type, seed, 0, largest);
    }

    private static TableCall call(Routine routine, Typing type, long seed, int least, int largest) {
        Random random = new Random(seed);
        Form form = Form.values()[random.nextInt(Form.values().length)];
        return new TableCall(routine, type, form, least, largest, random, TableCall.count(form, random));
    }

    /** Whether it has alpha, beta or the like. */
    public boolean hasScalars() {
        return !call.scalars.isEmpty();
    }

    /** The call without memory, for queries. */
    public Status shapes(Handle handle) {
        return ClassicName.run(call, null, handle, false);
    }

    /** Its operands in memory, the same for the same seed. */
    public Operands load(DeviceArena arena) {
        return new Operands(call, new Loaded(call, arena, Set.of(), seed));
    }

    @Override
    public String toString() {
        return call + ", seed " + seed;
    }

    /** The operands of one call. */
    public static final class Operands {
        private final TableCall call;
        private final Loaded memory;

        private Operands(TableCall call, Loaded memory) {
            this.call = call;
            this.memory = memory;
        }

        /** Runs the call on them. */
        public Status run(Handle handle) {
            return ClassicName.run(call, memory, handle, false);
        }

        /** Runs the call on them with scalars in device memory, which are put there at the first time. */
        public Status runWithDeviceScalars(Handle handle) {
            return ClassicName.run(call, memory, handle, true);
        }

        /** They are again as they were loaded. */
        public void reload() {
            memory.reload();
        }

        /** All their memory, bit for bit. */
        public List<Integer> contents() {
            List<Integer> hashes = new ArrayList<>();
            call.stored.keySet().forEach(name -> hashes.add(Arrays.hashCode(memory.content(name))));
            return hashes;
        }
    }
}
