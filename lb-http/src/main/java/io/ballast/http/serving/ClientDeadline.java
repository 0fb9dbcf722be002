package io.ballast.http.serving;

import io.ballast.core.config.ClientDeadlines;
import io.ballast.core.config.MinimumRate;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.net.timer.DeadlineWheel;
import java.time.Duration;

/**
 * The one deadline of a client connection: for what the client has to do next, be it to send or to read.
 *
 * <p>A client that sends a body, or reads a response, must not only go on now and then but keep a {@linkplain MinimumRate
 * minimum rate}. Each octet that it takes or sends buys it time; the deadline is the idle time or the end of what it
 * bought, whichever comes first. Event-loop confined.
 */
public final class ClientDeadline {

    /** How long a client is listened to after its last response if it may still be sending. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    /** How long a client that left in the middle of its upload is not missed while its backend does not read. */
    private static final Duration PRESENCE_CHECK = Duration.ofSeconds(2);

    private final Worker worker;
    private final ClientDeadlines times;
    private final ClientOutput output;
    private final Runnable onExpiry;
    private final Entry entry = new Entry();

    /** Until when the body that is coming, or the response that is going out, is fast enough. */
    private long paceEndNanos;

    private boolean bodyPaced;

    /** @param onExpiry what is done when the client was too slow */
    public ClientDeadline(Worker worker, ClientDeadlines times, ClientOutput output, Runnable onExpiry) {
        this.worker = worker;
        this.times = times;
        this.output = output;
        this.onExpiry = onExpiry;
    }

    public void awaitHead() {
        set(times.requestHead());
    }

    /** More of a body has come. The first octets start the clock: a client may wait for a {@code 100 Continue}. */
    public void bodyReceived(int bytes) {
        MinimumRate rate = times.minimumRate();
        if (rate.requestBodyBytes() == 0) {
            return;
        }
        long now = worker.now();
        if (!bodyPaced) {
            bodyPaced = true;
            paceEndNanos = now + rate.grace().toNanos();
        }
        // No more than the idle time in advance: what was fast once may not be slow for hours.
        paceEndNanos = earlier(
                paceEndNanos + nanos(bytes, rate.requestBodyBytes()),
                now + Math.max(times.requestBodyIdle().toNanos(), rate.grace().toNanos()));
    }

    /** @param paced whether the body must keep the minimum rate; not once the two sides talk at the same time */
    public void awaitBody(boolean paced) {
        bodyPaced &= paced;
        long idleEnd = worker.now() + times.requestBodyIdle().toNanos();
        worker.deadlines().set(entry, bodyPaced ? earlier(idleEnd, paceEndNanos) : idleEnd);
    }

    /** After the deadline: whether the body was too slow on average, or stalled. */
    public Failure bodyFailure() {
        boolean slow = bodyPaced && paceEndNanos - worker.now() <= 0;
        return slow ? Failure.REQUEST_BODY_SLOW : Failure.REQUEST_BODY_TIMEOUT;
    }

    public void awaitNextRequest() {
        set(times.keepAlive());
    }

    /** Waits for the client to read what was sent to it, all of it at the minimum rate at least. */
    public void awaitReader() {
        bodyPaced = false;
        MinimumRate rate = times.minimumRate();
        paceEndNanos = worker.now()
                + (rate.responseBytes() == 0
                        ? Long.MAX_VALUE / 2
                        : rate.grace().toNanos() + nanos(output.pendingBytes(), rate.responseBytes()));
        awaitProgress();
    }

    /** After the deadline: whether the client has read on, and fast enough; then it is waited for again. */
    public boolean readerGoesOn() {
        if (!output.hasProgressed() || paceEndNanos - worker.now() <= 0) {
            return false;
        }
        awaitProgress();
        return true;
    }

    private void awaitProgress() {
        output.markProgress();
        worker.deadlines()
                .set(entry, earlier(worker.now() + times.responseIdle().toNanos(), paceEndNanos));
    }

    private static long nanos(long bytes, int bytesPerSecond) {
        return bytes * NANOS_PER_SECOND / bytesPerSecond;
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }

    /** The client is not read until its backend takes more; whether it is still there is looked up now and then. */
    public void awaitBackend() {
        bodyPaced = false;
        if (output.isWritable()) {
            set(PRESENCE_CHECK);
        } else {
            awaitReader();
        }
    }

    /** The client has nothing to do but, if it is slow, to read. */
    public void expectNothing() {
        bodyPaced = false;
        if (output.isWritable()) {
            clear();
        } else {
            awaitReader();
        }
    }

    void set(Duration time) {
        worker.setDeadline(entry, time);
    }

    /** Listens to a client for a while after its last response, in case it is still sending. */
    public void linger() {
        set(LINGER);
    }

    public void clear() {
        worker.deadlines().clear(entry);
    }

    /** Clears it for good: the connection is closed. */
    public void remove() {
        worker.deadlines().remove(entry);
    }

    private final class Entry extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            onExpiry.run();
        }
    }
}
