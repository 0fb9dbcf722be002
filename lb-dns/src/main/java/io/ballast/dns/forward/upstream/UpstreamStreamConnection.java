package io.ballast.dns.forward.upstream;

import io.ballast.dns.wire.Wire;
import io.ballast.net.tls.TlsCloseHandler;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A TCP or TLS connection, on which each message is preceded by its length. Event-loop confined. */
final class UpstreamStreamConnection extends UpstreamConnection {

    private static final int LENGTH_BYTES = 2;

    private final boolean usesTls;

    private UpstreamStreamConnection(UpstreamLoop loop, UpstreamServer server, boolean usesTls) {
        super(loop, server, usesTls ? UpstreamProtocol.DOT : UpstreamProtocol.TCP);
        this.usesTls = usesTls;
    }

    /** @param tls TLS settings of the connection; null for plain TCP */
    static UpstreamStreamConnection open(
            UpstreamLoop loop, UpstreamServer server, SocketAddress address, @Nullable SslHandler tls) {
        UpstreamStreamConnection connection = new UpstreamStreamConnection(loop, server, tls != null);
        connection.open(address, connection.initializer(tls));
        return connection;
    }

    private ChannelInitializer<Channel> initializer(@Nullable SslHandler tls) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                loop.transport().prepare(channel.pipeline());
                channel.pipeline().addLast(activityHandler());
                if (tls != null) {
                    channel.pipeline().addLast(tls, new TlsCloseHandler());
                }
                channel.pipeline()
                        .addLast(new LengthFieldBasedFrameDecoder(
                                Wire.MAX_MESSAGE_BYTES + LENGTH_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES))
                        .addLast(UpstreamStreamConnection.this);
            }
        };
    }

    @Override
    ByteBuf encode(Channel channel, Attempt attempt) {
        byte[] query = attempt.bytes();
        return channel.alloc()
                .directBuffer(LENGTH_BYTES + query.length)
                .writeShort(query.length)
                .writeBytes(query);
    }

    @Override
    void onConnected() {
        if (!usesTls) {
            ready();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            loop.frontendLoop().readClock();
            if (handshake.isSuccess()) {
                ready();
            } else {
                end(AttemptFailure.TLS);
            }
        }
    }

    /** Processes a received message and releases it. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf frame = (ByteBuf) message;
        try {
            receive(frame);
        } finally {
            frame.release();
        }
    }
}
