package io.ballast.net.proxyprotocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header with which a proxy begins a connection, then makes room for the protocol's own handlers. A broken
 * header, or something else in its place, ends the connection. How long the header may take is for others to decide.
 *
 * <p>Thread safety: confined to the connection's event loop; one for each connection.
 */
public final class ProxyHeaderReader extends ByteToMessageDecoder {

    /** Is told of the header. Called on the connection's event loop. */
    public interface Recipient {

        /**
         * It is known who the client is.
         *
         * @param client null if it is the proxy itself, or if the proxy does not know
         * @param destination where the client connected to; null if that is the proxy itself, or not known
         * @param pipeline where to add the protocol's own handlers, which get what follows the header
         * @return whether the client may have the connection; if not, it is closed
         */
        boolean identified(
                @Nullable InetSocketAddress client, @Nullable InetSocketAddress destination, ChannelPipeline pipeline);

        /** The connection begins with no header, or with a broken one, and is closed. */
        void refused();

        /** The connection has failed, and is closed. */
        void failed(Throwable cause);
    }

    private final Recipient recipient;

    /** For a connection whose peer's word counts. */
    public ProxyHeaderReader(Recipient recipient) {
        this.recipient = recipient;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws UnknownHostException {
        ProxyHeader header = read(ctx, in);
        if (header == null) {
            return;
        }
        in.skipBytes(header.bytes());
        if (!recipient.identified(socket(header.client()), destination(header), ctx.pipeline())) {
            end(ctx, in);
            return;
        }
        ctx.pipeline().remove(this); // Hands on what is left.
    }

    private @Nullable ProxyHeader read(ChannelHandlerContext ctx, ByteBuf in) {
        byte[] octets = new byte[Math.min(in.readableBytes(), ProxyHeader.MAX_BYTES)];
        in.getBytes(in.readerIndex(), octets);
        try {
            return ProxyHeader.read(octets, octets.length);
        } catch (IllegalArgumentException e) {
            recipient.refused();
            end(ctx, in);
            return null;
        }
    }

    /** A proxy that does not know the port says 0. */
    private static @Nullable InetSocketAddress destination(ProxyHeader header) throws UnknownHostException {
        InetSocketAddress destination = socket(header.destination());
        return destination == null || destination.getPort() == 0 ? null : destination;
    }

    private static @Nullable InetSocketAddress socket(Optional<ProxyHeader.Endpoint> endpoint)
            throws UnknownHostException {
        if (endpoint.isEmpty()) {
            return null;
        }
        byte[] address = endpoint.get().address().octets();
        return new InetSocketAddress(
                InetAddress.getByAddress(address), endpoint.get().port());
    }

    private static void end(ChannelHandlerContext ctx, ByteBuf in) {
        in.skipBytes(in.readableBytes());
        ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        recipient.failed(cause);
        ctx.close();
    }
}
