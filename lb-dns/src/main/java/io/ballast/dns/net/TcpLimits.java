package io.ballast.dns.net;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * What TCP clients may use up.
 *
 * @param idle how long a connection stays without a complete query that could be answered
 * @param connections most open connections of a frontend; beyond it new ones are closed at once
 */
public record TcpLimits(Duration idle, int connections) {

    public static final TcpLimits DEFAULT = new TcpLimits(Duration.ofSeconds(10), 1000);

    public TcpLimits {
        Checks.positive(idle, "idle");
        Checks.positive(connections, "connections");
    }
}
