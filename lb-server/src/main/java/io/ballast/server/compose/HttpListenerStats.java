package io.ballast.server.compose;

import io.ballast.core.config.Address;
import io.ballast.core.config.HostPort;
import io.ballast.core.stats.BoundStatistic;
import io.ballast.core.stats.Statistic;
import io.ballast.dashboard.source.CertificateStats;
import io.ballast.dashboard.source.ListenerStats;
import io.ballast.http.FrontendListener;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.exchange.ListenerStatistics;
import java.util.List;

/** Provides the counters of an HTTP, TCP or UDP listener to the dashboard. */
record HttpListenerStats(Listener listener, int port, ListenerCertificates certificateSource) implements ListenerStats {

    static HttpListenerStats of(FrontendListener running) {
        return new HttpListenerStats(
                running.listener(), running.port(), new ListenerCertificates(running.identities()));
    }

    @Override
    public String name() {
        return listener.config().name();
    }

    @Override
    public String address() {
        Address bind = listener.config().bind();
        return bind instanceof HostPort configured ? new HostPort(configured.host(), port).toString() : bind.toString();
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
    public List<BoundStatistic<?>> statistics() {
        return Statistic.bindAll(ListenerStatistics.ALL, listener);
    }

    @Override
    public List<CertificateStats> certificates() {
        return certificateSource.read();
    }

    private long sum(ListenerCounter counter) {
        return listener.counters().sum(counter);
    }
}
