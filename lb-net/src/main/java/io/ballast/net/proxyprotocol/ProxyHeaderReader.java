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
 * Reads the PROXY protocol header at the beginning of a connection, then removes itself from the pipeline. A missing or
 * malformed header ends the connection. The caller sets the timeout for the header.
 *
 * <p>Thread safety: confined to the connection's event loop; one instance per connection.
 */
public final class ProxyHeaderReader extends ByteToMessageDecoder {

    /** Receives the header. Called on the connection's event loop. */
    public interface Recipient {

        /**
         * Reports the client.
         *
         * @param client the client; null if the proxy itself connects, or does not know the client
         * @param destination the address the client connected to; null if the proxy itself connects, or if it is
         * unknown
         * @param pipeline the pipeline for the protocol's own handlers, which receive the data after the header
         * @return whether to accept the connection; if not, it is closed
         */
        boolean onClientIdentified(
                @Nullable InetSocketAddress client, @Nullable InetSocketAddress destination, ChannelPipeline pipeline);

        /** Reports that the connection begins with no header or a malformed one; it is closed. */
        void onInvalidHeader();

        /** Reports that the connection has failed; it is closed. */
        void onFailure(Throwable cause);
    }

    private final Recipient recipient;

    /** Creates a reader for a connection whose peer is trusted. */
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
        if (!recipient.onClientIdentified(socket(header.client()), destination(header), ctx.pipeline())) {
            end(ctx, in);
            return;
        }
        ctx.pipeline().remove(this); // Passes on the remaining bytes.
    }

    private @Nullable ProxyHeader read(ChannelHandlerContext ctx, ByteBuf in) {
        byte[] bytes = new byte[Math.min(in.readableBytes(), ProxyHeader.MAX_BYTES)];
        in.getBytes(in.readerIndex(), bytes);
        try {
            return ProxyHeader.read(bytes, bytes.length);
        } catch (IllegalArgumentException e) {
            recipient.onInvalidHeader();
            end(ctx, in);
            return null;
        }
    }

    /** Treats port 0 as unknown, because a proxy sends 0 if it does not know the port. */
    private static @Nullable InetSocketAddress destination(ProxyHeader header) throws UnknownHostException {
        InetSocketAddress destination = socket(header.destination());
        return destination == null || destination.getPort() == 0 ? null : destination;
    }

    private static @Nullable InetSocketAddress socket(Optional<ProxyHeader.Endpoint> endpoint)
            throws UnknownHostException {
        if (endpoint.isEmpty()) {
            return null;
        }
        byte[] address = endpoint.get().address().bytes();
        return new InetSocketAddress(
                InetAddress.getByAddress(address), endpoint.get().port());
    }

    private static void end(ChannelHandlerContext ctx, ByteBuf in) {
        in.skipBytes(in.readableBytes());
        ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        recipient.onFailure(cause);
        ctx.close();
    }
}
