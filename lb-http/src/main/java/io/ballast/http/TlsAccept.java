package io.ballast.http;

import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.net.Worker;
import io.ballast.net.budget.BudgetedReads;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.tls.TlsEnd;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection until its TLS handshake is done, for which it has as long as for a head, or for the start of a session. The listener counts it as
 * one of its connections meanwhile; what goes wrong is counted, and never logged. Then it makes way for what serves the
 * protocol that was agreed on. Event-loop confined.
 */
final class TlsAccept extends ChannelInboundHandlerAdapter {

    private final Worker worker;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final SocketAddress peer;
    private final Served served;
    private final Deadline deadline = new Deadline();
    private @Nullable ChannelHandlerContext context;
    private boolean handedOver;
    private boolean counted;

    /** What serves the connection from then on. */
    @FunctionalInterface
    interface Served {

        /** The handshake is done. */
        void by(Channel channel, SslHandler tls);
    }

    TlsAccept(Worker worker, Listener listener, ConnectionSettings settings, SocketAddress peer, Served served) {
        this.worker = worker;
        this.listener = listener;
        this.settings = settings;
        this.peer = peer;
        this.served = served;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        worker.setDeadline(deadline, settings.config().beginning());
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
            // Netty tells the client why, and closes. A client that leaves in the middle has not failed.
            if (!(handshake.cause() instanceof ClosedChannelException)) {
                countOnce(ListenerCounter.TLS_FAILED);
            }
            return;
        }
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        if (listener.isDraining() || tls == null) {
            end();
            return;
        }
        Channel channel = ctx.channel();
        ctx.pipeline().addLast(new TlsEnd());
        served.by(channel, tls);
        handOver();
    }

    /** What stands behind in the pipeline goes on with the connection. */
    void handOver() {
        handedOver = true;
        if (context != null) {
            context.pipeline().remove(this);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!BudgetedReads.isPause(cause)) {
            end();
        }
    }

    /** Ends a connection on which nothing was asked yet. */
    void end() {
        if (context != null) {
            TlsEnd.cut(context.channel());
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
            end();
        }
    }
}
