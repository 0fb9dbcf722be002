package io.ballast.http.exchange;

import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import java.time.Duration;

/**
 * Passes bytes between a client and a backend that have switched to another protocol. Each end is read only
 * while the other end is writable. When one direction ends, the other direction stays open. The class treats
 * both ends alike; each end passes itself as an argument when it reports an event.
 *
 * <p>This class does not handle broken connections: the end that breaks fails the exchange, which resets the
 * other end. Event-loop confined. Cost: no copy or allocation per transfer.
 */
public final class Tunnel {

    private final FrontendLoop loop;
    private final Duration maxIdle;
    private final TunnelSide client;
    private final TunnelSide backend;
    private final Runnable onEnd;
    private final Idle idle;

    private boolean clientEnded;
    private boolean backendEnded;
    private boolean stopped;

    /**
     * Creates a tunnel.
     *
     * @param maxIdle the maximum time without data from either end
     * @param onEnd called when both directions have ended and all data was forwarded, or when an end that has
     *     finished sending also refuses more data
     * @param onIdle called when neither end has sent data for {@code maxIdle}
     */
    Tunnel(
            FrontendLoop loop,
            Duration maxIdle,
            TunnelSide client,
            TunnelSide backend,
            Runnable onEnd,
            Runnable onIdle) {
        this.loop = loop;
        this.maxIdle = maxIdle;
        this.client = client;
        this.backend = backend;
        this.onEnd = onEnd;
        this.idle = new Idle(onIdle);
    }

    void begin() {
        loop.setDeadline(idle, maxIdle);
        backend.tunnelBegins(this);
        if (!stopped) {
            client.tunnelBegins(this);
        }
        if (!stopped) {
            backend.setReading(client.isWritable());
        }
    }

    /** Stops the tunnel; later events are ignored. */
    void stop() {
        stopped = true;
        loop.deadlines().remove(idle);
    }

    /** Forwards bytes received from one end to the other end; consumes {@code data}. */
    public void received(TunnelSide from, ByteBuf data) {
        if (stopped) {
            data.release();
            return;
        }
        loop.setDeadline(idle, maxIdle);
        TunnelSide to = opposite(from);
        to.tunnelData(data);
        if (!stopped && !to.isWritable()) {
            from.setReading(false);
        }
    }

    /** Called at the end of one read from {@code from}; flushes to the other end. */
    public void readComplete(TunnelSide from) {
        if (!stopped) {
            opposite(from).tunnelFlush();
        }
    }

    /** Called when one end accepts more data again. */
    public void writable(TunnelSide at) {
        if (!stopped) {
            opposite(at).setReading(true);
        }
    }

    /** Called when one end will send no more data. */
    public void ended(TunnelSide from) {
        boolean before = from == client ? clientEnded : backendEnded;
        if (stopped || before) {
            return;
        }
        clientEnded |= from == client;
        backendEnded |= from == backend;
        loop.setDeadline(idle, maxIdle);
        opposite(from).tunnelEnd();
        if (!stopped && clientEnded && backendEnded) {
            onEnd.run();
        }
    }

    /**
     * Called when one end accepts no more data. If that end has also finished sending, the tunnel ends, and data that
     * was not forwarded is dropped.
     */
    public void refused(TunnelSide from) {
        boolean hasEnded = from == client ? clientEnded : backendEnded;
        if (!stopped && hasEnded) {
            onEnd.run();
        }
    }

    private TunnelSide opposite(TunnelSide side) {
        return side == client ? backend : client;
    }

    private static final class Idle extends DeadlineWheel.Deadline {

        private final Runnable onIdle;

        Idle(Runnable onIdle) {
            this.onIdle = onIdle;
        }

        @Override
        protected void expired(long nowNanos) {
            onIdle.run();
        }
    }
}
