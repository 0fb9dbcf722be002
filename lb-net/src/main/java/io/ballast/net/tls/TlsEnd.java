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
 * Ends connections that carry TLS, as the handler right behind it: to close one says goodbye to the peer
 * ({@code close_notify}) as far as that is possible at once, and what the peer says goodbye to is closed, unless its half is
 * enough ({@link #allowHalfClosure}). What was written and not flushed is dropped, as without TLS. Event-loop confined.
 */
public final class TlsEnd extends ChannelDuplexHandler {

    /** How long the system may take to take the goodbye, behind what else it was given. */
    private static final long FAREWELL_MILLIS = 500;

    private static final String TLS_1_3 = "TLSv1.3";

    private boolean closing;
    private boolean halfClosure;

    /** Closes a connection without a goodbye, so that a peer which waits for more sees that it was cut off. */
    public static void cut(Channel channel) {
        ChannelHandlerContext first = channel.pipeline().firstContext();
        if (first == null) {
            channel.close();
        } else {
            first.close(); // from the first handler on, so TLS does not hear of it
        }
    }

    /**
     * Has a connection stay open when its peer says goodbye, for the handlers behind to see to it, who hear of it by {@link
     * SslCloseCompletionEvent}; does nothing without TLS. What the peer sends afterwards is dropped.
     */
    public static void allowHalfClosure(Channel channel) {
        TlsEnd end = channel.pipeline().get(TlsEnd.class);
        if (end != null) {
            end.halfClosure = true;
        }
    }

    /**
     * Whether anything can be said to a peer that has said goodbye. TLS 1.2 has the goodbye answered at once (RFC 5246 section
     * 7.2.1), and so does Netty with BoringSSL; true without TLS.
     */
    public static boolean survivesGoodbye(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        return tls == null
                || (!(tls.engine() instanceof ReferenceCountedOpenSslEngine)
                        && tls.engine().getSession().getProtocol().equals(TLS_1_3));
    }

    /** Whether TLS is spoken on a connection. */
    public static boolean isSecured(Channel channel) {
        return channel.pipeline().get(SslHandler.class) != null;
    }

    /** Says goodbye to the peer, who may go on sending; done at once without TLS. */
    public static ChannelFuture sayGoodbye(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        return tls == null ? channel.newSucceededFuture() : tls.closeOutbound();
    }

    /**
     * Whether a connection ended without a goodbye of its peer, so that a third party may have ended it; false without TLS
     * (<a href="https://datatracker.ietf.org/doc/html/rfc9112#section-9.8">RFC 9112 section 9.8</a>).
     */
    public static boolean isTruncated(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        return tls != null && !tls.sslCloseFuture().isSuccess();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof SslCloseCompletionEvent end && end.isSuccess()) {
            if (halfClosure) {
                ctx.pipeline().addFirst(AfterGoodbye.INSTANCE);
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
            cut(channel);
            return;
        }
        closing = true;
        ChannelFuture farewell = tls.closeOutbound();
        @Nullable Future<?> limit = farewell.isDone()
                ? null
                : channel.eventLoop().schedule(() -> cut(channel), FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
        farewell.addListener(said -> {
            if (limit != null) {
                limit.cancel(/* mayInterruptIfRunning= */ false);
            }
            cut(channel);
        });
    }
}
