package io.ballast.http.exchange;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.stats.Counters;
import io.ballast.http.net.LongLivedSession;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import java.time.Duration;

/**
 * The tunnel of an exchange after a protocol switch. The listener counts the tunnel. The tunnel can be ended when its
 * backend is put into maintenance. Each tunnel has its own object. Event-loop confined.
 */
final class ExchangeTunnel implements LongLivedSession {

    private final Worker worker;
    private final Counters.Shard<ListenerCounter> counters;
    private final Exchange exchange;
    private final Tunnel tunnel;

    /** @param maxIdle the maximum time without data from either side */
    ExchangeTunnel(
            Worker worker,
            Listener listener,
            Exchange exchange,
            Duration maxIdle,
            TunnelSide clientSide,
            TunnelSide backendSide) {
        this.worker = worker;
        this.counters = listener.counters().shard(worker.index());
        this.exchange = exchange;
        this.tunnel = new Tunnel(
                worker, maxIdle, clientSide, backendSide, exchange::complete, () -> exchange.fail(Failure.TUNNEL_IDLE));
    }

    /** Starts passing data. The tunnel may end during this call. */
    void begin() {
        counters.increment(ListenerCounter.TUNNELS_OPENED);
        worker.sessions().add(this);
        tunnel.begin();
    }

    /** Stops passing data; called when the exchange ends. */
    void stop() {
        worker.sessions().remove(this);
        tunnel.stop();
        counters.increment(ListenerCounter.TUNNELS_CLOSED);
    }

    @Override
    public Backend backend() {
        return requireNonNull(exchange.backend());
    }

    @Override
    public void terminate() {
        exchange.fail(Failure.MAINTENANCE);
    }
}
