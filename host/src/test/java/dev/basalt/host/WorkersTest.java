package dev.basalt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limit is there for what hangs; beside other work the tests take as long as they take. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class WorkersTest {
    private final List<Workers> open = new ArrayList<>();

    private Workers workers(int count) {
        Workers workers = new Workers(count);
        open.add(workers);
        return workers;
    }

    @AfterEach
    void end() {
        open.forEach(Workers::release);
    }

    private static void fork(Workers workers, int parts, Workers.Task task) {
        assertThat(workers.tryTake()).isTrue();
        try {
            workers.fork(task, parts, 0);
        } finally {
            workers.leave();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void aHundredThousandForksLoseNothing(int count) {
        Workers workers = workers(count);
        long[] runs = new long[16 * count];
        Workers.Task task = part -> runs[16 * part]++;
        for (int i = 0; i < 100_000; i++) {
            if (!workers.tryTake()) {
                throw new AssertionError("taken");
            }
            workers.fork(task, 2 + i % (count - 1), 0);
            workers.leave();
        }
        long sum = 0;
        for (int p = 0; p < count; p++) {
            sum += runs[16 * p];
        }
        long expected = 0;
        for (int i = 0; i < 100_000; i++) {
            expected += 2 + i % (count - 1);
        }
        assertThat(sum).isEqualTo(expected);
        assertThat(runs[0]).isEqualTo(100_000);
        assertThat(workers.forks()).isEqualTo(100_000);
    }

    @Test
    void parkedHelpersWakeUp() {
        Workers workers = workers(3);
        AtomicLong helped = new AtomicLong();
        // A helper may find no core for long, but not for ever.
        for (int i = 0; i < 50 || helped.get() == 0; i++) {
            LockSupport.parkNanos(1_000_000);
            fork(workers, 3, part -> {
                if (!Thread.currentThread().getName().startsWith("basalt-host-")) {
                    LockSupport.parkNanos(500_000);
                } else {
                    helped.incrementAndGet();
                }
            });
        }
        assertThat(helped.get()).isPositive();
    }

    @Test
    void aHelperThatIsOnlyWakingUpIsToldFromOneWithoutACore() {
        Workers workers = workers(2);
        fork(workers, 2, part -> {}); // starts it
        int waking = 0;
        while (waking < 3) {
            LockSupport.parkNanos(2_000_000);
            if (workers.awake(2) == 2) {
                continue;
            }
            fork(workers, 2, part -> {});
            if (workers.late() && workers.waking()) {
                waking++;
            }
        }
        assertThat(waking).isEqualTo(3);
    }

    @Test
    void anExceptionOfAnyPartReachesTheCallerAfterAllPartsAreDone() {
        Workers workers = workers(4);
        for (int i = 0; i < 2_000; i++) {
            int bad = i % 4;
            AtomicInteger done = new AtomicInteger();
            assertThatThrownBy(() -> fork(workers, 4, part -> {
                if (part == bad) {
                    throw new IllegalStateException("part " + part);
                }
                LockSupport.parkNanos(part == 3 ? 10_000 : 0);
                done.incrementAndGet();
            })).isInstanceOf(IllegalStateException.class).hasMessage("part " + bad);
            assertThat(done.get()).isEqualTo(3);
        }
        AtomicInteger done = new AtomicInteger();
        fork(workers, 4, part -> done.incrementAndGet());
        assertThat(done.get()).as("a fork after failures").isEqualTo(4);
    }

    @Test
    void severalFailuresComeAsOne() {
        Workers workers = workers(3);
        assertThatThrownBy(() -> fork(workers, 3, part -> {
            throw new AssertionError("part " + part);
        })).isInstanceOf(AssertionError.class)
                .hasMessage("part 0")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
    }

    @Test
    void aPartFindsTheHelpersTaken() {
        Workers workers = workers(3);
        AtomicInteger nested = new AtomicInteger();
        fork(workers, 3, part -> {
            if (workers.tryTake()) {
                nested.incrementAndGet();
            }
        });
        assertThat(nested.get()).isZero();
        assertThat(workers.tryTake()).isTrue();
        workers.leave();
    }

    @Test
    void ofTwoUserThreadsOneHasTheHelpersAndTheOtherGoesOnAlone() throws InterruptedException {
        Workers workers = workers(3);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger clashes = new AtomicInteger();
        AtomicLong forked = new AtomicLong();
        AtomicLong alone = new AtomicLong();
        Runnable user = () -> {
            long[] runs = new long[16 * 3];
            long forks = 0;
            for (int i = 0; i < 50_000; i++) {
                if (workers.tryTake()) {
                    if (inside.incrementAndGet() != 1) {
                        clashes.incrementAndGet();
                    }
                    workers.fork(part -> runs[16 * part]++, 3, 0);
                    inside.decrementAndGet();
                    workers.leave();
                    forks++;
                } else {
                    alone.incrementAndGet();
                }
            }
            for (int p = 0; p < 3; p++) {
                if (runs[16 * p] != forks) {
                    clashes.incrementAndGet();
                }
            }
            forked.addAndGet(forks);
        };
        Thread other = new Thread(user);
        other.start();
        user.run();
        other.join();
        assertThat(clashes.get()).isZero();
        assertThat(forked.get()).isEqualTo(workers.forks()).isPositive();
        assertThat(forked.get() + alone.get()).isEqualTo(100_000);
    }

    @Test
    void afterTheLastReleaseTheThreadsEndAndForksAreRefused() throws InterruptedException {
        Workers workers = new Workers(2);
        Thread[] helper = new Thread[1];
        while (helper[0] == null) {
            fork(workers, 2, part -> {
                if (Thread.currentThread().getName().startsWith("basalt-host-")) {
                    helper[0] = Thread.currentThread();
                } else {
                    LockSupport.parkNanos(1_000_000);
                }
            });
        }
        workers.release();
        helper[0].join();
        assertThat(helper[0].isAlive()).isFalse();
        assertThat(workers.tryTake()).isFalse();
    }

    @Test
    void theProcessHasOneSetWhileAnyDeviceIsOpen() {
        Workers first = Workers.share(2);
        Workers second = Workers.share(5);
        assertThat(second).isSameAs(first);
        first.release();
        assertThat(first.tryTake()).as("still open").isTrue();
        first.leave();
        second.release();
        assertThat(first.tryTake()).as("closed").isFalse();
        Workers third = Workers.share(3);
        assertThat(third.count()).isEqualTo(3);
        third.release();
    }

    @Test
    void aForkMakesNoGarbage() throws ReflectiveOperationException {
        Workers workers = workers(2);
        Workers.Task task = part -> {};
        Runnable many = () -> {
            for (int i = 0; i < 20_000; i++) {
                workers.tryTake();
                workers.fork(task, 2, 0);
                workers.leave();
            }
        };
        assertThat(Garbage.of(5, 20_000, many)).isLessThan(20_000);
    }
}
