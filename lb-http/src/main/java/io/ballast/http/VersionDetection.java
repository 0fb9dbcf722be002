package io.ballast.http;

import io.ballast.http.h1.client.ClientConnection;
import io.ballast.http.h2.wire.Preface;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the first octets of a connection without TLS: a client that knows that we speak HTTP/2 begins with its preface
 * (RFC 9113 section 3.3), any other with a request of HTTP/1. Goes once it knows. Event-loop confined.
 */
final class VersionDetection extends ChannelInboundHandlerAdapter {

    private final ClientConnection connection;
    private final Supplier<ChannelHandler> http2;
    private @Nullable ByteBuf first;

    /**
     * @param connection what stands behind this in the pipeline
     * @param http2 what takes its place for a client of HTTP/2
     */
    VersionDetection(ClientConnection connection, Supplier<ChannelHandler> http2) {
        this.connection = connection;
        this.http2 = http2;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf received = (ByteBuf) message;
        if (first != null) {
            received = first.writeBytes(received);
            ((ByteBuf) message).release();
            first = null;
        }
        switch (Preface.judge(received)) {
            case TOO_SHORT -> {
                first = ctx.alloc()
                        .buffer(received.readableBytes() + Preface.LENGTH)
                        .writeBytes(received);
                received.release();
            }
            case NO -> pass(ctx, received);
            case YES -> {
                connection.handOver();
                ctx.pipeline().replace(connection, null, http2.get());
                pass(ctx, received);
            }
        }
    }

    private void pass(ChannelHandlerContext ctx, ByteBuf received) {
        ctx.pipeline().remove(this);
        ctx.fireChannelRead(received);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (first != null) {
            first.release();
            first = null;
        }
    }
}
