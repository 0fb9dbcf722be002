package io.ballast.dns.net.stream;

import io.ballast.dns.stats.DnsCounter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.channels.ClosedChannelException;

/** Reports the start and the result of a TLS handshake, and then removes itself. */
public final class TlsHandshake extends ChannelInboundHandlerAdapter {

    private final StreamConnection connection;

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
                countFailure(ctx, handshake.cause());
            }
        }
        ctx.fireUserEventTriggered(event);
    }

    /** Counts a failure. A client that disconnects during the handshake does not count. */
    private void countFailure(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof ClosedChannelException)) {
            connection.count(DnsCounter.TLS_FAILED);
        }
        ctx.close();
    }
}
