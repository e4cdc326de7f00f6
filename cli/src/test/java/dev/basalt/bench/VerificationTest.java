package dev.basalt.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every routine of the table passes its check in every type and form, beside OpenBLAS too, and nothing wrong does. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VerificationTest {
    private Device device;
    private Handle handle;
    private Peer openBlas;

    @BeforeAll
    void open() {
        device = Device.open("host:threads=1");
        handle = device.createHandle();
        // Its jar is on the class path of the tests.
        openBlas = new NativePeer(NativeLibrary.of("openblas", null, ""), 1);
    }

    @AfterAll
    void close() {
        handle.close();
        device.close();
    }

    @ParameterizedTest
    @EnumSource(Routine.class)
    void bothLibrariesPass(Routine routine) {
        for (Workload w : workloads(routine)) {
            try (Operands operands = new Operands(device, w, 1)) {
                Call basalt = BasaltCalls.bind(handle, w, operands)[0];
                assertThat(Verification.error(w, operands, basalt, true)).as("%s", w).isLessThanOrEqualTo(0.5);
                Call[] peer = openBlas.bind(w, operands);
                assertThat(peer).as("%s", w).isNotNull();
                assertThat(Verification.error(w, operands, peer[0], false)).as("OpenBLAS %s", w)
                        .isLessThanOrEqualTo(0.5);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Routine.class)
    void aWrongElementIsFound(Routine routine) {
        for (Workload w : workloads(routine)) {
            for (Slot slot : routine.slots()) {
                if (!slot.access().writes()) {
                    continue;
                }
                try (Operands operands = new Operands(device, w, 1)) {
                    Call right = BasaltCalls.bind(handle, w, operands)[0];
                    Call wrong = () -> {
                        double value = right.run();
                        spoil(w, slot, operands.copy(0));
                        return value;
                    };
                    assertThat(Verification.error(w, operands, wrong, true)).as("%s, %s", w, slot.name())
                            .isGreaterThan(1);
                }
            }
            if (routine.reduces() && w.form == Form.SINGLE) {
                try (Operands operands = new Operands(device, w, 1)) {
                    Call right = BasaltCalls.bind(handle, w, operands)[0];
                    Call wrong = () -> 1.001 * right.run() + 0.001;
                    assertThat(Verification.error(w, operands, wrong, true)).isGreaterThan(1);
                }
            }
        }
    }

    /** Adds to the first element: it is on the diagonal, in every triangle. */
    private static void spoil(Workload w, Slot slot, Operands.Copy copy) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment now = copy.download(slot.name(), arena);
            long first = slot.name().isVector() && w.leading(slot.name()) < 0 ? w.span(slot) - 1 : 0;
            long at = first * (w.type.isComplex() ? 2 : 1);
            if (w.type.real() == ElementType.F32) {
                now.setAtIndex(ValueLayout.JAVA_FLOAT, at, now.getAtIndex(ValueLayout.JAVA_FLOAT, at) + 0.01f);
            } else {
                now.setAtIndex(ValueLayout.JAVA_DOUBLE, at, now.getAtIndex(ValueLayout.JAVA_DOUBLE, at) + 0.01);
            }
            copy.upload(slot.name(), now);
        }
    }

    private static List<Workload> workloads(Routine routine) {
        List<Workload> all = new ArrayList<>();
        for (Form form : Form.values()) {
            for (String type : routine.types().split("")) {
                Arguments args = new Arguments().set("function", routine.family() + form.suffix())
                        .set("precision", type)
                        .set("n", "13");
                set(args, routine, "m", "m", "19");
                set(args, routine, "k", "k", "8");
                set(args, routine, "nrhs", "nrhs", "3");
                set(args, routine, "uplo", "uplo", "L");
                set(args, routine, "side", "side", "R");
                set(args, routine, "tA", "transposeA", routine == Routine.HERK ? "C" : "T");
                set(args, routine, "tB", "transposeB", "C");
                set(args, routine, "alpha", "alpha", "0.5");
                set(args, routine, "beta", "beta", "-0.25");
                set(args, routine, "x", "incx", routine.slots().size() == 1 ? "2" : "-2");
                set(args, routine, "A", "lda", "23");
                if (form != Form.SINGLE) {
                    args.set("batch_count", "3");
                }
                all.add(args.workload());
            }
        }
        return all;
    }

    private static void set(Arguments args, Routine routine, String argument, String name, String text) {
        if (routine.has(argument)) {
            args.set(name, text);
        }
    }
}
