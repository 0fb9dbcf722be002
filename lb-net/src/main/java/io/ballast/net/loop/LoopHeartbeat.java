package io.ballast.net.loop;

import io.ballast.core.watchdog.Heartbeat;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Makes the heartbeats of event loops. */
public final class LoopHeartbeat {

    /** Silence after which an event loop that serves clients counts as dead. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration BEAT = Duration.ofMillis(500);

    private LoopHeartbeat() {}

    /** The heartbeat of a loop that beats with something that it does anyhow, in a task of its own. */
    public static Heartbeat of(EventLoop loop, String name, Duration patience) {
        Heartbeat heart = new Heartbeat(name, patience);
        // Netty ends a loop by whatever its run throws, and tells here.
        loop.terminationFuture().addListener(end -> heart.ended(end.cause()));
        return heart;
    }

    /** The heartbeat of a loop that has nothing else to beat with. */
    public static Heartbeat beating(EventLoop loop, String name, Duration patience) {
        Heartbeat heart = of(loop, name, patience);
        try {
            loop.scheduleAtFixedRate(heart::beat, 0, BEAT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            heart.ended(e);
        }
        return heart;
    }
}
