package io.ballast.discovery.source;

import io.ballast.core.Checks;
import io.ballast.core.config.HostPort;

/**
 * A backend as reported by its source.
 *
 * @param address an IP address and a port
 * @param weight usually 1; 0 for no traffic
 * @param backup whether the backend is used only if no other backend is usable
 * @param draining whether the backend is being removed and gets no new clients
 */
public record DiscoveredBackend(HostPort address, int weight, boolean backup, boolean draining) {

    public DiscoveredBackend {
        Checks.that(weight >= 0, "weight", weight, "at least 0");
    }

    /** A backend with default settings. */
    public static DiscoveredBackend at(HostPort address) {
        return new DiscoveredBackend(address, /* weight= */ 1, /* backup= */ false, /* draining= */ false);
    }
}
