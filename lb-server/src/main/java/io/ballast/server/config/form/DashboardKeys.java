package io.ballast.server.config.form;

import io.ballast.core.Checks;
import io.ballast.core.config.DashboardConfig;
import io.ballast.core.config.Histograms;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.ReadyWhen;
import io.ballast.server.config.key.Addresses;
import io.ballast.server.config.key.Key;
import io.ballast.server.config.key.Reading;
import io.ballast.server.config.key.Scalars;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.ShapeBuilder;
import io.ballast.server.config.key.Type;
import io.ballast.server.config.key.Values;
import io.ballast.server.config.yaml.Node;

/** {@code dashboard}. */
final class DashboardKeys {

    private static final ShapeBuilder<DashboardConfig> KEYS = Shape.named("dashboard", "The dashboard's own listener.");

    private static final Key<Boolean> ENABLED = KEYS.optional(
            "enabled",
            Scalars.BOOLEAN,
            DashboardConfig.DEFAULT.enabled(),
            "whether it is served at all",
            DashboardConfig::enabled);
    private static final Key<HostPort> BIND = KEYS.optional(
            "bind",
            Addresses.BIND.map(bind -> loopback(bind, "bind"), bind -> bind),
            DashboardConfig.DEFAULT.bind(),
            "a loopback address; this version's dashboard has no login",
            DashboardConfig::bind);

    private static final Key<ReadyWhen> READY_WHEN = KEYS.optional(
            "ready_when",
            Words.of(ReadyWhen.class),
            DashboardConfig.DEFAULT.readyWhen(),
            "what /readyz needs once the process serves: a pool with a usable backend for every listener, a usable"
                    + " backend in every pool, or nothing more",
            DashboardConfig::readyWhen);
    private static final Key<Histograms> HISTOGRAMS = KEYS.optional(
            "histograms",
            Words.of(Histograms.class),
            DashboardConfig.DEFAULT.histograms(),
            "whether /metrics has a histogram of response times for each backend (16 lines each) beside those of pools",
            DashboardConfig::histograms);

    static final Type<DashboardConfig> DASHBOARD = KEYS.build(DashboardKeys::build);

    private DashboardKeys() {}

    /** Returns the address if only this machine can reach it, else refuses what stands under {@code key}. */
    static HostPort loopback(HostPort bind, String key) {
        Checks.that(
                Addresses.isLoopback(bind),
                key,
                bind,
                "a loopback address such as 127.0.0.1:8001, since this version's dashboard has no login");
        return bind;
    }

    /** Notes the port of a dashboard that is served; {@code node} is blamed for a conflict. */
    static void bind(DashboardConfig dashboard, Node node, Reading reading) {
        if (dashboard.enabled()) {
            reading.ports().bind("dashboard", dashboard.bind(), node, reading);
        }
    }

    private static DashboardConfig build(Values values) {
        DashboardConfig dashboard = new DashboardConfig(
                values.get(ENABLED), values.get(BIND), values.get(READY_WHEN), values.get(HISTOGRAMS));
        if (!values.failed(BIND) && !values.failed(ENABLED)) {
            bind(dashboard, values.node(BIND), values.reading());
        }
        return dashboard;
    }
}
