package io.ballast.http.h1;

import io.ballast.core.config.Forwarding;
import io.ballast.core.net.CidrSet;
import io.netty.buffer.ByteBuf;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Who the client of a connection is, and what backends are told about it, as octets prepared once. Behind a trusted
 * proxy the peer is the same for a whole connection, but the client is another one with every request. Event-loop
 * confined.
 */
final class ClientAddress {

    static final byte[] VIA = Octets.ascii("Via: 1.1 ballast\r\n");

    private static final byte[] FOR = Octets.ascii("X-Forwarded-For: ");
    private static final byte[] PROTO = Octets.ascii("X-Forwarded-Proto: http\r\n");
    private static final byte[] HOST = Octets.ascii("X-Forwarded-Host: ");
    private static final byte[] FORWARDED = Octets.ascii("Forwarded: ");
    private static final byte[] LIST = Octets.ascii(", ");
    private static final byte[] FORWARDED_HOST = Octets.ascii(";host=\"");
    private static final byte[] FORWARDED_HOST_END = Octets.ascii("\"");
    private static final byte[] CRLF = Octets.ascii("\r\n");

    private final Forwarding forwarding;
    private final byte[] octets;
    private final byte[] address;
    private final byte[] port;
    private final byte[] forwardedElement;
    private final byte[] overwriteStart;
    /** For a peer that is a trusted proxy. */
    private final @Nullable ForwardedClient behind;

    /** @param trusted proxies whose word counts; if there are any, everybody else's is overwritten */
    ClientAddress(InetSocketAddress peer, int localPort, Forwarding wanted, CidrSet trusted) {
        boolean proxy = !trusted.isEmpty() && trusted.contains(peer.getAddress());
        this.behind = proxy ? new ForwardedClient(trusted) : null;
        this.forwarding = wanted == Forwarding.OFF || trusted.isEmpty()
                ? wanted
                : proxy ? Forwarding.APPEND : Forwarding.OVERWRITE;
        this.octets = peer.getAddress().getAddress();
        String text = peer.getAddress().getHostAddress();
        int zone = text.indexOf('%');
        String literal = zone < 0 ? text : text.substring(0, zone);
        this.address = Octets.ascii(literal);
        this.port = Octets.ascii("X-Forwarded-Port: " + localPort + "\r\n");
        String node = peer.getAddress() instanceof Inet6Address ? "\"[" + literal + "]\"" : literal;
        this.forwardedElement = Octets.ascii("for=" + node + ";proto=http");
        this.overwriteStart = Octets.ascii("Via: 1.1 ballast\r\nX-Forwarded-For: " + literal
                + "\r\nX-Forwarded-Proto: http\r\nX-Forwarded-Port: " + localPort + "\r\nForwarded: for=" + node
                + ";proto=http");
    }

    /** Whether the peer is a trusted proxy, so that the client may be another one with every request. */
    boolean isBehindProxy() {
        return behind != null;
    }

    /** Finds out whose request this is, if the peer is a trusted proxy. */
    void read(RequestScanner request) {
        if (behind != null) {
            behind.read(request);
        }
    }

    /** A request begins of which nothing is known. */
    void forget() {
        if (behind != null) {
            behind.forget();
        }
    }

    /** The client's address: 4 or 16 octets in network order. Not to be written to; holds until the next request. */
    byte[] octets() {
        return behind != null && behind.isKnown() ? behind.octets() : octets;
    }

    /** The client's address as ASCII, {@link #textLength} octets of it. Not to be written to. */
    byte[] text() {
        return behind != null && behind.isKnown() ? behind.text() : address;
    }

    int textLength() {
        return behind != null && behind.isKnown() ? behind.textLength() : address.length;
    }

    /** What happens to what the client says about itself. */
    Forwarding forwarding() {
        return forwarding;
    }

    /** An upper bound of what {@link #write} appends. */
    int mostBytes(RequestScanner request) {
        int ours = overwriteStart.length + 2 * (request.authorityEnd - request.authorityStart) + 64;
        return forwarding == Forwarding.APPEND ? ours + request.end : ours;
    }

    void write(RequestScanner request, ByteBuf target) {
        switch (forwarding) {
            case OVERWRITE -> overwrite(request, target);
            case APPEND -> append(request, target);
            case OFF -> {}
        }
    }

    private void overwrite(RequestScanner request, ByteBuf target) {
        target.writeBytes(overwriteStart);
        int length = request.authorityEnd - request.authorityStart;
        if (length > 0) {
            target.writeBytes(FORWARDED_HOST);
            target.writeBytes(request.bytes, request.authorityStart, length);
            target.writeBytes(FORWARDED_HOST_END);
            target.writeBytes(CRLF);
            writeHost(request, target);
        } else {
            target.writeBytes(CRLF);
        }
    }

    /** Lists of addresses grow by ours; single values stay those of the first proxy. */
    private void append(RequestScanner request, ByteBuf target) {
        target.writeBytes(VIA);
        target.writeBytes(FOR);
        writeEarlier(request, HeaderName.X_FORWARDED_FOR, target);
        target.writeBytes(address);
        target.writeBytes(CRLF);
        target.writeBytes(FORWARDED);
        writeEarlier(request, HeaderName.FORWARDED, target);
        target.writeBytes(forwardedElement);
        target.writeBytes(CRLF);
        if (!has(request, HeaderName.X_FORWARDED_PROTO)) {
            target.writeBytes(PROTO);
        }
        if (!has(request, HeaderName.X_FORWARDED_PORT)) {
            target.writeBytes(port);
        }
        if (!has(request, HeaderName.X_FORWARDED_HOST) && request.authorityEnd > request.authorityStart) {
            writeHost(request, target);
        }
    }

    private static void writeHost(RequestScanner request, ByteBuf target) {
        target.writeBytes(HOST);
        target.writeBytes(request.bytes, request.authorityStart, request.authorityEnd - request.authorityStart);
        target.writeBytes(CRLF);
    }

    private static void writeEarlier(RequestScanner request, HeaderName name, ByteBuf target) {
        for (int i = 0; i < request.count; i++) {
            if (request.names[i] == name && request.valueEnd[i] > request.valueStart[i]) {
                target.writeBytes(request.bytes, request.valueStart[i], request.valueEnd[i] - request.valueStart[i]);
                target.writeBytes(LIST);
            }
        }
    }

    private static boolean has(RequestScanner request, HeaderName name) {
        for (int i = 0; i < request.count; i++) {
            if (request.names[i] == name) {
                return true;
            }
        }
        return false;
    }
}
