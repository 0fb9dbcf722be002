package io.ballast.http.forwarding;

import io.ballast.core.config.Forwarding;
import io.ballast.core.config.ForwardingHeader;
import io.ballast.http.head.Octets;
import io.ballast.http.head.RequestScanner;
import io.netty.buffer.ByteBuf;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lines by which backends are told about the client of a connection, as octets prepared once. What a proxy before us
 * said is {@linkplain AppendedForwarding appended to} if that is asked for, and if it said anything at all. Event-loop
 * confined.
 */
public final class ForwardingLines {

    /** Stands for an address that is not known. */
    static final String UNKNOWN = "unknown";

    private static final byte[] HOST = Octets.ascii("X-Forwarded-Host: ");
    private static final byte[] FORWARDED_HOST = Octets.ascii(";host=\"");
    private static final byte QUOTE = '"';
    private static final byte[] NOTHING = {};
    private static final int END_OF_LINE = 0x0d0a;

    private final Forwarding policy;
    private final AppendedForwarding appended;
    private final boolean sendsHost;
    /** All lines that are the same for every request, and the beginning of the one with the host if that is sent. */
    private final byte[] fixedThenHost;

    private final int fixedLength;
    /** {@code Forwarded} without the host; nothing if it is not sent. */
    private final byte[] forwarded;

    /**
     * @param address the peer's, without a zone; null if it has none
     * @param headers which of the headers are sent
     * @param localPort -1 if there is none
     * @param secure whether the connection is one of TLS
     */
    ForwardingLines(
            Forwarding policy,
            Set<ForwardingHeader> headers,
            @Nullable String address,
            boolean isIpv6,
            int localPort,
            boolean secure) {
        String scheme = secure ? "https" : "http";
        this.policy = policy;
        this.appended = new AppendedForwarding(headers, address, isIpv6);
        this.sendsHost = headers.contains(ForwardingHeader.X_FORWARDED_HOST);
        StringBuilder fixed = new StringBuilder();
        line(fixed, headers, ForwardingHeader.VIA, "Via: 1.1 ballast");
        if (address != null) {
            line(fixed, headers, ForwardingHeader.X_FORWARDED_FOR, "X-Forwarded-For: " + address);
        }
        line(fixed, headers, ForwardingHeader.X_FORWARDED_PROTO, "X-Forwarded-Proto: " + scheme);
        if (localPort >= 0) {
            line(fixed, headers, ForwardingHeader.X_FORWARDED_PORT, "X-Forwarded-Port: " + localPort);
        }
        this.fixedLength = fixed.length();
        this.fixedThenHost = Octets.ascii(fixed.append("X-Forwarded-Host: ").toString());
        this.forwarded = headers.contains(ForwardingHeader.FORWARDED)
                ? Octets.ascii("Forwarded: for=" + node(address, isIpv6) + ";proto=" + scheme)
                : NOTHING;
    }

    private static void line(StringBuilder fixed, Set<ForwardingHeader> headers, ForwardingHeader header, String text) {
        if (headers.contains(header)) {
            fixed.append(text).append("\r\n");
        }
    }

    /** An address as RFC 7239 section 6 writes it. */
    static String node(@Nullable String address, boolean isIpv6) {
        if (address == null) {
            return UNKNOWN;
        }
        return isIpv6 ? "\"[" + address + "]\"" : address;
    }

    static void writeHost(byte[] source, int from, int to, ByteBuf target) {
        target.writeBytes(HOST).writeBytes(source, from, to - from).writeShort(END_OF_LINE);
    }

    /** What happens to what the client says about itself. */
    public Forwarding policy() {
        return policy;
    }

    /** About how much {@link #write} appends at most. */
    public int mostBytes(RequestScanner request) {
        int ours = fixedThenHost.length + forwarded.length + 2 * (request.authorityEnd - request.authorityStart) + 64;
        return policy == Forwarding.APPEND ? ours + 2 * request.end : ours;
    }

    public void write(RequestScanner request, ByteBuf target) {
        if (policy == Forwarding.OFF) {
            return;
        }
        if (policy == Forwarding.APPEND && request.hasForwarding) {
            appended.write(request, target);
        } else {
            writeOurs(request, target);
        }
    }

    private void writeOurs(RequestScanner request, ByteBuf target) {
        int hostBytes = request.authorityEnd - request.authorityStart;
        if (sendsHost && hostBytes > 0) {
            target.writeBytes(fixedThenHost);
            target.writeBytes(request.bytes, request.authorityStart, hostBytes);
            target.writeShort(END_OF_LINE);
        } else {
            target.writeBytes(fixedThenHost, 0, fixedLength);
        }
        if (forwarded.length == 0) {
            return;
        }
        target.writeBytes(forwarded);
        if (hostBytes > 0) {
            target.writeBytes(FORWARDED_HOST);
            target.writeBytes(request.bytes, request.authorityStart, hostBytes);
            target.writeByte(QUOTE);
        }
        target.writeShort(END_OF_LINE);
    }
}
