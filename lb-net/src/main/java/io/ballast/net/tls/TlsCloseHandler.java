package io.ballast.net.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes TLS connections in an orderly way. It is placed directly after the TLS handler. Before a close it
 * sends {@code close_notify} to the peer, if that is possible without waiting long. When the peer sends
 * {@code close_notify}, this handler closes the connection, unless half-closed connections are allowed
 * ({@link #allowHalfClosure}). Data written but not flushed is dropped, as without TLS. Event-loop confined.
 */
public final class TlsCloseHandler extends ChannelDuplexHandler {

    /**
     * Maximum time that a close waits until the system has accepted the {@code close_notify} and the earlier
     * output.
     */
    private static final long CLOSE_NOTIFY_TIMEOUT_MILLIS = 500;

    private static final String TLS_1_3 = "TLSv1.3";

    private boolean closing;
    private boolean halfClosure;

    /**
     * Closes a connection without {@code close_notify}, so that a peer that expects more data detects the truncation.
     */
    public static void closeWithoutNotify(Channel channel) {
        ChannelHandlerContext first = channel.pipeline().firstContext();
        if (first == null) {
            channel.close();
        } else {
            first.close(); // the close starts at the first handler, so it never reaches the TLS handler
        }
    }

    /**
     * Keeps a connection open after the peer's {@code close_notify}. The following handlers get an
     * {@link SslCloseCompletionEvent} and must close it. Data that the peer sends afterwards is dropped. Does nothing
     * without TLS.
     */
    public static void allowHalfClosure(Channel channel) {
        TlsCloseHandler end = channel.pipeline().get(TlsCloseHandler.class);
        if (end != null) {
            end.halfClosure = true;
        }
    }

    /**
     * Whether data can still be sent to a peer after its {@code close_notify}. TLS 1.2 requires us to answer it
     * with our own {@code close_notify} at once (RFC 5246 section 7.2.1), and Netty with BoringSSL always does
     * so. True without TLS.
     */
    public static boolean canSendAfterCloseNotify(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        return tls == null
                || (!(tls.engine() instanceof ReferenceCountedOpenSslEngine)
                        && tls.engine().getSession().getProtocol().equals(TLS_1_3));
    }

    /** Whether a connection uses TLS. */
    public static boolean isSecured(Channel channel) {
        return channel.pipeline().get(SslHandler.class) != null;
    }

    /** Sends {@code close_notify} to the peer, which may continue to send; completes at once without TLS. */
    public static ChannelFuture sendCloseNotify(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        return tls == null ? channel.newSucceededFuture() : tls.closeOutbound();
    }

    /**
     * Whether a connection ended without the peer's {@code close_notify}, so that a third party may have ended it.
     * False without TLS (<a href="https://datatracker.ietf.org/doc/html/rfc9112#section-9.8">RFC 9112 section 9.8</a>).
     */
    public static boolean isTruncated(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        return tls != null && !tls.sslCloseFuture().isSuccess();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof SslCloseCompletionEvent end && end.isSuccess()) {
            if (halfClosure) {
                ctx.pipeline().addFirst(CloseNotifyDiscarder.INSTANCE);
            } else {
                close(ctx, ctx.newPromise());
            }
        }
        super.userEventTriggered(ctx, event);
    }

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        Channel channel = ctx.channel();
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        channel.closeFuture().addListener(closed -> promise.trySuccess());
        if (closing
                || tls == null
                || !channel.isActive()
                || !tls.handshakeFuture().isSuccess()) {
            closeWithoutNotify(channel);
            return;
        }
        closing = true;
        ChannelFuture closeNotify = tls.closeOutbound();
        @Nullable Future<?> limit = closeNotify.isDone()
                ? null
                : channel.eventLoop()
                        .schedule(
                                () -> closeWithoutNotify(channel), CLOSE_NOTIFY_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        closeNotify.addListener(sent -> {
            if (limit != null) {
                limit.cancel(/* mayInterruptIfRunning= */ false);
            }
            closeWithoutNotify(channel);
        });
    }
}
