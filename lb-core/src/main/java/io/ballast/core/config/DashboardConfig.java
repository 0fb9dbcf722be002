package io.ballast.core.config;

import java.util.Optional;

/**
 * The dashboard's own listeners.
 *
 * @param enabled whether the page and the API are served at all
 * @param bind any address, if others than this machine may ask
 * @param readyWhen what {@code /readyz} follows
 * @param histograms of which response times {@code /metrics} has histograms
 * @param access who may ask
 * @param tls absent for plain HTTP
 * @param probes a listener without page and API, whether those are served or not
 */
public record DashboardConfig(
        boolean enabled,
        HostPort bind,
        ReadyWhen readyWhen,
        Histograms histograms,
        DashboardAccess access,
        Optional<ListenerTls> tls,
        Optional<ProbesConfig> probes) {

    public static final DashboardConfig DEFAULT = new DashboardConfig(true, new HostPort("127.0.0.1", 8001));

    /** Plain HTTP for this machine, without login and without a listener for probes. */
    public DashboardConfig(boolean enabled, HostPort bind, ReadyWhen readyWhen, Histograms histograms) {
        this(enabled, bind, readyWhen, histograms, DashboardAccess.DEFAULT, Optional.empty(), Optional.empty());
    }

    /** Readiness and histograms as by default. */
    public DashboardConfig(boolean enabled, HostPort bind) {
        this(enabled, bind, ReadyWhen.EVERY_LISTENER, Histograms.PER_BACKEND);
    }

    /** The same with another listener for probes, or with none. */
    public DashboardConfig withProbes(Optional<ProbesConfig> other) {
        return new DashboardConfig(enabled, bind, readyWhen, histograms, access, tls, other);
    }

    /** The same for other people. */
    public DashboardConfig withAccess(DashboardAccess other) {
        return new DashboardConfig(enabled, bind, readyWhen, histograms, other, tls, probes);
    }

    /** The same with another TLS, or with none. */
    public DashboardConfig withTls(Optional<ListenerTls> other) {
        return new DashboardConfig(enabled, bind, readyWhen, histograms, access, other, probes);
    }

    /** Whether there is anything to listen at. */
    public boolean isServed() {
        return enabled || probes.isPresent();
    }
}
