package dev.basalt.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Races planted by hand: each is found on every schedule, and its repaired twin gives no alarm. */
class RaceTest {
    private static final int SEEDS = 12;

    private static final List<Case> CASES = new ArrayList<>();

    private record Case(String name, Consumer<Rig> broken, Consumer<Rig> repaired) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static void plant(String name, Consumer<Rig> broken, Consumer<Rig> repaired) {
        CASES.add(new Case(name, broken, repaired));
    }

    /** One program with a gap: the broken one leaves it empty, the repaired one orders stream 1 before stream 2 there. */
    private static void plant(String name, Consumer<Rig> before, Consumer<Rig> after, Void gap) {
        plant(name, before.andThen(after), before.andThen(rig -> rig.order(1, 2)).andThen(after));
    }

    static {
        plant("write, write", r -> r.fill(1, r.x, 64), r -> r.fill(2, r.x, 64), null);
        plant("write, read", r -> r.fill(1, r.x, 64), r -> r.download(2, r.x, 64), null);
        plant("read, write", r -> r.download(1, r.x, 64), r -> r.fill(2, r.x, 64), null);
        plant("one byte of overlap", r -> r.fill(1, r.x, 65), r -> r.fill(2, r.x + 64, 64), null);
        plant("event recorded before the write", r -> {
            r.sim.recordEvent(r.event[0], r.stream[1]);
            r.fill(1, r.x, 64);
            r.sim.waitEvent(r.stream[2], r.event[0]);
            r.fill(2, r.x, 64);
        }, r -> {
            r.fill(1, r.x, 64);
            r.sim.recordEvent(r.event[0], r.stream[1]);
            r.sim.waitEvent(r.stream[2], r.event[0]);
            r.fill(2, r.x, 64);
        });
        plant("wait on the wrong stream", r -> {
            r.fill(1, r.x, 64);
            r.order(1, 3);
            r.fill(2, r.x, 64);
        }, r -> {
            r.fill(1, r.x, 64);
            r.order(1, 3);
            r.fill(3, r.x, 64);
        });
        plant("wait for an event that is not recorded yet", r -> {
            r.fill(1, r.x, 64);
            r.sim.waitEvent(r.stream[2], r.event[0]);
            r.sim.recordEvent(r.event[0], r.stream[1]);
            r.fill(2, r.x, 64);
        }, r -> {
            r.fill(1, r.x, 64);
            r.sim.recordEvent(r.event[0], r.stream[1]);
            r.sim.waitEvent(r.stream[2], r.event[0]);
            r.fill(2, r.x, 64);
        });
        plant("wait took the recording before the last", r -> {
            r.sim.recordEvent(r.event[0], r.stream[1]);
            r.sim.waitEvent(r.stream[2], r.event[0]);
            r.fill(1, r.x, 64);
            r.sim.recordEvent(r.event[0], r.stream[1]);
            r.fill(2, r.x, 64);
        }, r -> {
            r.sim.recordEvent(r.event[0], r.stream[1]);
            r.fill(1, r.x, 64);
            r.sim.recordEvent(r.event[0], r.stream[1]);
            r.sim.waitEvent(r.stream[2], r.event[0]);
            r.fill(2, r.x, 64);
        });
        plant("event recorded again by another stream", r -> {
            r.fill(1, r.x, 64);
            r.sim.recordEvent(r.event[0], r.stream[1]);
            r.sim.recordEvent(r.event[0], r.stream[3]);
            r.sim.waitEvent(r.stream[2], r.event[0]);
            r.fill(2, r.x, 64);
        }, r -> {
            r.fill(1, r.x, 64);
            r.sim.recordEvent(r.event[0], r.stream[1]);
            r.sim.recordEvent(r.event[1], r.stream[3]);
            r.sim.waitEvent(r.stream[2], r.event[0]);
            r.fill(2, r.x, 64);
        });
        plant("chain over three streams lacks a link", r -> {
            r.fill(1, r.x, 64);
            r.order(1, 2);
            r.fill(3, r.x, 64);
        }, r -> {
            r.fill(1, r.x, 64);
            r.order(1, 2);
            r.order(2, 3);
            r.fill(3, r.x, 64);
        });
        plant("host waits for the wrong stream", r -> {
            r.fill(1, r.x, 64);
            r.sim.synchronizeStream(r.stream[3]);
            r.fill(2, r.x, 64);
        }, r -> {
            r.fill(1, r.x, 64);
            r.sim.synchronizeStream(r.stream[1]);
            r.fill(2, r.x, 64);
        });
        plant("host waits for an event recorded too early", r -> {
            r.sim.recordEvent(r.event[0], r.stream[1]);
            r.fill(1, r.x, 64);
            r.sim.synchronizeEvent(r.event[0]);
            r.fill(2, r.x, 64);
        }, r -> {
            r.fill(1, r.x, 64);
            r.sim.recordEvent(r.event[0], r.stream[1]);
            r.sim.synchronizeEvent(r.event[0]);
            r.fill(2, r.x, 64);
        });
        plant("submission later is not order", r -> {
            r.fill(1, r.x, 64);
            r.sim.run(100);
            r.fill(2, r.x, 64);
        }, r -> {
            r.fill(1, r.x, 64);
            r.sim.synchronize();
            r.fill(2, r.x, 64);
        });
        plant("the default stream is ordered with no other", r -> {
            r.fill(1, r.x, 64);
            r.fill(0, r.x, 64);
        }, r -> {
            r.fill(1, r.x, 64);
            r.order(1, 0);
            r.fill(0, r.x, 64);
        });
        plant("one workspace, two streams", r -> r.launch(1, Rig.gemm(4, r.x, r.x + 128, r.x + 256, r.y, 512)),
                r -> r.launch(2, Rig.gemm(4, r.x, r.x + 128, r.x + 384, r.y, 512)), null);
        plant("scalar on the device", r -> {
            Launch launch = Rig.axpy(4, 1, r.x, r.x + 64);
            launch.alpha.device(r.y, ElementType.F64);
            r.launch(1, launch);
        }, r -> r.fill(2, r.y, 8), null);
        plant("info of a guarded kernel", r -> {
            Launch launch = Rig.axpy(4, 1, r.x, r.x + 64);
            launch.guarded = true;
            launch.e.vector(ElementType.I32, r.y, 1, 1, 1);
            r.launch(1, launch);
        }, r -> r.fill(2, r.y, 4), null);
        plant("result of a reduction read early", r -> {
            Launch launch = new Launch().reset(Kernel.DOT, ElementType.F64, 1);
            launch.n = 4;
            launch.a.vector(ElementType.F64, r.x, 4, 1, 0);
            launch.b.vector(ElementType.F64, r.x, 4, 1, 0);
            launch.d.vector(ElementType.F64, r.y, 1, 1, 1);
            r.launch(1, launch);
        }, r -> r.download(2, r.y, 8), null);
        plant("blocks of rows overlap by a row", r -> {
            r.launch(1, Rig.copyMatrix(4, 8, r.y, 8, r.x, 8));
            r.launch(2, Rig.copyMatrix(4, 8, r.y, 8, r.x + 24, 8));
        }, r -> {
            r.launch(1, Rig.copyMatrix(4, 8, r.y, 8, r.x, 8));
            r.launch(2, Rig.copyMatrix(4, 8, r.y, 8, r.x + 32, 8));
        });
        plant("increments that meet, one of them negative", r -> {
            r.launch(1, strided(r, 2, r.x));
            r.launch(2, strided(r, -2, r.x + 32));
        }, r -> {
            r.launch(1, strided(r, 2, r.x));
            r.launch(2, strided(r, -2, r.x + 8));
        });
        plant("the third problem of a strided batch", r -> {
            r.launch(1, batch(r, 4));
            r.fill(2, r.x + 2 * 256, 8);
        }, r -> {
            r.launch(1, batch(r, 4));
            r.fill(2, r.x + 2 * 256 + 128, 8);
        });
        plant("one problem of a table of pointers", r -> {
            r.launch(1, table(r, r.x, r.x + 256));
            r.fill(2, r.x + 256, 8);
        }, r -> {
            r.launch(1, table(r, r.x, r.x + 256));
            r.fill(2, r.x + 128, 8);
        });
        plant("table of pointers overwritten under a kernel", r -> r.launch(1, table(r, r.x, r.x + 256)),
                r -> r.upload(2, r.host + 1024, r.y, 16), null);
        plant("host memory of two copies", r -> r.download(1, r.x, r.host + 512, 64),
                r -> r.upload(2, r.host + 512, r.y, 64), null);
        plant("freed on one stream, used on another", r -> {
            long pool = r.sim.createPool();
            long z = r.sim.allocateAsync(pool, 256, r.stream[1]);
            r.order(1, 2);
            r.fill(2, z, 64);
            r.sim.freeAsync(z, r.stream[1]);
        }, r -> {
            long pool = r.sim.createPool();
            long z = r.sim.allocateAsync(pool, 256, r.stream[1]);
            r.order(1, 2);
            r.fill(2, z, 64);
            r.order(2, 1);
            r.sim.freeAsync(z, r.stream[1]);
        });
        plant("allocated on one stream, used at once on another", r -> {
            long z = r.sim.allocateAsync(r.sim.createPool(), 256, r.stream[1]);
            r.sim.run(100);
            r.fill(2, z, 64);
        }, r -> {
            long z = r.sim.allocateAsync(r.sim.createPool(), 256, r.stream[1]);
            r.order(1, 2);
            r.fill(2, z, 64);
        });
        plant("addresses released in use", r -> {
            long z = r.sim.reserve(4 << 20);
            r.sim.commit(z, 0, 64);
            r.fill(1, z, 64);
            r.sim.run(100);
            r.sim.release(z);
        }, r -> {
            long z = r.sim.reserve(4 << 20);
            r.sim.commit(z, 0, 64);
            r.fill(1, z, 64);
            r.sim.synchronizeStream(r.stream[1]);
            r.sim.release(z);
        });
        plant("one graph on two streams at once", r -> {
            long graph = graph(r);
            r.sim.launchGraph(graph, r.stream[1]);
            r.sim.launchGraph(graph, r.stream[2]);
        }, r -> {
            long graph = graph(r);
            r.sim.launchGraph(graph, r.stream[1]);
            r.order(1, 2);
            r.sim.launchGraph(graph, r.stream[2]);
        });
        plant("branches of one graph", r -> {
            r.sim.beginCapture(r.stream[1]);
            r.order(1, 2);
            r.fill(1, r.x, 64);
            r.fill(2, r.x, 64);
            r.order(2, 1);
            r.sim.endCapture(r.stream[1]);
        }, r -> {
            r.sim.beginCapture(r.stream[1]);
            r.order(1, 2);
            r.fill(2, r.x, 64);
            r.order(2, 1);
            r.fill(1, r.x, 64);
            r.sim.endCapture(r.stream[1]);
        });
        plant("work of a destroyed stream", r -> {
            r.fill(1, r.x, 64);
            r.sim.destroyStream(r.stream[1]);
            r.stream[1] = r.sim.createStream();
            r.fill(1, r.x, 64);
        }, r -> {
            r.fill(1, r.x, 64);
            r.sim.synchronizeStream(r.stream[1]);
            r.sim.destroyStream(r.stream[1]);
            r.stream[1] = r.sim.createStream();
            r.fill(1, r.x, 64);
        });
        plant("second race behind one that is ordered", r -> {
            r.fill(1, r.x, 64);
            r.order(1, 2);
            r.fill(1, r.x, 64);
            r.download(2, r.x, 64);
        }, r -> {
            r.fill(1, r.x, 64);
            r.fill(1, r.x, 64);
            r.order(1, 2);
            r.download(2, r.x, 64);
        });
    }

    private static Launch strided(Rig r, long inc, long to) {
        Launch launch = Rig.copy(4, r.y, to);
        launch.c.ld = inc;
        return launch;
    }

    /** Problems of 8 doubles, 256 bytes apart. */
    private static Launch batch(Rig r, long problems) {
        Launch launch = Rig.copy(8, r.y, r.x);
        launch.count = problems;
        launch.c.stride = 32;
        return launch;
    }

    private static Launch table(Rig r, long first, long second) {
        Memory.i64(r.host, first);
        Memory.i64(r.host + 8, second);
        Memory.i64(r.host + 1024, first);
        Memory.i64(r.host + 1032, second);
        r.upload(1, r.host, r.y, 16);
        Launch launch = Rig.copy(8, r.y + 512, r.y);
        launch.count = 2;
        launch.c.pointers = true;
        return launch;
    }

    private static long graph(Rig r) {
        r.sim.beginCapture(r.stream[1]);
        r.fill(1, r.x, 64);
        return r.sim.endCapture(r.stream[1]);
    }

    static Stream<Case> cases() {
        return CASES.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isFoundOnEverySchedule(Case planted) {
        forEverySchedule(planted.broken, rig -> {
            assertThat(rig.sim.hazards()).anyMatch(hazard -> hazard.kind() == Hazard.Kind.RACE);
            assertThat(rig.sim.hazards().get(0).toString()).contains("stream");
        });
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isGoneWhenRepaired(Case planted) {
        forEverySchedule(planted.repaired, rig -> rig.sim.assertNoHazards());
    }

    @Test
    void thereAreEnough() {
        assertThat(CASES).hasSizeGreaterThanOrEqualTo(30);
    }

    @Test
    void canBeThrown() {
        try (Rig rig = new Rig(SimDriver.builder().throwOnHazard(true))) {
            rig.fill(1, rig.x, 64);
            assertThatThrownBy(() -> rig.fill(2, rig.x, 64)).isInstanceOf(AssertionError.class)
                    .hasMessageContaining("RACE");
        }
    }

    @Test
    void isReportedOnceForEachPair() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            rig.launch(1, Rig.axpy(8, 2, rig.x, rig.y));
            rig.launch(2, Rig.axpy(8, 2, rig.y, rig.x));
            assertThat(rig.sim.hazards()).hasSize(1);
            rig.sim.clearHazards();
            rig.sim.assertNoHazards();
        }
    }

    private static void forEverySchedule(Consumer<Rig> program, Consumer<Rig> check) {
        for (Scheduling mode : Scheduling.values()) {
            for (long seed = 1; seed <= SEEDS; seed++) {
                try (Rig rig = Rig.of(mode, seed)) {
                    program.accept(rig);
                    // What is known only when it runs, such as pointers in a table, must have run.
                    rig.sim.run(Integer.MAX_VALUE);
                    check.accept(rig);
                } catch (AssertionError e) {
                    throw new AssertionError(mode + ", seed " + seed, e);
                }
            }
        }
    }
}
