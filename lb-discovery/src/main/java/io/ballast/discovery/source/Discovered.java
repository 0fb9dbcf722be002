package io.ballast.discovery.source;

import io.ballast.core.Checks;
import io.ballast.core.config.HostPort;

/**
 * A backend as its source tells of it.
 *
 * @param address an IP address and a port
 * @param weight 0 for none of the traffic, 1 as a rule
 * @param backup whether it serves only while no other does
 * @param draining whether it is about to leave: it gets no new clients
 */
public record Discovered(HostPort address, int weight, boolean backup, boolean draining) {

    public Discovered {
        Checks.that(weight >= 0, "weight", weight, "at least 0");
    }

    /** As most are. */
    public static Discovered at(HostPort address) {
        return new Discovered(address, /* weight= */ 1, /* backup= */ false, /* draining= */ false);
    }
}
