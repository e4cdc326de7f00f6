package dev.basalt.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.spi.DriverException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The end of a process and the compiler of kernels. */
class WorkAtEndTest {
    @Test
    void theEndWaitsForWhoWorksAndNobodyBeginsAfterIt() throws InterruptedException {
        WorkAtEnd work = new WorkAtEnd();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicBoolean done = new AtomicBoolean();
        AtomicBoolean doneAtEnd = new AtomicBoolean();
        Thread worker = new Thread(() -> work.run(() -> {
            begun.countDown();
            await(go);
            done.set(true);
            return null;
        }));
        worker.start();
        begun.await();
        Thread end = new Thread(() -> {
            work.end();
            doneAtEnd.set(done.get());
        });
        end.start();
        while (end.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        go.countDown();
        worker.join();
        end.join();
        assertThat(doneAtEnd).isTrue();
        assertThatThrownBy(() -> work.run(() -> 1)).isInstanceOf(DriverException.class)
                .hasMessageContaining("shutting down");
    }

    @Test
    void whoWorksGivesWhatItMakesAndMayFail() {
        WorkAtEnd work = new WorkAtEnd();
        assertThat(work.<Integer>run(() -> 7)).isEqualTo(7);
        assertThatThrownBy(() -> work.run(() -> {
            throw new IllegalStateException("no");
        })).isInstanceOf(IllegalStateException.class);
        work.end();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
