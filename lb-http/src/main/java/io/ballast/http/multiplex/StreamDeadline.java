package io.ballast.http.multiplex;

import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.MinimumRate;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.TransferRateGuard;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.timer.DeadlineWheel;
import java.time.Duration;

/**
 * The deadlines of a stream's client, for sending the request body and for receiving the response. As in
 * HTTP/1.1, each has an idle timeout and a {@linkplain MinimumRate minimum rate}. They are independent:
 * progress in one direction does not extend the other.
 *
 * <p>A client is only held responsible for delays that it caused:
 *
 * <ul>
 *   <li>The body deadline runs from the first bytes of the body until the response starts. It stops while
 *       the backend is not writable, because the client may then have no window left, or wait for
 *       {@code 100 Continue}. The connection window never blocks the client, since all received data is
 *       credited at once. After the response has started, a client of a streaming call may be silent while
 *       its backend sends. The backend connection limits the time in which both are silent.
 *   <li>The response deadline runs while part of the response waits for a window (RFC 9113 section 5.2). If
 *       the stream window is closed, or smaller than a useful frame, only data of this stream counts as
 *       progress, because the client opens the stream window for this response alone. Otherwise, the response
 *       waits for the connection window. All streams take turns using that window, so data of all streams
 *       counts as progress.
 *   <li>Data sent before the response had to wait also counts, because the client has yet to receive it.
 *   <li>No deadline runs while the connection is not writable ({@link ConnectionClock}).
 * </ul>
 *
 * Event-loop confined. Cost: constant, allocates nothing.
 */
public final class StreamDeadline {

    /** Receives expired deadlines. */
    public interface Owner {

        /** Called if the client sends the request body too slowly or not at all. */
        void senderTooSlow(Failure failure);

        /** Called if the client receives the response too slowly or not at all. */
        void readerTooSlow();

        /** Called when the time limit for receiving the rest of the request has expired. */
        void restTimedOut();
    }

    /**
     * How long the rest of a request is still received after its response has been sent. The client can send at
     * most the open stream window in this time.
     */
    private static final Duration REST_OF_REQUEST = Duration.ofSeconds(1);

    private final FrontendLoop loop;
    private final ConnectionClock clock;
    private final ResponseStream response;
    private final Owner owner;
    private final ProgressDeadline body;
    private final ProgressDeadline responseDeadline;
    private final Entry entry = new Entry();

    private boolean awaitingRest;
    /** Whether the response has started; the client may pause its request body from then on. */
    private boolean responseStarted;
    /** Bytes sent on this stream, and on all streams, at the last check of the response. */
    private long countedBytes;

    private long countedTotalBytes;
    /** Whether the stream's own window has blocked the response since the last check. */
    private boolean blockedByOwnWindow;

    public StreamDeadline(
            FrontendLoop loop, ClientDeadlines times, ConnectionClock clock, ResponseStream response, Owner owner) {
        MinimumRate rate = times.minimumRate();
        this.loop = loop;
        this.clock = clock;
        this.response = response;
        this.owner = owner;
        this.body = new ProgressDeadline(
                times.requestBodyIdle(),
                new TransferRateGuard(rate.requestBodyBytes(), rate.grace(), times.requestBodyIdle()));
        this.responseDeadline = new ProgressDeadline(
                times.responseIdle(), new TransferRateGuard(rate.responseBytes(), rate.grace(), times.responseIdle()));
    }

    /** Starts a stream. */
    public void begin() {
        awaitingRest = false;
        responseStarted = false;
        countedBytes = 0;
    }

    // ---- the request

    /**
     * Records {@code bytes} of body. The first bytes start the clock: before them, a client may wait for
     * {@code 100 Continue}.
     */
    public void bodyReceived(int bytes) {
        if (bytes == 0 || responseStarted) {
            return; // empty frames do not count as progress
        }
        long now = clock.now();
        body.begin(now);
        body.recordProgress(bytes, now);
    }

    /** Starts the body deadline, because the client can send more of the body. */
    public void awaitBody() {
        if (!responseStarted) {
            body.begin(clock.now());
        }
        setDeadline();
    }

    /** Stops the body deadline, because the client has no more body to send, or is blocked. */
    public void expectNoBody() {
        body.stop();
        setDeadline();
    }

    // ---- the response

    /**
     * Stops the body deadline: the response head was sent, and from now on both sides may send at the same time.
     */
    public void responseStarted() {
        responseStarted = true;
        body.stop();
    }

    /** Called after the stream window has changed. A SETTINGS frame of HTTP/2 can also reduce the window. */
    public void windowChanged() {
        count(); // must run first, because it uses the state before the change
        blockedByOwnWindow = response.isBlockedByOwnWindow();
    }

    /** Updates the deadline after response data was added or sent, or the window has changed. */
    public void updateResponseDeadline() {
        if (response.isWaiting()) {
            if (!responseDeadline.isActive()) {
                responseDeadline.begin(clock.now());
                blockedByOwnWindow = true; // at this point, only sent data of this stream counts as progress
                countedTotalBytes = response.connectionSentBytes();
            }
            look();
        } else {
            responseDeadline.stop();
        }
        setDeadline();
    }

    private void look() {
        count();
        blockedByOwnWindow = response.isBlockedByOwnWindow();
    }

    private void count() {
        if (!responseDeadline.isActive()) {
            return;
        }
        long sent = response.sentBytes() - countedBytes;
        long onAll = response.connectionSentBytes() - countedTotalBytes;
        responseDeadline.recordProgress(blockedByOwnWindow ? sent : onAll, clock.now());
        countedBytes += sent;
        countedTotalBytes += onAll;
    }

    /** Begins a new period for the body, because a policy has delayed the request. */
    void restartBody() {
        body.stop();
        setDeadline();
    }

    // ---- end of the stream

    /** Continues to receive the rest of the request for a short time after the response was sent. */
    public void awaitRestOfRequest() {
        awaitingRest = true;
        body.stop();
        responseDeadline.stop();
        loop.setDeadline(entry, REST_OF_REQUEST);
    }

    /** Removes all deadlines, because the stream has ended. */
    public void end() {
        body.stop();
        responseDeadline.stop();
        loop.deadlines().remove(entry);
    }

    private void setDeadline() {
        if (awaitingRest) {
            return;
        }
        if (body.isActive() || responseDeadline.isActive()) {
            long now = clock.now();
            long left = Math.min(body.remainingNanos(now), responseDeadline.remainingNanos(now));
            loop.deadlines().set(entry, loop.now() + left);
        } else {
            loop.deadlines().clear(entry);
        }
    }

    private void checkDeadlines() {
        if (awaitingRest) {
            owner.restTimedOut();
            return;
        }
        look();
        long now = clock.now();
        if (responseDeadline.isTooSlow(now) || responseDeadline.isIdle(now)) {
            owner.readerTooSlow();
        } else if (body.isTooSlow(now)) {
            owner.senderTooSlow(Failure.REQUEST_BODY_SLOW);
        } else if (body.isIdle(now)) {
            owner.senderTooSlow(Failure.REQUEST_BODY_TIMEOUT);
        } else {
            setDeadline();
        }
    }

    private final class Entry extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            checkDeadlines();
        }
    }
}
