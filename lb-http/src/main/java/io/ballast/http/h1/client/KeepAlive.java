package io.ballast.http.h1.client;

import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.net.Worker;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;
import io.ballast.http.serving.RequestState;

/** Decides whether a client connection stays open for another request, and closes it if not. Event-loop confined. */
final class KeepAlive {

    private final Worker worker;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final Counters.Shard<ListenerCounter> counters;
    private final RequestState requestState;
    private final ClientOutput output;
    private final ClientDeadline deadline;

    KeepAlive(
            Worker worker,
            Listener listener,
            ConnectionSettings settings,
            RequestState served,
            ClientOutput output,
            ClientDeadline deadline) {
        this.worker = worker;
        this.listener = listener;
        this.settings = settings;
        this.counters = listener.counters().shard(worker.index());
        this.requestState = served;
        this.output = output;
        this.deadline = deadline;
    }

    /**
     * Whether another request may follow the current one. After a request for a protocol switch, this is not allowed,
     * because the following data might not be HTTP (RFC 9931).
     */
    boolean isAllowed(boolean requestComplete) {
        return requestState.wantsKeepAlive()
                && requestState.upgrade() == null
                && requestComplete
                && !listener.isLastExchange(settings)
                && !isUsedUp();
    }

    /** Whether the connection has served the maximum number of requests. */
    private boolean isUsedUp() {
        int max = settings.config().limits().requestsPerConnection();
        return max > 0 && requestState.number() >= max;
    }

    /**
     * Ends the connection after the last response. If the client may still be sending data, this method ends only the
     * output, and continues to read for some time. Closing a connection with unread input would reset it, and the
     * client could lose the response (RFC 9112 section 9.6).
     *
     * @param clientIsDone whether all of the client's data has been read
     */
    void end(boolean clientIsDone) {
        if (isUsedUp()) {
            counters.increment(ListenerCounter.CONNECTIONS_USED_UP);
        }
        deadline.awaitReader();
        if (clientIsDone) {
            output.closeWhenFlushed();
        } else {
            output.shutDownWhenFlushed(this::linger);
        }
    }

    private void linger() {
        output.setReading(true);
        worker.readClock();
        deadline.linger();
    }

    /** Ends the connection between requests. The last response may still be in transit. */
    void endUnused() {
        deadline.awaitReader();
        output.closeWhenFlushed();
    }
}
