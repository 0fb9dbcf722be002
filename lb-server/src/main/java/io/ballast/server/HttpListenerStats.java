package io.ballast.server;

import io.ballast.core.config.HostPort;
import io.ballast.dashboard.ListenerStats;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import java.util.LinkedHashMap;
import java.util.Map;

/** Shows an HTTP listener's counters to the dashboard. */
record HttpListenerStats(Listener listener, int port) implements ListenerStats {

    @Override
    public String name() {
        return listener.config().name();
    }

    @Override
    public String address() {
        return new HostPort(listener.config().bind().host(), port).toString();
    }

    @Override
    public long requests() {
        return sum(ListenerCounter.REQUESTS);
    }

    @Override
    public long requestsCompleted() {
        return sum(ListenerCounter.REQUESTS_COMPLETED);
    }

    @Override
    public long errors() {
        return sum(ListenerCounter.ERRORS);
    }

    @Override
    public long responses(int statusClass) {
        return sum(ListenerCounter.ofStatus(statusClass * 100));
    }

    @Override
    public long connectionsAccepted() {
        return sum(ListenerCounter.CONNECTIONS_OPENED);
    }

    @Override
    public int connectionsOpen() {
        return listener.openConnections();
    }

    @Override
    public Map<String, Long> connectionsLimited() {
        Map<String, Long> limited = new LinkedHashMap<>();
        limited.put("limit", sum(ListenerCounter.CONNECTIONS_REFUSED));
        limited.put("client_limit", sum(ListenerCounter.CONNECTIONS_REFUSED_PER_CLIENT));
        limited.put("used_up", sum(ListenerCounter.CONNECTIONS_USED_UP));
        limited.put("no_descriptors", sum(ListenerCounter.CONNECTIONS_NOT_ACCEPTED));
        return limited;
    }

    @Override
    public Map<String, Long> failures() {
        Map<String, Long> failures = new LinkedHashMap<>();
        for (Failure failure : Failure.values()) {
            failures.put(failure.label(), listener.failures().sum(failure));
        }
        return failures;
    }

    @Override
    public long bytesReceived() {
        return sum(ListenerCounter.BYTES_IN);
    }

    @Override
    public long bytesSent() {
        return sum(ListenerCounter.BYTES_OUT);
    }

    @Override
    public long upgradesIgnored() {
        return sum(ListenerCounter.UPGRADES_IGNORED);
    }

    @Override
    public long accessLogDropped() {
        return listener.accessLogDropped();
    }

    private long sum(ListenerCounter counter) {
        return listener.counters().sum(counter);
    }
}
