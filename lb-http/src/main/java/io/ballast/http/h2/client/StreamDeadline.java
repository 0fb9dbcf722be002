package io.ballast.http.h2.client;

import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.MinimumRate;
import io.ballast.http.h2.flow.SendFlow;
import io.ballast.http.h2.flow.StreamOutput;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.Pace;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.timer.DeadlineWheel;
import java.time.Duration;

/**
 * How long the client of one stream may take: to go on with the body of its request, and to take the response. As over
 * HTTP/1.1 it may neither stop for the idle time nor be slower than the {@linkplain MinimumRate minimum rate}. Both run beside each
 * other, so that going on with the one is no excuse for the other.
 *
 * <p>A client answers for what it could do and did not:
 *
 * <ul>
 *   <li>A body counts from its first octets until a response begins, and not while there is no backend yet, or one that
 *       does not take more: then the client may have no window left, or wait for a {@code 100 Continue}. Of the window of the
 *       connection it always has enough, since that is opened for whatever came. Once the response has begun, a client of a
 *       streaming call may be silent while its backend talks; the connection to the backend bounds how long both are silent.
 *   <li>A response counts while some of it waits for a window (RFC 9113 section 5.2). If the window of the stream is closed, or
 *       open by less than a frame is worth, what goes out on this stream must keep the rate: the client opens that window
 *       for this response alone. Else it is the window of the connection that is closed, because others of its streams use it,
 *       and they have their turns: then whatever goes out on all of them counts.
 *   <li>What went out before the response had to wait counts too, because the client has yet to take it in.
 *   <li>Nothing counts while the connection takes no octets at all ({@link ConnectionClock}).
 * </ul>
 *
 * Event-loop confined. Cost: constant, allocates nothing.
 */
final class StreamDeadline {

    /** What a deadline sets off. */
    interface Owner {

        /** The client does not send the body of its request, or too slowly. */
        void senderIsSlow(Failure failure);

        /** The client does not take the response, or too slowly. */
        void readerIsSlow();

        /** The client was listened to for long enough. */
        void restIsOver();
    }

    /** How long a client that has its response is listened to if its request goes on, as far as its window goes. */
    private static final Duration REST_OF_REQUEST = Duration.ofSeconds(1);

    /** Whose window is open by less, though more waits, is not held up by other streams. */
    private static final int LEAST_WINDOW_BYTES = 1024;

    private final FrontendLoop loop;
    private final ConnectionClock clock;
    private final SendFlow flow;
    private final StreamOutput response;
    private final Owner owner;
    private final Awaited body;
    private final Awaited reader;
    private final Entry entry = new Entry();

    private boolean listening;
    /** Whether the response has begun, so that the client may rest in the middle of its body. */
    private boolean answered;

    /** Octets of frames that the client has allowed for the body, of which what is sent is no part. */
    private long allowedBytes;

    private long headBytes;
    /** Octets that had gone out on this stream, and on all, when the response was looked at. */
    private long seenBytes;

    private long seenOnAllBytes;
    /** Whether the stream's own window has held the response up since then. */
    private boolean ownWindow;

    StreamDeadline(
            FrontendLoop loop,
            ClientDeadlines times,
            ConnectionClock clock,
            SendFlow flow,
            StreamOutput response,
            Owner owner) {
        MinimumRate rate = times.minimumRate();
        this.loop = loop;
        this.clock = clock;
        this.flow = flow;
        this.response = response;
        this.owner = owner;
        this.body = new Awaited(
                times.requestBodyIdle(), new Pace(rate.requestBodyBytes(), rate.grace(), times.requestBodyIdle()));
        this.reader =
                new Awaited(times.responseIdle(), new Pace(rate.responseBytes(), rate.grace(), times.responseIdle()));
    }

    /** A stream begins, with this window. */
    void begin(int window) {
        listening = false;
        answered = false;
        allowedBytes = window;
        headBytes = 0;
        seenBytes = 0;
    }

    // ---- the request

    /** More of the body came. The first octets start the clock: a client may wait for a {@code 100 Continue}. */
    void bodyReceived(int bytes) {
        if (bytes == 0 || answered) {
            return; // empty frames are no progress
        }
        long now = clock.now();
        body.begin(now);
        body.moved(bytes, now);
    }

    /** It is the client's turn to send more of the body. */
    void awaitBody() {
        if (!answered) {
            body.begin(clock.now());
        }
        set();
    }

    /** The client has nothing to send, or is held up. */
    void expectNoBody() {
        body.stop();
        set();
    }

    // ---- the response

    /** The head of the response has gone out; from now on the two sides may talk at the same time. */
    void answered() {
        headBytes = response.sentBytes();
        answered = true;
        body.stop();
    }

    /** The window of the stream has become larger, or with a setting smaller. */
    void windowGrew(long bytes) {
        count(); // up to now the old one held
        allowedBytes += bytes;
        ownWindow = isHeldByOwnWindow();
    }

    /** Some of the response was given or sent, or may be. */
    void responseMoved() {
        if (response.isWaiting()) {
            if (!reader.is()) {
                reader.begin(clock.now());
                ownWindow = true; // what went out on the others meanwhile bought it nothing
                seenOnAllBytes = flow.sentBytes();
            }
            look();
        } else {
            reader.stop();
        }
        set();
    }

    private void look() {
        count();
        ownWindow = isHeldByOwnWindow();
    }

    private void count() {
        if (!reader.is()) {
            return;
        }
        long sent = response.sentBytes() - seenBytes;
        long onAll = flow.sentBytes() - seenOnAllBytes;
        reader.moved(ownWindow ? sent : onAll, clock.now());
        seenBytes += sent;
        seenOnAllBytes += onAll;
    }

    private boolean isHeldByOwnWindow() {
        long window = allowedBytes - (response.sentBytes() - headBytes);
        return window < Math.min(LEAST_WINDOW_BYTES, response.heldBytes());
    }

    // ---- the end

    /** The response is out; what is on its way of the request is listened to for a moment. */
    void listen() {
        listening = true;
        body.stop();
        reader.stop();
        loop.setDeadline(entry, REST_OF_REQUEST);
    }

    /** The stream is over. */
    void end() {
        body.stop();
        reader.stop();
        loop.deadlines().remove(entry);
    }

    private void set() {
        if (listening) {
            return;
        }
        if (body.is() || reader.is()) {
            long now = clock.now();
            long left = Math.min(body.leftNanos(now), reader.leftNanos(now));
            loop.deadlines().set(entry, loop.now() + left);
        } else {
            loop.deadlines().clear(entry);
        }
    }

    private void judge() {
        if (listening) {
            owner.restIsOver();
            return;
        }
        look();
        long now = clock.now();
        if (reader.isTooSlow(now) || reader.isIdle(now)) {
            owner.readerIsSlow();
        } else if (body.isTooSlow(now)) {
            owner.senderIsSlow(Failure.REQUEST_BODY_SLOW);
        } else if (body.isIdle(now)) {
            owner.senderIsSlow(Failure.REQUEST_BODY_TIMEOUT);
        } else {
            set();
        }
    }

    private final class Entry extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            judge();
        }
    }
}
