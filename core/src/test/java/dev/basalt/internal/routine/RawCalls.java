package dev.basalt.internal.routine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.basalt.BlasException;
import dev.basalt.DegradePolicy;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.DeviceMemory;
import dev.basalt.Status;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.call.Protocol;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.workspace.Lifetime;
import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.internal.workspace.StreamRef;
import dev.basalt.internal.workspace.WorkspaceCore;
import dev.basalt.internal.workspace.WorkspaceOptions;
import dev.basalt.type.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;

/** Calls made straight into the frame, as the classic names do, so that arguments can be wrong in ways that views forbid. */
abstract class RawCalls {
    private static final long OPERAND_BYTES = 1 << 16;

    /** A broken rule: how to break it, and what is then reported. */
    record Rule(Status status, String argument, Consumer<Call> breaks) {}

    final FakeDriver driver = new FakeDriver();
    private final Device device = Device.of(driver);
    private final DeviceArena arena = device.arena();
    final DeviceMemory memory = arena.allocate(6 * OPERAND_BYTES);
    final MemoryCore raw = new MemoryCore(driver, memory.address(), memory.byteSize(),
            new Lifetime("the arena that owns its memory is closed", null));
    private final StreamRef stream = new StreamRef(0);
    private final WorkspaceCore workspace =
            new WorkspaceCore(driver, new WorkspaceOptions(-1, 0, false, Long.MAX_VALUE, false), stream);
    final HandleCore core = new HandleCore(driver, stream, workspace, DegradePolicy.ALLOW);

    @AfterEach
    void closeAll() {
        workspace.close();
        arena.close();
        device.close();
    }

    /** A vector with memory, count as the call. */
    void vector(Call f, int operand, ElementType type, long n, long inc) {
        f.args.operand(operand).vector(type, memory.address() + operand * OPERAND_BYTES, n, inc, n);
        f.memory(operand, raw, OPERAND_BYTES, 0, f.args.count);
    }

    /** A matrix with memory, count as the call. */
    void matrix(Call f, int operand, ElementType type, long rows, long cols, long ld) {
        f.args.operand(operand).matrix(type, memory.address() + operand * OPERAND_BYTES, rows, cols, ld, ld * cols);
        f.memory(operand, raw, OPERAND_BYTES, 0, f.args.count);
    }

    /** Takes an operand's address away, if the routine has such an operand. */
    static Consumer<Call> absent(int operand) {
        return f -> {
            if (f.args.operand(operand).present()) {
                f.args.operand(operand).base = 0;
                f.memory(operand, null, 0, 0, f.args.count);
            }
        };
    }

    /** The address of an operand made here. */
    long address(int operand) {
        return memory.address() + operand * OPERAND_BYTES;
    }

    /** Fills the frame with {@code valid}, then with {@code changes}, and calls. */
    @SafeVarargs
    final Status call(Routine routine, ElementType type, Consumer<Call> valid, Consumer<Call>... changes) {
        Call f = Protocol.begin(core, routine, type);
        valid.accept(f);
        for (Consumer<Call> change : changes) {
            change.accept(f);
        }
        return Protocol.execute(core);
    }

    @SafeVarargs
    final BlasException failure(Routine routine, ElementType type, Consumer<Call> valid, Consumer<Call>... changes) {
        int before = driver.launches;
        BlasException e = catchThrowableOfType(BlasException.class, () -> call(routine, type, valid, changes));
        assertThat(driver.launches).as("launches of a failed call").isEqualTo(before);
        return e;
    }

    /**
     * For every rule a test in which it and all later ones are broken, of which it must be the one reported: so each rule exists, and
     * they come in this order.
     */
    List<DynamicTest> inOrder(Routine routine, ElementType type, Consumer<Call> valid, List<Rule> rules) {
        List<DynamicTest> tests = new ArrayList<>();
        tests.add(DynamicTest.dynamicTest("all well", () -> {
            assertThat(call(routine, type, valid)).isEqualTo(Status.SUCCESS);
            assertThat(driver.launches).isPositive();
        }));
        for (int i = 0; i < rules.size(); i++) {
            Rule first = rules.get(i);
            Rule[] broken = rules.subList(i, rules.size()).toArray(Rule[]::new);
            tests.add(DynamicTest.dynamicTest(i + " " + first.status() + " " + first.argument(), () -> {
                BlasException e = failure(routine, type, valid, f -> {
                    for (Rule rule : broken) {
                        rule.breaks().accept(f);
                    }
                });
                assertThat(e).isNotNull();
                assertThat(e.status()).as(e.getMessage()).isEqualTo(first.status());
                assertThat(e.argument()).as(e.getMessage()).isEqualTo(first.argument());
                assertThat(e.routine()).isEqualTo(routine.name(type));
            }));
        }
        return tests;
    }

    static Rule value(String argument, Consumer<Call> breaks) {
        return new Rule(Status.INVALID_VALUE, argument, breaks);
    }

    static Rule size(String argument, Consumer<Call> breaks) {
        return new Rule(Status.INVALID_SIZE, argument, breaks);
    }

    static Rule pointer(String argument, Consumer<Call> breaks) {
        return new Rule(Status.INVALID_POINTER, argument, breaks);
    }
}
