package io.ballast.core.config;

/**
 * The dashboard's own listener.
 *
 * @param enabled whether it is served at all
 * @param bind a loopback address; other addresses need credentials, which this version does not have
 */
public record DashboardConfig(boolean enabled, HostPort bind) {

    public static final DashboardConfig DEFAULT = new DashboardConfig(true, new HostPort("127.0.0.1", 8001));
}
