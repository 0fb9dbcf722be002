package io.ballast.http.forwarding;

import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeaderName;
import io.ballast.http.head.RequestScanner;
import io.netty.buffer.ByteBuf;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Extends the forwarding headers that a trusted proxy in front of this server has sent. Appends the proxy's address to
 * headers that list addresses, and keeps headers with a single value unchanged. If the proxy did not send a value, it
 * is taken from the proxy's other forwarding headers, or omitted. Values of the current connection are not added,
 * because the proxy opened this connection, not the client. Such values could contradict the values that the proxy sent
 * about the client's connection. Event-loop confined; allocates nothing.
 */
final class ForwardingHeaderAppender {

    private static final byte[] ADDRESSES = ByteClasses.ascii("X-Forwarded-For: ");
    private static final byte[] PROTO = ByteClasses.ascii("X-Forwarded-Proto: ");
    private static final byte[] FORWARDED = ByteClasses.ascii("Forwarded: ");
    private static final byte[] FOR = ByteClasses.ascii("for=");
    private static final byte[] FORWARDED_PROTO = ByteClasses.ascii(";proto=");
    private static final byte[] FORWARDED_HOST = ByteClasses.ascii(";host=\"");
    private static final byte[] LIST = ByteClasses.ascii(", ");
    private static final byte[] UNKNOWN = ByteClasses.ascii(ForwardingHeaders.UNKNOWN);
    private static final byte[] OPEN = ByteClasses.ascii("\"[");
    private static final byte[] CLOSE = ByteClasses.ascii("]\"");
    private static final byte QUOTE = '"';
    private static final int END_OF_LINE = 0x0d0a;

    private final PeerPolicies policies;
    private final boolean sendsAddresses;
    private final boolean sendsProto;
    private final boolean sendsHost;
    private final boolean sendsForwarded;
    private final byte[] address;
    private final byte[] node;
    private final ForwardedValues peerValues = new ForwardedValues();
    private final ForwardedNodeParser nodes = new ForwardedNodeParser();
    private final ForwardedValues.EntryWriter addressWriter = this::writeAddress;
    private final ForwardedValues.EntryWriter elementWriter = this::writeElement;

    /** Whether the element being written is the first one, which describes the client. */
    private boolean isFirst;

    /**
     * Creates the appender.
     *
     * @param policies determine which headers of the proxy are trusted
     * @param headers headers that backends receive even if the proxy did not send them
     * @param peer the proxy's address; null if it has none
     */
    ForwardingHeaderAppender(
            PeerPolicies policies, Set<ForwardingHeader> headers, @Nullable String peer, boolean isIpv6) {
        this.policies = policies;
        this.sendsAddresses = headers.contains(ForwardingHeader.X_FORWARDED_FOR);
        this.sendsProto = headers.contains(ForwardingHeader.X_FORWARDED_PROTO);
        this.sendsHost = headers.contains(ForwardingHeader.X_FORWARDED_HOST);
        this.sendsForwarded = headers.contains(ForwardingHeader.FORWARDED);
        this.address = peer == null ? UNKNOWN : ByteClasses.ascii(peer);
        this.node = ByteClasses.ascii("for=" + ForwardingHeaders.node(peer, isIpv6));
    }

    /** Reads the proxy's headers; returns whether the proxy sent any trusted header. */
    boolean read(RequestScanner request) {
        return peerValues.read(request, policies);
    }

    /** Writes the headers that are added to the proxy's unchanged lines. {@link #read} must be called first. */
    void write(RequestScanner request, ByteBuf target) {
        if (sendsAddresses || peerValues.hasAddresses()) {
            writeAddresses(request, target);
        }
        if (sendsProto && !peerValues.hasProtoHeader() && peerValues.protoLength() > 0) {
            target.writeBytes(PROTO)
                    .writeBytes(request.bytes, peerValues.protoStart(), peerValues.protoLength())
                    .writeShort(END_OF_LINE);
        }
        if (sendsHost && !peerValues.hasHostHeader()) {
            writeHost(request, target);
        }
        if (sendsForwarded || peerValues.hasForwarded()) {
            writeForwarded(request, target);
        }
    }

    /** Writes the host; the host in a forwarding header takes precedence over the proxy's {@code Host}. */
    private void writeHost(RequestScanner request, ByteBuf target) {
        if (peerValues.hostLength() > 0) {
            int start = peerValues.hostStart();
            ForwardingHeaders.writeHost(request.bytes, start, start + peerValues.hostLength(), target);
        } else if (request.authorityEnd > request.authorityStart) {
            ForwardingHeaders.writeHost(request.bytes, request.authorityStart, request.authorityEnd, target);
        }
    }

    private void writeAddresses(RequestScanner request, ByteBuf target) {
        target.writeBytes(ADDRESSES);
        if (peerValues.hasAddresses()) {
            writePeerValues(request, HeaderName.X_FORWARDED_FOR, target);
        } else {
            peerValues.writeNodes(request, addressWriter, target);
        }
        target.writeBytes(address).writeShort(END_OF_LINE);
    }

    private void writeAddress(byte[] bytes, int from, int to, ByteBuf target) {
        if (nodes.read(bytes, from, to) == null) {
            target.writeBytes(UNKNOWN);
        } else {
            target.writeBytes(bytes, nodes.start(), nodes.end() - nodes.start());
        }
        target.writeBytes(LIST);
    }

    private void writeForwarded(RequestScanner request, ByteBuf target) {
        target.writeBytes(FORWARDED);
        if (peerValues.hasForwarded()) {
            writePeerValues(request, HeaderName.FORWARDED, target);
            target.writeBytes(node).writeShort(END_OF_LINE);
            return;
        }
        isFirst = true;
        if (peerValues.hasAddresses()) {
            peerValues.writeAddresses(request, elementWriter, target);
        }
        target.writeBytes(node);
        writeProtoAndHost(request.bytes, target);
        target.writeShort(END_OF_LINE);
    }

    private void writeElement(byte[] bytes, int from, int to, ByteBuf target) {
        byte @Nullable [] read = nodes.read(bytes, from, to);
        target.writeBytes(FOR);
        if (read == null) {
            target.writeBytes(UNKNOWN);
        } else if (read.length == 4) {
            target.writeBytes(bytes, nodes.start(), nodes.end() - nodes.start());
        } else {
            target.writeBytes(OPEN).writeBytes(bytes, nodes.start(), nodes.end() - nodes.start());
            target.writeBytes(CLOSE);
        }
        writeProtoAndHost(bytes, target);
        target.writeBytes(LIST);
    }

    /** Writes protocol and host, but only to the first element, because they describe the client. */
    private void writeProtoAndHost(byte[] bytes, ByteBuf target) {
        if (isFirst && peerValues.protoLength() > 0) {
            target.writeBytes(FORWARDED_PROTO).writeBytes(bytes, peerValues.protoStart(), peerValues.protoLength());
        }
        if (isFirst && peerValues.hostLength() > 0) {
            target.writeBytes(FORWARDED_HOST).writeBytes(bytes, peerValues.hostStart(), peerValues.hostLength());
            target.writeByte(QUOTE);
        }
        isFirst = false;
    }

    private static void writePeerValues(RequestScanner request, HeaderName name, ByteBuf target) {
        for (int i = 0; i < request.count; i++) {
            if (request.names[i] == name && request.valueEnd[i] > request.valueStart[i]) {
                target.writeBytes(request.bytes, request.valueStart[i], request.valueEnd[i] - request.valueStart[i]);
                target.writeBytes(LIST);
            }
        }
    }
}
