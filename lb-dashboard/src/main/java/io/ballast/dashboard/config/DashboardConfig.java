package io.ballast.dashboard.config;

import io.ballast.core.Checks;
import io.ballast.core.config.HostPort;
import io.ballast.net.config.ListenerTls;
import java.time.Duration;
import java.util.Optional;

/**
 * The dashboard's own listeners.
 *
 * @param enabled whether the page and the API are served at all
 * @param bind any address, if others than this machine may ask
 * @param readyWhen what {@code /readyz} follows
 * @param histograms of which response times {@code /metrics} has histograms
 * @param certificateWarning how long before its end a certificate raises an alarm
 * @param access who may ask
 * @param tls absent for plain HTTP
 * @param probes a listener without page and API, whether those are served or not
 */
public record DashboardConfig(
        boolean enabled,
        HostPort bind,
        ReadyWhen readyWhen,
        Histograms histograms,
        Duration certificateWarning,
        DashboardAccess access,
        Optional<ListenerTls> tls,
        Optional<ProbesConfig> probes) {

    /** The default of {@link #certificateWarning}: automatic renewal happens long before. */
    public static final Duration DEFAULT_CERTIFICATE_WARNING = Duration.ofDays(14);

    private static final Duration LONGEST_CERTIFICATE_WARNING = Duration.ofDays(365);

    public static final HostPort DEFAULT_BIND = new HostPort("127.0.0.1", 8001);
    public static final DashboardConfig DEFAULT = new DashboardConfig(true, DEFAULT_BIND);

    public DashboardConfig {
        Checks.that(
                !certificateWarning.isNegative() && certificateWarning.compareTo(LONGEST_CERTIFICATE_WARNING) <= 0,
                "certificate_warning",
                certificateWarning,
                "0 to 365d");
    }

    /** Plain HTTP for this machine, without login and without a listener for probes. */
    public DashboardConfig(boolean enabled, HostPort bind, ReadyWhen readyWhen, Histograms histograms) {
        this(
                enabled,
                bind,
                readyWhen,
                histograms,
                DEFAULT_CERTIFICATE_WARNING,
                DashboardAccess.DEFAULT,
                Optional.empty(),
                Optional.empty());
    }

    /** Readiness and histograms as by default. */
    public DashboardConfig(boolean enabled, HostPort bind) {
        this(enabled, bind, ReadyWhen.EVERY_LISTENER, Histograms.PER_BACKEND);
    }

    /** Returns a copy with another listener for probes, or without one. */
    public DashboardConfig withProbes(Optional<ProbesConfig> other) {
        return new DashboardConfig(enabled, bind, readyWhen, histograms, certificateWarning, access, tls, other);
    }

    /** Returns a copy with other access control. */
    public DashboardConfig withAccess(DashboardAccess other) {
        return new DashboardConfig(enabled, bind, readyWhen, histograms, certificateWarning, other, tls, probes);
    }

    /** Returns a copy with other TLS settings, or without TLS. */
    public DashboardConfig withTls(Optional<ListenerTls> other) {
        return new DashboardConfig(enabled, bind, readyWhen, histograms, certificateWarning, access, other, probes);
    }

    /** Returns a copy with another warning time for certificates. */
    public DashboardConfig withCertificateWarning(Duration other) {
        return new DashboardConfig(enabled, bind, readyWhen, histograms, other, access, tls, probes);
    }

    /** Whether there is anything to listen at. */
    public boolean isServed() {
        return enabled || probes.isPresent();
    }
}
