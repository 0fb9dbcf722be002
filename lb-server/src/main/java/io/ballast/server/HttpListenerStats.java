package io.ballast.server;

import io.ballast.core.config.HostPort;
import io.ballast.dashboard.ListenerStats;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;

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
    public long bytesReceived() {
        return sum(ListenerCounter.BYTES_IN);
    }

    @Override
    public long bytesSent() {
        return sum(ListenerCounter.BYTES_OUT);
    }

    private long sum(ListenerCounter counter) {
        return listener.counters().sum(counter);
    }
}
