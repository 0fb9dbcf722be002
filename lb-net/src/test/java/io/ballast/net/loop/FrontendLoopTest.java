package io.ballast.net.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FrontendLoopTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> events = new ArrayList<>();
    private Loop loop;

    @BeforeEach
    void start() {
        channel.freezeTime();
        loop = new Loop(channel.eventLoop(), channel.eventLoop().ticker()::nanoTime);
        loop.start();
    }

    @Test
    void timeIsCachedWithinTurn() {
        long before = loop.now();

        channel.advanceTimeBy(5, TimeUnit.MILLISECONDS);

        assertThat(loop.now()).isEqualTo(before);
        assertThat(loop.readClock()).isEqualTo(before + 5_000_000);
        assertThat(loop.now()).isEqualTo(before + 5_000_000);
    }

    @Test
    void tickUpdatesClockThenDeadlinesThenFrontend() {
        loop.setDeadline(
                new DeadlineWheel.Deadline() {
                    @Override
                    protected void expired(long nowNanos) {
                        events.add("expired");
                        assertThat(nowNanos).isEqualTo(loop.now());
                    }
                },
                Duration.ofMillis(1));

        pass(2 * DeadlineWheel.TICK_MILLIS);

        assertThat(events).containsExactly("expired", "ticked");
    }

    private void pass(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    private final class Loop extends FrontendLoop {

        Loop(EventLoop eventLoop, LongSupplier nanoTime) {
            super(eventLoop, new Heartbeat("embedded", Duration.ofSeconds(1)), nanoTime);
        }

        @Override
        protected void onTick() {
            events.add("ticked");
        }
    }
}
