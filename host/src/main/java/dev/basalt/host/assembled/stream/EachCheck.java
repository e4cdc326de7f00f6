package dev.basalt.host.assembled.stream;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.code.CodeMemory;
import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.stream.EachCode.Mode;
import dev.basalt.host.assembled.stream.EachCode.Slot;
import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Vectors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Runs a new {@link EachCode} over a kernel that notes what it was given, and compares. */
final class EachCheck {
    private static final int PROBLEMS = 5;
    /** Numbers that a kernel gets: six integers and two more. */
    private static final int GIVEN = 8;
    private static final int OFFSET = 40;

    private static MemorySegment witness;

    private EachCheck() {}

    /**
     * Notes its arguments where integer 0 points, moves that place on, returns alpha plus the second integer. Integer 0 is the address
     * of the place.
     */
    private static synchronized MemorySegment witness() {
        if (witness == null) {
            Emitter code = new Emitter();
            Vectors v = new Vectors(code, Isa.AVX2, Real.F64);
            code.load(Gp.R10, Mem.at(Gp.RDI, 0));
            for (int i = 0; i < GIVEN - 2; i++) {
                code.store(Mem.at(Gp.R10, 8 * i), CallingConvention.SYSTEM_V.integer(i));
            }
            v.storeOne(Mem.at(Gp.R10, 8 * (GIVEN - 2)), 0);
            v.storeOne(Mem.at(Gp.R10, 8 * (GIVEN - 1)), 1);
            code.add(Gp.R10, 8 * GIVEN);
            code.store(Mem.at(Gp.RDI, 0), Gp.R10);
            code.mov(Gp.RAX, Gp.RSI);
            code.add(Gp.RAX, 1);
            code.finish();
            witness = CodeMemory.install(code.code());
        }
        return witness;
    }

    static boolean agrees(MemorySegment code, EachCode.Kind kind, Mode mode) {
        try (Arena arena = Arena.ofConfined()) {
            long notes = arena.allocate(8L * GIVEN * PROBLEMS, 8).address();
            long place = arena.allocate(8, 8).address();
            long frame = arena.allocate(8L * Slot.values().length, 8).address();
            long results = arena.allocate(8L * (PROBLEMS + 1), 8).address();
            long xs = arena.allocate(8L * PROBLEMS, 8).address();
            long ys = arena.allocate(8L * PROBLEMS, 8).address();
            for (int i = 0; i < PROBLEMS; i++) {
                i64(xs + 8L * i, 1000 + 7 * i * i);
                i64(ys + 8L * i, 5000 + 9 * i * i);
            }
            i64(place, notes);
            i64(results + 8L * PROBLEMS, -1);
            boolean xTable = mode == Mode.TABLES;
            boolean yTable = mode == Mode.TABLES;
            i64(frame, place);
            for (int i = 1; i < GIVEN - 2; i++) {
                i64(frame + 8L * i, 100 + i);
            }
            i64(frame + Slot.INTEGER_1.offset(), xTable ? xs : 1000);
            if (kind.second != 0) {
                i64(frame + 8L * kind.second, yTable ? ys : 5000);
            }
            f64(frame + Slot.ALPHA.offset(), 1.5);
            f64(frame + Slot.BETA.offset(), -2.5);
            i64(frame + Slot.STEP_X.offset(), OFFSET);
            i64(frame + Slot.STEP_Y.offset(), 2 * OFFSET);
            i64(frame + Slot.STEP_RESULT.offset(), 3 * OFFSET);
            i64(frame + Slot.RESULT.offset(), kind.result > 0 ? 9000 : results);
            long unused = NativeCall.code(code, witness().address(), PROBLEMS, frame, 0, 0, 0);
            boolean good = i64(place) == notes + 8L * GIVEN * PROBLEMS && i64(results + 8L * PROBLEMS) == -1;
            for (int i = 0; i < PROBLEMS; i++) {
                long x = xTable ? 1000 + 7 * i * i + OFFSET : 1000 + (long) OFFSET * i;
                long y = yTable ? 5000 + 9 * i * i + 2 * OFFSET : 5000 + 2L * OFFSET * i;
                long at = notes + 8L * GIVEN * i;
                good &= i64(at) == place && i64(at + 8) == x;
                for (int j = 2; j < GIVEN - 2; j++) {
                    long expected = j == kind.second ? y : j == kind.result ? 9000 + 3L * OFFSET * i : 100 + j;
                    good &= i64(at + 8L * j) == expected;
                }
                good &= f64(at + 8L * (GIVEN - 2)) == 1.5 && f64(at + 8L * (GIVEN - 1)) == -2.5;
                good &= kind.result >= 0 || i64(results + 8L * i) == x + 1;
            }
            return good;
        }
    }
}
