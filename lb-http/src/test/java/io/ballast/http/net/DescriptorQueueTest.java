package io.ballast.http.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class DescriptorQueueTest {

    private static final Duration TICK = Duration.ofMillis(DeadlineWheel.TICK_MILLIS);
    /** The interval of the queue and one more tick, because a deadline may fire late. */
    private static final Duration INTERVAL = DescriptorQueue.INTERVAL.plus(TICK);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Loop loop = new Loop(channel.eventLoop(), this::nanoTime);
    private final DescriptorQueue queue = new DescriptorQueue(loop);
    /** The names of the sources that tried to connect, in order. */
    private final List<String> attempts = new ArrayList<>();

    private long nanos;
    private int free;

    private long nanoTime() {
        return nanos;
    }

    /** A backend with requests, each of which needs one connection. */
    private final class Backend implements DescriptorQueue.Source {

        private final String name;
        private int waiting;
        private int failedIntervals;
        private boolean isConnected;

        Backend(String name, int waiting) {
            this.name = name;
            this.waiting = waiting;
            queue.add(this);
        }

        @Override
        public Turn connectNext() {
            if (waiting == 0) {
                return Turn.NOT_NEEDED;
            }
            attempts.add(name);
            if (free == 0) {
                return Turn.NO_DESCRIPTOR;
            }
            free--;
            waiting--;
            return Turn.USED;
        }

        @Override
        public boolean hasConnection() {
            return isConnected;
        }

        @Override
        public void remainsShort() {
            failedIntervals++;
        }
    }

    @Test
    void allSourcesShareOneAttemptInEachInterval() {
        List<Backend> backends = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            backends.add(new Backend("b" + i, 100));
        }

        pass(INTERVAL.multipliedBy(5));

        assertThat(attempts).hasSize(5).containsOnly("b0");
        assertThat(backends).allSatisfy(each -> assertThat(each.failedIntervals).isEqualTo(5));
    }

    @Test
    void sourcesTakeTurnsInOrder() {
        new Backend("a", 3);
        new Backend("b", 1);
        new Backend("c", 2);
        free = 5;

        pass(INTERVAL);

        assertThat(attempts).containsExactly("a", "b", "c", "a", "c", "a");
        assertThat(queue.isShort()).isTrue();
    }

    @Test
    void failedAttemptKeepsTurn() {
        new Backend("a", 1);
        new Backend("b", 1);
        pass(INTERVAL);
        free = 1;

        pass(INTERVAL);

        assertThat(attempts).containsExactly("a", "a", "b");
    }

    @Test
    void closedConnectionCausesOneAttempt() {
        new Backend("a", 5);
        free = 1;

        queue.freed();
        queue.freed();
        channel.runPendingTasks();

        assertThat(attempts).containsExactly("a", "a");
        queue.freed();
        channel.runPendingTasks();
        assertThat(attempts).hasSize(3);
    }

    @Test
    void shortageEndsWhenAllSourcesAreConnected() {
        new Backend("a", 2);
        free = 3;

        queue.freed();
        channel.runPendingTasks();

        assertThat(queue.isShort()).isFalse();
        pass(INTERVAL.multipliedBy(2));
        assertThat(attempts).hasSize(2);
    }

    /**
     * Requests that got existing connections do not show that a descriptor is free, so the shortage lasts for the
     * interval.
     */
    @Test
    void shortageLastsForIntervalIfSourcesNeedNoConnection() {
        Backend backend = new Backend("a", 1);
        pass(INTERVAL);
        backend.waiting = 0;
        queue.remove(backend);
        assertThat(queue.isShort()).isTrue();

        pass(INTERVAL);

        assertThat(queue.isShort()).isFalse();
        assertThat(attempts).hasSize(1);
    }

    @Test
    void closedConnectionEndsShortageIfNoSourceWaits() {
        queue.remove(new Backend("a", 1));
        assertThat(queue.isShort()).isTrue();

        queue.freed();

        assertThat(queue.isShort()).isFalse();
    }

    @Test
    void waitingSourceClosesUnusedConnection() {
        int[] unused = {2};
        queue.closeUnusedBy(() -> unused[0]-- > 0 && freeOne());

        new Backend("a", 1);
        channel.runPendingTasks();

        assertThat(attempts).containsExactly("a");
        assertThat(unused[0]).isEqualTo(1);
        assertThat(queue.isShort()).isFalse();
    }

    /** The requests of this source may get its existing connection, so fewer unused connections are closed for it. */
    @Test
    void sourceWithConnectionClosesOneUnusedConnectionInEachInterval() {
        int[] closed = {0};
        queue.closeUnusedBy(() -> {
            closed[0]++;
            return true;
        });
        Backend backend = new Backend("a", 10);
        assertThat(closed[0]).as("joined").isEqualTo(1);

        queue.freed();
        channel.runPendingTasks();
        assertThat(closed[0]).as("has no connection").isEqualTo(2);

        backend.isConnected = true;
        queue.freed();
        channel.runPendingTasks();
        assertThat(closed[0]).isEqualTo(2);
        pass(INTERVAL);
        assertThat(closed[0]).isEqualTo(3);
    }

    @Test
    void waitingSourceAsksOtherEventLoops() {
        DescriptorQueue without = new DescriptorQueue(loop);
        DescriptorQueue with = new DescriptorQueue(loop);
        with.closeUnusedBy(this::freeOne);
        DescriptorQueue.share(List.of(queue, without, with));

        new Backend("a", 1);
        channel.runPendingTasks();

        assertThat(attempts).containsExactly("a");
    }

    private boolean freeOne() {
        free++;
        queue.freed();
        return true;
    }

    private void pass(Duration time) {
        for (long left = time.toMillis(); left > 0; left -= DeadlineWheel.TICK_MILLIS) {
            nanos += TimeUnit.MILLISECONDS.toNanos(DeadlineWheel.TICK_MILLIS);
            loop.deadlines().advance(loop.readClock());
        }
    }

    private static final class Loop extends FrontendLoop {

        Loop(EventLoop eventLoop, LongSupplier nanoTime) {
            super(eventLoop, new Heartbeat("embedded", Duration.ofSeconds(1)), nanoTime);
        }
    }
}
