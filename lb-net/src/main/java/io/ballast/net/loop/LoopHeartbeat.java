package io.ballast.net.loop;

import io.ballast.core.watchdog.Heartbeat;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Creates the heartbeats of event loops. */
public final class LoopHeartbeat {

    /** Time without a heartbeat after which an event loop that serves clients counts as failed. */
    public static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Duration BEAT = Duration.ofMillis(500);

    private LoopHeartbeat() {}

    /**
     * Creates the heartbeat of a loop. One of the loop's existing periodic tasks must call {@link
     * Heartbeat#beat}.
     */
    public static Heartbeat of(EventLoop loop, String name, Duration timeout) {
        Heartbeat heart = new Heartbeat(name, timeout);
        // Netty terminates a loop when its run throws, and reports the cause here.
        loop.terminationFuture().addListener(end -> heart.markEnded(end.cause()));
        return heart;
    }

    /**
     * Creates the heartbeat of a loop without a periodic task, and schedules a task that calls {@link Heartbeat#beat}.
     */
    public static Heartbeat schedule(EventLoop loop, String name, Duration timeout) {
        Heartbeat heart = of(loop, name, timeout);
        try {
            loop.scheduleAtFixedRate(heart::beat, 0, BEAT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            heart.markEnded(e);
        }
        return heart;
    }
}
