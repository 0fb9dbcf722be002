package io.ballast.http.exchange;

import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import java.time.Duration;

/**
 * Octets between a client and a backend that have agreed on another protocol, whatever they mean. Each end is read only
 * while the other takes in what came; the end of one direction leaves the other open. Which of the two ends reports
 * is told by the end itself, so that both are treated alike.
 *
 * <p>What breaks is not the business of this class: an end that breaks fails the exchange, which resets the other one.
 * Event-loop confined. Cost: nothing is copied or allocated for what passes.
 */
public final class Tunnel {

    private final FrontendLoop loop;
    private final Duration mostIdle;
    private final TunnelSide client;
    private final TunnelSide backend;
    private final Runnable onEnd;
    private final Idle idle;

    private boolean clientEnded;
    private boolean backendEnded;
    private boolean over;

    /**
     * @param mostIdle how long nothing may come from either end
     * @param onEnd called when both ends have said that no more will come, and all was handed over, or one of them takes no
     *     more
     * @param onIdle called when nothing came for that long
     */
    Tunnel(
            FrontendLoop loop,
            Duration mostIdle,
            TunnelSide client,
            TunnelSide backend,
            Runnable onEnd,
            Runnable onIdle) {
        this.loop = loop;
        this.mostIdle = mostIdle;
        this.client = client;
        this.backend = backend;
        this.onEnd = onEnd;
        this.idle = new Idle(onIdle);
    }

    void begin() {
        loop.setDeadline(idle, mostIdle);
        backend.tunnelBegins(this);
        if (!over) {
            client.tunnelBegins(this);
        }
        if (!over) {
            backend.reading(client.isWritable());
        }
    }

    /** Nothing passes any more, for whatever reason. */
    void stop() {
        over = true;
        loop.deadlines().remove(idle);
    }

    /** Octets came in at one end; consumes {@code data}. */
    public void received(TunnelSide from, ByteBuf data) {
        if (over) {
            data.release();
            return;
        }
        loop.setDeadline(idle, mostIdle);
        TunnelSide to = opposite(from);
        to.tunnelData(data);
        if (!over && !to.isWritable()) {
            from.reading(false);
        }
    }

    /** What came in one go was handed over. */
    public void pause(TunnelSide from) {
        if (!over) {
            opposite(from).tunnelFlush();
        }
    }

    /** One end takes more again. */
    public void writable(TunnelSide at) {
        if (!over) {
            opposite(at).reading(true);
        }
    }

    /** No more will come in at one end. */
    public void ended(TunnelSide from) {
        boolean before = from == client ? clientEnded : backendEnded;
        if (over || before) {
            return;
        }
        clientEnded |= from == client;
        backendEnded |= from == backend;
        loop.setDeadline(idle, mostIdle);
        opposite(from).tunnelEnd();
        if (!over && clientEnded && backendEnded) {
            onEnd.run();
        }
    }

    /** One end, which has said all, takes no more either: what the other one still says goes nowhere. */
    public void refused(TunnelSide from) {
        boolean hasEnded = from == client ? clientEnded : backendEnded;
        if (!over && hasEnded) {
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
