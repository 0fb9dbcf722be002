package io.ballast.config.shorthand;

import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.dashboard.DashboardKeys;
import io.ballast.core.config.HostPort;
import io.ballast.dashboard.config.DashboardConfig;

/** The keys of {@code monitoring} in the short form. */
final class ShortMonitoring {

    private static final String HOST_KEY = "host";

    private static final ShapeBuilder<HostPort> KEYS = Shape.named("short_monitoring", "The address of the dashboard.");

    private static final Key<String> HOST = KEYS.shorthand(
            HOST_KEY,
            ShortTypes.HOST,
            "loopback address; default: 127.0.0.1; other addresses require users, which only the long form has");
    private static final Key<Integer> PORT = KEYS.shorthand("port", ShortTypes.PORT, "its port; 8001 by default");

    static final Type<HostPort> MONITORING = KEYS.build(values -> DashboardKeys.loopback(
            new HostPort(
                    values.find(HOST).orElse(DashboardConfig.DEFAULT.bind().host()),
                    values.find(PORT).orElse(DashboardConfig.DEFAULT.bind().port())),
            HOST_KEY));

    private ShortMonitoring() {}
}
