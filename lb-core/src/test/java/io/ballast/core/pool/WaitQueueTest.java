package io.ballast.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.testing.Backends;
import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WaitQueueTest {

    private final Backend backend = Backends.backend(0, /* maxInFlight= */ 1);
    private final Member member = new Member(backend, 1, 0);
    private final WaitQueue queue = new WaitQueue(/* size= */ 100);
    private final List<Waiting> called = new ArrayList<>();

    @Test
    void freedSlotGoesToFirstWaiter() {
        backend.inFlight().begin();
        Waiting first = joined();
        Waiting second = joined();

        queue.release(backend);

        assertThat(called).containsExactly(first);
        assertThat(first.backend).isSameAs(backend);
        assertThat(backend.inFlight().count()).isEqualTo(1);
        assertThat(queue.length()).isEqualTo(1);

        queue.release(backend);
        assertThat(called).containsExactly(first, second);

        queue.release(backend);
        assertThat(backend.inFlight().count()).isZero();
        assertThat(queue.hasWaiters()).isFalse();
    }

    @Test
    void cancelledWaiterIsSkipped() {
        backend.inFlight().begin();
        Waiting first = joined();
        Waiting second = joined();

        assertThat(queue.leave(first)).isTrue();
        queue.release(backend);

        assertThat(called).containsExactly(second);
        assertThat(queue.leave(second)).as("it has been served").isFalse();
        assertThat(queue.length()).isZero();
    }

    @Test
    void isFullUntilWaiterLeaves() {
        WaitQueue short2 = new WaitQueue(2);
        Waiting first = new Waiting();
        assertThat(short2.join(first)).isTrue();
        assertThat(short2.join(new Waiting())).isTrue();
        assertThat(short2.join(new Waiting())).isFalse();
        assertThat(short2.length()).isEqualTo(2);

        short2.leave(first);

        assertThat(short2.join(new Waiting())).isTrue();
    }

    @Test
    void cancelledWaitersAreRemoved() {
        WaitQueue narrow = new WaitQueue(1);
        for (int i = 0; i < 100_000; i++) {
            Waiting waiting = new Waiting();
            assertThat(narrow.join(waiting)).isTrue();
            narrow.leave(waiting);
        }

        assertThat(narrow.storedWaiters()).isLessThan(100);
    }

    @Test
    void slotOfDownBackendIsNotGranted() {
        backend.inFlight().begin();
        joined();
        backend.health(new HealthStatus(
                BackendState.DOWN, Instant.EPOCH, HealthStatus.Origin.CHECK, "test", HealthStatus.LastCheck.NONE));

        queue.release(backend);

        assertThat(called).isEmpty();
        assertThat(backend.inFlight().count()).isZero();
    }

    @Test
    void recoveredBackendServesWaiters() {
        Waiting first = joined();
        Waiting second = joined();

        queue.onUsableChanged(List.of(member));

        assertThat(called).containsExactly(first);
        assertThat(backend.inFlight().count()).isEqualTo(1);
        assertThat(second.backend).isNull();
    }

    @Test
    void allWaitersFailWhenNoBackendRemains() {
        Waiting first = joined();
        Waiting second = joined();

        queue.onUsableChanged(List.of());

        assertThat(called).containsExactly(first, second);
        assertThat(first.noneUp).isTrue();
        assertThat(queue.length()).isZero();
    }

    /** If a wake-up were lost, a waiter would never get a slot, and the test would fail. */
    @Test
    void noWaiterIsLostUnderConcurrency() throws Exception {
        Backend busy = Backends.backend(0, /* maxInFlight= */ 2);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger max = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<Future<?>> users = IntStream.range(0, 6)
                    .<Future<?>>mapToObj(thread -> threads.submit(() -> {
                        for (int i = 0; i < 20_000; i++) {
                            take(busy);
                            max.accumulateAndGet(running.incrementAndGet(), Math::max);
                            running.decrementAndGet();
                            queue.release(busy);
                        }
                        return null;
                    }))
                    .toList();
            for (Future<?> user : users) {
                user.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(max.get()).isLessThanOrEqualTo(2);
        assertThat(busy.inFlight().count()).isZero();
        assertThat(queue.length()).isZero();
    }

    private void take(Backend wanted) throws InterruptedException {
        if (!queue.hasWaiters() && wanted.inFlight().tryBegin()) {
            return;
        }
        Waiting waiting = new Waiting();
        assertThat(queue.join(waiting)).isTrue();
        VarHandle.fullFence();
        if (wanted.inFlight().tryBegin()) {
            queue.release(wanted);
        }
        waiting.turn.await();
    }

    private Waiting joined() {
        Waiting waiting = new Waiting() {
            @Override
            void called() {
                called.add(this);
            }
        };
        assertThat(queue.join(waiting)).isTrue();
        return waiting;
    }

    private static class Waiting extends WaitQueue.Waiter {

        final CountDownLatch turn = new CountDownLatch(1);

        @Nullable Backend backend;

        boolean noneUp;

        @Override
        protected void onPermit(Backend free) {
            backend = free;
            called();
            turn.countDown();
        }

        @Override
        protected void onNoBackendUp() {
            noneUp = true;
            called();
        }

        void called() {}
    }
}
