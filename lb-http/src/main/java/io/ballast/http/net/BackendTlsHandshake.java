package io.ballast.http.net;

import io.ballast.core.config.Address;
import io.ballast.core.config.HostPort;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.ballast.net.tls.ClientTls;
import io.ballast.net.tls.TlsCloseHandler;
import io.ballast.net.transport.FailedWriteReader;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.channels.ClosedChannelException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Performs the TLS handshake on a new connection to a backend. Until it completes, the following handlers receive no
 * events. Event-loop confined.
 */
public final class BackendTlsHandshake extends ChannelInboundHandlerAdapter {

    /** The ALPN name of HTTP/2. */
    public static final String HTTP_2 = "h2";

    private static final int NO_PORT = -1;

    static final String HTTP_1_1 = "http/1.1";

    private final Consumer<@Nullable Throwable> onCompletion;
    private boolean completed;

    private BackendTlsHandshake(Consumer<@Nullable Throwable> done) {
        this.onCompletion = done;
    }

    /**
     * Starts the handshake.
     *
     * @param channel a connected channel from which nothing was read
     * @param behind the handler before which the TLS handler is inserted; it is not notified of a failure
     * @param backend the address as configured, so that its name can be verified
     * @param done receives null if the handshake succeeds. Otherwise it receives the cause, and the connection
     *     is closed
     */
    public static void begin(
            Channel channel,
            ChannelHandler behind,
            ClientTls tls,
            Address backend,
            Consumer<@Nullable Throwable> done) {
        int port = backend instanceof HostPort inet ? inet.port() : NO_PORT;
        SslHandler handler;
        try {
            handler = tls.newHandler(channel.alloc(), backend.host(), port);
        } catch (RuntimeException e) {
            // The context was closed, because a reload replaced it while the connection was being established.
            done.accept(e);
            TlsCloseHandler.closeWithoutNotify(channel);
            return;
        }
        BackendTlsHandshake quiet = new BackendTlsHandshake(done);
        String name = channel.pipeline().context(behind).name();
        channel.pipeline().addBefore(name, /* name= */ null, quiet);
        // The TLS handler is added last, because it starts the handshake immediately.
        channel.pipeline().addBefore(channel.pipeline().context(quiet).name(), /* name= */ null, handler);
    }

    /** The protocol negotiated with ALPN; null if none was negotiated, or without TLS. */
    public static @Nullable String negotiatedProtocol(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        return tls == null ? null : tls.applicationProtocol();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        // the following handlers must not see the channel as active before the handshake
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        complete(ctx, new ClosedChannelException());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        // the event is not passed on, because nothing was read for the following handlers
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        // the event is not passed on: the following handlers have written nothing yet, so they do not need it
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            complete(ctx, handshake.isSuccess() ? null : handshake.cause());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!BudgetedRecvByteBufAllocator.isPause(cause)
                && !FailedWriteReader.isFailedWrite(cause)) { // a TLS alert can still be read after a failed write
            complete(ctx, cause);
            TlsCloseHandler.closeWithoutNotify(ctx.channel());
        }
    }

    private void complete(ChannelHandlerContext ctx, @Nullable Throwable failure) {
        if (completed) {
            return;
        }
        completed = true;
        if (failure == null) {
            ctx.pipeline().replace(this, /* newName= */ null, new TlsCloseHandler());
        }
        onCompletion.accept(failure); // after a failure, Netty sends the alert and closes the connection
    }
}
