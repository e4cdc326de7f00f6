package dev.basalt.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** At most one thread is ever inside a handle, however many come at the same moment by whichever way. */
@Timeout(120)
class OccupancyTest {
    /** A handle's occupancy, with what only the thread inside touches. */
    private static final class Room {
        final Occupancy door = new Occupancy();
        final AtomicLong entered = new AtomicLong();
        final AtomicLong turnedAway = new AtomicLong();
        // Plain on purpose: if two are inside, one of them sees the other's name here.
        private Thread occupant;
        private long visits;
        private volatile String trouble;

        void visit(int way) {
            if (!enter(way)) {
                turnedAway.setPlain(turnedAway.getPlain() + 1);
                return;
            }
            Thread me = Thread.currentThread();
            if (occupant != null) {
                trouble = occupant.getName() + " was inside when " + me.getName() + " came in";
            }
            occupant = me;
            long before = visits;
            visits = before + 1;
            for (int i = 0; i < 5; i++) {
                Thread.onSpinWait();
            }
            if (occupant != me || visits != before + 1) {
                trouble = "somebody came in while " + me.getName() + " was inside";
            }
            occupant = null;
            leave(way);
        }

        private boolean enter(int way) {
            if (way == 0) {
                return door.occupyDirect();
            }
            if (way == 1) {
                return door.occupyAlone();
            }
            try {
                door.occupy("visit");
                return true;
            } catch (IllegalStateException e) {
                return false;
            }
        }

        private void leave(int way) {
            if (way == 0) {
                door.leaveDirect();
            } else {
                door.leave();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRegularAndANewcomerAreNeverInsideTogether(boolean virtual) throws InterruptedException {
        int rounds = 3_000;
        long seed = System.nanoTime();
        System.out.println("OccupancyTest: seed " + seed);
        Random random = new Random(seed);
        Room[] rooms = new Room[rounds];
        int[] delays = new int[rounds];
        for (int r = 0; r < rounds; r++) {
            rooms[r] = new Room();
            delays[r] = random.nextInt(300);
        }
        CyclicBarrier barrier = new CyclicBarrier(2);
        int[] current = {-1};
        Thread regular = factory(virtual).newThread(() -> {
            for (int r = 0; r < rounds; r++) {
                await(barrier);
                for (int i = 0; i < 300; i++) {
                    rooms[r].visit(0);
                }
                current[0] = r;
            }
        });
        regular.start();
        for (int r = 0; r < rounds; r++) {
            await(barrier);
            for (int i = 0; i < delays[r]; i++) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < 4; i++) {
                rooms[r].visit(r % 3);
            }
        }
        regular.join();
        assertThat(current[0]).isEqualTo(rounds - 1);
        long away = 0;
        for (Room room : rooms) {
            assertThat(room.trouble).isNull();
            assertThat(room.visits + room.turnedAway.get()).isLessThanOrEqualTo(304);
            away += room.turnedAway.get();
        }
        // The rounds do meet: if nobody ever stood before a closed door, this would have tested nothing.
        assertThat(away).isPositive();
    }

    @Test
    void manyThreadsByAllWays() throws InterruptedException {
        Room room = new Room();
        int threads = 4;
        int visits = 50_000;
        CountDownLatch ready = new CountDownLatch(threads);
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            Random random = new Random(t);
            all.add(factory(t % 2 == 0).newThread(() -> {
                ready.countDown();
                awaitZero(ready);
                for (int i = 0; i < visits; i++) {
                    room.visit(random.nextInt(3));
                }
            }));
        }
        all.forEach(Thread::start);
        for (Thread thread : all) {
            thread.join();
        }
        assertThat(room.trouble).isNull();
        assertThat(room.visits).isPositive();
        // All have left.
        room.door.occupy("after");
        room.door.leave();
    }

    @Test
    void theOneInsideIsNamed() throws InterruptedException {
        for (int way = 0; way < 3; way++) {
            Room room = new Room();
            CountDownLatch in = new CountDownLatch(1);
            CountDownLatch out = new CountDownLatch(1);
            int entrance = way;
            Thread worker = Thread.ofPlatform().name("worker-7").start(() -> {
                room.visit(0); // the regular from now on
                room.enter(entrance);
                in.countDown();
                awaitZero(out);
                room.leave(entrance);
            });
            in.await();
            assertThatThrownBy(() -> room.door.occupy("dscal"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("two threads in one handle")
                    .hasMessageContaining("dscal")
                    .hasMessageContaining("worker-7")
                    .hasMessageContaining(Thread.currentThread().getName());
            assertThat(room.door.occupyDirect()).isFalse();
            out.countDown();
            worker.join();
            assertThat(room.door.occupyDirect()).isTrue();
            room.door.leaveDirect();
        }
    }

    @Test
    void aThreadInsideByAnyWayMayNotComeInAgain() {
        for (int first = 0; first < 3; first++) {
            Room room = new Room();
            room.visit(0);
            assertThat(room.enter(first)).isTrue();
            assertThat(room.door.occupyAlone()).isFalse();
            assertThatThrownBy(() -> room.door.occupy("dscal")).hasMessageContaining("inside another call");
            room.leave(first);
            room.door.occupy("dscal");
            room.door.leave();
        }
    }

    @Test
    void threadsThatTakeTurnsAreAllServed() throws InterruptedException {
        Room room = new Room();
        for (int i = 0; i < 20; i++) {
            int way = i % 3;
            Thread next = factory(i % 2 == 0).newThread(() -> {
                for (int k = 0; k < 10; k++) {
                    room.visit(way);
                }
            });
            next.start();
            next.join();
        }
        assertThat(room.turnedAway.get()).isZero();
        assertThat(room.visits).isEqualTo(200);
        assertThat(room.trouble).isNull();
    }

    @Test
    void aRegularThatSleepsElsewhereIsReplaced() throws InterruptedException {
        Room room = new Room();
        CountDownLatch done = new CountDownLatch(1);
        Thread sleeper = Thread.ofVirtual().start(() -> {
            room.visit(0);
            done.countDown();
            LockSupport.park();
        });
        done.await();
        for (int i = 0; i < 10; i++) {
            room.visit(0);
        }
        assertThat(room.turnedAway.get()).isZero();
        LockSupport.unpark(sleeper);
        sleeper.join();
    }

    private static ThreadFactory factory(boolean virtual) {
        return virtual
                ? Thread.ofVirtual().name("virtual-", 0).factory()
                : Thread.ofPlatform().name("platform-", 0).factory();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | java.util.concurrent.BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitZero(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
