package io.ballast.http.h3;

import io.ballast.http.net.UnexpectedErrors;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.quic.QuicException;

/**
 * Drops datagrams that are too short for the connection id of their packet. {@code QuicCodecDispatcher} would throw an
 * exception for each of them, and not release it. Stateless; a socket has one instance before the dispatcher, and one at
 * the end of its pipeline, which receives exceptions.
 */
final class DatagramFilter extends ChannelInboundHandlerAdapter {

    /** The length of connection ids that {@code QuicCodecDispatcher} issues (RFC 9000 section 17.2). */
    static final int CONNECTION_ID_BYTES = 20;
    /** The bit that packets with a long header have, which contain the length of their connection ids. */
    private static final int LONG_HEADER = 0x80;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof DatagramPacket datagram && isTruncated(datagram.content())) {
            datagram.release();
        } else {
            ctx.fireChannelRead(message);
        }
    }

    private static boolean isTruncated(ByteBuf packet) {
        int length = packet.readableBytes();
        return length <= CONNECTION_ID_BYTES
                && (length == 0 || (packet.getByte(packet.readerIndex()) & LONG_HEADER) == 0);
    }

    /** Ignores errors that any sender of a datagram can cause. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof QuicException)) {
            UnexpectedErrors.report(cause);
        }
    }
}
