package io.ballast.server.compose;

import io.ballast.dns.DnsFrontend;
import io.ballast.http.HttpFrontend;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Ends the connections of clients before the process ends. Thread-safe. */
final class GracefulShutdown {

    private static final Duration POLL = Duration.ofMillis(20);

    private final Balancer balancer;
    /** Number of connections that were open when the shutdown was cut short. */
    private volatile int connectionsCutEarly;

    GracefulShutdown(Balancer balancer) {
        this.balancer = balancer;
    }

    /**
     * Stops accepting, and serves exchanges in flight for at most {@code grace}.
     *
     * @return number of busy connections that were closed
     */
    int drain(Duration grace) {
        Duration left = balancer.handOver().isTakenOver() ? grace.minus(awaitVacated(grace)) : grace;
        int cut = balancer.http().drain(left.isNegative() ? Duration.ZERO : left);
        return cut + connectionsCutEarly;
    }

    /**
     * Closes connections of listeners that another process has taken over, for at most half of {@code grace}. The next
     * response tells an active client to close, so that the client sends no request on a closed connection.
     *
     * @return the duration of the wait
     */
    private Duration awaitVacated(Duration grace) {
        HttpFrontend http = balancer.http();
        Optional<DnsFrontend> dns = balancer.dns();
        long begin = System.nanoTime();
        Duration max = HttpFrontend.unusedGrace(grace);
        dns.ifPresent(DnsFrontend::awaitSocketsClosed);
        http.awaitIdle(max);
        dns.ifPresent(frontend -> {
            while (frontend.openConnections() > 0 && System.nanoTime() - begin < max.toNanos()) {
                LockSupport.parkNanos(POLL.toNanos());
            }
            frontend.retireConnections();
        });
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    /** Closes all connections immediately. */
    void cutAll() {
        connectionsCutEarly = balancer.http().openConnections();
        balancer.dns().ifPresent(DnsFrontend::retireConnections);
        balancer.http().cutAll();
    }
}
