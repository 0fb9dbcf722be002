package io.ballast.dns.net.doh;

import io.ballast.dns.net.stream.StreamConnection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;

/**
 * Ends a connection whose client may still be sending. An immediate close would reset the connection, and the client
 * might not receive the last response. Therefore the output is shut down after the response, and further data from the
 * client is dropped until the client closes its side (<a
 * href="https://datatracker.ietf.org/doc/html/rfc9112#section-9.6">RFC 9112 section 9.6</a>). {@link
 * #MAX_DROPPED_BYTES} and the time limit for a message limit this phase.
 */
final class LingeringClose extends ChannelInboundHandlerAdapter {

    /** The maximum number of bytes to drop. The body of a rejected request is rarely larger. */
    static final int MAX_DROPPED_BYTES = 256 * 1024;

    private int droppedBytes;

    private LingeringClose() {}

    /** Closes the output after all pending writes. Input is no longer decrypted. */
    static void closeOutput(ChannelPipeline pipeline, StreamConnection connection) {
        SslHandler tls = pipeline.get(SslHandler.class);
        if (tls == null || !(pipeline.channel() instanceof DuplexChannel channel) || !channel.isActive()) {
            pipeline.channel().close();
            return;
        }
        connection.started(); // From now on, the time limit for receiving a message applies to the client.
        tls.closeOutbound().addListener(closed -> channel.shutdownOutput());
        pipeline.addBefore(pipeline.context(tls).name(), /* name= */ null, new LingeringClose());
        channel.config().setAutoRead(true);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        droppedBytes += message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
        ReferenceCountUtil.release(message);
        if (droppedBytes > MAX_DROPPED_BYTES) {
            ctx.close();
        }
    }
}
