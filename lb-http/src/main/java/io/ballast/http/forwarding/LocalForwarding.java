package io.ballast.http.forwarding;

import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.RequestScanner;
import io.netty.buffer.ByteBuf;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Forwarding headers with the balancer's own view of a connection, encoded once. If the peer is a trusted
 * proxy, the address is the client address that the proxy reported. Event-loop confined; writing allocates
 * nothing.
 */
final class LocalForwarding {

    private static final byte[] ADDRESS = ByteClasses.ascii("X-Forwarded-For: ");
    private static final byte[] FORWARDED = ByteClasses.ascii("Forwarded: for=");
    private static final byte[] FORWARDED_HOST = ByteClasses.ascii(";host=\"");
    private static final byte[] OPEN = ByteClasses.ascii("\"[");
    private static final byte[] CLOSE = ByteClasses.ascii("]\"");
    private static final byte QUOTE = '"';
    private static final int END_OF_LINE = 0x0d0a;
    private static final int IPV4_BYTES = 4;

    private final boolean sendsAddress;
    private final boolean sendsHost;
    private final boolean sendsForwarded;
    private final @Nullable ForwardedClient forwardedClient;
    private final byte[] address;
    private final byte[] node;
    private final byte[] forwardedProto;
    /** The header lines that are the same for every request, followed by the name {@code X-Forwarded-Host}. */
    private final byte[] fixedLinesAndHostName;

    private final int fixedLength;

    /**
     * @param headers the headers to write
     * @param address the peer's address, without a zone; null if it has none
     * @param behind finds the client if the peer is a trusted proxy
     */
    LocalForwarding(
            Set<ForwardingHeader> headers,
            PeerConnection connection,
            @Nullable String address,
            boolean isIpv6,
            @Nullable ForwardedClient behind) {
        this.forwardedClient = behind;
        this.sendsAddress = behind != null && headers.contains(ForwardingHeader.X_FORWARDED_FOR);
        this.sendsHost = headers.contains(ForwardingHeader.X_FORWARDED_HOST);
        this.sendsForwarded = headers.contains(ForwardingHeader.FORWARDED);
        this.address = address == null ? ByteClasses.ascii(ForwardingHeaders.UNKNOWN) : ByteClasses.ascii(address);
        this.node = sendsForwarded ? ByteClasses.ascii(ForwardingHeaders.node(address, isIpv6)) : this.address;
        this.forwardedProto = ByteClasses.ascii(";proto=" + connection.scheme());
        StringBuilder fixed = new StringBuilder();
        if (address != null && behind == null) {
            line(fixed, headers, ForwardingHeader.X_FORWARDED_FOR, "X-Forwarded-For: " + address);
        }
        line(fixed, headers, ForwardingHeader.X_FORWARDED_PROTO, "X-Forwarded-Proto: " + connection.scheme());
        if (connection.localPort() >= 0) {
            line(fixed, headers, ForwardingHeader.X_FORWARDED_PORT, "X-Forwarded-Port: " + connection.localPort());
        }
        this.fixedLength = fixed.length();
        this.fixedLinesAndHostName =
                ByteClasses.ascii(fixed.append("X-Forwarded-Host: ").toString());
    }

    private static void line(StringBuilder fixed, Set<ForwardingHeader> headers, ForwardingHeader header, String text) {
        if (headers.contains(header)) {
            fixed.append(text).append("\r\n");
        }
    }

    /** An upper bound on the number of bytes that {@link #write} appends. */
    int maxBytes(RequestScanner request) {
        return fixedLinesAndHostName.length + 2 * (request.authorityEnd - request.authorityStart) + 3 * 64;
    }

    void write(RequestScanner request, ByteBuf target) {
        if (sendsAddress) {
            target.writeBytes(ADDRESS);
            writeAddress(target);
            target.writeShort(END_OF_LINE);
        }
        int hostBytes = request.authorityEnd - request.authorityStart;
        if (sendsHost && hostBytes > 0) {
            target.writeBytes(fixedLinesAndHostName);
            target.writeBytes(request.bytes, request.authorityStart, hostBytes);
            target.writeShort(END_OF_LINE);
        } else {
            target.writeBytes(fixedLinesAndHostName, 0, fixedLength);
        }
        if (sendsForwarded) {
            writeForwarded(request, hostBytes, target);
        }
    }

    private void writeAddress(ByteBuf target) {
        if (forwardedClient != null && forwardedClient.isKnown()) {
            target.writeBytes(forwardedClient.text(), 0, forwardedClient.textLength());
        } else {
            target.writeBytes(address);
        }
    }

    private void writeForwarded(RequestScanner request, int hostBytes, ByteBuf target) {
        target.writeBytes(FORWARDED);
        if (forwardedClient == null || !forwardedClient.isKnown()) {
            target.writeBytes(node);
        } else if (forwardedClient.bytes().length == IPV4_BYTES) {
            writeAddress(target);
        } else {
            target.writeBytes(OPEN);
            writeAddress(target);
            target.writeBytes(CLOSE);
        }
        target.writeBytes(forwardedProto);
        if (hostBytes > 0) {
            target.writeBytes(FORWARDED_HOST);
            target.writeBytes(request.bytes, request.authorityStart, hostBytes);
            target.writeByte(QUOTE);
        }
        target.writeShort(END_OF_LINE);
    }
}
