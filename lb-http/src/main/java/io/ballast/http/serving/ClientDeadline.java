package io.ballast.http.serving;

import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.MinimumRate;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.net.timer.DeadlineWheel;
import java.time.Duration;

/**
 * The one deadline of a client connection: for what the client has to do next, be it to send or to read.
 *
 * <p>A client that sends a body, or reads a response, must not only go on now and then but keep a {@linkplain MinimumRate
 * minimum rate}. The deadline is the idle time or the end of what its {@linkplain Pace pace} bought, whichever comes
 * first. Event-loop confined.
 */
public final class ClientDeadline {

    /** How long a client is listened to after its last response if it may still be sending. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    /** A client that asks for nothing for so long rests. */
    private static final Duration REST = Duration.ofSeconds(1);

    /** How long a client that left in the middle of its upload is not missed while its backend does not read. */
    private static final Duration PRESENCE_CHECK = Duration.ofSeconds(2);

    private final Worker worker;
    private final ClientDeadlines times;
    private final ClientOutput output;
    private final Runnable onExpiry;
    private final Entry entry = new Entry();

    private final Pace bodyPace;
    private final Pace responsePace;

    /** @param onExpiry what is done when the client was too slow */
    public ClientDeadline(Worker worker, ClientDeadlines times, ClientOutput output, Runnable onExpiry) {
        this.worker = worker;
        this.times = times;
        this.output = output;
        this.onExpiry = onExpiry;
        MinimumRate rate = times.minimumRate();
        this.bodyPace = new Pace(rate.requestBodyBytes(), rate.grace(), times.requestBodyIdle());
        this.responsePace = new Pace(rate.responseBytes(), rate.grace(), times.responseIdle());
    }

    public void awaitHead() {
        set(times.requestHead());
    }

    /** More of a body has come. The first octets start the clock: a client may wait for a {@code 100 Continue}. */
    public void bodyReceived(int bytes) {
        bodyPace.begin(worker.now());
        bodyPace.moved(bytes, worker.now());
    }

    /** It is the client's turn to send more of the body. */
    public void awaitBody() {
        long idleEnd = worker.now() + times.requestBodyIdle().toNanos();
        worker.deadlines().set(entry, bodyPace.endOr(idleEnd));
    }

    /** After the deadline: whether the body was too slow on average, or stalled. */
    public Failure bodyFailure() {
        return bodyPace.isTooSlow(worker.now()) ? Failure.REQUEST_BODY_SLOW : Failure.REQUEST_BODY_TIMEOUT;
    }

    public void awaitNextRequest() {
        set(times.keepAlive());
    }

    /** The same, but the deadline is over after {@link #REST} for the first time, if that is earlier. */
    public void awaitRest() {
        set(times.keepAlive().compareTo(REST) < 0 ? times.keepAlive() : REST);
    }

    /** The client rests: waits for its next request until the end of its time. False if that has come. */
    public boolean goesOnAfterRest() {
        boolean goesOn = times.keepAlive().compareTo(REST) > 0;
        if (goesOn) {
            set(times.keepAlive().minus(REST));
        }
        return goesOn;
    }

    /** Waits for the client to read what was sent to it, all of it at the minimum rate at least. */
    public void awaitReader() {
        bodyPace.stop();
        responsePace.begin(worker.now(), output.pendingBytes());
        awaitProgress();
    }

    /** After the deadline: whether the client has read on, and fast enough; then it is waited for again. */
    public boolean readerGoesOn() {
        if (!output.hasProgressed() || responsePace.isTooSlow(worker.now())) {
            return false;
        }
        awaitProgress();
        return true;
    }

    private void awaitProgress() {
        output.markProgress();
        long idleEnd = worker.now() + times.responseIdle().toNanos();
        worker.deadlines().set(entry, responsePace.endOr(idleEnd));
    }

    /** The client is not read until its backend takes more; whether it is still there is looked up now and then. */
    public void awaitBackend() {
        bodyPace.stop();
        if (output.isWritable()) {
            set(PRESENCE_CHECK);
        } else {
            awaitReader();
        }
    }

    /** The client has nothing to do but, if it is slow, to read. */
    public void expectNothing() {
        bodyPace.stop();
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
