package io.ballast.dns.net.stream;

import io.ballast.dns.stats.DnsCounter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.channels.ClosedChannelException;

/**
 * Reports the start and the result of a TLS handshake, and removes itself after a successful handshake. Failures are
 * counted, once for each connection, and not logged. Event-loop confined.
 */
public final class TlsHandshake extends ChannelInboundHandlerAdapter {

    private final StreamConnection connection;
    private boolean failed;

    public TlsHandshake(StreamConnection connection) {
        this.connection = connection;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        connection.started();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                connection.onMessageComplete();
                ctx.pipeline().remove(this);
            } else {
                fail(ctx, handshake.cause());
            }
        }
        ctx.fireUserEventTriggered(event);
    }

    /** Counts a failure. A client that disconnects during the handshake does not count. */
    private void fail(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof ClosedChannelException)) {
            countFailure();
        }
        ctx.close();
    }

    /** Counts the connection as a failed handshake, unless it was counted before. */
    public void countFailure() {
        if (!failed) {
            failed = true;
            connection.count(DnsCounter.TLS_FAILED);
        }
    }

    /** Closes the connection of a client that sends an invalid handshake. Other errors are passed on. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof DecoderException) {
            fail(ctx, cause);
        } else {
            ctx.fireExceptionCaught(cause);
        }
    }
}
