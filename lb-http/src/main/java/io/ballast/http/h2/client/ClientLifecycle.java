package io.ballast.http.h2.client;

import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;

/**
 * The life of a client's connection: what the client is waited for between streams and for how long, when no more streams are
 * taken, and how the connection ends, in order (RFC 9113 section 6.8) or for a fault. Event-loop confined.
 */
final class ClientLifecycle {

    private final Http2Connection connection;
    private final Http2Loop loop;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final Counters.Shard<ListenerCounter> counters;
    private final ClientOutput output;
    private final FrameOutput frames;
    private final Streams streams;
    private final FloodGuard guard;
    private final ClientDeadline deadline;

    private int served;
    private boolean closing;
    private boolean goingAway;

    ClientLifecycle(
            Http2Connection connection,
            Counters.Shard<ListenerCounter> counters,
            ClientOutput output,
            FrameOutput frames,
            Streams streams,
            FloodGuard guard) {
        this.connection = connection;
        this.loop = connection.loop();
        this.listener = connection.listener();
        this.settings = connection.settings();
        this.counters = counters;
        this.output = output;
        this.frames = frames;
        this.streams = streams;
        this.guard = guard;
        this.deadline = new ClientDeadline(loop.worker, settings.config().deadlines(), output, this::deadlineOver);
    }

    /** Whether the connection is ending, and nothing counts that comes. */
    boolean isClosing() {
        return closing;
    }

    /** Whether no more streams are taken. */
    boolean isGoingAway() {
        return goingAway;
    }

    // ---- what is awaited

    /** The connection begins: a client that says nothing is as slow as one that stops in the middle of a head. */
    void begin() {
        deadline.awaitHead();
    }

    /** The rest of a head is awaited, once the client has taken what it is to take. */
    void awaitHead() {
        if (output.isWritable()) {
            deadline.awaitHead();
        }
    }

    /** A head has come, and its client has nothing to do but, if it is slow, to read. */
    void headCame() {
        if (output.isWritable()) {
            deadline.clear();
        }
    }

    /** The client does not read what was sent to it. */
    void awaitReader() {
        deadline.awaitReader();
    }

    /** Something has ended, or was sent: looks what is awaited now. */
    void idle() {
        if (goingAway || listener.isLastExchange(settings)) {
            drain();
            closeIfDone();
        } else if (connection.received().isInHead()) {
            return; // the rest of the head is awaited, whatever else ends
        } else if (streams.isEmpty() && !closing && output.isWritable()) {
            if (streams.keepsUnused()) {
                deadline.awaitRest();
            } else {
                deadline.awaitNextRequest();
            }
        } else if (output.isWritable()) {
            deadline.clear();
        }
    }

    // ---- the end in order

    /** A request was taken. */
    void countServed() {
        int most = settings.config().limits().requestsPerConnection();
        if (most > 0 && ++served >= most && !goingAway) {
            counters.increment(ListenerCounter.CONNECTIONS_USED_UP);
            drain();
        } else if (listener.isLastExchange(settings)) {
            drain();
        }
    }

    /** The client opens no more streams. */
    void clientGoesAway() {
        goingAway = true;
        closeIfDone();
    }

    /** Lets what runs come to its end and takes no more. */
    void drain() {
        if (!goingAway && !closing) {
            goingAway = true;
            frames.goAway(connection.received().lastStream(), ErrorCode.NO_ERROR);
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

    // ---- other ends

    /** Whether what the client has us do can be afforded; if not, the connection ends. */
    boolean afford(int cost) {
        if (guard.spend(cost)) {
            return true;
        }
        if (closing) {
            return false;
        }
        counters.increment(ListenerCounter.HTTP2_FLOODS);
        return fail(ErrorCode.ENHANCE_YOUR_CALM);
    }

    /** Ends the connection for a fault of the client; returns false. */
    boolean fail(ErrorCode code) {
        if (closing) {
            return false;
        }
        closing = true;
        counters.increment(ListenerCounter.HTTP2_ERRORS);
        connection.stopAll(Failure.BAD_REQUEST);
        frames.goAway(connection.received().lastStream(), code);
        frames.flush();
        deadline.awaitReader();
        output.shutDownWhenFlushed(this::linger);
        return false;
    }

    private void linger() {
        output.reading(true);
        loop.worker.readClock();
        deadline.linger();
    }

    /** The connection is closed. */
    void end() {
        closing = true;
        deadline.remove();
    }

    private void deadlineOver() {
        if ((closing || !output.isWritable()) && deadline.readerGoesOn()) {
            return;
        }
        if (closing || output.pendingBytes() > 0) {
            boolean unread = output.pendingBytes() > 0;
            connection.stopAll(unread ? Failure.SLOW_READER : Failure.CLIENT_GONE);
            output.cut(/* visibly= */ unread);
            return;
        }
        if (connection.received().isInHead()) {
            fail(ErrorCode.ENHANCE_YOUR_CALM);
            return;
        }
        if (streams.keepsUnused()) {
            streams.forgetUnused();
            if (deadline.goesOnAfterRest()) {
                return;
            }
        }
        drain(); // nothing was asked for in time
    }
}
