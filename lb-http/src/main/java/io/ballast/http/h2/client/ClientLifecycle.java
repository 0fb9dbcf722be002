package io.ballast.http.h2.client;

import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.multiplex.ClientStreams;
import io.ballast.http.multiplex.FloodGuard;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;

/**
 * The lifecycle of a client connection: its deadlines between streams, and how it ends, gracefully (RFC 9113 section
 * 6.8) or after an error. Event-loop confined.
 */
final class ClientLifecycle {

    private final Http2Connection connection;
    private final Worker worker;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final Counters.Shard<ListenerCounter> counters;
    private final ClientOutput output;
    private final FrameOutput frames;
    private final ClientStreams<Http2Stream> streams;
    private final FloodGuard guard;
    private final ClientDeadline deadline;

    private int requestCount;
    private boolean closing;
    private boolean goingAway;

    ClientLifecycle(
            Http2Connection connection,
            Counters.Shard<ListenerCounter> counters,
            ClientOutput output,
            FrameOutput frames,
            ClientStreams<Http2Stream> streams,
            FloodGuard guard) {
        this.connection = connection;
        this.worker = connection.loop().worker();
        this.listener = connection.listener();
        this.settings = connection.settings();
        this.counters = counters;
        this.output = output;
        this.frames = frames;
        this.streams = streams;
        this.guard = guard;
        this.deadline = new ClientDeadline(worker, settings.config().deadlines(), output, this::deadlineOver);
    }

    /** Whether the connection is closing; received frames are then ignored. */
    boolean isClosing() {
        return closing;
    }

    /** Whether no new streams are accepted. */
    boolean isGoingAway() {
        return goingAway;
    }

    // ---- deadlines

    /**
     * Starts the connection with the deadline for a request head, which also applies to a client that sends
     * nothing.
     */
    void begin() {
        deadline.awaitHead();
    }

    /** Starts the deadline for the rest of a request head, unless output is blocked. */
    void awaitHead() {
        if (output.isWritable()) {
            deadline.awaitHead();
        }
    }

    /** Called when a request head is complete: clears the deadline, unless output is blocked. */
    void headReceived() {
        if (output.isWritable()) {
            deadline.clear();
        }
    }

    /** Starts the deadline for a client that does not read. */
    void awaitReader() {
        deadline.awaitReader();
    }

    /** Updates the deadline after a stream has ended or data was sent. */
    void updateDeadline() {
        if (goingAway || listener.isLastExchange(settings)) {
            drain();
            closeIfDone();
        } else if (connection.clientFrames().isInHead()) {
            return; // the deadline of the head remains in effect
        } else if (streams.isEmpty() && !closing && output.isWritable()) {
            if (streams.hasUnused()) {
                deadline.awaitIdleThreshold();
            } else {
                deadline.awaitNextRequest();
            }
        } else if (output.isWritable()) {
            deadline.clear();
        }
    }

    // ---- graceful shutdown of the connection

    /** Counts a request; drains the connection at the limit. */
    void countServed() {
        int max = settings.config().limits().requestsPerConnection();
        if (max > 0 && ++requestCount >= max && !goingAway) {
            counters.increment(ListenerCounter.CONNECTIONS_USED_UP);
            drain();
        } else if (listener.isLastExchange(settings)) {
            drain();
        }
    }

    /** Called when the client has sent GOAWAY and opens no more streams. */
    void goAwayReceived() {
        goingAway = true;
        closeIfDone();
    }

    /** Sends GOAWAY. Open streams may finish, and new streams are refused. */
    void drain() {
        if (!goingAway && !closing) {
            goingAway = true;
            frames.goAway(connection.clientFrames().lastStream(), ErrorCode.NO_ERROR);
            frames.flushSoon();
            closeIfDone();
        }
    }

    private void closeIfDone() {
        if (goingAway && !closing && streams.isEmpty()) {
            closing = true;
            frames.flush();
            deadline.awaitReader();
            output.closeWhenFlushed();
        }
    }

    // ---- flood protection and connection errors

    /** Charges {@code cost} to the flood guard; closes the connection if its allowance is exceeded. */
    boolean charge(int cost) {
        if (guard.spend(cost)) {
            return true;
        }
        if (closing) {
            return false;
        }
        counters.increment(ListenerCounter.HTTP2_FLOODS);
        return fail(ErrorCode.ENHANCE_YOUR_CALM);
    }

    /** Closes the connection because of a client error; returns false. */
    boolean fail(ErrorCode code) {
        if (closing) {
            return false;
        }
        closing = true;
        counters.increment(ListenerCounter.HTTP2_ERRORS);
        connection.stopAll(Failure.BAD_REQUEST);
        frames.goAway(connection.clientFrames().lastStream(), code);
        frames.flush();
        deadline.awaitReader();
        output.shutDownWhenFlushed(this::linger);
        return false;
    }

    private void linger() {
        output.setReading(true);
        worker.readClock();
        deadline.linger();
    }

    /** Called when the connection is closed. */
    void end() {
        closing = true;
        deadline.remove();
    }

    private void deadlineOver() {
        if ((closing || !output.isWritable()) && deadline.readerContinues()) {
            return;
        }
        if (closing || output.pendingBytes() > 0) {
            boolean unread = output.pendingBytes() > 0;
            connection.stopAll(unread ? Failure.SLOW_READER : Failure.CLIENT_GONE);
            output.abort(/* visibly= */ unread);
            return;
        }
        if (connection.clientFrames().isInHead()) {
            fail(ErrorCode.ENHANCE_YOUR_CALM);
            return;
        }
        if (streams.hasUnused()) {
            streams.clearUnused();
            if (deadline.continueKeepAlive()) {
                return;
            }
        }
        drain(); // the idle timeout has expired
    }
}
