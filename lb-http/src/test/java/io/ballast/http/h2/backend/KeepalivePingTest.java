package io.ballast.http.h2.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeepalivePingTest implements KeepalivePing.Owner {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private Loop loop;
    private KeepalivePing deadline;
    private boolean pending = true;
    private boolean answers = true;
    private long readNanos;
    private int pings;
    private int lost;

    @BeforeEach
    void begin() {
        channel.freezeTime();
        loop = new Loop(channel.eventLoop(), channel.eventLoop().ticker()::nanoTime);
        loop.start();
        deadline = new KeepalivePing(loop, this);
        readNanos = loop.now();
        deadline.begin();
    }

    @AfterEach
    void close() {
        deadline.end();
        channel.finishAndReleaseAll();
    }

    @Test
    void unansweredPingClosesConnection() {
        answers = false;
        pass(Duration.ofSeconds(3));
        assertThat(pings).isEqualTo(1);
        assertThat(lost).isZero();

        pass(KeepalivePing.REPLY_TIMEOUT);
        assertThat(lost).isEqualTo(1);
        pass(Duration.ofHours(1));
        assertThat(lost).isEqualTo(1);
        assertThat(pings).isEqualTo(1);
    }

    /**
     * Simulates a long wait for a response, such as a long poll. gRPC servers allow three PINGs in five minutes without
     * a response.
     */
    @Test
    void answeredPingsBecomeRare() {
        pass(Duration.ofMinutes(5));
        assertThat(pings).isBetween(2, 3);
        pass(Duration.ofHours(1));

        assertThat(pings).isLessThan(16);
        assertThat(lost).isZero();
    }

    @Test
    void activeBackendGetsNoPing() {
        for (int i = 0; i < 60; i++) {
            pass(Duration.ofSeconds(2));
            readNanos = loop.readClock();
            deadline.responded();
        }

        assertThat(pings).isZero();
    }

    @Test
    void idleConnectionSendsNoPing() {
        pending = false;
        pass(Duration.ofMinutes(10));

        assertThat(pings).isZero();
    }

    /** A PING that was sent during an earlier request does not count. */
    @Test
    void nextRequestRestartsTimer() {
        answers = false;
        pass(Duration.ofSeconds(3));
        assertThat(pings).isEqualTo(1);
        deadline.begin();
        answers = true;
        pass(KeepalivePing.REPLY_TIMEOUT);

        assertThat(lost).isZero();
        assertThat(pings).isEqualTo(1);
    }

    private void pass(Duration time) {
        for (long left = time.toMillis() + DeadlineWheel.TICK_MILLIS; left > 0; left -= DeadlineWheel.TICK_MILLIS) {
            channel.advanceTimeBy(DeadlineWheel.TICK_MILLIS, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    @Override
    public boolean isPending() {
        return pending;
    }

    @Override
    public long readNanos() {
        return readNanos;
    }

    @Override
    public void ping() {
        pings++;
        if (answers) {
            readNanos = loop.readClock();
        }
    }

    @Override
    public void connectionLost() {
        lost++;
    }

    private static final class Loop extends FrontendLoop {

        Loop(EventLoop eventLoop, LongSupplier nanoTime) {
            super(eventLoop, new Heartbeat("embedded", Duration.ofSeconds(1)), nanoTime);
        }
    }
}
