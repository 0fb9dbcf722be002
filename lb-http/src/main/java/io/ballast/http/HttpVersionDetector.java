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
 * Detects the HTTP version of a plain text connection from its first bytes. An HTTP/2 client with prior knowledge
 * begins with the preface (RFC 9113 section 3.3), any other client with an HTTP/1 request. Afterwards, the handler
 * removes itself from the pipeline. Event-loop confined.
 */
final class HttpVersionDetector extends ChannelInboundHandlerAdapter {

    private final ClientConnection connection;
    private final Supplier<ChannelHandler> http2;
    private @Nullable ByteBuf first;

    /**
     * Creates the detector.
     *
     * @param connection the next handler in the pipeline
     * @param http2 creates the handler that replaces {@code connection} for an HTTP/2 client
     */
    HttpVersionDetector(ClientConnection connection, Supplier<ChannelHandler> http2) {
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
        switch (Preface.detect(received)) {
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
