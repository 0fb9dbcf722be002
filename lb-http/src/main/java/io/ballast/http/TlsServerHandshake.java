package io.ballast.http;

import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.net.Worker;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.tls.ChallengeCertificates;
import io.ballast.net.tls.TlsCloseHandler;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * Handles a client connection until its TLS handshake is done. The handshake has the same time limit as a
 * request head, or as the start of a session. During the handshake, the connection counts against the
 * listener's limit. Failures are counted, never logged. Afterwards the handler is removed and the negotiated
 * protocol takes over. Event-loop confined.
 */
final class TlsServerHandshake extends ChannelInboundHandlerAdapter {

    private final Worker worker;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final SocketAddress peer;
    private final Served protocolStart;
    private final Deadline deadline = new Deadline();
    private @Nullable ChannelHandlerContext context;
    private boolean handedOver;
    private boolean counted;

    /** Starts the negotiated protocol on the connection. */
    @FunctionalInterface
    interface Served {

        /** Called when the handshake is done. */
        void begin(Channel channel, SslHandler tls);
    }

    TlsServerHandshake(
            Worker worker, Listener listener, ConnectionSettings settings, SocketAddress peer, Served served) {
        this.worker = worker;
        this.listener = listener;
        this.settings = settings;
        this.peer = peer;
        this.protocolStart = served;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        worker.setDeadline(deadline, settings.config().startTimeout());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        worker.deadlines().remove(deadline);
        if (!handedOver) {
            count(ListenerCounter.CONNECTIONS_OPENED);
            count(ListenerCounter.CONNECTIONS_CLOSED);
            listener.closed(settings, peer);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (!(event instanceof SslHandshakeCompletionEvent handshake)) {
            return;
        }
        if (!handshake.isSuccess()) {
            // Netty sends the alert and closes. A client that disconnects during the handshake does not count as a
            // failure.
            if (!(handshake.cause() instanceof ClosedChannelException)) {
                countOnce(ListenerCounter.TLS_FAILED);
            }
            return;
        }
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        if (listener.isDraining() || tls == null) {
            closeConnection();
            return;
        }
        if (ChallengeCertificates.PROTOCOL.equals(tls.applicationProtocol())) {
            closeConnection(); // the certificate authority has the certificate; RFC 8737 allows no application data
            return;
        }
        Channel channel = ctx.channel();
        ctx.pipeline().addLast(new TlsCloseHandler());
        protocolStart.begin(channel, tls);
        handOver();
    }

    /** Removes this handler; the next handler in the pipeline takes over the connection. */
    void handOver() {
        handedOver = true;
        if (context != null) {
            context.pipeline().remove(this);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!BudgetedRecvByteBufAllocator.isPause(cause)) {
            closeConnection();
        }
    }

    /** Closes a connection that has received no request yet. */
    void closeConnection() {
        if (context != null) {
            TlsCloseHandler.closeWithoutNotify(context.channel());
        }
    }

    private void countOnce(ListenerCounter why) {
        if (!counted) {
            counted = true;
            count(why);
        }
    }

    private void count(ListenerCounter counter) {
        listener.counters().shard(worker.index()).increment(counter);
    }

    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            countOnce(ListenerCounter.TLS_TIMED_OUT);
            closeConnection();
        }
    }
}
