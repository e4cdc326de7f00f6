package dev.basalt.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** At most one thread is ever inside a handle, however many come at the same moment by whichever way. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class OccupancyTest {
    /** A handle's occupancy, with what only the thread inside touches. */
    private static final class Room {
        final Occupancy door;
        final AtomicLong turnedAway = new AtomicLong();
        // Plain on purpose: if two are inside, one of them sees the other's name here.
        private Thread occupant;
        private long visits;
        private volatile String trouble;

        Room() {
            this(true);
        }

        Room(boolean handshakes) {
            door = new Occupancy(handshakes);
        }

        void visit(boolean asking) {
            if (!enter(asking)) {
                turnedAway.incrementAndGet();
                return;
            }
            stay();
        }

        /** Looks whether it is alone, and leaves. */
        void stay() {
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
            door.leave();
        }

        boolean enter(boolean asking) {
            if (asking) {
                return door.tryOccupy();
            }
            try {
                door.occupy("visit");
                return true;
            } catch (IllegalStateException e) {
                return false;
            }
        }
    }

    /** The room that is visited now; the one who is always there follows. */
    private volatile Room current = new Room();

    private volatile boolean over;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRegularAndANewcomerAreNeverInsideTogether(boolean virtual) throws InterruptedException {
        long seed = System.nanoTime();
        System.out.println("OccupancyTest: seed " + seed);
        Random random = new Random(seed);
        Thread regular = factory(virtual).newThread(() -> {
            while (!over) {
                Room room = current;
                for (int i = 0; i < 50; i++) {
                    room.visit(true);
                }
            }
        });
        regular.start();
        long away = 0;
        // On a busy machine the two seldom run at the same time, so they go on until they have met often enough.
        for (int round = 0; round < 2_000 || away < 100; round++) {
            Room room = new Room();
            current = room;
            for (int i = random.nextInt(2_000); i > 0; i--) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < 4; i++) {
                room.visit(round % 2 == 0);
            }
            assertThat(room.trouble).isNull();
            away += room.turnedAway.get();
        }
        over = true;
        regular.join();
        assertThat(current.trouble).isNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void manyThreadsByAllWays(boolean handshakes) throws InterruptedException {
        Room room = new Room(handshakes);
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
                    room.visit(random.nextBoolean());
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

    /** The handle's own thread has done nothing wrong, so it waits and is never turned away. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoeverLooksAfterAHandleIsWaitedFor(boolean virtual) throws InterruptedException {
        Room room = new Room();
        AtomicLong looks = new AtomicLong();
        Thread keeper = factory(virtual).newThread(() -> {
            while (!over) {
                if (room.door.tryLookAfter()) {
                    room.stay();
                    looks.incrementAndGet();
                }
                // It comes seldom, as memory is seldom short; else nobody else would get on.
                for (int i = 0; i < 1_000; i++) {
                    Thread.onSpinWait();
                }
            }
        });
        keeper.start();
        for (long i = 0; i < 100_000 || looks.get() < 100; i++) {
            room.visit(false);
        }
        over = true;
        keeper.join();
        assertThat(room.turnedAway.get()).isZero();
        assertThat(room.trouble).isNull();
        // The regular is still the regular, and nobody is inside.
        room.door.occupy("after");
        assertThat(room.door.tryLookAfter()).isFalse();
        room.door.leave();
        assertThat(room.door.tryLookAfter()).isTrue();
        assertThat(room.door.tryLookAfter()).isFalse();
        assertThat(room.door.awaitLeave()).isEqualTo(Thread.currentThread());
        room.door.leave();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theOneInsideIsNamed(boolean handshakes) throws InterruptedException {
        for (boolean asking : new boolean[] {true, false}) {
            Room room = new Room(handshakes);
            CountDownLatch in = new CountDownLatch(1);
            CountDownLatch out = new CountDownLatch(1);
            Thread worker = Thread.ofPlatform().name("worker-7").start(() -> {
                room.visit(true); // the regular from now on
                room.enter(asking);
                in.countDown();
                awaitZero(out);
                room.door.leave();
            });
            in.await();
            assertThatThrownBy(() -> room.door.occupy("dscal")).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("two threads in one handle")
                    .hasMessageContaining("dscal")
                    .hasMessageContaining("worker-7")
                    .hasMessageContaining(Thread.currentThread().getName());
            assertThat(room.door.tryOccupy()).isFalse();
            out.countDown();
            worker.join();
            assertThat(room.door.tryOccupy()).isTrue();
            room.door.leave();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aThreadInsideByAnyWayMayNotComeInAgain(boolean handshakes) {
        for (int first = 0; first < 4; first++) {
            boolean asking = first % 2 == 0;
            Room room = new Room(handshakes);
            if (first < 2) {
                room.visit(true); // the regular from now on
            }
            assertThat(room.enter(asking)).isTrue();
            assertThat(room.door.tryOccupy()).isFalse();
            assertThatThrownBy(() -> room.door.occupy("dscal")).hasMessageContaining("inside another call");
            room.door.leave();
            room.door.occupy("dscal");
            room.door.leave();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void threadsThatTakeTurnsAreAllServed(boolean handshakes) throws InterruptedException {
        Room room = new Room(handshakes);
        for (int i = 0; i < 20; i++) {
            boolean asking = i % 3 == 0;
            Thread next = factory(i % 2 == 0).newThread(() -> {
                for (int k = 0; k < 10; k++) {
                    room.visit(asking);
                }
            });
            next.start();
            next.join();
        }
        assertThat(room.turnedAway.get()).isZero();
        assertThat(room.visits).isEqualTo(200);
        assertThat(room.trouble).isNull();
    }

    /** What no specification says is relied on where it is known alone. */
    @Test
    void virtualMachinesWithAHandshakeAreKnown() {
        assertThat(List.of("OpenJDK 64-Bit Server VM", "Java HotSpot(TM) 64-Bit Server VM"))
                .allMatch(Occupancy::isHotSpot);
        assertThat(List.of("Eclipse OpenJ9 VM", "Substrate VM", "Zing 64-Bit Tiered VM", ""))
                .noneMatch(Occupancy::isHotSpot);
    }

    @Test
    void aRegularThatSleepsElsewhereIsReplaced() throws InterruptedException {
        Room room = new Room();
        CountDownLatch done = new CountDownLatch(1);
        Thread sleeper = Thread.ofVirtual().start(() -> {
            room.visit(true);
            done.countDown();
            LockSupport.park();
        });
        done.await();
        for (int i = 0; i < 10; i++) {
            room.visit(true);
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

    private static void awaitZero(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
