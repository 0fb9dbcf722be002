package io.ballast.http.serving;

import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.MinimumRate;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.net.timer.DeadlineWheel;
import java.time.Duration;

/**
 * The only deadline of a client connection. It limits the wait until the client sends or reads data again.
 *
 * <p>A client that sends a body or reads a response must respect the idle timeout and keep a {@linkplain MinimumRate
 * minimum rate}. A {@link TransferRateGuard} checks that rate. The deadline is the end of the idle timeout or the time
 * at which the client falls below the minimum rate, whichever is earlier. Event-loop confined.
 */
public final class ClientDeadline {

    /** How long data from a client is still read after its last response, if the client may still be sending. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    /** The time without a request after which a client connection counts as idle. */
    private static final Duration IDLE_THRESHOLD = Duration.ofSeconds(1);

    /**
     * The interval between two checks of whether the client has closed the connection. The checks run while a
     * slow backend pauses the client's upload.
     */
    private static final Duration PRESENCE_CHECK = Duration.ofSeconds(2);

    private final Worker worker;
    private final ClientDeadlines times;
    private final ClientOutput output;
    private final Runnable onExpiry;
    private final Entry entry = new Entry();

    private final TransferRateGuard bodyRateGuard;
    private final TransferRateGuard responseRateGuard;

    /** @param onExpiry called when the client was too slow */
    public ClientDeadline(Worker worker, ClientDeadlines times, ClientOutput output, Runnable onExpiry) {
        this.worker = worker;
        this.times = times;
        this.output = output;
        this.onExpiry = onExpiry;
        MinimumRate rate = times.minimumRate();
        this.bodyRateGuard = new TransferRateGuard(rate.requestBodyBytes(), rate.grace(), times.requestBodyIdle());
        this.responseRateGuard = new TransferRateGuard(rate.responseBytes(), rate.grace(), times.responseIdle());
    }

    public void awaitHead() {
        set(times.requestHead());
    }

    /**
     * Records body bytes. The first bytes start the rate measurement, because a client may wait for
     * {@code 100 Continue} before it sends them.
     */
    public void bodyReceived(int bytes) {
        bodyRateGuard.begin(worker.now());
        bodyRateGuard.recordProgress(bytes, worker.now());
    }

    /** Sets the deadline for the client to send more of the body. */
    public void awaitBody() {
        long idleEnd = worker.now() + times.requestBodyIdle().toNanos();
        worker.deadlines().set(entry, bodyRateGuard.minEndNanos(idleEnd));
    }

    /** Returns the cause after the deadline has expired: the average rate was too low, or the body stalled. */
    public Failure bodyFailure() {
        return bodyRateGuard.isTooSlow(worker.now()) ? Failure.REQUEST_BODY_SLOW : Failure.REQUEST_BODY_TIMEOUT;
    }

    public void awaitNextRequest() {
        set(times.keepAlive());
    }

    /**
     * Sets the deadline for the next request: {@link #IDLE_THRESHOLD} from now, or the keep-alive time if that is
     * shorter.
     */
    public void awaitIdleThreshold() {
        set(times.keepAlive().compareTo(IDLE_THRESHOLD) < 0 ? times.keepAlive() : IDLE_THRESHOLD);
    }

    /**
     * Continues the wait for the next request after {@link #IDLE_THRESHOLD}, until the keep-alive time ends.
     * Returns false if no time is left.
     */
    public boolean continueKeepAlive() {
        boolean continues = times.keepAlive().compareTo(IDLE_THRESHOLD) > 0;
        if (continues) {
            set(times.keepAlive().minus(IDLE_THRESHOLD));
        }
        return continues;
    }

    /** Sets the deadline for the client to read all pending output, at the minimum rate or faster. */
    public void awaitReader() {
        bodyRateGuard.stop();
        responseRateGuard.begin(worker.now(), output.pendingBytes());
        awaitProgress();
    }

    /**
     * Called when the deadline has expired. Returns whether the client has read fast enough; if so, sets the
     * deadline again.
     */
    public boolean readerContinues() {
        if (!output.hasProgressed() || responseRateGuard.isTooSlow(worker.now())) {
            return false;
        }
        awaitProgress();
        return true;
    }

    private void awaitProgress() {
        output.markProgress();
        long idleEnd = worker.now() + times.responseIdle().toNanos();
        worker.deadlines().set(entry, responseRateGuard.minEndNanos(idleEnd));
    }

    /**
     * Sets a deadline while reading from the client is paused, because the backend accepts no more data. The deadline
     * is short, so that its owner checks regularly whether the client is still connected.
     */
    public void awaitBackend() {
        bodyRateGuard.stop();
        if (output.isWritable()) {
            set(PRESENCE_CHECK);
        } else {
            awaitReader();
        }
    }

    /**
     * Clears the deadline. If output for the client is pending, sets a deadline by which the client must read the
     * output.
     */
    public void expectNothing() {
        bodyRateGuard.stop();
        if (output.isWritable()) {
            clear();
        } else {
            awaitReader();
        }
    }

    void set(Duration time) {
        worker.setDeadline(entry, time);
    }

    /** Limits the time in which a client may still send data after the last response on its connection. */
    public void linger() {
        set(LINGER);
    }

    public void clear() {
        worker.deadlines().clear(entry);
    }

    /** Removes the deadline when the connection is closed. */
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
