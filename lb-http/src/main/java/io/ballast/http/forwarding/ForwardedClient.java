package io.ballast.http.forwarding;

import io.ballast.core.net.CidrSet;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeaderName;
import io.ballast.http.head.RequestScanner;
import org.jspecify.annotations.Nullable;

/**
 * Finds the client behind trusted proxies. The client is the rightmost address in {@code X-Forwarded-For} that does not
 * belong to a trusted proxy. If all addresses belong to trusted proxies, the client is the leftmost address. Without
 * that header, {@code Forwarded} (RFC 7239) is used. Entries to the left of the client are ignored, because an
 * untrusted peer sent them. If an entry is not an address, for example {@code unknown}, the client cannot be
 * determined, and the peer counts as the client.
 *
 * <p>Event-loop confined; no allocation.
 */
final class ForwardedClient {

    private static final byte[] FOR = ByteClasses.ascii("for");

    private enum Found {
        NOTHING,
        JUNK,
        PROXY,
        CLIENT
    }

    private final CidrSet trusted;
    private final ForwardedParameters parameters = new ForwardedParameters();
    private final ForwardedNodeParser nodes = new ForwardedNodeParser();
    private final byte[] ipv4 = new byte[4];
    private final byte[] ipv6 = new byte[16];
    private final byte[] text = new byte[ForwardedNodeParser.MAX_CHARACTERS];

    private byte[] bytes = ipv4;
    private int textLength;
    private Found found = Found.NOTHING;

    ForwardedClient(CidrSet trusted) {
        this.trusted = trusted;
    }

    void reset() {
        found = Found.NOTHING;
    }

    /** Whether the client of the last request is known. */
    boolean isKnown() {
        return found == Found.CLIENT || found == Found.PROXY;
    }

    /** The client's address: 4 or 16 bytes. */
    byte[] bytes() {
        return bytes;
    }

    byte[] text() {
        return text;
    }

    int textLength() {
        return textLength;
    }

    void read(RequestScanner request) {
        found = Found.NOTHING;
        for (int i = 0; i < request.count; i++) {
            if (request.names[i] == HeaderName.X_FORWARDED_FOR) {
                readList(request.bytes, request.valueStart[i], request.valueEnd[i]);
            }
        }
        if (found != Found.NOTHING) {
            return;
        }
        for (int i = 0; i < request.count; i++) {
            if (request.names[i] == HeaderName.FORWARDED) {
                readForwarded(request.bytes, request.valueStart[i], request.valueEnd[i]);
            }
        }
    }

    private void readList(byte[] bytes, int from, int to) {
        int start = from;
        for (int i = from; i <= to; i++) {
            if (i == to || bytes[i] == ',') {
                processEntry(bytes, start, i);
                start = i + 1;
            }
        }
    }

    private void readForwarded(byte[] bytes, int from, int to) {
        boolean named = false;
        parameters.start(bytes, from, to);
        while (parameters.next()) {
            if (parameters.hasName(FOR)) {
                processEntry(bytes, parameters.valueStart(), parameters.valueEnd());
                named = true;
            }
            if (parameters.endsElement()) {
                found = named ? found : Found.JUNK;
                named = false;
            }
        }
        if (parameters.isUnclosed()) {
            found = Found.JUNK;
        }
    }

    /** Processes the next entry; entries are processed from left to right. */
    private void processEntry(byte[] bytes, int from, int to) {
        byte @Nullable [] address = nodes.read(bytes, from, to);
        if (address == null) {
            found = Found.JUNK;
        } else if (!trusted.contains(address)) {
            storeAddress(address, bytes, nodes.start(), nodes.end());
            found = Found.CLIENT;
        } else if (found == Found.NOTHING) {
            storeAddress(address, bytes, nodes.start(), nodes.end());
            found = Found.PROXY;
        }
    }

    private void storeAddress(byte[] address, byte[] bytes, int from, int to) {
        this.bytes = address.length == 4 ? ipv4 : ipv6;
        System.arraycopy(address, 0, this.bytes, 0, address.length);
        textLength = to - from;
        System.arraycopy(bytes, from, text, 0, textLength);
    }
}
