package io.ballast.http.h2.backend;

import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.timer.DeadlineWheel;
import java.time.Duration;

/**
 * Detects a frozen or unreachable backend. If requests wait for responses from a backend that sends nothing, this class
 * sends a PING (RFC 9113 section 6.7). If the backend sends nothing within {@link #REPLY_TIMEOUT}, the connection is
 * considered lost.
 *
 * <p>A backend that replies to PINGs may delay its response indefinitely. The PINGs become less frequent in that time,
 * because gRPC servers close a connection after more than three PINGs in five minutes without a response.
 *
 * <p>Event-loop confined. Cost: one field is read for each new stream; nothing is allocated.
 */
final class KeepalivePing extends DeadlineWheel.Deadline {

    /** The connection that the PINGs monitor. */
    interface Owner {

        /** Whether a request is waiting for a response from the backend. */
        boolean isPending();

        /** Returns the time of the last read from the backend, in nanoseconds of the event loop's clock. */
        long readNanos();

        /** Sends a PING immediately. */
        void ping();

        /** Called when the backend did not reply in time. */
        void connectionLost();
    }

    /** Silent periods before the first PING, the second PING, and each later PING. */
    private static final Duration[] SILENCE = {Duration.ofSeconds(3), Duration.ofSeconds(30), Duration.ofMinutes(5)};

    /** Time limit for the reply to a PING. */
    static final Duration REPLY_TIMEOUT = Duration.ofSeconds(5);

    private final FrontendLoop loop;
    private final Owner owner;
    private boolean running;
    private boolean pingSent;
    /** Number of PINGs sent since the backend last sent a part of a response. */
    private int pingCount;
    /**
     * The latest of these times: a part of a response arrived, a PING was sent, the first request began to wait.
     */
    private long sinceNanos;

    KeepalivePing(FrontendLoop loop, Owner owner) {
        this.loop = loop;
        this.owner = owner;
    }

    /** Starts monitoring. Called when a request is sent on an idle connection. */
    void begin() {
        sinceNanos = loop.now();
        pingSent = false;
        if (!running) {
            running = true;
            await(silence());
        }
    }

    /** Called when a part of a response has arrived. */
    void responded() {
        pingCount = 0;
        sinceNanos = loop.now();
    }

    /** Called when the connection has ended. */
    void end() {
        running = false;
        loop.deadlines().remove(this);
    }

    private Duration silence() {
        return SILENCE[Math.min(pingCount, SILENCE.length - 1)];
    }

    private void await(Duration time) {
        loop.deadlines().set(this, sinceNanos + time.toNanos());
    }

    @Override
    protected void expired(long nowNanos) {
        boolean wasSent = pingSent;
        pingSent = false;
        if (!owner.isPending()) {
            running = false;
            return;
        }
        if (wasSent && owner.readNanos() - sinceNanos < 0) {
            running = false;
            owner.connectionLost();
            return;
        }
        if (!wasSent && nowNanos - sinceNanos >= silence().toNanos()) {
            pingCount++;
            pingSent = true;
            sinceNanos = nowNanos;
            owner.ping();
            await(REPLY_TIMEOUT);
        } else {
            await(silence());
        }
    }
}
