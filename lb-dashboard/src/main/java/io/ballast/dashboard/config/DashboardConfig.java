package io.ballast.dashboard.config;

import io.ballast.core.Checks;
import io.ballast.core.config.HostPort;
import io.ballast.net.config.ListenerTls;
import java.time.Duration;
import java.util.Optional;

/**
 * The configuration of the dashboard and its listeners.
 *
 * @param enabled whether the page and the API are served at all
 * @param bind the listen address; need not be a loopback address if remote clients need access
 * @param readyWhen the condition for {@code /readyz}
 * @param histograms whether {@code /metrics} has histograms per backend or per pool
 * @param certificateWarning how long before its expiry a certificate raises an alarm
 * @param overrideMax the longest time until an external override expires
 * @param access the access control
 * @param tls the TLS settings; absent for plain HTTP
 * @param probes a listener without page and API, independent of {@code enabled}
 */
public record DashboardConfig(
        boolean enabled,
        HostPort bind,
        ReadyWhen readyWhen,
        Histograms histograms,
        Duration certificateWarning,
        Duration overrideMax,
        DashboardAccess access,
        Optional<ListenerTls> tls,
        Optional<ProbesConfig> probes) {

    /** The default of {@link #certificateWarning}: automatic renewal happens long before this time. */
    public static final Duration DEFAULT_CERTIFICATE_WARNING = Duration.ofDays(14);

    /** The default of {@link #overrideMax}. */
    public static final Duration DEFAULT_OVERRIDE_MAX = Duration.ofHours(24);

    public static final Duration SHORTEST_OVERRIDE_MAX = Duration.ofSeconds(1);
    public static final Duration LONGEST_OVERRIDE_MAX = Duration.ofDays(365);

    private static final Duration LONGEST_CERTIFICATE_WARNING = Duration.ofDays(365);

    public static final HostPort DEFAULT_BIND = new HostPort("127.0.0.1", 8001);
    public static final DashboardConfig DEFAULT = new DashboardConfig(true, DEFAULT_BIND);

    public DashboardConfig {
        Checks.that(
                !certificateWarning.isNegative() && certificateWarning.compareTo(LONGEST_CERTIFICATE_WARNING) <= 0,
                "certificate_warning",
                certificateWarning,
                "0 to 365d");
        Checks.that(
                overrideMax.compareTo(SHORTEST_OVERRIDE_MAX) >= 0 && overrideMax.compareTo(LONGEST_OVERRIDE_MAX) <= 0,
                "override_max",
                overrideMax,
                "1s to 365d");
    }

    /**
     * Creates a configuration for plain HTTP and local clients, without login and without a listener for probes.
     */
    public DashboardConfig(boolean enabled, HostPort bind, ReadyWhen readyWhen, Histograms histograms) {
        this(
                enabled,
                bind,
                readyWhen,
                histograms,
                DEFAULT_CERTIFICATE_WARNING,
                DEFAULT_OVERRIDE_MAX,
                DashboardAccess.DEFAULT,
                Optional.empty(),
                Optional.empty());
    }

    /** Creates a configuration with the default readiness condition and histograms. */
    public DashboardConfig(boolean enabled, HostPort bind) {
        this(enabled, bind, ReadyWhen.EVERY_LISTENER, Histograms.PER_BACKEND);
    }

    /** Returns a copy with this listener for probes, or without one if {@code other} is empty. */
    public DashboardConfig withProbes(Optional<ProbesConfig> other) {
        return new DashboardConfig(
                enabled, bind, readyWhen, histograms, certificateWarning, overrideMax, access, tls, other);
    }

    /** Returns a copy with this access control. */
    public DashboardConfig withAccess(DashboardAccess other) {
        return new DashboardConfig(
                enabled, bind, readyWhen, histograms, certificateWarning, overrideMax, other, tls, probes);
    }

    /** Returns a copy with these TLS settings, or without TLS if {@code other} is empty. */
    public DashboardConfig withTls(Optional<ListenerTls> other) {
        return new DashboardConfig(
                enabled, bind, readyWhen, histograms, certificateWarning, overrideMax, access, other, probes);
    }

    /** Returns a copy with this warning time for certificates. */
    public DashboardConfig withCertificateWarning(Duration other) {
        return new DashboardConfig(enabled, bind, readyWhen, histograms, other, overrideMax, access, tls, probes);
    }

    /** Returns a copy with this longest time until an external override expires. */
    public DashboardConfig withOverrideMax(Duration other) {
        return new DashboardConfig(
                enabled, bind, readyWhen, histograms, certificateWarning, other, access, tls, probes);
    }

    /** Whether the dashboard has any listener. */
    public boolean isServed() {
        return enabled || probes.isPresent();
    }
}
