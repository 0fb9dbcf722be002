package io.ballast.server.compose;

import io.ballast.dns.DnsFrontend;
import io.ballast.http.HttpFrontend;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Closes connections of listeners that another process has taken over. For a limited time, the next response
 * tells an active client to close, so that the client sends no request on a closed connection.
 */
final class GracefulShutdown {

    private static final Duration POLL = Duration.ofMillis(20);

    private GracefulShutdown() {}

    /**
     * Waits for the connections to close, for at most half of {@code grace}.
     *
     * @return the duration of the wait
     */
    public static Duration await(Duration grace, HttpFrontend http, Optional<DnsFrontend> dns) {
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
}
