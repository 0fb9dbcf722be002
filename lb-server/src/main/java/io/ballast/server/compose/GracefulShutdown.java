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

    private volatile boolean cutEarly;

    GracefulShutdown(Balancer balancer) {
        this.balancer = balancer;
    }

    /**
     * Serves all clients for {@code delay} while /readyz fails, so that the routers and load balancers in front of this
     * process stop sending traffic. Returns early if a thread fails or all connections are to be closed.
     */
    void announce(Duration delay) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < delay.toNanos()
                && !cutEarly
                && balancer.lifecycle.failureReason().isEmpty()) {
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    /**
     * Stops accepting connections, and serves exchanges in flight for at most {@code grace}.
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
        cutEarly = true;
        connectionsCutEarly = balancer.http().openConnections();
        balancer.dns().ifPresent(DnsFrontend::retireConnections);
        balancer.http().cutAll();
    }
}
