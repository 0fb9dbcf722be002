package io.ballast.core.config;

/**
 * The dashboard's own listener.
 *
 * @param enabled whether it is served at all
 * @param bind a loopback address; other addresses need credentials, which this version does not have
 * @param readyWhen what {@code /readyz} follows
 * @param histograms of which response times {@code /metrics} has histograms
 */
public record DashboardConfig(boolean enabled, HostPort bind, ReadyWhen readyWhen, Histograms histograms) {

    public static final DashboardConfig DEFAULT = new DashboardConfig(true, new HostPort("127.0.0.1", 8001));

    /** Readiness and histograms as by default. */
    public DashboardConfig(boolean enabled, HostPort bind) {
        this(enabled, bind, ReadyWhen.EVERY_LISTENER, Histograms.PER_BACKEND);
    }
}
