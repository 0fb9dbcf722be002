package io.ballast.http.forwarding;

import io.ballast.core.config.UnixSocket;
import io.ballast.core.net.CidrSet;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.net.PeerAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The client address of a connection and the forwarding header lines derived from it, encoded once. If the
 * peer is a trusted proxy, the peer is the same for the whole connection, but the client may differ with
 * every request. Event-loop confined.
 */
public final class ClientAddress {

    private final ForwardingHeaders forwarding;
    private final byte[] bytes;
    private final byte[] address;
    /** The client that the peer reports, if the peer is a trusted proxy; otherwise null. */
    private final @Nullable ForwardedClient forwardedClient;

    /** @param rules the rules of the listener that accepted the connection */
    public ClientAddress(PeerConnection connection, ForwardingRules rules) {
        SocketAddress peer = connection.peer();
        InetAddress known = peer instanceof InetSocketAddress inet ? inet.getAddress() : null;
        CidrSet trusted = rules.trusted();
        boolean proxy = known != null && !trusted.isEmpty() && trusted.contains(known);
        this.forwardedClient = proxy ? new ForwardedClient(trusted) : null;
        this.bytes = PeerAddress.bytes(peer);
        String literal = known == null ? null : literal(known);
        this.address = ByteClasses.ascii(literal == null ? UnixSocket.SCHEME : literal);
        this.forwarding =
                new ForwardingHeaders(rules, connection, literal, known instanceof Inet6Address, forwardedClient);
    }

    private static String literal(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return zone < 0 ? text : text.substring(0, zone);
    }

    /** Whether the peer is a trusted proxy, so that the client may differ with every request. */
    public boolean isBehindProxy() {
        return forwardedClient != null;
    }

    /** Determines the client of this request, if the peer is a trusted proxy. */
    public void read(RequestScanner request) {
        if (forwardedClient != null) {
            forwardedClient.read(request);
        }
    }

    /** Discards the client address that the previous request reported. Called at the beginning of a request. */
    public void reset() {
        if (forwardedClient != null) {
            forwardedClient.reset();
        }
    }

    /**
     * The client's address: 4 or 16 bytes in network order, empty for a Unix socket. Must not be modified; valid until
     * the next request.
     */
    public byte[] bytes() {
        return forwardedClient != null && forwardedClient.isKnown() ? forwardedClient.bytes() : bytes;
    }

    /**
     * Returns the client's address in ASCII; {@code unix:} for a Unix socket. Only the first {@link #textLength}
     * bytes are valid. Callers must not modify the array.
     */
    public byte[] text() {
        return forwardedClient != null && forwardedClient.isKnown() ? forwardedClient.text() : address;
    }

    public int textLength() {
        return forwardedClient != null && forwardedClient.isKnown() ? forwardedClient.textLength() : address.length;
    }

    /** The forwarding headers to send to backends. */
    public ForwardingHeaders forwarding() {
        return forwarding;
    }
}
