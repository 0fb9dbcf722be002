package io.ballast.http.h2.backend;

import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.timer.DeadlineWheel;
import java.time.Duration;

/**
 * Finds connections whose backend is silent because it is frozen or unreachable, while it owes responses: it is sent a PING
 * (RFC 9113 section 6.7), and if nothing at all comes within {@link #ANSWER}, the connection is lost.
 *
 * <p>A backend that answers may be silent for as long as it likes, and is asked less and less often. Servers of gRPC end a
 * connection on which more than three PINGs come within five minutes without a response in between.
 *
 * <p>Event-loop confined. Cost: a field read for each stream that begins; allocates nothing.
 */
final class PingDeadline extends DeadlineWheel.Deadline {

    /** What is done with the connection. */
    interface Owner {

        /** Whether the backend owes a response. */
        boolean isOwed();

        /** When something was read last. */
        long readNanos();

        /** Sends a PING at once. */
        void ping();

        /** The backend has not answered. */
        void lost();
    }

    /** How long a backend that owes a response may say nothing before it is asked, for the first time and later on. */
    private static final Duration[] SILENCE = {Duration.ofSeconds(3), Duration.ofSeconds(30), Duration.ofMinutes(5)};

    /** How long a PING may go unanswered. */
    static final Duration ANSWER = Duration.ofSeconds(5);

    private final FrontendLoop loop;
    private final Owner owner;
    private boolean running;
    private boolean asked;
    /** How often the backend was asked since it last sent a part of a response. */
    private int times;
    /** When it last sent such a part, was asked, or began to owe one. */
    private long sinceNanos;

    PingDeadline(FrontendLoop loop, Owner owner) {
        this.loop = loop;
        this.owner = owner;
    }

    /** The backend owed nothing, and gets a request. */
    void begin() {
        sinceNanos = loop.now();
        asked = false;
        if (!running) {
            running = true;
            await(silence());
        }
    }

    /** A part of a response came. */
    void responded() {
        times = 0;
        sinceNanos = loop.now();
    }

    /** The connection has ended. */
    void end() {
        running = false;
        loop.deadlines().remove(this);
    }

    private Duration silence() {
        return SILENCE[Math.min(times, SILENCE.length - 1)];
    }

    private void await(Duration time) {
        loop.deadlines().set(this, sinceNanos + time.toNanos());
    }

    @Override
    protected void expired(long nowNanos) {
        boolean wasAsked = asked;
        asked = false;
        if (!owner.isOwed()) {
            running = false;
            return;
        }
        if (wasAsked && owner.readNanos() - sinceNanos < 0) {
            running = false;
            owner.lost();
            return;
        }
        if (!wasAsked && nowNanos - sinceNanos >= silence().toNanos()) {
            times++;
            asked = true;
            sinceNanos = nowNanos;
            owner.ping();
            await(ANSWER);
        } else {
            await(silence());
        }
    }
}
