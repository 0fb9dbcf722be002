package io.ballast.dns.net.stream;

import io.ballast.dns.stats.DnsCounter;
import io.ballast.net.proxyprotocol.ProxyHeader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header with which a proxy begins a connection, then makes room for the protocol's own handlers. A broken
 * header, or something else in its place, ends the connection.
 */
final class ProxyHeaderReader extends ByteToMessageDecoder {

    private final StreamConnection connection;
    private final InetSocketAddress proxy;
    private final StreamProtocol protocol;

    ProxyHeaderReader(StreamConnection connection, InetSocketAddress proxy, StreamProtocol protocol) {
        this.connection = connection;
        this.proxy = proxy;
        this.protocol = protocol;
    }

    /** The header is due from the start: the proxy sends it unasked. */
    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        connection.begun();
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws UnknownHostException {
        ProxyHeader header = read(ctx, in);
        if (header == null) {
            return;
        }
        in.skipBytes(header.bytes());
        if (!connection.identify(client(header))) {
            refuse(ctx, in);
            return;
        }
        connection.complete();
        protocol.start(ctx.pipeline(), connection);
        ctx.pipeline().remove(this); // Hands on what is left.
    }

    private @Nullable ProxyHeader read(ChannelHandlerContext ctx, ByteBuf in) {
        byte[] octets = new byte[Math.min(in.readableBytes(), ProxyHeader.MAX_BYTES)];
        in.getBytes(in.readerIndex(), octets);
        try {
            return ProxyHeader.read(octets, octets.length);
        } catch (IllegalArgumentException e) {
            connection.count(DnsCounter.PROXY_REFUSED);
            refuse(ctx, in);
            return null;
        }
    }

    private InetSocketAddress client(ProxyHeader header) throws UnknownHostException {
        if (header.client().isEmpty()) {
            return proxy;
        }
        ProxyHeader.Client client = header.client().get();
        return new InetSocketAddress(InetAddress.getByAddress(client.address().octets()), client.port());
    }

    private static void refuse(ChannelHandlerContext ctx, ByteBuf in) {
        in.skipBytes(in.readableBytes());
        ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        connection.failed(cause);
        ctx.close();
    }
}
