package io.ballast.net.proxyprotocol;

import io.ballast.core.config.SentProxyHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * Writes the PROXY protocol header that identifies the client of a connection to a backend, without TLVs. If the source
 * and destination addresses are of different families, the IPv4 address is sent as IPv4-mapped IPv6 (RFC 4291 section
 * 2.5.5.2). A client of a Unix socket has no address and is sent as unknown: UNKNOWN in version 1, LOCAL in version 2.
 */
public final class ProxyHeaderWriter {

    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final int MAX_BYTES = 128;
    private static final int VERSION_2_PROXY = 0x21;
    private static final int VERSION_2_LOCAL = 0x20;
    private static final int UNSPECIFIED = 0x00;
    private static final String UNKNOWN = "PROXY UNKNOWN\r\n";
    private static final int TCP4 = 0x11;
    private static final int TCP6 = 0x21;

    private ProxyHeaderWriter() {}

    /**
     * Returns the header, which the caller owns.
     *
     * @param version not {@link SentProxyHeader#NONE}
     * @param client the address of the client
     * @param local the address that the client connected to
     */
    public static ByteBuf write(
            SentProxyHeader version, SocketAddress client, SocketAddress local, ByteBufAllocator allocator) {
        if (!(client instanceof InetSocketAddress from)) {
            return writeUnknown(version, allocator);
        }
        byte[] source = from.getAddress().getAddress();
        if (local instanceof InetSocketAddress to) {
            return write(version, source, from.getPort(), to.getAddress().getAddress(), to.getPort(), allocator);
        }
        // A proxy sent the client's address over a Unix socket, so the client's destination is unknown.
        return write(version, source, from.getPort(), new byte[source.length], /* targetPort= */ 0, allocator);
    }

    /**
     * Returns a header without a client address, which the caller owns: {@code UNKNOWN} in version 1, {@code
     * LOCAL} in version 2. It is sent on connections of the proxy itself, such as health checks.
     *
     * @param version not {@link SentProxyHeader#NONE}
     */
    public static ByteBuf writeUnknown(SentProxyHeader version, ByteBufAllocator allocator) {
        ByteBuf header = allocator.directBuffer(MAX_BYTES);
        if (version == SentProxyHeader.V1) {
            header.writeCharSequence(UNKNOWN, StandardCharsets.US_ASCII);
            return header;
        }
        header.writeBytes(ProxyHeader.SIGNATURE);
        return header.writeByte(VERSION_2_LOCAL).writeByte(UNSPECIFIED).writeShort(0);
    }

    private static ByteBuf write(
            SentProxyHeader version,
            byte[] source,
            int sourcePort,
            byte[] target,
            int targetPort,
            ByteBufAllocator allocator) {
        boolean v6 = source.length == IPV6_BYTES || target.length == IPV6_BYTES;
        ByteBuf header = allocator.directBuffer(MAX_BYTES);
        if (version == SentProxyHeader.V1) {
            String text = "PROXY " + (v6 ? "TCP6 " : "TCP4 ") + text(source, v6) + ' ' + text(target, v6) + ' '
                    + sourcePort + ' ' + targetPort + "\r\n";
            header.writeCharSequence(text, StandardCharsets.US_ASCII);
            return header;
        }
        header.writeBytes(ProxyHeader.SIGNATURE);
        header.writeByte(VERSION_2_PROXY);
        header.writeByte(v6 ? TCP6 : TCP4);
        header.writeShort(2 * ((v6 ? IPV6_BYTES : IPV4_BYTES) + Short.BYTES));
        writeAddress(header, source, v6);
        writeAddress(header, target, v6);
        header.writeShort(sourcePort);
        return header.writeShort(targetPort);
    }

    private static void writeAddress(ByteBuf header, byte[] address, boolean v6) {
        if (v6 && address.length == IPV4_BYTES) {
            header.writeZero(10).writeShort(0xFFFF);
        }
        header.writeBytes(address);
    }

    /** Formats an address from its bytes, without the platform's scope IDs, names and abbreviations. */
    private static String text(byte[] address, boolean v6) {
        StringBuilder text = new StringBuilder();
        if (address.length == IPV4_BYTES) {
            text.append(v6 ? "::ffff:" : "");
            for (int i = 0; i < IPV4_BYTES; i++) {
                text.append(i == 0 ? "" : ".").append(address[i] & 0xFF);
            }
            return text.toString();
        }
        for (int i = 0; i < IPV6_BYTES; i += 2) {
            text.append(i == 0 ? "" : ":")
                    .append(Integer.toHexString((address[i] & 0xFF) << Byte.SIZE | (address[i + 1] & 0xFF)));
        }
        return text.toString();
    }
}
