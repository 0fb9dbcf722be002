package io.ballast.server.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.Probe;
import io.ballast.core.health.ProbeResult;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Selects the executor of each check.
 *
 * @param connections checks over a connection: tcp, http, https, grpc
 * @param dns checks by a DNS query
 * @param exec checks by a program
 */
public record Probes(Probe connections, Probe dns, Probe exec) implements Probe {

    @Override
    public void start(
            SocketAddress target, HealthCheck check, String hostHeader, Duration timeout, Consumer<ProbeResult> done) {
        Probe probe = connections;
        if (check instanceof HealthCheck.Dns) {
            probe = dns;
        } else if (check instanceof HealthCheck.Exec) {
            probe = exec;
        }
        probe.start(target, check, hostHeader, timeout, done);
    }
}
