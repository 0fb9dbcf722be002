package io.ballast.http.background.exchange;

import io.ballast.core.config.HostPort;
import io.ballast.http.background.BackgroundCall;
import io.ballast.http.background.BackgroundClient;
import io.ballast.http.background.BackgroundFailure;
import io.ballast.http.background.BackgroundRequest;
import io.ballast.http.background.BackgroundResponseHandler;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingPolicies;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Listener;
import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.BackendFailureListener;
import io.ballast.http.route.RouteTable;
import io.ballast.net.config.ClientLimits;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The background requests of one event loop. At most {@value #MAX_IN_FLIGHT} are in flight; further requests are
 * refused. Event-loop confined.
 */
public final class BackgroundExchanges implements BackgroundClient {

    public static final int MAX_IN_FLIGHT = 1000;

    private static final HeadLimits LIMITS = new HeadLimits(
            BackgroundRequest.MAX_HEAD_BYTES,
            BackgroundRequest.MAX_HEAD_BYTES,
            BackgroundRequest.MAX_HEAD_BYTES,
            /* headers= */ 10_000);

    private final Worker worker;
    private final ConnectionSource connections;
    private final Listener listener;
    private final int max;
    private final Set<BackgroundExchange> inFlight = Collections.newSetFromMap(new IdentityHashMap<>());
    private final RequestScanner scanner = new RequestScanner();
    private byte[] scratch = new byte[1024];
    private boolean closed;

    /**
     * @param connections opens the connections to backends
     * @param listener the listener of all background requests; see {@link #listener}
     * @param max the maximum number of requests in flight
     */
    public BackgroundExchanges(Worker worker, ConnectionSource connections, Listener listener, int max) {
        this.worker = worker;
        this.connections = connections;
        this.listener = listener;
        this.max = max;
    }

    /**
     * Creates the listener of all background requests. Every exchange needs a listener for its limits. This listener
     * has no limits and accepts no clients. It appears neither in metrics nor in the configuration.
     *
     * @param failure is notified of failing backends
     * @param shards the number of event loops
     */
    public static Listener listener(BackendFailureListener failure, int shards) {
        ListenerConfig config = new ListenerConfig(
                "background",
                new HostPort("localhost", 0),
                /* routes= */ List.of(),
                ClientDeadlines.DEFAULT,
                ClientLimits.DEFAULT,
                ForwardingPolicies.of(Forwarding.OFF));
        return new Listener(config, RouteTable.EMPTY, failure, /* accessLog= */ null, shards);
    }

    @Override
    public BackgroundCall send(BackgroundRequest request, BackgroundResponseHandler handler) {
        BackgroundFailure refusal = closed || inFlight.size() >= max
                ? BackgroundFailure.REFUSED
                : isValid(request) ? null : BackgroundFailure.INVALID_REQUEST;
        if (refusal != null) {
            request.body().release();
            handler.failed(refusal);
            return () -> {};
        }
        BackgroundExchange exchange = new BackgroundExchange(
                worker, connections, listener, request, scanner.method, handler, inFlight::remove);
        inFlight.add(exchange);
        exchange.begin();
        return exchange;
    }

    /** Scans the head; false if a backend could misread it. */
    private boolean isValid(BackgroundRequest request) {
        byte[] head = request.head();
        if (head.length > BackgroundRequest.MAX_HEAD_BYTES) {
            return false;
        }
        if (scratch.length < head.length + FieldScanner.SLACK) {
            scratch = Arrays.copyOf(head, head.length + FieldScanner.SLACK);
        } else {
            System.arraycopy(head, 0, scratch, 0, head.length);
        }
        return scanner.scan(scratch, head.length, LIMITS) == ScanResult.COMPLETE
                && scanner.end == head.length
                && scanner.minorVersion == 1
                && !scanner.chunked
                && Math.max(0, scanner.contentLength) == request.body().readableBytes();
    }

    /** The number of requests in flight. */
    public int inFlight() {
        return inFlight.size();
    }

    /** Ends all requests, whose handlers get {@link BackgroundFailure#STOPPED}, and refuses further requests. */
    public void close() {
        closed = true;
        List.copyOf(inFlight).forEach(BackgroundExchange::stop);
    }
}
