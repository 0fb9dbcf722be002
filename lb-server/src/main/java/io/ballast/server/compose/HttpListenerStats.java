package io.ballast.server.compose;

import io.ballast.core.config.Address;
import io.ballast.core.config.HostPort;
import io.ballast.dashboard.source.CertificateStats;
import io.ballast.dashboard.source.ListenerStats;
import io.ballast.http.FrontendListener;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows the counters of a listener for HTTP, TCP or UDP to the dashboard. */
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
        return bind instanceof HostPort asked ? new HostPort(asked.host(), port).toString() : bind.toString();
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
        limited.put("tls", sum(ListenerCounter.TLS_FAILED));
        limited.put("plain_http", sum(ListenerCounter.PLAIN_HTTP));
        limited.put("tls_timeout", sum(ListenerCounter.TLS_TIMED_OUT));
        limited.put("proxy", sum(ListenerCounter.CONNECTIONS_PROXY_REFUSED));
        long floods = sum(ListenerCounter.HTTP2_FLOODS); // each flood is counted here first, and then as an error
        limited.put("http2_error", Math.max(0, sum(ListenerCounter.HTTP2_ERRORS) - floods));
        limited.put("http2_flood", floods);
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
    public long tunnelsOpen() {
        long closed = sum(ListenerCounter.TUNNELS_CLOSED); // read first, so that the difference is never negative
        return tunnelsOpened() - closed;
    }

    @Override
    public long tunnelsOpened() {
        return sum(ListenerCounter.TUNNELS_OPENED);
    }

    @Override
    public Map<String, Long> datagrams() {
        Map<String, Long> datagrams = new LinkedHashMap<>();
        datagrams.put("in", sum(ListenerCounter.DATAGRAMS_IN));
        datagrams.put("out", sum(ListenerCounter.DATAGRAMS_OUT));
        datagrams.put("dropped", sum(ListenerCounter.DATAGRAMS_DROPPED));
        return datagrams;
    }

    @Override
    public long upgradesIgnored() {
        return sum(ListenerCounter.UPGRADES_IGNORED);
    }

    @Override
    public long accessLogDropped() {
        return listener.accessLogDropped();
    }

    @Override
    public List<CertificateStats> certificates() {
        return certificateSource.read();
    }

    private long sum(ListenerCounter counter) {
        return listener.counters().sum(counter);
    }
}
