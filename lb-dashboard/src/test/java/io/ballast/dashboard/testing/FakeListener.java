package io.ballast.dashboard.testing;

import io.ballast.core.stats.BoundStatistic;
import io.ballast.core.stats.Metric;
import io.ballast.core.stats.Statistic;
import io.ballast.dashboard.source.CertificateStats;
import io.ballast.dashboard.source.ListenerStats;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A listener with fixed, distinct statistics. */
public final class FakeListener implements ListenerStats {

    public static final List<Statistic<FakeListener>> STATISTICS = List.of(
            Statistic.ofValue(
                    Metric.gauge("ballast.listener.connections", "Open connections", "listener"),
                    "connections_open",
                    FakeListener::connectionsOpen),
            Statistic.ofLabels(
                    Metric.counter("ballast.listener.failures", "Failed requests", "listener", "kind"),
                    "failures",
                    (listener, samples) -> samples.value("no_route", 6)));

    private final String name;
    private final AtomicLong requests;
    private final AtomicLong completed;
    private final AtomicLong errors;
    private volatile int open = 4;
    private volatile List<CertificateStats> certificates = List.of(new CertificateStats(
            "/etc/ballast/front.crt",
            List.of("front.example", "*.front.example"),
            "CN=Authority",
            Instant.parse("2100-01-01T00:00:00Z")));

    /** Creates {@code front}, which has already served requests. */
    public FakeListener() {
        this("front", 70, 66, 51);
    }

    /** Creates a new listener. */
    public FakeListener(String name) {
        this(name, 0, 0, 0);
    }

    private FakeListener(String name, long requests, long completed, long errors) {
        this.name = name;
        this.requests = new AtomicLong(requests);
        this.completed = new AtomicLong(completed);
        this.errors = new AtomicLong(errors);
    }

    /** Sets the number of open connections. */
    public void open(int connections) {
        open = connections;
    }

    /** Sets the presented certificates. */
    public void certificates(List<CertificateStats> all) {
        certificates = List.copyOf(all);
    }

    /** Adds completed requests, some of which failed. */
    public void traffic(long more, long moreErrors) {
        requests.addAndGet(more);
        completed.addAndGet(more);
        errors.addAndGet(moreErrors);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String address() {
        return "127.0.0.1:8080";
    }

    @Override
    public long requests() {
        return requests.get();
    }

    @Override
    public long requestsCompleted() {
        return completed.get();
    }

    @Override
    public long errors() {
        return errors.get();
    }

    @Override
    public long responses(int statusClass) {
        return statusClass * 10L;
    }

    @Override
    public List<CertificateStats> certificates() {
        return certificates;
    }

    @Override
    public long connectionsAccepted() {
        return 30;
    }

    @Override
    public int connectionsOpen() {
        return open;
    }

    @Override
    public List<BoundStatistic<?>> statistics() {
        return Statistic.bindAll(STATISTICS, this);
    }
}
